// Frames to measure routers with: UDP over IPv4 or IPv6 in many flows, or those of a capture file.
//
// All frames are made beforehand, in an order that is random but the same for the same seed. next()
// copies the first bytes of one of them, its headers, and makes its IPv4 identification the next
// one, so that no two packets in a row are the same and every checksum is right. What lies behind
// the copied bytes is the caller's; the UDP checksums hold where that is zero.
//
//   TrafficOptions options;
//   options.destinations = {*IPPrefix::parse("10.0.0.0/8")};
//   TrafficPattern pattern(options);
//   uint32_t length = pattern.next(buffer);      // at least pattern.copied() bytes of room
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "headroom/net/addresses.hh"
#include "headroom/net/checksum.hh"

namespace headroom {

struct TrafficOptions {
  enum class Kind : uint8_t { ipv4, ipv6, mixed };  // mixed: every second flow is IPv6

  static constexpr uint32_t kFcs = 4;  // frames are measured with it, and stored without

  Kind kind = Kind::ipv4;
  // Lengths of frames with their FCS, and how often each occurs.
  struct Size {
    uint32_t bytes;
    uint32_t weight;
  };
  std::vector<Size> sizes = {{64, 1}};
  // A flow has a source address and port of its own, and one destination.
  uint32_t flows = 4096;
  // Flows of several patterns differ if their numbers do: from `first_flow` on, every `flow_step`.
  uint32_t first_flow = 0;
  uint32_t flow_step = 1;
  // Empty: the unicast addresses of all networks.
  std::vector<IPPrefix> destinations = {};
  std::vector<IP6Prefix> destinations6 = {};
  EtherAddress ether_source{0x02, 0, 0, 0, 0, 0xfe};
  EtherAddress ether_destination{0x02, 0, 0, 0, 0, 0x01};
  uint64_t seed = 1;
};

class TrafficPattern {
 public:
  // What a frame's headers take at least, with the FCS.
  static uint32_t least_size(TrafficOptions::Kind kind);
  // The three sizes that Internet traffic is often modelled by.
  static std::vector<TrafficOptions::Size> imix() { return {{64, 7}, {594, 4}, {1518, 1}}; }

  // Sizes must be at least least_size(), and flows at least one.
  explicit TrafficPattern(const TrafficOptions& options);
  // These frames, without FCS, as they are. There must be at least one.
  explicit TrafficPattern(std::span<const std::vector<uint8_t>> frames);

  // Writes the first bytes of the next frame, copied() of them at most, and returns its length.
  uint32_t next(uint8_t* to) {
    const Slot& slot = slots_[at_];
    const uint8_t* from = bytes_.data() + at_ * stride_;
    if (stride_ == kHeaders)
      std::memcpy(to, from, kHeaders);  // a cache line, by two or four instructions
    else
      std::memcpy(to, from, slot.length);
    if (slot.numbered) number(to);
    if (++at_ == slots_.size()) at_ = 0;
    return slot.length;
  }

  // How many different frames there are.
  std::size_t frames() const { return slots_.size(); }
  // Most bytes that next() writes.
  uint32_t copied() const { return static_cast<uint32_t>(stride_); }
  uint32_t longest() const { return longest_; }
  double mean_length() const;

 private:
  static constexpr std::size_t kHeaders = 64;

  struct Slot {
    uint16_t length;  // without FCS
    bool numbered;    // IPv4, with the identification 0 that is to be replaced
  };

  static void write_ip(uint8_t* frame, uint64_t flow, IPAddress destination, uint16_t length);
  static void write_ip6(uint8_t* frame, uint64_t flow, const IP6Address& destination,
                        uint16_t length);

  void number(uint8_t* frame) {
    constexpr std::size_t id_at = 14 + 4;
    constexpr std::size_t checksum_at = 14 + 10;
    const be16 id = ++id_;
    const be16 checksum =
        update_checksum(checksum_detail::load<be16>(frame + checksum_at), be16(0), id);
    std::memcpy(frame + id_at, &id, sizeof id);
    std::memcpy(frame + checksum_at, &checksum, sizeof checksum);
  }

  std::vector<Slot> slots_;
  std::vector<uint8_t> bytes_;  // of each frame, `stride_` apart
  std::size_t stride_ = kHeaders;
  std::size_t at_ = 0;
  uint32_t longest_ = 0;
  uint16_t id_ = 0;
};

}  // namespace headroom
