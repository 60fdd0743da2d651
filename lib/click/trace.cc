// Connections of the flat graph: from every output of a real element, through all groups and
// compound elements in between, to inputs of real elements.
#include <algorithm>
#include <cstddef>
#include <string>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

#include "headroom/click/instances.hh"
#include "headroom/click/reader.hh"
#include "headroom/click/scope.hh"

namespace headroom::click {
namespace {

using Kind = BodyElement::Kind;

// Passages may fork and join again; so many steps are made for every connection that there may be,
// and no more.
constexpr uint64_t kStepsPerConnection = 50;
// Clearing a set costs what it once held, so one that grew beyond this is not kept.
constexpr std::size_t kMaxBuckets = 1024;

// A port of a node, as a source of connections.
struct Place {
  uint32_t instance = 0;
  uint32_t element = 0;
  uint32_t port = 0;
};

class Tracer {
 public:
  Tracer(const Program& program, const Instances& instances, const ReadLimits& limits,
         FlatGraph& graph, Diagnostics& diagnostics)
      : program_(program),
        instances_(instances),
        limits_(limits),
        graph_(graph),
        diagnostics_(diagnostics) {}

  void run() {
    for (uint32_t i = 0; i < instances_.all.size(); ++i) {
      const Instance& instance = instances_.all[i];
      for (const auto& [pair, where] : body_of(i).connections) {
        const uint32_t from = instances_.flat[instance.base + pair.from];
        if (from == kNoIndex) continue;
        where_ = where;
        where_.expansion = instance.expansion;
        if (!follow(from, pair.from_port, {i, pair.to, pair.to_port})) {
          diagnostics_.error(where_, "the configuration has too many connections",
                             "at most " + std::to_string(limits_.connections) +
                                 "; connections that fork and join again in compound elements "
                                 "multiply");
          return;
        }
      }
    }
  }

 private:
  const Body& body_of(uint32_t instance) const {
    return program_.bodies[instances_.all[instance].body];
  }

  // Connects a port of an element with all that lies behind `to`, directly or through passages.
  bool follow(uint32_t from, uint32_t from_port, const Place& to) {
    if (const uint32_t flat = flat_of(to); flat != kNoIndex) {
      return connect({from, from_port, flat, to.port});
    }
    if (seen_.bucket_count() > kMaxBuckets) seen_ = {};
    seen_.clear();
    open_.assign(1, to);
    while (!open_.empty()) {
      const Place place = open_.back();
      open_.pop_back();
      if (++steps_ > kStepsPerConnection * limits_.connections) return false;
      if (const uint32_t flat = flat_of(place); flat != kNoIndex) {
        if (!connect({from, from_port, flat, place.port})) return false;
        continue;
      }
      Place source = place;
      if (!pass(source)) continue;
      const uint32_t node = instances_.all[source.instance].base + source.element;
      if (!seen_.insert(uint64_t{node} << 32 | source.port).second) continue;
      const std::size_t first = open_.size();
      push_destinations(source);
      // The first one that was written is followed first.
      std::reverse(open_.begin() + static_cast<std::ptrdiff_t>(first), open_.end());
    }
    return true;
  }

  uint32_t flat_of(const Place& place) const {
    return instances_.flat[instances_.all[place.instance].base + place.element];
  }

  // From where a passage is entered to where it is left; false when it leads nowhere.
  bool pass(Place& place) const {
    const Instance& instance = instances_.all[place.instance];
    const BodyElement& element = body_of(place.instance).elements[place.element];
    switch (element.kind) {
      case Kind::element: {
        const uint32_t child = instances_.child[instance.base + place.element];
        if (child == kNoIndex) return false;
        place.instance = child;
        place.element = body_of(child).input;
        return true;
      }
      case Kind::output:
        if (instance.parent == kNoIndex) return false;
        place.element = instance.element;
        place.instance = instance.parent;
        return true;
      case Kind::group:
        place.element = element.group + 1;
        return true;
      case Kind::group_output:
        place.element = element.group;
        return true;
      case Kind::input:
      case Kind::group_input:
        break;
    }
    return false;
  }

  void push_destinations(const Place& source) {
    const Body& body = body_of(source.instance);
    const auto& connections = body.connections;
    const auto key = std::make_tuple(source.element, source.port);
    auto at = std::lower_bound(
        body.by_source.begin(), body.by_source.end(), key, [&](uint32_t index, const auto& wanted) {
          return std::tie(connections[index].first.from, connections[index].first.from_port) <
                 wanted;
        });
    for (; at != body.by_source.end(); ++at) {
      const PortPair& pair = connections[*at].first;
      if (pair.from != source.element || pair.from_port != source.port) break;
      open_.push_back({source.instance, pair.to, pair.to_port});
      ++steps_;
    }
  }

  bool connect(const PortPair& pair) {
    if (!connected_.insert(pair).second) return true;
    if (connected_.size() > limits_.connections) return false;
    graph_.connect(pair.from, pair.from_port, pair.to, pair.to_port, where_);
    return true;
  }

  const Program& program_;
  const Instances& instances_;
  const ReadLimits& limits_;
  FlatGraph& graph_;
  Diagnostics& diagnostics_;

  SourceLocation where_;  // of the connection that is followed
  PortPairSet connected_;
  uint64_t steps_ = 0;
  std::unordered_set<uint64_t> seen_;
  std::vector<Place> open_;
};

}  // namespace

void trace_connections(const Program& program, const Instances& instances, const ReadLimits& limits,
                       FlatGraph& graph, Diagnostics& diagnostics) {
  Tracer(program, instances, limits, graph, diagnostics).run();
}

}  // namespace headroom::click
