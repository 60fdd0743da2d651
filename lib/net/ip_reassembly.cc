#include "headroom/net/ip_reassembly.hh"

#include <algorithm>
#include <cstring>
#include <utility>

#include "headroom/net/checksum.hh"

namespace headroom {

IpReassembler::Result IpReassembler::add(std::span<const uint8_t> packet, int64_t now,
                                         std::span<const uint8_t> tag) {
  if (packet.size() < sizeof(IpHeader)) return {};
  const auto& ip = *reinterpret_cast<const IpHeader*>(packet.data());
  const uint32_t header_length = ip.header_length();
  if (header_length < sizeof(IpHeader) || header_length >= packet.size()) return {};
  const auto data = packet.subspan(header_length);
  const uint32_t first = ip.fragment_offset();
  const auto end = static_cast<uint32_t>(first + data.size());
  if (end > 65535 - header_length || (ip.more_fragments() && data.size() % 8 != 0)) return {};

  const Key key{uint64_t{ip.source.host_order()} << 32 | ip.destination.host_order(),
                uint32_t{ip.id} << 8 | ip.protocol};
  auto found = index_.find(key);
  const bool is_new = found == index_.end();
  if (is_new) {
    partial_.emplace_back();
    partial_.back().key = key;
    partial_.back().began = now;
    found = index_.emplace(key, std::prev(partial_.end())).first;
    memory_ += partial_.back().memory();
  }
  Partial& partial = *found->second;
  // What says otherwise about the end than the fragments before it is no part of this datagram.
  const bool contradicts = ip.more_fragments() ? end > partial.end
                                               : (partial.end != kUnknown && partial.end != end) ||
                                                     partial.highest > end;
  if (contradicts) return {};

  memory_ -= partial.memory();
  if (!ip.more_fragments() && partial.end == kUnknown) {
    partial.end = end;
    for (Hole& hole : partial.holes) hole.end = std::min(hole.end, end);
    std::erase_if(partial.holes, [](const Hole& hole) { return hole.first >= hole.end; });
  }
  partial.highest = std::max(partial.highest, end);
  bool is_first = false;
  if (first == 0 && partial.header.empty()) {
    partial.header.assign(packet.begin(), packet.begin() + header_length);
    partial.tag.assign(tag.begin(), tag.end());
    is_first = true;
  }
  const bool filled = fill(partial, first, data);
  memory_ += partial.memory();
  if (!filled && !is_first) {
    if (partial.fragments == 0) take(found->second, false);
    return {.status = Status::duplicate, .datagram = {}};
  }
  ++partial.fragments;
  ++fragments_;
  if (!partial.holes.empty() || partial.header.empty())
    return {.status = Status::added, .datagram = {}};
  return {.status = Status::completed, .datagram = take(found->second, true)};
}

// RFC 815, 3. False when it fills no hole.
bool IpReassembler::fill(Partial& partial, uint32_t first, std::span<const uint8_t> data) {
  const auto end = static_cast<uint32_t>(first + data.size());
  bool filled = false;
  std::vector<Hole> holes;
  for (const Hole& hole : partial.holes) {
    const uint32_t from = std::max(first, hole.first);
    const uint32_t to = std::min(end, hole.end);
    if (from >= to) {
      holes.push_back(hole);
      continue;
    }
    if (partial.data.size() < to) partial.data.resize(to);
    std::memcpy(partial.data.data() + from, data.data() + (from - first), to - from);
    filled = true;
    if (hole.first < from) holes.push_back({hole.first, from});
    if (to < hole.end) holes.push_back({to, hole.end});
  }
  partial.holes = std::move(holes);
  return filled;
}

// Without completeness: the header and what follows it without a hole.
IpReassembler::Datagram IpReassembler::take(Partials::iterator at, bool complete) {
  Partial& partial = *at;
  Datagram made{.bytes = {}, .fragments = partial.fragments, .tag = std::move(partial.tag)};
  memory_ -= partial.memory() + made.tag.capacity();
  fragments_ -= partial.fragments;
  index_.erase(partial.key);
  if (!partial.header.empty()) {
    const uint32_t hole =
        partial.holes.empty()
            ? kUnknown
            : std::min_element(partial.holes.begin(), partial.holes.end(),
                               [](const Hole& a, const Hole& b) { return a.first < b.first; })
                  ->first;
    const std::size_t length = std::min<std::size_t>(partial.data.size(), hole);
    made.bytes = std::move(partial.header);
    made.bytes.insert(made.bytes.end(), partial.data.begin(),
                      partial.data.begin() + static_cast<std::ptrdiff_t>(length));
    auto& ip = *reinterpret_cast<IpHeader*>(made.bytes.data());
    ip.total_length = static_cast<uint16_t>(made.bytes.size());
    ip.fragment = static_cast<uint16_t>((ip.fragment & (kIpDontFragment | kIpReservedFlag)) |
                                        (complete ? 0 : kIpMoreFragments));
    set_ip_header_checksum(ip);
  }
  partial_.erase(at);
  return made;
}

std::optional<IpReassembler::Datagram> IpReassembler::expire(int64_t began) {
  if (partial_.empty() || partial_.front().began > began) return std::nullopt;
  return take(partial_.begin(), false);
}

std::optional<IpReassembler::Datagram> IpReassembler::evict() {
  if (memory_ <= limit_ || partial_.empty()) return std::nullopt;
  return take(partial_.begin(), false);
}

std::optional<int64_t> IpReassembler::oldest() const {
  if (partial_.empty()) return std::nullopt;
  return partial_.front().began;
}

}  // namespace headroom
