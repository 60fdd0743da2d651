#include "headroom/graph/ledger.hh"

#include <algorithm>

#include "headroom/base/text.hh"

namespace headroom {

LedgerEntry Ledger::total() const {
  LedgerEntry sum;
  for (const LedgerEntry& entry : entries) {
    sum.in += entry.in;
    sum.created += entry.created;
    sum.out += entry.out;
    sum.dropped += entry.dropped;
    sum.absorbed += entry.absorbed;
    sum.held += entry.held;
  }
  return sum;
}

bool Ledger::balanced() const {
  return leaked == 0 && std::all_of(entries.begin(), entries.end(), [](const LedgerEntry& entry) {
           return entry.unaccounted() == 0;
         });
}

void Ledger::merge(const Ledger& other) {
  in_transit += other.in_transit;
  leaked = std::max(leaked, other.leaked);  // each has that of the whole process
  for (std::size_t i = 0; i < other.entries.size(); ++i) {
    if (i == entries.size()) {
      entries.push_back(other.entries[i]);
      continue;
    }
    LedgerEntry& entry = entries[i];
    const LedgerEntry& from = other.entries[i];
    entry.in += from.in;
    entry.created += from.created;
    entry.out += from.out;
    entry.dropped += from.dropped;
    entry.absorbed += from.absorbed;
    entry.held += from.held;
  }
  for (const LedgerDrop& drop : other.drops) {
    auto same = std::find_if(drops.begin(), drops.end(), [&](const LedgerDrop& mine) {
      return mine.element == drop.element && mine.reason == drop.reason;
    });
    if (same == drops.end())
      drops.push_back(drop);
    else
      same->packets += drop.packets;
  }
}

std::string Ledger::complaint() const {
  std::string text;
  for (const LedgerEntry& entry : entries) {
    const int64_t missing = entry.unaccounted();
    if (missing == 0) continue;
    text += "'" + entry.element + " :: " + entry.class_name + "' ";
    text += missing > 0 ? "lost " + grouped(static_cast<uint64_t>(missing))
                        : "has " + grouped(static_cast<uint64_t>(-missing)) + " too many";
    text += " packets\n";
  }
  if (leaked != 0) text += grouped(leaked) + " packets were leaked by batches\n";
  return text;
}

}  // namespace headroom
