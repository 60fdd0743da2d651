// IPRouteTable: the routes of an element, with the arguments that bring them and the handlers that
// show and change them; an element has one as a member. All replicas of the element share the
// routes.
//
//   RouteArg routes{*this, "ROUTE", "..."};
//   IPRouteTable table{*this, {.routes = &routes}};
//   ...
//   bool configure(SetupContext& context) override { return table.configure(context); }
//   void process(PacketBatch& batch) { table.read().lookup_bulk(addresses, count, hops); ...
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
#include "headroom/routing/route_file.hh"

namespace headroom {

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

class IPRouteTable {
 public:
  struct Options {
    // Routes of the configuration, beside those of files; or null.
    const RouteArg* routes = nullptr;
    // Whether the next hop of a route may be an Ethernet address.
    bool ether_next_hops = false;
    // Whether FILE may be given without its name.
    bool file_first = false;
  };

  explicit IPRouteTable(Element& owner, const Options& options)
      : owner_(owner), options_(options), outputs_(UINT32_MAX) {}

  // Reads the routes. Their outputs are 0 to `outputs` - 1.
  bool configure(SetupContext& context, uint32_t outputs);

  bool has_file() const { return file.given(); }

  // On the data path.
  const Ip4Routes& read() const { return routes_->read(); }

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
  RouteFileForm form() const {
    return {.outputs = outputs_, .ether_next_hops = options_.ether_next_hops};
  }

  Element& owner_;
  Options options_;
  uint32_t outputs_;
  std::shared_ptr<Shared<Ip4Routes>> routes_;  // from configure() on; of all replicas

  Arg<click::Filename> file{
      owner_,
      "FILE",
      {.doc = "A file of further routes, one a line: prefix, gateway or -, output. A ROUTE with "
              "the same prefix as one of them takes its place.",
       .positional = options_.file_first}};

  ReadHandler table_text{owner_, "table", "The routes, by address: prefix, gateway or -, output.",
                         [this] { return table_as_text(); }};
  ReadHandler size{
      owner_, "size", "The number of routes.", [this] {
        return std::to_string(routes_->write([](const Ip4Routes& all) { return all.size(); }));
      }};
  QueryHandler lookup{owner_, "lookup",
                      "The route for an address: output, and gateway if there is one; -1 if there "
                      "is no route.",
                      [this](std::string_view address, std::string& error) {
                        return lookup_as_text(address, error);
                      }};
  WriteHandler add_route{owner_, "add", "Adds a route. There must be none with the same prefix.",
                         [this](std::string_view value, std::string& error) {
                           return change(Command::add, value, error);
                         },
                         WriteTo::one};
  WriteHandler set_route{owner_, "set", "Adds a route or replaces the one with the same prefix.",
                         [this](std::string_view value, std::string& error) {
                           return change(Command::set, value, error);
                         },
                         WriteTo::one};
  WriteHandler remove_route{owner_, "remove",
                            "Removes a route: ADDR/MASK, or the whole of it, which must agree.",
                            [this](std::string_view value, std::string& error) {
                              return change(Command::remove, value, error);
                            },
                            WriteTo::one};
  WriteHandler control{
      owner_, "ctrl",
      "Makes several changes or, if one fails, none: a line for each, of `add`, "
      "`set` or `remove` and its argument.",
      [this](std::string_view value, std::string& error) { return change_many(value, error); },
      WriteTo::one};
  WriteHandler flush{owner_, "flush", "Removes all routes.",
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
      owner_, "load",
      "Makes the routes of a file all the routes there are, or, if there is a "
      "mistake in it, changes nothing. Packets whose route stays the same do not "
      "notice.",
      [this](std::string_view value, std::string& error) { return load_file(value, error); },
      WriteTo::one};
};

// The routes of a whole batch, found together. No batch is empty.
class BatchRoutes {
 public:
  template <class DestinationOf>
  [[gnu::always_inline]] BatchRoutes(const Ip4Routes& all, PacketBatch& batch,
                                     DestinationOf destination_of) {
    const uint32_t count = batch.size();
    uint32_t filled = 0;
    do {
      destinations()[filled] = destination_of(batch[filled]);
    } while (++filled < count);
    all.lookup_bulk(destinations(), count, hops_);
  }
  IPAddress destination(uint32_t i) const {
    return reinterpret_cast<const IPAddress*>(storage_)[i];
  }
  // The index of the next hop, or kNoRoute.
  uint32_t hop(uint32_t i) const { return hops_[i]; }

 private:
  IPAddress* destinations() { return reinterpret_cast<IPAddress*>(storage_); }

  // Not an array of addresses, which would be cleared for every batch.
  alignas(IPAddress) unsigned char storage_[PacketBatch::kCapacity * sizeof(IPAddress)];
  uint32_t hops_[PacketBatch::kCapacity];
};

}  // namespace headroom
