#include "headroom/routing/ip4_routes.hh"

#include <algorithm>

namespace headroom {
namespace {

// Longest prefixes first. Within a length by address, because what lies together is written faster.
bool made_earlier(const Ip4Routes::Change& a, const Ip4Routes::Change& b) {
  if (a.prefix.length != b.prefix.length) return a.prefix.length > b.prefix.length;
  return a.prefix.address < b.prefix.address;
}

}  // namespace

// Routes are set from the longest prefix to the shortest, and then removed from the shortest to the
// longest. So the first change that an address notices gives it its last route: a longer new prefix
// comes before shorter ones, and an old one that must go has covered it to the end.
std::size_t Ip4Routes::apply(std::vector<Change> changes) {
  for (Change& change : changes) change.prefix = change.prefix.canonical();
  std::stable_sort(changes.begin(), changes.end(), made_earlier);
  // Of those with the same prefix the last one stays.
  const std::size_t given = changes.size();
  std::size_t count = 0;
  for (std::size_t i = 0; i < given; ++i) {
    if (count > 0 && changes[count - 1].prefix == changes[i].prefix) --count;
    changes[count++] = changes[i];
  }
  changes.resize(count);

  // Next hops are what can run out, so all of them are got before anything changes.
  std::vector<uint32_t> hops(count);
  std::size_t acquired = 0;
  std::size_t made = 0;
  try {
    for (; acquired < count; ++acquired)
      if (changes[acquired].hop) hops[acquired] = next_hops_.acquire(*changes[acquired].hop);
    for (; made < count; ++made)
      if (changes[made].hop) put(changes[made].prefix, hops[made]);
  } catch (...) {
    for (; made < acquired; ++made)
      if (changes[made].hop) next_hops_.release(hops[made]);
    throw;
  }
  for (auto change = changes.rbegin(); change != changes.rend(); ++change)
    if (!change->hop) erase(change->prefix);
  return given - count;
}

std::size_t Ip4Routes::replace(const std::vector<Ip4Route>& routes) {
  std::vector<Change> changes;
  std::vector<IPPrefix> wanted;
  changes.reserve(routes.size() + size());
  wanted.reserve(routes.size());
  for (const Ip4Route& route : routes) {
    changes.push_back({route.prefix, route.hop});
    wanted.push_back(route.prefix.canonical());
  }
  std::sort(wanted.begin(), wanted.end());
  auto next = wanted.cbegin();
  table_.for_each([&](const IPPrefix& prefix, uint32_t) {  // in the same order
    while (next != wanted.cend() && *next < prefix) ++next;
    if (next == wanted.cend() || *next != prefix) changes.push_back({prefix, std::nullopt});
  });
  return apply(std::move(changes));
}

// Takes over one use of `hop`.
void Ip4Routes::put(const IPPrefix& prefix, uint32_t hop) {
  const auto old = table_.find(prefix);
  table_.add(prefix, hop);
  if (old) next_hops_.release(*old);
}

void Ip4Routes::erase(const IPPrefix& prefix) {
  const auto old = table_.find(prefix);
  if (!old) return;
  table_.remove(prefix);
  next_hops_.release(*old);
}

std::optional<NextHop> Ip4Routes::find(const IPPrefix& prefix) const {
  const auto hop = table_.find(prefix);
  return hop ? std::optional(next_hops_[*hop]) : std::nullopt;
}

std::optional<NextHop> Ip4Routes::lookup(IPAddress address) const {
  const uint32_t hop = table_.lookup(address);
  return hop != kNoRoute ? std::optional(next_hops_[hop]) : std::nullopt;
}

std::optional<NextHop> Ip4RouteChanges::find(const IPPrefix& prefix) const {
  const auto changed = changes_.find(prefix.canonical());
  return changed != changes_.end() ? changed->second : routes_.find(prefix);
}

void Ip4RouteChanges::commit() {
  std::vector<Ip4Routes::Change> changes;
  changes.reserve(changes_.size());
  for (const auto& [prefix, hop] : changes_) changes.push_back({prefix, hop});
  changes_.clear();
  routes_.apply(std::move(changes));
}

}  // namespace headroom
