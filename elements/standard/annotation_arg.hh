// The argument type of an annotation: its Click name, or its place in the annotation's user bytes.
//
//   Arg<Annotation<1>> anno{*this, "ANNO", Annotation<1>{anno::kPaint.offset}, {.doc = "..."}};
//   packet.set_anno_u8(anno->offset, 3);
//
// An annotation of another size than `Size`, and a place too near to the end, are parse errors.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "headroom/click/arg_types.hh"
#include "headroom/packet/annotations.hh"

namespace headroom {

template <unsigned Size>
struct Annotation {
  uint8_t offset = 0;
};

namespace annotation_detail {

struct Named {
  std::string_view name;
  AnnotationPlace place;
};
inline constexpr Named kNamed[] = {{"DST_IP", anno::kDstIp},
                                   {"DST_IP6", anno::kDstIp6},
                                   {"ICMP_PARAMPROB", anno::kIcmpParamProb},
                                   {"PAINT", anno::kPaint},
                                   {"FIX_IP_SRC", anno::kFixIpSrc},
                                   {"VLAN_TCI", anno::kVlanTci},
                                   {"AGGREGATE", anno::kAggregate},
                                   {"EXTRA_PACKETS", anno::kExtraPackets},
                                   {"EXTRA_LENGTH", anno::kExtraLength},
                                   {"FIRST_TIMESTAMP", anno::kFirstTimestamp},
                                   {"PACKET_NUMBER", anno::kPacketNumber},
                                   {"IPSEC_SPI", anno::kIpsecSpi},
                                   {"SEQUENCE_NUMBER", anno::kSequenceNumber},
                                   {"PERFCTR", anno::kPerfctr}};

}  // namespace annotation_detail

namespace click {

template <unsigned Size>
struct ArgType<Annotation<Size>> {
  static constexpr std::string_view name = "annotation";

  static bool parse(std::string_view text, Annotation<Size>& value, std::string& error) {
    for (const auto& named : annotation_detail::kNamed)
      if (text == named.name) {
        value.offset = named.place.offset;
        return named.place.size == Size;
      }
    uint32_t offset = 0;
    if (!ArgType<uint32_t>::parse(text, offset, error)) return false;
    if (offset > anno::kUserBytes - Size) {
      error = "out of range, bound " + std::to_string(anno::kUserBytes - Size);
      return false;
    }
    value.offset = static_cast<uint8_t>(offset);
    return true;
  }

  static std::string unparse(const Annotation<Size>& value) {
    for (const auto& named : annotation_detail::kNamed)
      if (named.place.offset == value.offset && named.place.size == Size)
        return std::string(named.name);
    return std::to_string(value.offset);
  }
};

}  // namespace click
}  // namespace headroom
