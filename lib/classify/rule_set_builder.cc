// RuleSet::compile(): rules to alternatives to the tree.
#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "headroom/classify/rule_set.hh"

namespace headroom::classify {

class RuleSetBuilder {
 public:
  explicit RuleSetBuilder(RuleSet& set) : set_(set) {}

  void build(std::span<const Expression> rules) {
    collect(rules);
    entries_.reserve(found_.size());
    for (const auto& [rule, alternative] : found_) add_entry(rule, alternative);
    found_.clear();
    std::vector<uint32_t> all(entries_.size());
    for (uint32_t i = 0; i < all.size(); ++i) all[i] = i;
    if (!all.empty()) set_.root_ = make(all);
  }

 private:
  using Target = RuleSet::Target;

  static constexpr std::size_t kListLength = 4;
  // Alternatives with the same cube are told apart by their ranges from this number on.
  static constexpr uint32_t kCrowd = 8;
  // Those with more tests left are parts of long patterns, which have many alternatives already.
  static constexpr std::size_t kMostSplit = 6;
  // All nibbles of the key but those of the presence bits, which never differ much.
  static constexpr unsigned kNibbles = PacketKey::kPresent * 2;

  void collect(std::span<const Expression> rules) {
    std::unordered_map<std::string_view, uint32_t> crowd;
    for (uint32_t rule = 0; rule < rules.size(); ++rule) {
      std::vector<Alternative> made = alternatives(rules[rule]);
      if (made.empty()) set_.unreachable_.push_back(rule);
      bool takes_all = false;
      for (Alternative& one : made) {
        takes_all |= one.rest.empty() && one.cube.mask.words == PacketKey().words;
        found_.emplace_back(rule, std::move(one));
      }
      if (!takes_all) continue;
      while (++rule < rules.size()) set_.unreachable_.push_back(rule);
    }
    for (const auto& [rule, one] : found_) ++crowd[bytes_of(one.cube)];
    std::vector<std::pair<uint32_t, Alternative>> split;
    for (auto& [rule, one] : found_) {
      if (one.rest.empty() || one.rest.size() > kMostSplit || crowd[bytes_of(one.cube)] <= kCrowd) {
        split.emplace_back(rule, one);
        continue;
      }
      for (Alternative& part : split_ranges(one)) split.emplace_back(rule, std::move(part));
    }
    crowd.clear();
    found_ = std::move(split);
  }

  static std::string_view bytes_of(const Cube& cube) {
    return {reinterpret_cast<const char*>(&cube), sizeof cube};
  }

  void add_entry(uint32_t rule, const Alternative& alternative) {
    RuleSet::Entry entry;
    entry.cube = alternative.cube;
    entry.rule = rule;
    entry.checks = static_cast<uint32_t>(set_.checks_.size());
    entry.check_count = static_cast<uint32_t>(alternative.rest.size());
    for (const Literal& literal : alternative.rest) set_.checks_.push_back(compile(literal));
    entries_.push_back(entry);
  }

  // --- what the key does not answer ---

  int32_t compile(const Literal& literal) {
    const auto [entry, is_new] = compiled_.try_emplace({literal.expression, literal.negated}, 0);
    if (is_new) {
      entry->second = literal.negated
                          ? jumps(*literal.expression, RuleSet::kFails, RuleSet::kHolds)
                          : jumps(*literal.expression, RuleSet::kHolds, RuleSet::kFails);
    }
    return entry->second;
  }

  int32_t jumps(const Expression& expression, int32_t yes, int32_t no) {
    using Kind = Expression::Kind;
    const std::vector<Expression>& parts = expression.parts;
    switch (expression.kind) {
      case Kind::constant:
        return expression.value ? yes : no;
      case Kind::test:
        set_.jumps_.push_back({expression.test, yes, no});
        if (expression.test.base != Base::ether)
          set_.reach_ = std::max(set_.reach_, 60 + expression.test.end());
        return static_cast<int32_t>(set_.jumps_.size() - 1);
      case Kind::negation:
        return jumps(parts[0], no, yes);
      case Kind::all_of: {
        int32_t next = yes;
        for (auto part = parts.rbegin(); part != parts.rend(); ++part)
          next = jumps(*part, next, no);
        return next;
      }
      case Kind::any_of: {
        int32_t next = no;
        for (auto part = parts.rbegin(); part != parts.rend(); ++part)
          next = jumps(*part, yes, next);
        return next;
      }
      case Kind::choice: {
        const int32_t chosen = jumps(parts[1], yes, no);
        return jumps(parts[0], chosen, jumps(parts[2], yes, no));
      }
    }
    return no;
  }

  // --- the tree ---

  static unsigned nibble(const PacketKey& key, unsigned index) {
    const auto* bytes = reinterpret_cast<const uint8_t*>(key.words.data());
    return (index & 1) == 0 ? bytes[index / 2] >> 4 : bytes[index / 2] & 15U;
  }
  static void add_nibble(PacketKey& mask, unsigned index) {
    auto* bytes = reinterpret_cast<uint8_t*>(mask.words.data());
    bytes[index / 2] = static_cast<uint8_t>(bytes[index / 2] | ((index & 1) == 0 ? 0xf0 : 0x0f));
  }

  // The nibbles by which these entries are best told apart; no bits when none helps. `grouped` says
  // which entries have them all.
  //
  // Greedy: nibble after nibble, as long as the expected number of entries that remain to be looked
  // at (those of one group and those outside all groups) falls.
  PacketKey choose(const std::vector<uint32_t>& items, std::vector<bool>& grouped) {
    PacketKey mask;
    const auto total = static_cast<double>(items.size());
    double cost = total * 0.9;
    std::vector<uint32_t> group(items.size(), 0);  // kNone outside
    uint32_t groups = 1;
    std::vector<unsigned> open;
    for (unsigned i = 0; i < kNibbles; ++i)
      if (std::any_of(items.begin(), items.end(),
                      [&](uint32_t item) { return nibble(entries_[item].cube.mask, i) == 15; }))
        open.push_back(i);
    std::vector<uint32_t> counts;
    while (!open.empty()) {
      unsigned best = kNibbles;
      for (const unsigned candidate : open) {
        counts.assign(std::size_t{groups} * 16, 0);
        uint64_t covered = 0;
        uint64_t squares = 0;  // the sum of the groups' sizes, squared
        for (std::size_t i = 0; i < items.size(); ++i) {
          const Cube& cube = entries_[items[i]].cube;
          if (group[i] == RuleSet::kNone || nibble(cube.mask, candidate) != 15) continue;
          uint32_t& count = counts[group[i] * 16 + nibble(cube.value, candidate)];
          squares += 2 * uint64_t{count} + 1;
          ++count;
          ++covered;
        }
        if (covered == 0) continue;
        const double new_cost = static_cast<double>(squares) / static_cast<double>(covered) +
                                total - static_cast<double>(covered);
        if (new_cost >= cost) continue;
        cost = new_cost;
        best = candidate;
      }
      if (best == kNibbles) break;
      cost *= 0.99;  // what helps less is not worth it
      add_nibble(mask, best);
      open.erase(std::find(open.begin(), open.end(), best));
      groups = refine(items, best, groups, group);
    }
    grouped.resize(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) grouped[i] = group[i] != RuleSet::kNone;
    return mask;
  }

  uint32_t refine(const std::vector<uint32_t>& items, unsigned by, uint32_t groups,
                  std::vector<uint32_t>& group) const {
    std::vector<uint32_t> renamed(std::size_t{groups} * 16, RuleSet::kNone);
    uint32_t count = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (group[i] == RuleSet::kNone) continue;
      const Cube& cube = entries_[items[i]].cube;
      if (nibble(cube.mask, by) != 15) {
        group[i] = RuleSet::kNone;
        continue;
      }
      uint32_t& name = renamed[group[i] * 16 + nibble(cube.value, by)];
      if (name == RuleSet::kNone) name = count++;
      group[i] = name;
    }
    return count;
  }

  Target make_list(const std::vector<uint32_t>& items) {
    const auto first = static_cast<uint32_t>(set_.entries_.size());
    for (const uint32_t item : items) set_.entries_.push_back(entries_[item]);
    set_.entries_.back().last = true;
    return first | RuleSet::kList;
  }

  // Items are in the order of their rules, and stay so.
  Target make(const std::vector<uint32_t>& items) {
    if (items.size() <= kListLength) return make_list(items);
    std::vector<bool> grouped;
    const PacketKey mask = choose(items, grouped);
    RuleSet::Step step;
    for (unsigned i = 0; i < PacketKey::kWords; ++i) {
      if (mask.words[i] == 0) continue;
      step.words[step.word_count] = static_cast<uint8_t>(i);
      step.masks[step.word_count++] = mask.words[i];
    }
    if (step.word_count == 0) return make_list(items);
    step.first_rule = entries_[items[0]].rule;

    // By tag rather than by value: the lists' comparisons are exact.
    std::map<uint32_t, std::vector<uint32_t>> groups;
    std::vector<uint32_t> rest;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (grouped[i])
        groups[step.hash(entries_[items[i]].cube.value)].push_back(items[i]);
      else
        rest.push_back(items[i]);
    }

    if (groups.size() == 1 && rest.empty()) return make_list(items);  // different values, one tag

    const auto index = static_cast<uint32_t>(set_.steps_.size());
    set_.steps_.emplace_back();
    uint32_t size = 2;
    while (size < 2 * groups.size()) size *= 2;
    step.table = static_cast<uint32_t>(set_.slots_.size());
    step.table_mask = size - 1;
    set_.slots_.resize(set_.slots_.size() + size);
    for (const auto& [tag, members] : groups) {
      const Target target = make(members);
      RuleSet::Slot* const table = set_.slots_.data() + step.table;
      uint32_t at = tag & step.table_mask;
      while (table[at].target != RuleSet::kNone) at = (at + 1) & step.table_mask;
      table[at] = {tag, target};
    }
    if (!rest.empty()) step.rest = make(rest);
    set_.steps_[index] = step;
    return index;
  }

  RuleSet& set_;
  std::vector<std::pair<uint32_t, Alternative>> found_;
  std::vector<RuleSet::Entry> entries_;
  std::map<std::pair<const Expression*, bool>, int32_t> compiled_;
};

void RuleSet::compile(std::span<const Expression> rules) {
  *this = RuleSet();
  reach_ = 60 + PacketKey::kTransportBits;
  RuleSetBuilder(*this).build(rules);
}

}  // namespace headroom::classify
