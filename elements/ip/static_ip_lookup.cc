#include <optional>
#include <utility>
#include <vector>

#include "headroom/click/arguments.hh"
#include "headroom/graph/element.hh"
#include "headroom/routing/ip4_table.hh"
#include "headroom/routing/next_hops.hh"

namespace headroom {

// A route as text: `ADDR/MASK [GATEWAY] OUTPUT`, where `-` is no gateway.
struct StaticRoute {
  static constexpr std::string_view kForm = "'ADDR/MASK [GATEWAY] OUTPUT'";

  IPPrefix prefix;
  NextHop hop;

  static std::optional<StaticRoute> parse(std::string_view text, const click::NameScope& names) {
    const std::vector<std::string> words = click::split_words(text);
    if (words.size() != 2 && words.size() != 3) return std::nullopt;
    StaticRoute route;
    std::string unused;
    if (!click::parse_prefix_or_address(words[0], route.prefix, names) ||
        !click::ArgType<uint32_t>::parse(words.back(), route.hop.port, unused))
      return std::nullopt;
    route.prefix = route.prefix.canonical();
    if (words.size() == 3 && words[1] != "-" &&
        !click::parse_argument(words[1], route.hop.gateway, unused, names))
      return std::nullopt;
    return route;
  }

  std::string to_string() const { return prefix.to_string() + " " + hop_text(hop); }
  static std::string hop_text(const NextHop& hop) {
    return (hop.gateway.is_zero() ? "-" : hop.gateway.to_string()) + " " + std::to_string(hop.port);
  }
};

// The element's routes. Checks their outputs as well, so that a message shows the route it is
// about.
class StaticRouteArg final : public ArgBase {
 public:
  StaticRouteArg(Element& owner, std::string_view name, std::string_view doc)
      : ArgBase(owner, name, {.doc = doc, .positional = true}), owner_(owner) {}

  bool is_list() const override { return true; }
  std::string_view type() const override { return "route"; }
  std::string default_text() const override { return {}; }
  std::string value_text() const override {
    std::string text;
    for (const StaticRoute& route : routes_) text += (text.empty() ? "" : ", ") + route.to_string();
    return text;
  }
  bool read(std::string_view text, std::string& error) override;
  void swap(ArgBase& other) override { routes_.swap(static_cast<StaticRouteArg&>(other).routes_); }

  const std::vector<StaticRoute>& operator*() const { return routes_; }

 private:
  Element& owner_;
  std::vector<StaticRoute> routes_;
};

class StaticIPLookup final : public BatchElement<StaticIPLookup> {
 public:
  static constexpr ElementSpec spec{
      .name = "StaticIPLookup",
      .ports = "1/1-",
      .processing = "h/h",
      .doc =
          "Looks up packets' destination address annotation among routes, and sends them to the "
          "output of the longest prefix that contains it. If the route has a gateway, its address "
          "becomes the annotation. A lookup costs the same for one route and for a million."};

  StaticRouteArg routes{*this, "ROUTE",
                        "ADDR/MASK [GATEWAY] OUTPUT: packets to these addresses go to this output, "
                        "by way of this gateway."};

  Drop no_route{*this, "no-route", "No route's prefix contains the destination address."};

  ReadHandler table_text{*this, "table", "The routes, by address: prefix, gateway or -, output.",
                         [this] { return table_as_text(); }};
  QueryHandler lookup{*this, "lookup", "The route for an address: gateway or -, output.",
                      [this](std::string_view address, std::string& error) {
                        return lookup_as_text(address, error);
                      }};
  WriteHandler add_route{*this, "add", "Adds a route. There must be none with the same prefix.",
                         [this](std::string_view value, std::string& error) {
                           return change(Command::add, value, error);
                         }};
  WriteHandler set_route{*this, "set", "Adds a route or replaces the one with the same prefix.",
                         [this](std::string_view value, std::string& error) {
                           return change(Command::set, value, error);
                         }};
  WriteHandler remove_route{*this, "remove",
                            "Removes a route: ADDR/MASK, or the whole of it, which must agree.",
                            [this](std::string_view value, std::string& error) {
                              return change(Command::remove, value, error);
                            }};
  WriteHandler control{
      *this, "ctrl",
      "Makes several changes or, if one fails, none: a line for each, of `add`, "
      "`set` or `remove` and its argument.",
      [this](std::string_view value, std::string& error) { return change_many(value, error); }};

  bool configure(SetupContext& context) override {
    std::size_t replaced = 0;
    std::size_t first = 0;
    for (std::size_t i = 0; i < (*routes).size(); ++i)
      if (put((*routes)[i].prefix, (*routes)[i].hop) && replaced++ == 0) first = i;
    if (replaced != 0)
      context.warning(routes, first,
                      std::to_string(replaced) + (replaced == 1 ? " route" : " routes") +
                          " replaced by later ones with the same prefix");
    return true;
  }

  void process(PacketBatch& batch, Verdict* verdicts) {
    const uint32_t size = batch.size();
    // Not an array of addresses, which would be cleared for every batch. No batch is empty.
    alignas(IPAddress) unsigned char storage[PacketBatch::kCapacity * sizeof(IPAddress)];
    auto* const destinations = reinterpret_cast<IPAddress*>(storage);
    uint32_t hops[PacketBatch::kCapacity];
    uint32_t filled = 0;
    do {
      destinations[filled] = batch[filled].dst_ip_anno();
    } while (++filled < size);
    table_.lookup_bulk(destinations, size, hops);
    for (uint32_t i = 0; i < size; ++i) {
      if (hops[i] == kNoRoute) [[unlikely]] {
        verdicts[i] = no_route;
        continue;
      }
      const NextHop& hop = next_hops_[hops[i]];
      batch[i].set_dst_ip_anno(hop.address_for(destinations[i]));
      verdicts[i] = to(hop.port);
    }
  }

  bool has_output(uint32_t port, std::string& error) const {
    return check_output(*this, port, error);
  }
  static bool check_output(const Element& element, uint32_t port, std::string& error) {
    if (port < element.noutputs()) return true;
    error = "output " + std::to_string(port) + " out of range, bound " +
            std::to_string(element.noutputs() - 1);
    return false;
  }

 private:
  enum class Command : uint8_t { add, set, remove };
  // What a prefix was before a change.
  using Before = std::pair<IPPrefix, std::optional<NextHop>>;

  std::optional<NextHop> find(const IPPrefix& prefix) const {
    const auto index = table_.find(prefix);
    return index ? std::optional(next_hops_[*index]) : std::nullopt;
  }

  // Returns whether there was a route with this prefix. Handlers run between batches, so an index
  // can be released at once.
  bool put(const IPPrefix& prefix, const NextHop& hop) {
    const auto old = table_.find(prefix);
    table_.add(prefix, next_hops_.acquire(hop));
    if (old) next_hops_.release(*old);
    return old.has_value();
  }

  void erase(const IPPrefix& prefix) {
    const auto old = table_.find(prefix);
    table_.remove(prefix);
    if (old) next_hops_.release(*old);
  }

  static bool fail(std::string& error, std::string text) {
    error = std::move(text);
    return false;
  }

  bool change(Command command, std::string_view text, std::string& error) {
    Before unused;
    return change(command, text, unused, error);
  }

  bool change(Command command, std::string_view text, Before& before, std::string& error) {
    if (command == Command::remove) return remove(text, before, error);
    const auto route = StaticRoute::parse(text, names());
    if (!route) return fail(error, "should be " + std::string(StaticRoute::kForm));
    if (!has_output(route->hop.port, error)) return false;
    before = {route->prefix, find(route->prefix)};
    if (command == Command::add && before.second)
      return fail(error, "there is already a route '" + route->prefix.to_string() + " " +
                             StaticRoute::hop_text(*before.second) + "'");
    put(route->prefix, route->hop);
    return true;
  }

  bool remove(std::string_view text, Before& before, std::string& error) {
    IPPrefix prefix;
    std::optional<NextHop> hop;
    if (const auto route = StaticRoute::parse(text, names())) {
      prefix = route->prefix;
      hop = route->hop;
    } else {
      const auto words = click::split_words(text);
      if (words.size() != 1 || !click::parse_prefix_or_address(words[0], prefix, names()))
        return fail(error, "should be 'ADDR/MASK' or " + std::string(StaticRoute::kForm));
      prefix = prefix.canonical();
    }
    before = {prefix, find(prefix)};
    if (!before.second || (hop && *hop != *before.second))
      return fail(error, "there is no route '" + prefix.to_string() +
                             (hop ? " " + StaticRoute::hop_text(*hop) : std::string()) + "'");
    erase(prefix);
    return true;
  }

  bool change_many(std::string_view text, std::string& error) {
    std::vector<Before> done;
    for (std::size_t line_number = 1; !text.empty(); ++line_number) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      const std::string line = click::uncomment(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
      if (line.empty()) continue;
      Before before;
      if (change_line(line, before, error)) {
        done.push_back(before);
        continue;
      }
      error = "line " + std::to_string(line_number) + ": " + error;
      for (auto undo = done.rbegin(); undo != done.rend(); ++undo)
        undo->second ? void(put(undo->first, *undo->second)) : erase(undo->first);
      return false;
    }
    return true;
  }

  bool change_line(std::string_view line, Before& before, std::string& error) {
    const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
    const std::string_view word = line.substr(0, end);
    const std::string_view argument = line.substr(end);
    if (word == "add") return change(Command::add, argument, before, error);
    if (word == "set") return change(Command::set, argument, before, error);
    if (word == "remove") return change(Command::remove, argument, before, error);
    return fail(error, "should begin with 'add', 'set' or 'remove'");
  }

  std::optional<std::string> lookup_as_text(std::string_view text, std::string& error) const {
    IPAddress address;
    if (!click::parse_argument(click::uncomment(text), address, error, names())) {
      if (error.empty()) error = "should be an IP address";
      return std::nullopt;
    }
    uint32_t index = kNoRoute;
    table_.lookup_bulk(&address, 1, &index);
    if (index == kNoRoute) {
      error = "no route to " + address.to_string();
      return std::nullopt;
    }
    return StaticRoute::hop_text(next_hops_[index]);
  }

  std::string table_as_text() const {
    std::string text;
    table_.for_each([&](const IPPrefix& prefix, uint32_t index) {
      const NextHop& hop = next_hops_[index];
      text += prefix.to_string() + "\t\t" +
              (hop.gateway.is_zero() ? "-" : hop.gateway.to_string()) + "\t\t" +
              std::to_string(hop.port) + "\n";
    });
    return text;
  }

  Ip4Table table_;
  NextHops next_hops_;
};

bool StaticRouteArg::read(std::string_view text, std::string& error) {
  given_ = true;
  const auto route = StaticRoute::parse(text, names());
  if (!route) {
    error = "should be " + std::string(StaticRoute::kForm);
    return false;
  }
  if (!StaticIPLookup::check_output(owner_, route->hop.port, error)) return false;
  routes_.push_back(*route);
  return true;
}

HEADROOM_ELEMENT(StaticIPLookup);

}  // namespace headroom
