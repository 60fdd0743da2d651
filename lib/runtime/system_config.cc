#include "headroom/runtime/system_config.hh"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include "headroom/base/suggest.hh"
#include "headroom/base/text.hh"
#include "headroom/runtime/system_schema.hh"

namespace headroom {
namespace {

using system_schema::Entry;
using system_schema::find_entry;
using system_schema::join;
using system_schema::Names;
using system_schema::split;
using Type = system_schema::Key::Type;
using Port = SystemConfig::Port;

// Decimal or 0x..., saturated when it is too large.
std::optional<int64_t> parse_integer(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  int base = 10;
  if (text.starts_with("0x")) {
    text.remove_prefix(2);
    base = 16;
  }
  if (text.starts_with('-')) return {};
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error == std::errc::invalid_argument || end != text.data() + text.size()) return {};
  if (error == std::errc::result_out_of_range) value = std::numeric_limits<int64_t>::max();
  return negative ? -value : value;
}

std::optional<bool> parse_boolean(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  if (text == "true" || text == "yes" || text == "on") return true;
  if (text == "false" || text == "no" || text == "off") return false;
  return {};
}

std::string describe(const YAML::Node& node) {
  if (node.IsMap()) return "a map";
  if (node.IsSequence()) return node.size() == 0 ? "an empty list" : "a list";
  if (!node.IsScalar()) return "nothing";
  return parse_integer(node.Scalar()) ? node.Scalar() : quoted(node.Scalar());
}

Names port_names(const SystemConfig& config) {
  Names result;
  for (const auto& port : config.ports) result.push_back(port.name);
  return result;
}

// What a port can be.
constexpr const char* kDeviceKinds[] = {"vdev", "members", "pci", "interface", "traffic"};

// A port with traffic has a device of its own: one that receives nothing, and frees what it is
// given.
void carry_traffic(Port& port, std::size_t number) {
  port.traffic.given = true;
  port.traffic.number = static_cast<uint32_t>(number);
  port.vdev = "net_null_traffic" + std::to_string(number) + ",no-rx=1";
}

using Given = std::map<std::string, SourceLocation, std::less<>>;

class Reader {
 public:
  // `column` is added to the columns of YAML, when it is only the end of a line.
  Reader(uint32_t file, int column, SystemConfig& config, Diagnostics& diagnostics)
      : file_(file), column_(column), config_(config), diagnostics_(diagnostics) {}

  // Runs `read`; false, and the error reported, when the YAML is malformed.
  template <class Read>
  bool guarded(Read read) {
    try {
      read();
      return true;
    } catch (const YAML::Exception& error) {
      diagnostics_.error(location(error.mark), "malformed YAML: " + error.msg);
      return false;
    }
  }

  void document(const YAML::Node& root) {
    each(root, "", system_schema::keys_below(""), [&](auto& name, auto, auto& value) {
      if (name == "ports") {
        each(value, "ports", {},
             [&](auto& port, auto where, auto& body) { read_port(port, where, body); });
      } else if (name == "compat") {
        each(value, "compat", {"nba"},
             [&](auto& system, auto, auto& body) { read_section("compat." + system, body); });
      } else {
        read_section(name, value);
      }
    });
    check_devices({});
  }

  // False when it was wrong, and the target is untouched then.
  bool set(const Entry& entry, const std::string& path, Port& port, const YAML::Node& node) {
    const auto wrong = [&](const YAML::Node& part, std::string hint = {}) {
      diagnostics_.error(location(part.Mark()),
                         quoted(path) + " should be " + system_schema::expected(entry.key) +
                             ", not " + describe(part),
                         std::move(hint));
      return false;
    };
    const system_schema::Key& key = entry.key;
    const auto target = entry.target(config_, port);
    const bool list = key.type == Type::integers || key.type == Type::texts;
    if (list ? !node.IsSequence() : !node.IsScalar()) return wrong(node);
    switch (key.type) {
      case Type::integer: {
        const auto value = integer(key, node);
        if (!value) return wrong(node);
        *std::get<uint32_t*>(target) = *value;
        return true;
      }
      case Type::boolean: {
        const auto value = parse_boolean(node.Scalar());
        if (!value) return wrong(node);
        *std::get<bool*>(target) = *value;
        return true;
      }
      case Type::text: {
        std::string value = node.Scalar();
        if (auto problem = entry.check ? entry.check(value) : std::nullopt) {
          diagnostics_.error(location(node.Mark()), quoted(path) + " " + problem->message,
                             std::move(problem->hint));
          return false;
        }
        *std::get<std::string*>(target) = std::move(value);
        return true;
      }
      case Type::choice: {
        const auto choices = split(key.choices, ' ');
        const auto found = std::ranges::find(choices, std::string_view(node.Scalar()));
        if (found == choices.end()) return wrong(node, did_you_mean(node.Scalar(), choices));
        const auto index = found - choices.begin();
        std::visit(
            [&](auto* to) {
              using Value = std::remove_pointer_t<decltype(to)>;
              if constexpr (std::is_enum_v<Value>) *to = static_cast<Value>(index);
            },
            target);
        return true;
      }
      case Type::integers: {
        std::vector<uint32_t> values;
        if (node.size() == 0) return wrong(node);
        for (const auto& part : node) {
          const auto value = part.IsScalar() ? integer(key, part) : std::nullopt;
          if (!value) return wrong(part);
          if (std::ranges::count(values, *value) != 0) {
            diagnostics_.error(location(part.Mark()),
                               quoted(path) + " names " + std::to_string(*value) + " twice");
            return false;
          }
          values.push_back(*value);
        }
        *std::get<std::vector<uint32_t>*>(target) = std::move(values);
        return true;
      }
      case Type::texts: {
        std::vector<std::string> values;
        for (const auto& part : node) {
          if (!part.IsScalar()) return wrong(part);
          values.push_back(part.Scalar());
          if (auto problem = entry.check ? entry.check(values.back()) : std::nullopt) {
            diagnostics_.error(location(part.Mark()), quoted(path) + " " + problem->message,
                               std::move(problem->hint));
            return false;
          }
        }
        *std::get<std::vector<std::string>*>(target) = std::move(values);
        return true;
      }
    }
    return false;
  }

  void check_port_name(std::string_view name, SourceLocation where) {
    const auto usable = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
             std::string_view("_-.:@").find(c) != std::string_view::npos;
    };
    if (name.empty() || !std::ranges::all_of(name, usable))
      diagnostics_.error(where, quoted(name) + " cannot be a port's name",
                         "letters, digits and any of _ - . : @ can");
  }

  // Two ports cannot share a device. Reported at `where`, or if that is unknown at the port.
  void check_devices(SourceLocation where) {
    std::map<std::string_view, const Port*> users;
    for (const auto& port : config_.ports) {
      std::vector<std::string_view> devices{port.pci, port.interface,
                                            system_schema::device_name(port.vdev)};
      for (const std::string& member : port.members)
        devices.push_back(system_schema::device_name(member));
      for (const std::string_view device : devices) {
        if (device.empty()) continue;
        const auto [user, fresh] = users.emplace(device, &port);
        if (fresh) continue;
        const bool physical = device == port.pci || device == port.interface;
        diagnostics_.error(where.known() ? where : port.where,
                           "port " + quoted(port.name) + " uses the device " + quoted(device) +
                               " that port " + quoted(user->second->name) + " uses already",
                           physical ? "" : "number them: net_null0, net_null1");
      }
    }
  }

  // A DPDK pool holds at least one and a half times its cache.
  void check_pools(SourceLocation where) {
    const auto& pools = config_.pools;
    const uint32_t least = pools.cache + (pools.cache + 1) / 2;
    if (pools.packets != 0 && pools.packets < least)
      diagnostics_.error(where,
                         "'pools.packets' should be at least " + std::to_string(least) +
                             " with a cache of " + std::to_string(pools.cache) + ", not " +
                             std::to_string(pools.packets),
                         "0 derives it from ports and workers");
  }

 private:
  SourceLocation location(const YAML::Mark& mark) const {
    if (mark.is_null()) return {file_, 0, 0};
    return {file_, static_cast<uint32_t>(mark.line + 1),
            static_cast<uint32_t>(mark.column + 1 + column_)};
  }

  static std::optional<uint32_t> integer(const system_schema::Key& key, const YAML::Node& node) {
    const auto value = parse_integer(node.Scalar());
    if (!value || *value < int64_t{key.min} || *value > int64_t{key.max}) return {};
    return static_cast<uint32_t>(*value);
  }

  // Visits the pairs of a map whose keys are among `allowed` (empty: any name).
  template <class Visit>
  Given each(const YAML::Node& map, const std::string& path, const Names& allowed, Visit visit) {
    Given given;
    if (map.IsNull()) return given;
    if (!map.IsMap()) {
      const bool colon = map.IsScalar() && map.Scalar().find(':') != std::string::npos;
      diagnostics_.error(
          location(map.Mark()),
          (path.empty() ? "the file" : quoted(path)) + " should be a map, not " + describe(map),
          colon ? "a space belongs behind the colon" : "");
      return given;
    }
    for (const auto& pair : map) {
      const auto where = location(pair.first.Mark());
      if (!pair.first.IsScalar()) {
        diagnostics_.error(where, "a key should be a name, not " + describe(pair.first));
        continue;
      }
      const std::string& name = pair.first.Scalar();
      const std::string in = path.empty() ? "" : " in " + quoted(path);
      if (const auto [first, fresh] = given.emplace(name, where); !fresh) {
        diagnostics_.error(where, "key " + quoted(name) + " is given twice" + in);
        diagnostics_.note(first->second, "first given here");
      } else if (!allowed.empty() && std::ranges::count(allowed, std::string_view(name)) == 0) {
        auto hint = did_you_mean(name, allowed);
        if (name.find('=') != name.npos) hint = "a text with commas needs quotes between { and }";
        if (hint.empty()) hint = "the keys here are " + join(allowed, " and ");
        diagnostics_.error(where, "unknown key " + quoted(name) + in, std::move(hint));
      } else {
        visit(name, where, pair.second);
      }
    }
    return given;
  }

  void read_section(const std::string& section, const YAML::Node& body) {
    Port none;
    const auto given =
        each(body, section, system_schema::keys_below(section), [&](auto& name, auto, auto& value) {
          const std::string path = section + "." + name;
          set(*find_entry(path), path, none, value);
        });
    if (section == "workers") {
      auto& workers = config_.workers;
      if (given.contains("count") && given.contains("cores"))
        diagnostics_.error(later(given, "count", "cores"), "'workers' has both 'count' and 'cores'",
                           "'cores' alone says how many workers there are");
      if (!workers.cores.empty()) workers.count = static_cast<uint32_t>(workers.cores.size());
    }
    if (section == "workers" && given.contains("shape"))
      config_.workers.shape_where = given.at("shape");
    if (section == "pools" && given.contains("packets")) check_pools(given.at("packets"));
  }

  void read_traffic(const std::string& path, Port& port, const YAML::Node& body) {
    each(body, path, system_schema::keys_below("ports.*.traffic"),
         [&](auto& key, auto, auto& value) {
           set(*find_entry("ports.*.traffic." + key), path + "." + key, port, value);
         });
    carry_traffic(port, config_.ports.size());
  }

  void read_port(const std::string& name, SourceLocation where, const YAML::Node& body) {
    const std::string path = "ports." + name;
    Port port;
    port.name = name;
    port.where = where;
    check_port_name(name, where);
    const auto given =
        each(body, path, system_schema::keys_below("ports.*"), [&](auto& key, auto, auto& value) {
          if (key == "traffic")
            read_traffic(path + ".traffic", port, value);
          else
            set(*find_entry("ports.*." + key), path + "." + key, port, value);
        });
    if (!body.IsMap() && !body.IsNull()) return;  // that was the mistake
    std::string first;
    for (const char* kind : kDeviceKinds) {
      if (!given.contains(kind)) continue;
      if (first.empty())
        first = kind;
      else
        diagnostics_.error(
            later(given, first, kind),
            "port " + quoted(name) + " has both " + quoted(first) + " and " + quoted(kind),
            "a port is one device");
    }
    if (first.empty())
      diagnostics_.error(where,
                         "port " + quoted(name) +
                             " has none of 'vdev', 'members', 'pci', 'interface' and 'traffic'",
                         "such as vdev: net_pcap0,rx_pcap=in.pcap, pci: 0000:03:00.0 or interface: "
                         "eth0");
    config_.ports.push_back(std::move(port));
  }

  static SourceLocation later(const Given& given, std::string_view a, std::string_view b) {
    const auto place = [](const SourceLocation& at) { return std::pair(at.line, at.column); };
    return std::max(given.find(a)->second, given.find(b)->second,
                    [&](auto& x, auto& y) { return place(x) < place(y); });
  }

  uint32_t file_;
  int column_;
  SystemConfig& config_;
  Diagnostics& diagnostics_;
};

}  // namespace

const Port* SystemConfig::find_port(std::string_view name) const {
  const auto found = std::ranges::find(ports, name, &Port::name);
  if (found != ports.end()) return &*found;
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  const bool is_number = error == std::errc() && end == name.data() + name.size();
  return is_number && number < ports.size() ? &ports[number] : nullptr;
}

SystemConfig default_system_config() { return {}; }

SystemConfig read_system_config(uint32_t file, Diagnostics& diagnostics) {
  SystemConfig config;
  Reader reader(file, 0, config, diagnostics);
  reader.guarded([&] {
    const auto documents = YAML::LoadAll(diagnostics.sources().text(file));
    if (documents.size() > 1)
      diagnostics.error({file, static_cast<uint32_t>(documents[1].Mark().line + 1), 1},
                        "a second YAML document begins before here; a file holds one");
    if (!documents.empty()) reader.document(documents[0]);
  });
  return config;
}

void apply_override(SystemConfig& config, std::string_view assignment, Diagnostics& diagnostics) {
  const auto file = diagnostics.sources().add("--set", std::string(assignment));
  const SourceLocation where{file, 1, 1};
  const auto equals = assignment.find('=');
  if (equals == assignment.npos || equals == 0) {
    diagnostics.error(where, quoted(assignment) + " should be KEY=VALUE",
                      "such as workers.io_batch_size=32");
    return;
  }
  const std::string path(assignment.substr(0, equals));
  std::string value(assignment.substr(equals + 1));

  // "ports.NAME.KEY" is the table's "ports.*.KEY"; a name may hold dots itself.
  std::string pattern = path;
  std::string name;
  const auto last = path.rfind('.');
  if (path.starts_with("ports.") && last > 6) {
    constexpr std::string_view traffic = ".traffic";
    name = path.substr(6, last - 6);
    if (name.ends_with(traffic) && name.size() > traffic.size())
      name.resize(name.size() - traffic.size());
    pattern = "ports.*" + path.substr(6 + name.size());
  }
  const Entry* entry = find_entry(pattern);
  if (!entry || (name.empty() && pattern.starts_with("ports."))) {
    std::vector<std::string> paths;
    for (const auto& [key, target, check] : system_schema::table())
      paths.push_back(key.path.starts_with("ports.*.") ? "ports." + (name.empty() ? "NAME" : name) +
                                                             std::string(key.path.substr(7))
                                                       : std::string(key.path));
    diagnostics.error(where, "unknown key " + quoted(path),
                      did_you_mean(path, Names(paths.begin(), paths.end())));
    return;
  }

  SystemConfig changed = config;
  Port none;
  Port* port = &none;
  if (!name.empty()) {
    auto found = std::ranges::find(changed.ports, name, &Port::name);
    if (found == changed.ports.end()) {
      if (!system_schema::names_device(pattern)) {
        diagnostics.error({file, 1, 7}, "there is no port " + quoted(name),
                          did_you_mean(name, port_names(config)));
        return;
      }
      changed.ports.push_back({.name = name, .where = where});
      found = std::prev(changed.ports.end());
    }
    port = &*found;
  }

  // A list may be written without its brackets, as a shell likes it.
  int column = static_cast<int>(equals) + 1;
  const bool list = entry->key.type == Type::integers || entry->key.type == Type::texts;
  if (list && !value.starts_with('[')) {
    value = "[" + value + "]";
    --column;
  }
  const auto errors = diagnostics.errors();
  Reader reader(file, column, changed, diagnostics);
  const bool done = reader.guarded([&] { reader.set(*entry, path, *port, YAML::Load(value)); });
  if (!done || diagnostics.errors() != errors) return;

  // Of two keys that exclude each other, the one just given holds.
  if (path == "workers.cores")
    changed.workers.count = static_cast<uint32_t>(changed.workers.cores.size());
  if (path == "workers.count") changed.workers.cores.clear();
  if (system_schema::names_device(pattern)) {
    const bool traffic = pattern.starts_with("ports.*.traffic.");
    if (!traffic) port->traffic = {};
    if (traffic)
      carry_traffic(*port, static_cast<std::size_t>(port - changed.ports.data()));
    else if (pattern != "ports.*.vdev")
      port->vdev.clear();
    if (pattern != "ports.*.members") port->members.clear();
    if (pattern != "ports.*.pci") port->pci.clear();
    if (pattern != "ports.*.interface") port->interface.clear();
  }
  if (!name.empty()) {
    reader.check_port_name(name, {file, 1, 7});
    reader.check_devices(where);
  }
  if (path.starts_with("pools.")) reader.check_pools(where);
  if (path == "workers.shape") changed.workers.shape_where = where;
  if (diagnostics.errors() == errors) config = std::move(changed);
}

bool check_system_config(const SystemConfig& config, Diagnostics& diagnostics) {
  const auto& workers = config.workers;
  const std::size_t errors = diagnostics.errors();
  for (const Port& port : config.ports)
    for (const uint32_t worker : port.workers)
      if (worker >= workers.count)
        diagnostics.error(port.where,
                          "port " + quoted(port.name) + " is for worker " + std::to_string(worker) +
                              ", and 'workers.count' is " + std::to_string(workers.count),
                          "workers count from 0");
  if (workers.shape != SystemConfig::Shape::pipeline || workers.io < workers.count)
    return diagnostics.errors() == errors;
  diagnostics.error(workers.shape_where,
                    "a pipeline needs more workers than " + std::to_string(workers.io) +
                        " for input and output, and 'workers.count' is " +
                        std::to_string(workers.count),
                    "raise workers.count, or set workers.shape to run-to-completion");
  return false;
}

}  // namespace headroom
