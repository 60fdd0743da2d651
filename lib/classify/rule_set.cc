#include "headroom/classify/rule_set.hh"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <set>

namespace headroom::classify {

uint32_t RuleSet::search(Target target, const PacketKey& key, const HeaderView& view,
                         uint32_t best) const {
  while ((target & kList) == 0) {
    const Step& step = steps_[target];
    if (step.first_rule >= best) return best;
    const uint32_t tag = step.hash(key);
    const Slot* const table = slots_.data() + step.table;
    for (uint32_t at = tag & step.table_mask; table[at].target != kNone;
         at = (at + 1) & step.table_mask) {
      if (table[at].tag != tag) continue;
      best = search(table[at].target, key, view, best);
      break;
    }
    target = step.rest;
  }
  if (target == kNone) return best;
  for (const Entry* entry = &entries_[target & ~kList];; ++entry) {
    if (entry->rule >= best) return best;
    if (entry->cube.matches(key) && (entry->check_count == 0 || checks_hold(*entry, view)))
      return entry->rule;
    if (entry->last) return best;
  }
}

bool RuleSet::checks_hold(const Entry& entry, const HeaderView& view) const {
  for (uint32_t i = 0; i < entry.check_count; ++i) {
    int32_t at = checks_[entry.checks + i];
    while (at >= 0) {
      const Jump& jump = jumps_[static_cast<uint32_t>(at)];
      at = jump.test.holds(view) ? jump.yes : jump.no;
    }
    if (at == kFails) return false;
  }
  return true;
}

std::size_t RuleSet::memory() const {
  return entries_.capacity() * sizeof(Entry) + steps_.capacity() * sizeof(Step) +
         slots_.capacity() * sizeof(Slot) + checks_.capacity() * sizeof(int32_t) +
         jumps_.capacity() * sizeof(Jump);
}

// --- text ---

namespace {

// The fields of the key that a mask touches: "ip[12:4]=0a000000%ff000000 ...".
std::string fields_text(const PacketKey& mask, const PacketKey& value) {
  static constexpr struct {
    const char* name;
    unsigned at, size, offset;
  } kRegions[] = {{"ip", PacketKey::kIp, 20, 0},
                  {"transp", PacketKey::kTransport, 4, 0},
                  {"transp", PacketKey::kTransportFlags, 4, 12},
                  {"ether", PacketKey::kEther, 12, 0}};
  const auto* masks = reinterpret_cast<const uint8_t*>(mask.words.data());
  const auto* values = reinterpret_cast<const uint8_t*>(value.words.data());
  std::string text;
  for (const auto& region : kRegions)
    for (unsigned i = 0; i < region.size; ++i) {
      unsigned size = 0;
      while (i + size < region.size && masks[region.at + i + size] != 0) ++size;
      if (size == 0) continue;
      std::string value_text;
      std::string mask_text;
      bool whole = true;
      for (unsigned j = 0; j < size; ++j) {
        char hex[4];
        std::snprintf(hex, sizeof hex, "%02x", values[region.at + i + j]);
        value_text += hex;
        std::snprintf(hex, sizeof hex, "%02x", masks[region.at + i + j]);
        mask_text += hex;
        whole &= masks[region.at + i + j] == 0xff;
      }
      text += std::string(text.empty() ? "" : " ") + region.name + "[" +
              std::to_string(region.offset + i) + ":" + std::to_string(size) + "]=" + value_text +
              (whole ? "" : "%" + mask_text);
      i += size;
    }
  return text;
}

// The demands of a cube on what must be there.
std::string presence_text(const PacketKey& mask) {
  const uint64_t present = mask.words[PacketKey::kPresent / 8];
  const uint64_t transport = present >> PacketKey::kIpBits & 0xffff;
  std::string text;
  if (const auto ip = std::bit_width(present & 0xfffff); ip != 0)
    text += " ip-bytes>=" + std::to_string(ip);
  if (transport != 0) text += " transp-bytes>=" + std::to_string(std::bit_width(transport));
  if ((present & PacketKey::kTcpOrUdpBit) != 0) text += " tcpudp";
  if ((present & PacketKey::kEtherBit) != 0) text += " ether";
  return text;
}

}  // namespace

const RuleSet::Entry& RuleSet::first_entry(Target target) const {
  while ((target & kList) == 0) {
    const Step& step = steps_[target];
    const auto table = slots_.begin() + step.table;
    target = std::find_if(table, table + step.table_mask + 1, [](const Slot& slot) {
               return slot.target != kNone;
             })->target;
  }
  return entries_[target & ~kList];
}

std::string RuleSet::check_text(int32_t start) const {
  const auto goal = [](int32_t next) {
    return next == kHolds ? "true" : next == kFails ? "false" : "test " + std::to_string(next);
  };
  std::string text;
  std::vector<int32_t> todo{start};
  std::vector<bool> seen(jumps_.size());
  while (!todo.empty()) {
    const int32_t at = todo.back();
    todo.pop_back();
    if (at < 0 || seen[static_cast<uint32_t>(at)]) continue;
    seen[static_cast<uint32_t>(at)] = true;
    const Jump& jump = jumps_[static_cast<uint32_t>(at)];
    text += "  test " + std::to_string(at) + " " + jump.test.to_string() + " ? " + goal(jump.yes) +
            " : " + goal(jump.no) + "\n";
    todo.push_back(jump.no);
    todo.push_back(jump.yes);
  }
  return text;
}

std::string RuleSet::list_text(Target target, std::span<const std::string> names) const {
  std::string text;
  for (const Entry* entry = &entries_[target & ~kList];; ++entry) {
    const std::string fields = fields_text(entry->cube.mask, entry->cube.value);
    text += "    " + std::to_string(entry->rule) + " " + names[entry->rule] + " if " +
            (fields.empty() ? "any" : fields) + presence_text(entry->cube.mask);
    for (uint32_t i = 0; i < entry->check_count; ++i)
      text += " and check " + std::to_string(checks_[entry->checks + i]);
    text += "\n";
    if (entry->last) return text;
  }
}

std::string RuleSet::text(std::span<const std::string> names) const {
  if (root_ == kNone) return "no rule can match\n";
  std::string text;
  if ((root_ & kList) != 0) text = list_text(root_, names);
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const Step& step = steps_[i];
    PacketKey mask;
    for (uint32_t w = 0; w < step.word_count; ++w) mask.words[step.words[w]] = step.masks[w];
    text += "step " + std::to_string(i) + "\n";
    std::vector<Slot> slots;
    for (uint32_t at = 0; at <= step.table_mask; ++at)
      if (slots_[step.table + at].target != kNone) slots.push_back(slots_[step.table + at]);
    std::sort(slots.begin(), slots.end(), [&](const Slot& a, const Slot& b) {
      return first_entry(a.target).rule < first_entry(b.target).rule;
    });
    for (const Slot& slot : slots) {
      PacketKey value = first_entry(slot.target).cube.value;
      for (unsigned w = 0; w < PacketKey::kWords; ++w) value.words[w] &= mask.words[w];
      text += "  " + fields_text(mask, value);
      if ((slot.target & kList) != 0)
        text += "\n" + list_text(slot.target, names);
      else
        text += " -> step " + std::to_string(slot.target) + "\n";
    }
    if (step.rest == kNone) continue;
    text += "  and always";
    if ((step.rest & kList) != 0)
      text += "\n" + list_text(step.rest, names);
    else
      text += " -> step " + std::to_string(step.rest) + "\n";
  }
  std::set<int32_t> checks(checks_.begin(), checks_.end());
  for (const int32_t start : checks)
    text += "check " + std::to_string(start) + "\n" + check_text(start);
  return text;
}

}  // namespace headroom::classify
