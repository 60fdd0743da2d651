// The ledger: where every packet went, for each element and for the whole router.
//
//   in + created = out + dropped + absorbed + held
//
// `unaccounted` is what is missing on the right side. It is zero, or an element lost packets.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace headroom {

struct LedgerEntry {
  std::string element;
  std::string class_name;
  uint64_t in = 0;
  uint64_t created = 0;
  uint64_t out = 0;
  uint64_t dropped = 0;
  uint64_t absorbed = 0;
  uint64_t held = 0;
  int64_t unaccounted() const {
    return static_cast<int64_t>(in + created) -
           static_cast<int64_t>(out + dropped + absorbed + held);
  }
};

struct LedgerDrop {
  std::string element;
  std::string reason;
  uint64_t packets = 0;
};

struct Ledger {
  std::vector<LedgerEntry> entries;  // in router order
  std::vector<LedgerDrop> drops;     // those that happened
  uint64_t in_transit = 0;           // in the inbox
  // By batches that died with packets in them, in the whole process since the router was built.
  uint64_t leaked = 0;

  // The sum over all elements; in and out cancel out except for what is in transit.
  LedgerEntry total() const;
  // Whether nothing is unaccounted for, in any element.
  bool balanced() const;
  // Adds another replica's numbers, element by element.
  void merge(const Ledger& other);
  // The elements that lost packets, one a line; empty when balanced.
  std::string complaint() const;
};

}  // namespace headroom
