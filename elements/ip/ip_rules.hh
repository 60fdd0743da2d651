// What IPFilter and IPClassifier have in common: rules on IPv4 packets, the first of which that
// holds decides.
//
//   class IPFilter final : public IPRulesElement<IPFilter> {
//     bool configure(SetupContext& context) override {
//       ... add_rule(pattern, verdict, verdict_text, context) for each, then compile_rules(context)
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "headroom/classify/pattern.hh"
#include "headroom/classify/rule_set.hh"
#include "headroom/click/arguments.hh"
#include "headroom/graph/element.hh"

namespace headroom {

// The language, for the documentation of both.
#define HEADROOM_IP_PATTERN_DOC                                                                    \
  "A pattern is made of `[src|dst|src or dst|src and dst] host ADDRESS`, `.. net ADDRESS/LENGTH` " \
  "(or `net ADDRESS mask MASK`), `.. [tcp|udp] port PORT`, `.. ether host ADDRESS`, `[ip] proto "  \
  "PROTOCOL`, `ip vers|hl|tos|dscp|ttl|len|id N`, `ip ect|ce|frag|unfrag`, `tcp opt "              \
  "syn|fin|ack|rst|psh|urg`, `tcp win N`, `icmp type TYPE`, `ip|tcp|udp|icmp|transp[OFFSET:SIZE] " \
  "N` and `true`, `false`, `-`, `any`, `all`; before a value may stand `& MASK` and one of `== "   \
  "!= "                                                                                            \
  "< > <= >=`. They are combined with `not`, `and`, `or` (`! && ||`), `? :` and parentheses. "     \
  "Words that are clear can be left out (`tcp`, `www`, `10.0.0.0/24`, `syn`), and a value alone "  \
  "takes the qualifiers of the one before it (`src port 80 or 81`). Tests of ports, flags and "    \
  "ICMP hold on unfragmented packets and first fragments only; a test fails, also with !=, where " \
  "the packet has already ended; `not` before it then holds. `ether host` needs the Ethernet "     \
  "header, as MarkMACHeader sets it, still in the packet."

template <class T>
class IPRulesElement : public BatchElement<T> {
 public:
  Drop no_match{*this, "no-match", "It matches no pattern."};
  Drop no_header{*this, "no-network-header",
                 "It has no network header, which CheckIPHeader or MarkIPHeader sets."};
  ReadHandler program{*this, "program", "The compiled patterns: what is compared, in which order.",
                      [this] { return rules_.text(labels_); }};

  void process(PacketBatch& batch, Verdict* verdicts) {
    constexpr uint32_t kAhead = 4;
    const uint32_t size = batch.size();
    uint32_t waiting = 0;
    for (uint32_t i = 0; i < size; ++i) {
      if (i + kAhead < size) __builtin_prefetch(batch[i + kAhead].network_header());
      Packet& packet = batch[i];
      // Also negative when there is none.
      const int32_t offset = packet.network_header_offset();
      if (offset < 0 || static_cast<uint32_t>(offset) >= packet.length()) [[unlikely]] {
        verdicts[i] = no_header;
        continue;
      }
      const auto start = static_cast<uint32_t>(offset);
      if (packet.contiguous() < std::min(packet.length(), start + rules_.reach())) [[unlikely]] {
        verdicts[i] = verdict(find_split(packet, start));
        continue;
      }
      Lookup& lookup = lookups_[waiting++];
      lookup.index = i;
      lookup.view = classify::HeaderView(packet.data() + start, packet.contiguous() - start,
                                         ether_header(packet));
      lookup.key = classify::PacketKey(lookup.view);
      rules_.prefetch(lookup.key);
    }
    for (uint32_t i = 0; i < waiting; ++i) {
      const Lookup& lookup = lookups_[i];
      verdicts[lookup.index] = verdict(rules_.find(lookup.key, lookup.view));
    }
  }

 protected:
  // False, and reported, when pattern `index` is none. `label` is what the program shows.
  bool add_rule(std::size_t index, std::string_view pattern, Verdict verdict, std::string label,
                SetupContext& context) {
    classify::PatternError error;
    auto expression = classify::parse_pattern(pattern, this->names(), error);
    if (!expression)
      return context.error("pattern " + std::to_string(index) + ": " + error.message, error.hint);
    expressions_.push_back(std::move(*expression));
    verdicts_.push_back(verdict);
    labels_.push_back(std::move(label));
    return true;
  }
  void compile_rules(SetupContext& context) {
    rules_.compile(expressions_);
    expressions_ = {};
    for (const uint32_t rule : rules_.unreachable())
      context.warning("pattern " + std::to_string(rule) + " matches no packets");
  }

 private:
  static constexpr uint32_t kEtherHeader = 14;

  struct Lookup {
    classify::PacketKey key;
    classify::HeaderView view{nullptr, 0};
    uint32_t index = 0;  // in the batch
  };

  Verdict verdict(uint32_t rule) const {
    return rule == classify::RuleSet::kNone ? no_match : verdicts_[rule];
  }

  // Null when the packet has none: it was never marked, or is stripped off.
  static const uint8_t* ether_header(const Packet& packet) {
    const int32_t offset = packet.mac_header_offset();
    if (offset < 0 || static_cast<uint32_t>(offset) + kEtherHeader > packet.contiguous())
      return nullptr;
    return packet.data() + offset;
  }

  [[gnu::noinline]] uint32_t find_split(Packet& packet, uint32_t start) {
    const int32_t mac = packet.mac_header_offset();
    uint8_t ether[kEtherHeader];
    const bool has_ether =
        mac >= 0 && packet.copy_out(static_cast<uint32_t>(mac), ether, sizeof ether);
    copy_.resize(std::min(packet.length() - start, rules_.reach()));
    packet.copy_out(start, copy_.data(), static_cast<uint32_t>(copy_.size()));
    return rules_.find(classify::HeaderView(copy_.data(), static_cast<uint32_t>(copy_.size()),
                                            has_ether ? ether : nullptr));
  }

  classify::RuleSet rules_;
  std::vector<Verdict> verdicts_;
  std::vector<std::string> labels_;
  std::vector<classify::Expression> expressions_;  // until they are compiled
  std::vector<uint8_t> copy_;
  Lookup lookups_[PacketBatch::kCapacity];
};

}  // namespace headroom
