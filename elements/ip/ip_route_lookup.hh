// IPRouteLookup: what all route lookups have in common, which is everything but their names.
//
// Click has a choice of structures for routes, each an element of its own. Here all of them are one
// table, so an element is a name:
//
//   class RadixIPLookup final : public IPRouteLookup {
//    public:
//     static constexpr ElementSpec spec = route_lookup_spec("RadixIPLookup");
//   };
//   HEADROOM_ELEMENT(RadixIPLookup);
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "headroom/base/shared.hh"
#include "headroom/graph/element.hh"
#include "headroom/routing/ip4_routes.hh"

namespace headroom {

constexpr ElementSpec route_lookup_spec(std::string_view name) {
  return {.name = name,
          .ports = "1/1-",
          .processing = "h/h",
          .doc =
              "Looks up packets' destination address annotation among routes, and sends them to "
              "the output of the longest prefix that contains it. If the route has a gateway, its "
              "address becomes the annotation. A lookup costs the same for one route and for a "
              "million. All workers have the same routes; while they change, every packet goes by "
              "its route from before or from after the change. StaticIPLookup, LinearIPLookup, "
              "SortedIPLookup, RadixIPLookup, DirectIPLookup and RangeIPLookup are one element "
              "under the names that Click gives to several."};
}

// The routes in an element's configuration. Checks their outputs as well, so that a message shows
// the route that it is about.
class RouteArg final : public ArgBase {
 public:
  RouteArg(Element& owner, std::string_view name, std::string_view doc)
      : ArgBase(owner, name, {.doc = doc, .positional = true}), owner_(owner) {}

  bool is_list() const override { return true; }
  std::string_view type() const override { return "route"; }
  std::string default_text() const override { return {}; }
  std::string value_text() const override;
  bool read(std::string_view text, std::string& error) override;
  void swap(ArgBase& other) override { routes_.swap(static_cast<RouteArg&>(other).routes_); }

  const std::vector<Ip4Route>& operator*() const { return routes_; }

 private:
  Element& owner_;
  std::vector<Ip4Route> routes_;
};

class IPRouteLookup : public BatchElement<IPRouteLookup> {
 public:
  static constexpr ElementSpec spec = route_lookup_spec("IPRouteLookup");

  RouteArg routes{*this, "ROUTE",
                  "ADDR/MASK [GATEWAY] OUTPUT: packets to these addresses go to this output, by "
                  "way of this gateway."};
  Arg<click::Filename> file{
      *this,
      "FILE",
      {.doc = "A file of further routes, one a line: prefix, gateway or -, output. A ROUTE with "
              "the same prefix as one of them takes its place."}};

  Drop no_route{*this, "no-route", "No route's prefix contains the destination address."};

  ReadHandler table_text{*this, "table", "The routes, by address: prefix, gateway or -, output.",
                         [this] { return table_as_text(); }};
  ReadHandler size{
      *this, "size", "The number of routes.", [this] {
        return std::to_string(routes_->write([](const Ip4Routes& all) { return all.size(); }));
      }};
  QueryHandler lookup{*this, "lookup",
                      "The route for an address: output, and gateway if there is one; -1 if there "
                      "is no route.",
                      [this](std::string_view address, std::string& error) {
                        return lookup_as_text(address, error);
                      }};
  WriteHandler add_route{*this, "add", "Adds a route. There must be none with the same prefix.",
                         [this](std::string_view value, std::string& error) {
                           return change(Command::add, value, error);
                         },
                         WriteTo::one};
  WriteHandler set_route{*this, "set", "Adds a route or replaces the one with the same prefix.",
                         [this](std::string_view value, std::string& error) {
                           return change(Command::set, value, error);
                         },
                         WriteTo::one};
  WriteHandler remove_route{*this, "remove",
                            "Removes a route: ADDR/MASK, or the whole of it, which must agree.",
                            [this](std::string_view value, std::string& error) {
                              return change(Command::remove, value, error);
                            },
                            WriteTo::one};
  WriteHandler control{
      *this, "ctrl",
      "Makes several changes or, if one fails, none: a line for each, of `add`, "
      "`set` or `remove` and its argument.",
      [this](std::string_view value, std::string& error) { return change_many(value, error); },
      WriteTo::one};
  WriteHandler flush{*this, "flush", "Removes all routes.",
                     [this](std::string_view, std::string& error) {
                       return write(
                           [](Ip4Routes& all, std::string&) {
                             all.clear();
                             return true;
                           },
                           error);
                     },
                     WriteTo::one};
  WriteHandler load{
      *this, "load",
      "Makes the routes of a file all the routes there are, or, if there is a "
      "mistake in it, changes nothing. Packets whose route stays the same do not "
      "notice.",
      [this](std::string_view value, std::string& error) { return load_file(value, error); },
      WriteTo::one};

  bool configure(SetupContext& context) override;

  void process(PacketBatch& batch, Verdict* verdicts) {
    const Ip4Routes& all = routes_->read();
    const uint32_t count = batch.size();
    // Not an array of addresses, which would be cleared for every batch. No batch is empty.
    alignas(IPAddress) unsigned char storage[PacketBatch::kCapacity * sizeof(IPAddress)];
    auto* const destinations = reinterpret_cast<IPAddress*>(storage);
    uint32_t hops[PacketBatch::kCapacity];
    uint32_t filled = 0;
    do {
      destinations[filled] = batch[filled].dst_ip_anno();
    } while (++filled < count);
    all.lookup_bulk(destinations, count, hops);
    for (uint32_t i = 0; i < count; ++i) {
      if (hops[i] == kNoRoute) [[unlikely]] {
        verdicts[i] = no_route;
        continue;
      }
      const NextHop& hop = all.next_hop(hops[i]);
      batch[i].set_dst_ip_anno(hop.address_for(destinations[i]));
      verdicts[i] = to(hop.port);
    }
  }

 private:
  enum class Command : uint8_t { add, set, remove };

  bool fill(Ip4Routes& all, SetupContext& context) const;
  bool read_file_into(Ip4Routes& all, SetupContext& context) const;
  // Calls f(Ip4Routes&, error) as the only writer; memory that runs out is an error as well.
  bool write(const std::function<bool(Ip4Routes&, std::string& error)>& f, std::string& error);
  bool change(Command command, std::string_view text, std::string& error);
  bool change(Command command, std::string_view text, Ip4RouteChanges& changes,
              std::string& error) const;
  bool remove(std::string_view text, Ip4RouteChanges& changes, std::string& error) const;
  bool change_many(std::string_view text, std::string& error);
  bool change_line(std::string_view line, Ip4RouteChanges& changes, std::string& error) const;
  bool load_file(std::string_view name, std::string& error);
  std::optional<std::string> lookup_as_text(std::string_view text, std::string& error) const;
  std::string table_as_text() const;

  std::shared_ptr<Shared<Ip4Routes>> routes_;  // from configure() on; of all replicas
};

}  // namespace headroom
