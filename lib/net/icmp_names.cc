#include "headroom/net/icmp_names.hh"

#include "headroom/net/icmp.hh"

namespace headroom {
namespace {

struct Name {
  uint8_t number;
  std::string_view name;
};

constexpr Name kTypes[] = {{kIcmpEchoReply, "echo-reply"},
                           {kIcmpUnreachable, "unreachable"},
                           {kIcmpSourceQuench, "sourcequench"},
                           {kIcmpRedirect, "redirect"},
                           {kIcmpEcho, "echo"},
                           {kIcmpRouterAdvertisement, "routeradvert"},
                           {kIcmpRouterSolicitation, "routersolicit"},
                           {kIcmpTimeExceeded, "timeexceeded"},
                           {kIcmpParameterProblem, "parameterproblem"},
                           {kIcmpTimestamp, "timestamp"},
                           {kIcmpTimestampReply, "timestamp-reply"},
                           {15, "inforeq"},
                           {16, "inforeq-reply"},
                           {17, "maskreq"},
                           {18, "maskreq-reply"}};

// RFC 792; RFC 1122, 3.2.2.1; RFC 1812, 5.2.7.1.
constexpr Name kUnreachable[] = {{kIcmpNetUnreachable, "net"},
                                 {kIcmpHostUnreachable, "host"},
                                 {kIcmpProtocolUnreachable, "protocol"},
                                 {kIcmpPortUnreachable, "port"},
                                 {kIcmpFragmentationNeeded, "needfrag"},
                                 {kIcmpSourceRouteFailed, "srcroutefail"},
                                 {6, "net-unknown"},
                                 {7, "host-unknown"},
                                 {8, "host-isolated"},
                                 {9, "net-prohibited"},
                                 {10, "host-prohibited"},
                                 {11, "net-tos"},
                                 {12, "host-tos"},
                                 {kIcmpAdministrativelyProhibited, "filter-prohibited"},
                                 {14, "host-precedence"},
                                 {15, "cutoff-precedence"}};
constexpr Name kRedirect[] = {
    {kIcmpRedirectNet, "net"}, {kIcmpRedirectHost, "host"}, {2, "net-tos"}, {3, "host-tos"}};
constexpr Name kTimeExceeded[] = {{kIcmpTtlExceeded, "transit"},
                                  {kIcmpReassemblyTimeExceeded, "reassembly"}};
constexpr Name kParameterProblem[] = {{0, "erratip"}, {1, "missingopt"}, {2, "length"}};

template <std::size_t N>
constexpr std::string_view find(const Name (&names)[N], uint8_t number) {
  for (const Name& one : names)
    if (one.number == number) return one.name;
  return {};
}

}  // namespace

std::string_view icmp_type_name(uint8_t type) { return find(kTypes, type); }

std::string_view icmp_code_name(uint8_t type, uint8_t code) {
  switch (type) {
    case kIcmpUnreachable:
      return find(kUnreachable, code);
    case kIcmpRedirect:
      return find(kRedirect, code);
    case kIcmpTimeExceeded:
      return find(kTimeExceeded, code);
    case kIcmpParameterProblem:
      return find(kParameterProblem, code);
    default:
      return {};
  }
}

}  // namespace headroom
