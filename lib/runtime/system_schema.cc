#include "headroom/runtime/system_schema.hh"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>

#include "headroom/base/suggest.hh"
#include "headroom/net/addresses.hh"

namespace headroom {
namespace system_schema {
namespace {

using Port = SystemConfig::Port;
using Type = Key::Type;

std::optional<Problem> check_vdev(std::string& value);
std::optional<Problem> check_pci(std::string& value);
std::optional<Problem> check_interface(std::string& value);
std::optional<Problem> check_rss(std::string& value);
std::optional<Problem> check_offload(std::string& value);
std::optional<Problem> check_prefix(std::string& value);
std::optional<Problem> check_ether(std::string& value);

template <auto Section, auto Member>
Target in(SystemConfig& config, Port&) {
  return &(config.*Section.*Member);
}
template <auto Member>
Target of_port(SystemConfig&, Port& port) {
  return &(port.*Member);
}

template <auto Member>
Target of_traffic(SystemConfig&, Port& port) {
  return &(port.traffic.*Member);
}

struct Section {
  std::string_view name;
  std::string_view doc;
};
constexpr Section sections[] = {
    {"eal", "How DPDK is started."},
    {"ports", "The ports that FromDevice(NAME) and ToDevice(NAME) speak of, a map from names."},
    {"workers", "The cores that packets run on."},
    {"pools", "The memory that packets live in."},
    {"compat", "What configurations of other systems need."},
};

constexpr auto eal = &SystemConfig::eal;
constexpr auto workers = &SystemConfig::workers;
constexpr auto pools = &SystemConfig::pools;
constexpr auto compat = &SystemConfig::compat;
using Eal = SystemConfig::Eal;
using Workers = SystemConfig::Workers;
using Pools = SystemConfig::Pools;
using Compat = SystemConfig::Compat;
using Traffic = SystemConfig::Traffic;

constexpr uint32_t most_packets = 100'000'000;
constexpr uint32_t most_data_room = 65'535 - 128;  // an mbuf's buffer length has 16 bits

constexpr Entry entries[] = {
    {{.path = "eal.hugepages",
      .type = Type::choice,
      .choices = "auto on off",
      .doc = "Whether packets live in hugepages: if some are free, always, or never."},
     in<eal, &Eal::hugepages>},
    {{.path = "eal.memory_mb",
      .type = Type::integer,
      .max = 1'048'576,
      .unit = "MB",
      .zero = "what the pools need",
      .doc = "Memory that DPDK sets aside."},
     in<eal, &Eal::memory_mb>},
    {{.path = "eal.arguments",
      .type = Type::texts,
      .doc = "Further arguments for the EAL, each as it would stand on a command line."},
     in<eal, &Eal::arguments>},

    {{.path = "ports.*.vdev",
      .type = Type::text,
      .doc = "A virtual device: a driver's name with a number, then its arguments after commas, "
             "such as net_pcap0,rx_pcap=in.pcap. A port has this, members, pci, interface or "
             "traffic."},
     of_port<&Port::vdev>,
     check_vdev},
    {{.path = "ports.*.members",
      .type = Type::texts,
      .doc = "Several virtual devices that are one port with a queue each, as a list."},
     of_port<&Port::members>,
     check_vdev},
    {{.path = "ports.*.pci",
      .type = Type::text,
      .doc = "A network card by its PCI address, such as 0000:03:00.0."},
     of_port<&Port::pci>,
     check_pci},
    {{.path = "ports.*.interface",
      .type = Type::text,
      .doc = "A network interface of Linux, such as eth0. What it receives does not reach the "
             "system's own network stack."},
     of_port<&Port::interface>,
     check_interface},
    {{.path = "ports.*.traffic.kind",
      .type = Type::choice,
      .choices = "ipv4 ipv6 mixed pcap",
      .doc =
          "A port with traffic generates what it receives, and frees what it transmits: UDP over "
          "IPv4, over IPv6, flows of both in turn, or the frames of a capture file."},
     of_traffic<&Traffic::kind>},
    {{.path = "ports.*.traffic.file",
      .type = Type::text,
      .doc = "The capture file of kind pcap. Its frames are sent as they are, over and over."},
     of_traffic<&Traffic::file>},
    {{.path = "ports.*.traffic.size",
      .type = Type::integer,
      .min = 64,
      .max = 65'535,
      .unit = "bytes",
      .doc = "Length of every frame with its FCS, as on the wire; a packet has 4 bytes less."},
     of_traffic<&Traffic::size>},
    {{.path = "ports.*.traffic.imix",
      .type = Type::boolean,
      .doc = "Whether sizes are 64, 594 and 1518 instead, seven, four and one in twelve."},
     of_traffic<&Traffic::imix>},
    {{.path = "ports.*.traffic.flows",
      .type = Type::integer,
      .min = 1,
      .max = 16'777'216,
      .doc = "How many flows there are; each has one destination."},
     of_traffic<&Traffic::flows>},
    {{.path = "ports.*.traffic.destinations",
      .type = Type::texts,
      .doc =
          "Prefixes that destinations are uniform over; where there is none of a family, they are "
          "uniform over all its unicast addresses.",
      .example = "[10.0.0.0/8]"},
     of_traffic<&Traffic::destinations>,
     check_prefix},
    {{.path = "ports.*.traffic.to",
      .type = Type::text,
      .doc = "The Ethernet address that frames are for; by default the port's own."},
     of_traffic<&Traffic::to>,
     check_ether},
    {{.path = "ports.*.traffic.rate",
      .type = Type::integer,
      .max = 4'000'000'000,
      .unit = "packets a second",
      .zero = "as fast as they are received",
      .doc = "How fast packets come, in all queues together. Those that are not received in time "
             "are counted as missed."},
     of_traffic<&Traffic::rate>},
    {{.path = "ports.*.traffic.seed",
      .type = Type::integer,
      .max = 4'294'967'295,
      .doc = "Another seed gives other destinations in another order."},
     of_traffic<&Traffic::seed>},
    {{.path = "ports.*.traffic.fill",
      .type = Type::boolean,
      .doc = "Whether all bytes of a packet are written, and not its first 64 alone; behind them "
             "are then what was in the buffer before, zero at first."},
     of_traffic<&Traffic::fill>},
    {{.path = "ports.*.traffic.latency",
      .type = Type::boolean,
      .doc = "Whether packets carry the time, in their last 16 bytes, so that where they leave by "
             "such a port it is known how long they took."},
     of_traffic<&Traffic::latency>},
    {{.path = "ports.*.attach",
      .type = Type::choice,
      .choices = "auto af_xdp pcap af_packet",
      .doc = "How the interface is attached: by AF_XDP if its frames are short enough for it, else "
             "by libpcap, which is slower and leaves the packets to the system too; af_packet "
             "glues fragments together and cuts long frames."},
     of_port<&Port::attach>},
    {{.path = "ports.*.rx_queues",
      .type = Type::integer,
      .max = 128,
      .zero = "one for each worker that receives",
      .doc =
          "Receive queues that the card spreads flows over (RSS). If there are more than workers, "
          "they take turns."},
     of_port<&Port::rx_queues>},
    {{.path = "ports.*.workers",
      .type = Type::integers,
      .max = 127,
      .doc = "Which workers receive from it, the first from queue 0 and so on; without it all do. "
             "On a machine with several sockets, those of the card's."},
     of_port<&Port::workers>},
    {{.path = "ports.*.rss",
      .type = Type::texts,
      .doc = "What the card tells flows apart by: of ip, tcp, udp, sctp, esp, vlan, mpls and eth. "
             "Without it ip, tcp and udp, as far as the card can."},
     of_port<&Port::rss>,
     check_rss},
    {{.path = "ports.*.rss_symmetric",
      .type = Type::boolean,
      .doc =
          "Whether both directions of a flow come by the same queue; if not, the driver's own key "
          "decides."},
     of_port<&Port::rss_symmetric>},
    {{.path = "ports.*.offloads",
      .type = Type::texts,
      .doc = "What the card does with packets in several pieces: scatter (frames longer than a "
             "packet's data room are received), multi-segment (such packets are sent), or none. "
             "Without it, multi-segment, and scatter if the MTU asks for it."},
     of_port<&Port::offloads>,
     check_offload},
    {{.path = "ports.*.rx_descriptors",
      .type = Type::integer,
      .max = 32'768,
      .zero = "the driver's default",
      .doc = "Packets that a receive queue holds before it loses some."},
     of_port<&Port::rx_descriptors>},
    {{.path = "ports.*.tx_descriptors",
      .type = Type::integer,
      .max = 32'768,
      .zero = "the driver's default",
      .doc = "Packets that a transmit queue holds."},
     of_port<&Port::tx_descriptors>},
    {{.path = "ports.*.mtu",
      .type = Type::integer,
      .min = 68,
      .max = 65'535,
      .unit = "bytes",
      .zero = "1500, or what the interface has",
      .doc = "Longest packet, without its Ethernet header."},
     of_port<&Port::mtu>},
    {{.path = "ports.*.promiscuous",
      .type = Type::boolean,
      .doc = "Whether frames for other MAC addresses are received too."},
     of_port<&Port::promiscuous>},
    {{.path = "ports.*.required",
      .type = Type::boolean,
      .doc = "Whether it is an error when the device is missing; else the port stays down."},
     of_port<&Port::required>},

    {{.path = "workers.count",
      .type = Type::integer,
      .min = 1,
      .max = 128,
      .doc = "How many workers: on the first cores this process may use, those of the sockets that "
             "network cards are at before others. This or cores."},
     in<workers, &Workers::count>},
    {{.path = "workers.cores",
      .type = Type::integers,
      .max = 1'023,
      .doc = "The cores, one worker on each. This or count."},
     in<workers, &Workers::cores>},
    {{.path = "workers.pinned",
      .type = Type::boolean,
      .doc = "Whether each worker stays on its core. If not, the system moves them as it likes; "
             "good for tests only."},
     in<workers, &Workers::pinned>},
    {{.path = "workers.shape",
      .type = Type::choice,
      .choices = "run-to-completion pipeline",
      .doc =
          "Whether every worker does everything, or the first ones receive and transmit, and the "
          "others do the rest."},
     in<workers, &Workers::shape>},
    {{.path = "workers.io",
      .type = Type::integer,
      .min = 1,
      .max = 127,
      .doc = "Of a pipeline: how many workers receive and transmit."},
     in<workers, &Workers::io>},
    {{.path = "workers.io_batch_size",
      .type = Type::integer,
      .min = 1,
      .max = 256,
      .unit = "packets",
      .doc = "Most packets that a port hands to the graph at once."},
     in<workers, &Workers::io_batch_size>},
    {{.path = "workers.comp_batch_size",
      .type = Type::integer,
      .min = 1,
      .max = 256,
      .unit = "packets",
      .doc = "Most packets that a worker takes at once from those that do input and output."},
     in<workers, &Workers::comp_batch_size>},
    {{.path = "workers.idle",
      .type = Type::choice,
      .choices = "poll sleep adaptive",
      .doc = "What a worker without packets does: look again at once, sleep for a moment, or first "
             "the one, then the other."},
     in<workers, &Workers::idle>},

    {{.path = "workers.watchdog_ms",
      .type = Type::integer,
      .max = 3'600'000,
      .unit = "ms",
      .zero = "never",
      .doc = "How long a worker may compute without coming round before it is reported, with the "
             "element that it is in."},
     in<workers, &Workers::watchdog_ms>},
    {{.path = "workers.fuse",
      .type = Type::boolean,
      .doc =
          "Whether one loop does the work of certain elements that follow each other. It changes "
          "nothing but the speed."},
     in<workers, &Workers::fuse>},

    {{.path = "pools.packets",
      .type = Type::integer,
      .max = most_packets,
      .unit = "packets",
      .zero = "what ports and workers need",
      .doc = "Packets in the pool."},
     in<pools, &Pools::packets>},
    {{.path = "pools.cache",
      .type = Type::integer,
      .max = 512,
      .unit = "packets",
      .doc = "Free packets that a worker keeps at hand."},
     in<pools, &Pools::cache>},
    {{.path = "pools.data_room",
      .type = Type::integer,
      .min = 512,
      .max = most_data_room,
      .unit = "bytes",
      .doc = "Room for data in a packet, beside its headroom; longer frames take several."},
     in<pools, &Pools::data_room>},

    {{.path = "compat.nba.routes",
      .type = Type::text,
      .doc = "The file of routes for NBA's IPlookup where a configuration names none."},
     in<compat, &Compat::nba_routes>},
};

// DPDK's drivers of virtual network devices. A driver takes every device name that begins so.
constexpr std::string_view drivers[] = {
    "net_af_packet", "net_af_xdp", "net_bonding",    "net_failsafe", "net_memif",
    "net_null",      "net_pcap",   "net_ring",       "net_softnic",  "net_tap",
    "net_tun",       "net_vhost",  "net_virtio_user"};

std::string range(const Key& key) {
  return "from " + std::to_string(key.min) + " to " + std::to_string(key.max);
}

// "; default 64", from the configuration that `target` points into.
std::string default_text(const Key& key, const Target& target) {
  const auto write = [&](const auto* value) -> std::string {
    using Value = std::remove_cvref_t<decltype(*value)>;
    if constexpr (std::is_enum_v<Value>) {
      return std::string(split(key.choices, ' ')[static_cast<std::size_t>(*value)]);
    } else if constexpr (std::is_same_v<Value, bool>) {
      return *value ? "true" : "false";
    } else if constexpr (std::is_same_v<Value, uint32_t>) {
      return std::to_string(*value);
    } else {
      return {};  // texts and lists are empty
    }
  };
  std::string text = std::visit(write, target);
  if (!text.empty()) text = "; default " + text;
  if (!key.zero.empty())
    text += std::string(text.ends_with(" 0") ? ":" : "; 0 is") + " " + std::string(key.zero);
  return text;
}

std::optional<Problem> check_vdev(std::string& value) {
  const auto device = device_name(value);
  const auto known = [&](auto driver) { return device.starts_with(driver); };
  if (std::ranges::any_of(drivers, known)) return {};
  const auto last = device.find_last_not_of("0123456789");
  auto hint = did_you_mean(device.substr(0, last == device.npos ? 0 : last + 1), drivers);
  // A driver from elsewhere may be loaded, so an unknown name is wrong only when it looks mistyped.
  if (device.starts_with("net_") && device.size() > 4 && hint.empty()) return {};
  if (hint.empty()) hint = "drivers are " + join(Names(std::begin(drivers), std::end(drivers)));
  return Problem{
      "should begin with a driver's name, such as net_pcap0, not '" + std::string(device) + "'",
      std::move(hint)};
}

std::optional<Problem> check_prefix(std::string& value) {
  if (IPPrefix::parse(value) || IP6Prefix::parse(value)) return {};
  return Problem{"should be prefixes such as 10.0.0.0/8 or 2001:db8::/32, not '" + value + "'", {}};
}

std::optional<Problem> check_ether(std::string& value) {
  if (EtherAddress::parse(value)) return {};
  return Problem{"should be an Ethernet address such as 02:00:00:00:00:01, not '" + value + "'",
                 {}};
}

std::optional<Problem> check_interface(std::string& value) {
  // Whether it exists is found when the port is opened: another machine may be described here.
  constexpr std::size_t longest = 15;  // IFNAMSIZ, less the end
  if (!value.empty() && value.size() <= longest &&
      value.find_first_of(" /,:\t\n") == std::string::npos)
    return {};
  return Problem{"should be the name of a network interface, such as eth0, not '" + value + "'",
                 "`ip link` lists them"};
}

std::optional<Problem> check_word(const std::string& value, const Names& words) {
  if (std::ranges::find(words, value) != words.end()) return {};
  return Problem{"should have " + join(words) + ", not '" + value + "'",
                 did_you_mean(value, words)};
}

std::optional<Problem> check_rss(std::string& value) { return check_word(value, rss_fields()); }

std::optional<Problem> check_offload(std::string& value) {
  return check_word(value, {"scatter", "multi-segment", "none"});
}

std::optional<Problem> check_pci(std::string& value) {
  // [domain:]bus:device.function in hexadecimal digits
  std::string_view shape = "xxxx:xx:xx.x";
  if (value.size() == 7) shape.remove_prefix(5);
  const bool fits = std::ranges::equal(value, shape, [](unsigned char c, char expected) {
    return expected == 'x' ? std::isxdigit(c) != 0 : c == static_cast<unsigned char>(expected);
  });
  if (!fits)
    return Problem{"should be a PCI address such as 0000:03:00.0, not '" + value + "'",
                   "`lspci -D` lists the addresses"};
  if (value.size() == 7) value.insert(0, "0000:");
  for (auto& c : value) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return {};
}

}  // namespace

Names rss_fields() { return {"ip", "tcp", "udp", "sctp", "esp", "vlan", "mpls", "eth"}; }

std::span<const Entry> table() { return entries; }

bool names_device(std::string_view path) {
  constexpr std::string_view devices[] = {"ports.*.vdev", "ports.*.members", "ports.*.pci",
                                          "ports.*.interface"};
  return std::ranges::find(devices, path) != std::end(devices) ||
         path.starts_with("ports.*.traffic.");
}

const Entry* find_entry(std::string_view path) {
  const auto* found = std::ranges::find(entries, path, [](auto& entry) { return entry.key.path; });
  return found == std::end(entries) ? nullptr : found;
}

Names keys_below(std::string_view path) {
  Names result;
  if (path.empty())
    for (const auto& section : sections) result.push_back(section.name);
  else
    for (const auto& entry : entries)
      if (entry.key.path.starts_with(path) && entry.key.path[path.size()] == '.') {
        const auto rest = entry.key.path.substr(path.size() + 1);
        const auto name = rest.substr(0, rest.find('.'));
        if (result.empty() || result.back() != name) result.push_back(name);
      }
  return result;
}

std::string expected(const Key& key) {
  switch (key.type) {
    case Type::integer:
      return "an integer " + range(key);
    case Type::boolean:
      return "true or false";
    case Type::text:
      return "a text";
    case Type::choice:
      return join(split(key.choices, ' '));
    case Type::integers:
      return "a list of integers " + range(key) + ", such as [1, 2]";
    case Type::texts:
      return "a list of texts, such as " + std::string(key.example);
  }
  return {};
}

std::string_view device_name(std::string_view vdev) { return vdev.substr(0, vdev.find(',')); }

Names split(std::string_view text, char separator) {
  Names result;
  while (!text.empty()) {
    const auto end = std::min(text.find(separator), text.size());
    if (end > 0) result.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

std::string join(const Names& names, std::string_view last) {
  std::string result;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) result += i + 1 == names.size() ? last : ", ";
    result += names[i];
  }
  return result;
}

}  // namespace system_schema

std::string system_schema_text() {
  SystemConfig defaults;
  SystemConfig::Port port;
  std::string text;
  for (const auto& section : system_schema::sections) {
    if (!text.empty()) text += "\n";
    text += std::string(section.name) + ":  " + std::string(section.doc) + "\n";
    for (const auto& [key, target, check] : system_schema::table()) {
      if (system_schema::split(key.path, '.').front() != section.name) continue;
      text += "\n  " + std::string(key.path) + "\n      " + system_schema::expected(key);
      if (!key.unit.empty()) text += " " + std::string(key.unit);
      text += system_schema::default_text(key, target(defaults, port));
      text += "\n      " + std::string(key.doc) + "\n";
    }
  }
  return text;
}

}  // namespace headroom
