// The routes of an IPv4 router: prefixes with their next hops, looked up by many and changed
// together.
//
// It is an Ip4Table and the NextHops that it refers to. All changes are made by apply(), in an
// order in which no address is ever without the route it has before and after.
//
//   Shared<Ip4Routes> routes(readers);
//   routes.write([&](Ip4Routes& r) { r.apply({{prefix, NextHop{gateway, 1}}}); });
//   routes.read().lookup_bulk(addresses, count, hops);
//   if (hops[i] != kNoRoute) send(routes.read().next_hop(hops[i]));
//
// Threads: one writer at a time; lookup_bulk() and next_hop() may run meanwhile on any thread. What
// lookup_bulk() found is valid until the reader's grace period ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "headroom/base/grace_periods.hh"
#include "headroom/net/addresses.hh"
#include "headroom/routing/ip4_table.hh"
#include "headroom/routing/next_hops.hh"

namespace headroom {

struct Ip4Route {
  IPPrefix prefix;
  NextHop hop;
};

class Ip4Routes {
 public:
  // Of Shared<Ip4Routes>: nobody waits for a change.
  struct Event {};

  // `readers` is null if none of them are on other threads, and else outlives the routes.
  explicit Ip4Routes(GracePeriods* readers = nullptr) : table_(readers), next_hops_(readers) {}

  // --- readers
  // Fills in next hop indexes, or kNoRoute.
  void lookup_bulk(const IPAddress* addresses, std::size_t count, uint32_t* hops) const {
    table_.lookup_bulk(addresses, count, hops);
  }
  // For lookups one by one.
  Ip4Table::Reader reader() const { return Ip4Table::Reader(table_); }
  const NextHop& next_hop(uint32_t index) const { return next_hops_[index]; }

  // --- the writer
  // What a prefix gets: a next hop, or nothing if it shall have no route.
  struct Change {
    IPPrefix prefix;
    std::optional<NextHop> hop;
  };
  // Of several changes for one prefix the last counts; returns how many did not. For each address a
  // lookup sees the route from before all the changes or the one after them. Throws std::bad_alloc
  // and std::length_error (more than 2^24 next hops); some changes may be made then.
  std::size_t apply(std::vector<Change> changes);
  // Makes these all the routes there are, as by apply().
  std::size_t replace(const std::vector<Ip4Route>& routes);
  void clear() { replace({}); }

  // The next hop of exactly this prefix.
  std::optional<NextHop> find(const IPPrefix& prefix) const;
  // The next hop for an address.
  std::optional<NextHop> lookup(IPAddress address) const;
  std::size_t size() const { return table_.size(); }
  // Calls f(IPPrefix, NextHop) for all routes, by address, shorter prefixes first.
  template <class F>
  void for_each(F&& f) const {
    table_.for_each([&](const IPPrefix& prefix, uint32_t hop) { f(prefix, next_hops_[hop]); });
  }

  // What is behind it, for tests and statistics.
  const Ip4Table& table() const { return table_; }
  const NextHops& next_hops() const { return next_hops_; }

 private:
  void put(const IPPrefix& prefix, uint32_t hop);
  void erase(const IPPrefix& prefix);

  Ip4Table table_;
  NextHops next_hops_;
};

// Changes that are thought through one after the other and then made together, or not at all.
class Ip4RouteChanges {
 public:
  explicit Ip4RouteChanges(Ip4Routes& routes) : routes_(routes) {}

  // As it will be after the changes so far.
  std::optional<NextHop> find(const IPPrefix& prefix) const;
  void set(const IPPrefix& prefix, std::optional<NextHop> hop) {
    changes_.insert_or_assign(prefix.canonical(), hop);
  }
  void commit();

 private:
  Ip4Routes& routes_;
  std::unordered_map<IPPrefix, std::optional<NextHop>> changes_;
};

}  // namespace headroom
