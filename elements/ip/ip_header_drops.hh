// The drops of elements that check IPv4 headers, and their handlers.
//
//   IpHeaderDrops bad{*this};
//   if (fault != IpFault::none) return bad[fault];
#pragma once

#include "headroom/graph/drop_handlers.hh"
#include "headroom/graph/element.hh"
#include "headroom/net/ip_check.hh"

namespace headroom {

struct IpHeaderDrops {
  explicit IpHeaderDrops(Element& element) : owner(element) {}

  // Of a fault that is one.
  Drop& operator[](IpFault fault) {
    switch (fault) {
      case IpFault::bad_version:
        return version;
      case IpFault::bad_header_length:
        return header_length;
      case IpFault::bad_length:
        return length;
      case IpFault::bad_checksum:
        return checksum;
      default:
        return too_short;
    }
  }

  Element& owner;
  Drop too_short{owner, "too-short", "It ends within the header."};
  Drop version{owner, "bad-version", "The version is not 4."};
  Drop header_length{owner, "bad-header-length", "The header length is below 20."};
  Drop length{owner, "bad-length",
              "The total length is below the header length or beyond the packet's end."};
  Drop checksum{owner, "bad-checksum", "The header checksum is wrong."};
  Drop source{owner, "bad-source", "The source address is one that no packet may have."};
  DropHandlers handlers{owner, {&too_short, &version, &header_length, &length, &checksum, &source}};
};

}  // namespace headroom
