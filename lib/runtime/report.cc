#include "headroom/runtime/report.hh"

#include <fmt/format.h>

#include <algorithm>

#include "headroom/base/text.hh"

namespace headroom {
namespace {

// Columns as wide as their widest cell; the first is text and flush left, numbers are flush right.
class Table {
 public:
  explicit Table(std::vector<std::string> head, std::size_t text_columns = 1)
      : text_columns_(text_columns) {
    rows_.push_back(std::move(head));
  }
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  bool empty() const { return rows_.size() == 1; }
  std::string text() const {
    std::vector<std::size_t> widths(rows_.front().size());
    for (const auto& row : rows_)
      for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    std::string out;
    for (const auto& row : rows_) {
      std::string line;
      for (std::size_t i = 0; i < row.size(); ++i)
        line += i < text_columns_ ? fmt::format("  {:<{}}", row[i], widths[i])
                                  : fmt::format("  {:>{}}", row[i], widths[i]);
      out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return out;
  }

 private:
  std::size_t text_columns_;
  std::vector<std::vector<std::string>> rows_;
};

std::vector<std::string> row_of(const LedgerEntry& entry, const std::string& name,
                                const std::string& class_name) {
  const int64_t missing = entry.unaccounted();
  return {name,
          class_name,
          grouped(entry.in),
          grouped(entry.created),
          grouped(entry.out),
          grouped(entry.dropped),
          grouped(entry.absorbed),
          grouped(entry.held),
          missing == 0 ? "ok"
                       : (missing > 0 ? "-" : "+") +
                             grouped(static_cast<uint64_t>(missing > 0 ? missing : -missing))};
}

// Where a port's own counters say something else than the elements': packets that were left in its
// queues when the run ended, or were lost there.
std::string differences(const std::vector<PortReport>& ports) {
  std::string out;
  for (const PortReport& port : ports) {
    if (port.stats.received != port.taken)
      out += fmt::format("  {}: of {} packets that the port received, elements took {}\n",
                         port.name, grouped(port.stats.received), grouped(port.taken));
    if (port.stats.transmitted != port.handed)
      out +=
          fmt::format("  {}: of {} packets that elements handed to the port, it transmitted {}\n",
                      port.name, grouped(port.handed), grouped(port.stats.transmitted));
  }
  return out;
}

}  // namespace

std::string render(const RunReport& report) {
  std::string out;
  if (!report.ports.empty()) {
    Table ports({"port", "driver", "link", "received", "transmitted", "missed", "no buffer",
                 "rx errors", "tx errors"},
                3);
    for (const PortReport& port : report.ports)
      ports.add({port.name, port.driver, to_text(port.link), grouped(port.stats.received),
                 grouped(port.stats.transmitted), grouped(port.stats.missed),
                 grouped(port.stats.no_buffer), grouped(port.stats.rx_errors),
                 grouped(port.stats.tx_errors)});
    out += "\nPorts\n" + ports.text() + differences(report.ports);
  }
  Table elements(
      {"element", "class", "in", "created", "out", "dropped", "absorbed", "held", "ledger"}, 2);
  for (const LedgerEntry& entry : report.ledger.entries)
    if (entry.in + entry.created + entry.held != 0 || entry.unaccounted() != 0)
      elements.add(row_of(entry, entry.element, entry.class_name));
  const LedgerEntry total = report.ledger.total();
  elements.add(row_of(total, "total", ""));
  out += "\nElements\n" + elements.text();

  Table drops({"element", "reason", "packets"}, 2);
  for (const LedgerDrop& drop : report.ledger.drops)
    drops.add({drop.element, drop.reason, grouped(drop.packets)});
  if (!drops.empty()) out += "\nDrops\n" + drops.text();

  out += fmt::format(
      "\nLedger: {} created, {} dropped, {} absorbed, {} held: ", grouped(total.created),
      grouped(total.dropped), grouped(total.absorbed), grouped(total.held));
  out += report.ledger.balanced() ? "balanced\n" : "NOT BALANCED\n" + report.ledger.complaint();
  if (report.seconds > 0)
    out += fmt::format("{} packets in {:.2f} s on {} core{}: {:.2f} Mpps\n", grouped(total.created),
                       report.seconds, report.workers, report.workers == 1 ? "" : "s",
                       static_cast<double>(total.created) / report.seconds / 1e6);
  return out;
}

}  // namespace headroom
