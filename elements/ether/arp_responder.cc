#include <algorithm>
#include <vector>

#include "arp_drops.hh"
#include "headroom/click/arguments.hh"
#include "headroom/click/named_types.hh"
#include "headroom/graph/element.hh"
#include "headroom/net/arp.hh"

namespace headroom {

// Which addresses are answered for, and with what: `IP/MASK [IP/MASK...] ETH`.
struct ArpAnswer {
  std::vector<IPPrefix> prefixes;
  EtherAddress ether;

  // One or more prefixes, separated by blanks.
  static bool parse_prefixes(const std::vector<std::string>& words, std::vector<IPPrefix>& prefixes,
                             const click::NameScope& names) {
    for (const std::string& word : words) {
      IPPrefix prefix;
      if (!click::parse_prefix_or_address(word, prefix, names)) return false;
      prefixes.push_back(prefix.canonical());
    }
    return !prefixes.empty();
  }
};

namespace click {
template <>
struct ArgType<ArpAnswer> {
  static constexpr std::string_view name = "IP/MASK [IP/MASK...] ETH";
  static bool parse(std::string_view text, ArpAnswer& value, std::string& error,
                    const NameScope& names = {}) {
    std::vector<std::string> words = split_words(text);
    ArpAnswer answer;
    std::string unused;
    if (!words.empty() && parse_argument(words.back(), answer.ether, unused, names)) {
      words.pop_back();
      if (ArpAnswer::parse_prefixes(words, answer.prefixes, names)) {
        value = std::move(answer);
        return true;
      }
    }
    error = "should be 'IP/MASK [IP/MASK...] ETH'";
    return false;
  }
  static std::string unparse(const ArpAnswer& value) {
    std::string text;
    for (const IPPrefix& prefix : value.prefixes) text += prefix.to_string() + " ";
    return text + value.ether.to_string();
  }
};
}  // namespace click

class ARPResponder final : public PacketElement<ARPResponder> {
 public:
  static constexpr ElementSpec spec{
      .name = "ARPResponder",
      .ports = "1/1-2",
      .processing = "a/ah",
      .doc =
          "Turns ARP requests for its addresses into replies. Packets have their Ethernet "
          "header. Of several prefixes that contain the address, the longest counts. What is "
          "not a request for one of them goes to output 1, or is dropped when that is not "
          "connected.",
      .writes = true,
      .contiguous = sizeof(ArpFrame)};

  ArgList<ArpAnswer> answers{
      *this,
      "ANSWER",
      {.doc = "IP/MASK [IP/MASK...] ETH: requests for these addresses are answered with this "
              "Ethernet address. A prefix that is another's network makes it a proxy."}};

  ArpDrops malformed{*this};
  Drop not_request{*this, "not-a-request", "It is an ARP reply."};
  Drop not_ours{*this, "not-ours", "It asks for an address that is not answered for."};

  ReadHandler table_text{*this, "table", "The answers: prefix and Ethernet address.",
                         [this] { return table_as_text(); }};
  QueryHandler lookup_text{
      *this, "lookup", "The Ethernet address that an IP address is answered with.",
      [this](std::string_view value, std::string& error) { return lookup_as_text(value, error); }};
  WriteHandler add_answer{
      *this, "add",
      "Adds an answer, or replaces that of the same prefix: IP/MASK "
      "[IP/MASK...] ETH.",
      [this](std::string_view value, std::string& error) {
        ArpAnswer answer;
        if (!click::parse_argument(click::uncomment(value), answer, error, names())) return false;
        add(answer);
        return true;
      }};
  WriteHandler remove_answer{
      *this, "remove", "Removes the answers for IP/MASK [IP/MASK...].",
      [this](std::string_view value, std::string& error) { return remove(value, error); }};

  bool configure(SetupContext&) override {
    for (const ArpAnswer& answer : *answers) add(answer);
    return true;
  }

  Verdict process(Packet& packet) {
    const ArpFault fault = find_arp_fault(packet.data(), packet.length());
    if (fault != ArpFault::none) [[unlikely]]
      return malformed[fault];
    ArpFrame& frame = *reinterpret_cast<ArpFrame*>(packet.data());
    if (frame.arp.operation != kArpRequest) return divert(1, not_request);
    const Entry* const entry = find(frame.arp.target_ip);
    if (entry == nullptr) return divert(1, not_ours);
    make_arp_reply(frame, entry->ether);
    // Without the padding, which is the asker's.
    packet.take(packet.length() - static_cast<uint32_t>(sizeof(ArpFrame)));
    return to(0);
  }

 private:
  struct Entry {
    IPPrefix prefix;
    EtherAddress ether;
  };

  const Entry* find(IPAddress address) const {
    for (const Entry& entry : entries_)
      if (entry.prefix.contains(address)) return &entry;
    return nullptr;
  }

  std::vector<Entry>::iterator find_prefix(const IPPrefix& prefix) {
    return std::find_if(entries_.begin(), entries_.end(),
                        [&](const Entry& entry) { return entry.prefix == prefix; });
  }

  void add(const ArpAnswer& answer) {
    for (const IPPrefix& prefix : answer.prefixes) {
      if (const auto same = find_prefix(prefix); same != entries_.end()) entries_.erase(same);
      const auto shorter = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
        return entry.prefix.length < prefix.length;
      });
      entries_.insert(shorter, {prefix, answer.ether});
    }
  }

  bool remove(std::string_view value, std::string& error) {
    std::vector<IPPrefix> prefixes;
    if (!ArpAnswer::parse_prefixes(click::split_words(click::uncomment(value)), prefixes,
                                   names())) {
      error = "should be 'IP/MASK [IP/MASK...]'";
      return false;
    }
    for (const IPPrefix& prefix : prefixes)
      if (find_prefix(prefix) == entries_.end()) {
        error = "there is no answer for '" + prefix.to_string() + "'";
        return false;
      }
    for (const IPPrefix& prefix : prefixes)
      std::erase_if(entries_, [&](const Entry& entry) { return entry.prefix == prefix; });
    return true;
  }

  std::string table_as_text() const {
    std::string text;
    for (const Entry& entry : entries_)
      text += entry.prefix.to_string() + " " + entry.ether.to_string() + "\n";
    return text;
  }

  std::optional<std::string> lookup_as_text(std::string_view value, std::string& error) const {
    IPAddress address;
    if (!click::parse_argument(click::uncomment(value), address, error, names())) {
      error = "should be an IP address";
      return std::nullopt;
    }
    const Entry* const entry = find(address);
    if (entry != nullptr) return entry->ether.to_string();
    error = "no answer for " + address.to_string();
    return std::nullopt;
  }

  std::vector<Entry> entries_;  // longer prefixes first
};

HEADROOM_ELEMENT(ARPResponder);

}  // namespace headroom
