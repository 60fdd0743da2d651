// Many rules on IPv4 packets, compiled: which is the first that holds?
//
// The cost of a lookup must not follow the number of rules. Every rule becomes alternatives
// (alternatives.hh), each with a cube: some bits of the packet's key with certain values. The tree
// over them is built top down. A step takes those nibbles of the key (say, of the source address
// and the destination port) by which most of its alternatives differ, and hashes the alternatives
// that have all of them into a table, each group again a step or, when it is small, a list. The
// alternatives that leave one of these nibbles open follow in another step. So a lookup is a few
// hashes, as many as there are kinds of rules rather than rules, and at the end a handful of
// comparisons. No alternative is stored twice (as cutting trees do with wildcards), so that memory
// and the time to compile are proportional to the rules. The price: rules that differ in nothing
// that the key has (bytes of the payload) are tried one after the other.
//
//   RuleSet rules;
//   rules.compile(expressions);
//   const uint32_t first = rules.find(HeaderView(ip_bytes, length));   // or RuleSet::kNone
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "headroom/classify/alternatives.hh"
#include "headroom/classify/field_test.hh"
#include "headroom/classify/packet_key.hh"

namespace headroom::classify {

class RuleSet {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  void compile(std::span<const Expression> rules);

  uint32_t find(const HeaderView& view) const { return find(PacketKey(view), view); }
  // The same in two steps, so that a batch waits for memory once: first prefetch() for every
  // packet, then find().
  void prefetch(const PacketKey& key) const {
    if ((root_ & kList) != 0) return;  // or there are no rules
    const Step& step = steps_[root_];
    __builtin_prefetch(&slots_[step.table + (step.hash(key) & step.table_mask)]);
  }
  uint32_t find(const PacketKey& key, const HeaderView& view) const {
    return root_ == kNone ? kNone : search(root_, key, view, kNone);
  }

  // Rules that hold for no packet, or only for packets that an earlier rule takes all of.
  const std::vector<uint32_t>& unreachable() const { return unreachable_; }
  // Bytes from the IP header on that matter at most.
  uint32_t reach() const { return reach_; }
  std::size_t memory() const;
  // The steps as text, with these names for the rules.
  std::string text(std::span<const std::string> names) const;

 private:
  friend class RuleSetBuilder;

  // A step by its index, or with kList the index of a list's first entry.
  using Target = uint32_t;
  static constexpr uint32_t kList = 0x80000000;

  struct Entry {
    Cube cube;
    uint32_t rule = 0;
    uint32_t checks = 0;  // index of the first
    uint32_t check_count = 0;
    bool last = false;
  };
  struct Slot {
    uint32_t tag = 0;
    Target target = kNone;
  };
  struct Step {
    uint32_t first_rule = 0;  // the lowest under it
    Target rest = kNone;
    uint32_t table = 0;  // index of the first slot
    uint32_t table_mask = 0;
    uint32_t word_count = 0;
    uint8_t words[PacketKey::kWords] = {};
    uint64_t masks[PacketKey::kWords] = {};

    uint32_t hash(const PacketKey& key) const {
      constexpr uint64_t kFactor = 0x9e3779b97f4a7c15;
      uint64_t hash = 0;
      for (uint32_t i = 0; i < word_count; ++i) {
        hash = (hash ^ (key.words[words[i]] & masks[i])) * kFactor;
        hash ^= hash >> 32;
      }
      // Once more: a single product leaves the low bits of a word's upper half where they were.
      return static_cast<uint32_t>(hash * kFactor >> 32);
    }
  };
  // Tests that the key does not answer, as jumps.
  static constexpr int32_t kHolds = -1;
  static constexpr int32_t kFails = -2;
  struct Jump {
    FieldTest test;
    int32_t yes = kHolds;
    int32_t no = kFails;
  };

  uint32_t search(Target target, const PacketKey& key, const HeaderView& view, uint32_t best) const;
  bool checks_hold(const Entry& entry, const HeaderView& view) const;
  const Entry& first_entry(Target target) const;
  std::string list_text(Target target, std::span<const std::string> names) const;
  std::string check_text(int32_t start) const;

  Target root_ = kNone;
  std::vector<Entry> entries_;
  std::vector<Step> steps_;
  std::vector<Slot> slots_;
  std::vector<int32_t> checks_;  // where each begins in jumps_
  std::vector<Jump> jumps_;
  std::vector<uint32_t> unreachable_;
  uint32_t reach_ = 0;
};

}  // namespace headroom::classify
