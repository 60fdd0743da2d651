#include "headroom/click/pairing.hh"

#include <algorithm>

#include "headroom/click/parser.hh"

namespace headroom::click {
namespace {

constexpr std::size_t kNobody = SIZE_MAX;

struct Shape {
  uint64_t least = 0;                // the ports of the side, at the least
  std::size_t expandable = kNobody;  // the element that takes as many as are needed
  bool several_expandable = false;

  bool expands() const { return expandable != kNobody; }
  bool steps() const { return least > 1 || expands(); }
};

uint64_t least_ports(const PortsNode& ports) { return std::max<uint64_t>(1, ports.listed()); }

Shape shape_of(const Side& side) {
  Shape shape;
  for (std::size_t i = 0; i < side.size(); ++i) {
    shape.least += least_ports(*side[i].ports);
    if (!side[i].ports->open) continue;
    shape.several_expandable = shape.expands();
    shape.expandable = i;
    if (shape.several_expandable) break;
  }
  return shape;
}

// "=>" only: one element without ports takes as many as the other side has.
void expand_bare(const Side& side, Shape& shape, const Shape& other) {
  if (side.size() == 1 && !side[0].ports->given && other.least > 1) shape.expandable = 0;
}

struct End {
  uint32_t element;
  uint32_t port;
};

std::vector<End> enumerate(const Side& side, const Shape& shape, uint64_t total) {
  std::vector<End> ends;
  ends.reserve(total);
  for (std::size_t i = 0; i < side.size(); ++i) {
    const PortsNode& ports = *side[i].ports;
    uint64_t count = least_ports(ports);
    if (i == shape.expandable) count += total - shape.least;
    uint32_t port = 0;
    for (const PortRange& range : ports.ranges) {
      for (port = range.first; port <= range.last; ++port) ends.push_back({side[i].element, port});
    }
    for (uint64_t listed = ports.listed(); listed < count; ++listed) {
      ends.push_back({side[i].element, port++});
    }
  }
  return ends;
}

std::string mismatch(const Shape& left, const Shape& right) {
  const char* left_more = left.expands() ? " or more" : "";
  const char* right_more = right.expands() ? " or more" : "";
  return "connection mismatch: " + std::to_string(left.least) + left_more +
         " outputs connected to " + std::to_string(right.least) + right_more + " inputs";
}

}  // namespace

PairingResult pair_ports(const Side& left, const Side& right, bool fat_arrow) {
  PairingResult result;
  Shape from = shape_of(left);
  Shape to = shape_of(right);
  if (from.several_expandable || to.several_expandable || (from.expands() && to.expands())) {
    result.error = "at most one expandable port allowed per connection";
    result.hint = "of the ports written [] or [N,], one side's must be counted out";
    return result;
  }
  if (fat_arrow && !from.expands() && !to.expands()) {
    expand_bare(left, from, to);
    expand_bare(right, to, from);
  }

  const uint64_t total = std::max(from.least, to.least);
  if (total > kMaxPairs) {
    result.error = "one arrow cannot make more than " + std::to_string(kMaxPairs) + " connections";
    return result;
  }
  if (from.steps() && to.steps()) {
    if (!fat_arrow) {
      result.error = "syntax error: many-to-many connections require '=>'";
      result.hint =
          "'=>' connects the first port to the first, the second to the second, and so on";
      return result;
    }
    const bool fits = from.expands()
                          ? from.least <= to.least
                          : (to.expands() ? to.least <= from.least : from.least == to.least);
    if (!fits) {
      result.error = mismatch(from, to);
      return result;
    }
  }

  // A side that does not step is one port for all; otherwise both lists have the same length now.
  const std::vector<End> from_ends = enumerate(left, from, from.steps() ? total : 1);
  const std::vector<End> to_ends = enumerate(right, to, to.steps() ? total : 1);
  result.pairs.reserve(total);
  for (uint64_t i = 0; i < total; ++i) {
    const End& a = from_ends[from.steps() ? i : 0];
    const End& b = to_ends[to.steps() ? i : 0];
    if (a.port > kMaxPort || b.port > kMaxPort) {
      result.error = "port number out of range, bound " + std::to_string(kMaxPort);
      result.pairs.clear();
      return result;
    }
    result.pairs.push_back({a.element, a.port, b.element, b.port});
  }
  return result;
}

}  // namespace headroom::click
