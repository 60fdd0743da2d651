#include "arp_table.hh"

#include <cinttypes>
#include <cstdio>
#include <vector>

#include "headroom/click/arguments.hh"

namespace headroom {

bool ARPTable::configure(SetupContext& context) {
  bool ok = true;
  for (const auto* limit : {&capacity, &entry_packet_capacity, &entry_capacity})
    if (**limit == 0)
      ok = context.error(std::string(limit->name()) + ": out of range, bound 1",
                         "nothing is held or remembered without a limit");
  if (*entry_capacity > Ip4Neighbours::kMaxCapacity)
    ok = context.error("ENTRY_CAPACITY: out of range, bound " +
                       std::to_string(Ip4Neighbours::kMaxCapacity));
  if (timeout->nanoseconds < 0) ok = context.error("TIMEOUT: out of range, bound 0");
  return ok;
}

bool ARPTable::initialize(SetupContext& context) {
  const auto make = [this] { return std::make_shared<Table>(*entry_capacity); };
  table_ = worker().shared != nullptr ? worker().shared->get<Table>(name(), make) : make();
  if (const std::size_t present = table_->read().capacity(); present != *entry_capacity)
    context.warning("ENTRY_CAPACITY: the table that is in use keeps its " +
                    std::to_string(present));
  std::string unused;
  return reconfigure(unused);
}

bool ARPTable::reconfigure(std::string& error) {
  if (timeout->nanoseconds < 0) {
    error = "TIMEOUT: out of range, bound 0";
    return false;
  }
  if (table_)
    table_->write([this](Ip4Neighbours& table) { table.set_timeout(timeout->nanoseconds); });
  return true;
}

std::size_t ARPTable::known_count() const {
  if (!table_) return 0;
  return table_->write([this](Ip4Neighbours& table) {
    table.expire(now());
    return table.size();
  });
}

std::string ARPTable::table_as_text() const {
  if (!table_) return {};
  const int64_t time = now();
  const auto entries = table_->write([time](Ip4Neighbours& table) {
    table.expire(time);
    return table.entries();
  });
  std::string text;
  for (const auto& entry : entries) {
    const int64_t age = time - entry.confirmed;
    char seconds[48];
    std::snprintf(seconds, sizeof seconds, "%" PRId64 ".%06" PRId64, age / 1'000'000'000,
                  age % 1'000'000'000 / 1000);
    text += entry.address.to_string() + (entry.ether ? " 1 " : " 0 ") +
            entry.ether.value_or(EtherAddress::broadcast()).to_string() + " " + seconds + "\n";
  }
  return text;
}

bool ARPTable::runs(std::string& error) const {
  if (!table_) error = "the router does not run yet";
  return table_ != nullptr;
}

bool ARPTable::insert(std::string_view value, std::string& error) {
  const std::vector<std::string> words = click::split_words(click::uncomment(value));
  IPAddress address;
  EtherAddress ether;
  if (words.size() != 2 || !click::ArgType<IPAddress>::parse(words[0], address, error) ||
      !click::ArgType<EtherAddress>::parse(words[1], ether, error)) {
    error = "should be 'IP ETH'";
    return false;
  }
  if (!runs(error)) return false;
  const auto heard =
      table_->write([&](Ip4Neighbours& table) { return table.insert(address, ether, now()); });
  table_->notify(heard.waiting, address);
  return true;
}

bool ARPTable::remove(std::string_view value, std::string& error) {
  IPAddress address;
  if (!click::ArgType<IPAddress>::parse(click::uncomment(value), address, error)) {
    error = "should be an IP address";
    return false;
  }
  if (!runs(error)) return false;
  table_->write([&](Ip4Neighbours& table) { return table.remove(address); });
  return true;
}

bool ARPTable::clear(std::string& error) {
  if (!runs(error)) return false;
  table_->write([](Ip4Neighbours& table) { table.clear(); });
  return true;
}

HEADROOM_ELEMENT(ARPTable);

}  // namespace headroom
