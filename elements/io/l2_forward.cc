#include <algorithm>
#include <array>
#include <string_view>

#include "headroom/base/suggest.hh"
#include "headroom/base/text.hh"
#include "headroom/graph/element.hh"
#include "headroom/net/ether.hh"
#include "headroom/packet/egress.hh"
#include "headroom/runtime/machine.hh"

namespace headroom {

// How L2Forward chooses, by the names that NBA gives it.
enum class ForwardMethod : uint8_t {
  echoback,
  echoback_cross,
  two_to_one,
  roundrobin,
  roundrobin_batch
};

namespace click {

template <>
struct ArgType<ForwardMethod> {
  static constexpr std::string_view name = "method of forwarding";
  static constexpr std::string_view example = "method echoback";
  static constexpr std::array<std::string_view, 5> names{"echoback", "echoback_cross", "two_to_one",
                                                         "roundrobin", "roundrobin_batch"};

  // "method NAME" is a single argument there.
  static bool parse(std::string_view text, ForwardMethod& value, std::string& error) {
    const std::vector<std::string> words = split_words(text);
    const bool with_keyword = words.size() == 2 && lower_case(words[0]) == "method";
    const std::string_view wanted = words.empty() ? "" : std::string_view(words.back());
    const auto* const found = std::ranges::find(names, wanted);
    if ((words.size() == 1 || with_keyword) && found != names.end()) {
      value = static_cast<ForwardMethod>(found - names.begin());
      return true;
    }
    error =
        "should be 'method' and echoback, echoback_cross, two_to_one, roundrobin or "
        "roundrobin_batch";
    const std::string hint = did_you_mean(wanted, names);
    if (!hint.empty()) error += "; " + hint;
    return false;
  }
  static std::string unparse(ForwardMethod value) {
    return "method " + std::string(names[static_cast<std::size_t>(value)]);
  }
};

}  // namespace click

class L2Forward final : public BatchElement<L2Forward> {
 public:
  static constexpr ElementSpec spec{
      .name = "L2Forward",
      .doc =
          "Chooses the port that a frame leaves by from the one that it came by, for the "
          "EgressSwitch behind it. Ports count in the order of the system file.",
      .contiguous = sizeof(EtherHeader)};

  Arg<ForwardMethod> method{
      *this,
      "METHOD",
      {.doc = "`echoback`: the port it came by. `echoback_cross`: the other one of the pair 0 and "
              "1, 2 and 3, and so on. `two_to_one`: the first one of its pair. `roundrobin`: the "
              "next port with every frame. `roundrobin_batch`: the next port with every batch.",
       .positional = true,
       .mandatory = true}};

  Drop not_unicast{*this, "not-unicast", "Its destination is no single address, or cut off."};
  Drop no_port{*this, "no-such-port",
               "It came by no port of the system file, or the port has no other one to its pair."};

  bool configure(SetupContext& context) override {
    if (context.machine == nullptr) return context.error("needs a machine with ports");
    port_count_ = static_cast<uint32_t>(context.machine->config().ports.size());
    if (port_count_ == 0)
      return context.error("there are no ports", "name them in a file given with --system");
    return port_count_ <= Egress::kMostPorts ||
           context.error("more than " + std::to_string(Egress::kMostPorts) + " ports");
  }

  bool initialize(SetupContext& context) override {
    number_of_.fill(kNone);
    const auto& ports = context.machine->config().ports;
    for (uint32_t i = 0; i < ports.size(); ++i)
      if (const Device* device = context.machine->device(ports[i].name))
        for (const uint16_t member : device->members()) number_of_.at(member) = i;
    return true;
  }

  void process(PacketBatch& batch, Verdict* verdicts) {
    const uint32_t count = batch.size();
    if (*method == ForwardMethod::roundrobin_batch) advance();
    for (uint32_t i = 0; i < count; ++i) verdicts[i] = decide(batch[i]);
  }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;

  Verdict decide(Packet& packet) {
    if (packet.length() < sizeof(EtherHeader) ||
        reinterpret_cast<const EtherHeader*>(packet.data())->destination.is_group()) [[unlikely]]
      return not_unicast;
    const uint32_t port = choose(packet.mbuf()->port);
    if (port >= port_count_) [[unlikely]]
      return no_port;
    set_egress(packet, {.port = port});
    return to(0);
  }

  uint32_t choose(uint16_t member) {
    const uint32_t came_by = member < number_of_.size() ? number_of_[member] : kNone;
    switch (*method) {
      case ForwardMethod::echoback:
        return came_by;
      case ForwardMethod::echoback_cross:
        return came_by == kNone ? kNone : came_by ^ 1;
      case ForwardMethod::two_to_one:
        return came_by == kNone ? kNone : came_by & ~1U;
      case ForwardMethod::roundrobin:
        advance();
        return next_;
      case ForwardMethod::roundrobin_batch:
        return next_;
    }
    return kNone;
  }

  // The first one is port 0.
  void advance() { next_ = next_ + 1 < port_count_ ? next_ + 1 : 0; }

  // Of a port in the system file, by the number that DPDK gives to its members.
  std::array<uint32_t, RTE_MAX_ETHPORTS> number_of_{};
  uint32_t port_count_ = 0;
  uint32_t next_ = kNone - 1;
};

HEADROOM_ELEMENT(L2Forward);

}  // namespace headroom
