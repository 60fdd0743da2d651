// What a packet carries beside its bytes: one cache line right behind the mbuf structure.
//
// The layout of the 48 user bytes is Click's, so that a configuration or an element that names an
// annotation by its offset (Paint, SetVLANAnno, ANNO arguments) means the same byte here. Several
// names share bytes on purpose: they are never used together.
#pragma once

#include <cstddef>
#include <cstdint>

namespace headroom {

// Where an annotation lies in the user bytes, and how wide it is.
struct AnnotationPlace {
  uint8_t offset;
  uint8_t size;
};

namespace anno {
inline constexpr AnnotationPlace kDstIp{0, 4};           // next hop of an IPv4 packet
inline constexpr AnnotationPlace kDstIp6{0, 16};         // next hop of an IPv6 packet
inline constexpr AnnotationPlace kIcmpParamProb{16, 1};  // offset of the octet in error (RFC 792)
inline constexpr AnnotationPlace kPaint{17, 1};
inline constexpr AnnotationPlace kEgress{18, 1};  // egress.hh
inline constexpr AnnotationPlace kFixIpSrc{19, 1};
inline constexpr AnnotationPlace kVlanTci{20, 2};
inline constexpr AnnotationPlace kAggregate{20, 4};
inline constexpr AnnotationPlace kExtraPackets{26, 2};
inline constexpr AnnotationPlace kExtraLength{28, 4};
inline constexpr AnnotationPlace kFirstTimestamp{32, 8};
inline constexpr AnnotationPlace kPacketNumber{32, 4};
inline constexpr AnnotationPlace kIpsecSpi{32, 4};
inline constexpr AnnotationPlace kSequenceNumber{36, 4};
inline constexpr AnnotationPlace kPerfctr{40, 8};
inline constexpr std::size_t kUserBytes = 48;
}  // namespace anno

// How the link layer addressed a packet; Click's packet types in the same order.
enum class PacketType : uint8_t {
  host,
  broadcast,
  multicast,
  other_host,
  outgoing,
  loopback,
  fast_route
};

// The annotation slice. All zero is its cleared state. Header offsets count from the start of the
// buffer that the packet's bytes lie in; 0 is unset, which no header can have because the slice is
// there.
struct alignas(64) Annotations {
  uint8_t user[anno::kUserBytes];
  uint16_t mac_offset;
  uint16_t network_offset;
  uint16_t transport_offset;
  PacketType type;
  uint8_t traced;
  int64_t timestamp;  // nanoseconds since the epoch; 0 is none
};

static_assert(sizeof(Annotations) == 64 && alignof(Annotations) == 64);
static_assert(offsetof(Annotations, mac_offset) == 48);
static_assert(offsetof(Annotations, type) == 54);
static_assert(offsetof(Annotations, timestamp) == 56);

}  // namespace headroom
