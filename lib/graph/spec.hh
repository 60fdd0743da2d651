// What an element class declares about itself, as data: the checks, the manual, error messages and
// the graph page are made from it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace headroom {

// When elements are configured and initialized, relative to others of the same graph.
enum class Phase : uint8_t { information, devices, normal, last };

struct ElementSpec {
  std::string_view name;
  // "INPUTS/OUTPUTS", each n, n-m, n-, -m or -; outputs also = (as many as inputs) or =+ (one
  // more).
  std::string_view ports = "1/1";
  // A letter a port, the last repeats: h push, l pull, a agnostic.
  std::string_view processing = "a/a";
  // Which inputs' packets reach which outputs: same letter, or # for the port of the same number;
  // [ab] is either letter, [^a] any other.
  std::string_view flow = "x/x";
  // The first sentence is the summary in lists; the rest is shown by `headroom doc`.
  std::string_view doc = "";
  // Changes packets' bytes: the element is handed private packets only.
  bool writes = false;
  // So many first bytes of every packet (or all of a shorter one) are contiguous.
  uint32_t contiguous = 0;
  // Exists once in a router, however many workers there are (files, sockets, sources without a
  // port).
  bool once = false;
  Phase phase = Phase::normal;
};

// One side of a port specification.
struct PortRange {
  static constexpr uint32_t kUnlimited = UINT32_MAX;
  uint32_t min = 0;
  uint32_t max = 0;
};

struct PortSpec {
  PortRange inputs;
  PortRange outputs;
  bool outputs_follow_inputs = false;  // "=", "=+", "=++": outputs are the inputs and `extra` more
  uint32_t extra = 0;

  // Nothing when the text is not a port specification.
  static constexpr std::optional<PortSpec> parse(std::string_view text);
};

namespace detail {

constexpr std::optional<uint32_t> parse_number(std::string_view& text) {
  if (text.empty() || text[0] < '0' || text[0] > '9') return std::nullopt;
  uint64_t number = 0;
  while (!text.empty() && text[0] >= '0' && text[0] <= '9') {
    number = number * 10 + static_cast<uint32_t>(text[0] - '0');
    if (number > UINT32_MAX) return std::nullopt;
    text.remove_prefix(1);
  }
  return static_cast<uint32_t>(number);
}

constexpr std::optional<PortRange> parse_port_range(std::string_view text) {
  PortRange range;
  const auto low = parse_number(text);
  if (low) range.min = range.max = *low;
  if (text.empty()) return low ? std::optional(range) : std::nullopt;
  if (text[0] != '-') return std::nullopt;
  text.remove_prefix(1);
  const auto high = parse_number(text);
  if (!text.empty() || (high && *high < range.min)) return std::nullopt;
  range.max = high ? *high : PortRange::kUnlimited;
  return range;
}

}  // namespace detail

constexpr std::optional<PortSpec> PortSpec::parse(std::string_view text) {
  PortSpec spec;
  const auto slash = text.find('/');
  const auto inputs = detail::parse_port_range(text.substr(0, slash));
  if (!inputs) return std::nullopt;
  spec.inputs = *inputs;
  std::string_view right = slash == std::string_view::npos ? text : text.substr(slash + 1);
  if (!right.empty() && right[0] == '=') {
    spec.outputs_follow_inputs = true;
    for (right.remove_prefix(1); !right.empty() && right[0] == '+'; right.remove_prefix(1))
      ++spec.extra;
    return right.empty() ? std::optional(spec) : std::nullopt;
  }
  const auto outputs = detail::parse_port_range(right);
  if (!outputs) return std::nullopt;
  spec.outputs = *outputs;
  return spec;
}

}  // namespace headroom
