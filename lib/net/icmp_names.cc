#include "headroom/net/icmp_names.hh"

#include "headroom/net/icmp.hh"

namespace headroom {
namespace {

constexpr IcmpName kTypes[] = {{"echo-reply", kIcmpEchoReply},
                               {"unreachable", kIcmpUnreachable},
                               {"sourcequench", kIcmpSourceQuench},
                               {"redirect", kIcmpRedirect},
                               {"echo", kIcmpEcho},
                               {"routeradvert", kIcmpRouterAdvertisement},
                               {"routersolicit", kIcmpRouterSolicitation},
                               {"timeexceeded", kIcmpTimeExceeded},
                               {"parameterproblem", kIcmpParameterProblem},
                               {"timestamp", kIcmpTimestamp},
                               {"timestamp-reply", kIcmpTimestampReply},
                               {"inforeq", 15},
                               {"inforeq-reply", 16},
                               {"maskreq", 17},
                               {"maskreq-reply", 18}};

constexpr IcmpName kUnreachableCodes[] = {{"net", kIcmpNetUnreachable},
                                          {"host", kIcmpHostUnreachable},
                                          {"protocol", kIcmpProtocolUnreachable},
                                          {"port", kIcmpPortUnreachable},
                                          {"needfrag", kIcmpFragmentationNeeded},
                                          {"srcroutefail", kIcmpSourceRouteFailed},
                                          {"netunknown", 6},
                                          {"hostunknown", 7},
                                          {"hostisolated", 8},
                                          {"netprohibited", 9},
                                          {"hostprohibited", 10},
                                          {"nettos", 11},
                                          {"hosttos", 12},
                                          {"filterprohibited", kIcmpAdministrativelyProhibited},
                                          {"hostprecedence", 14},
                                          {"precedencecutoff", 15}};
constexpr IcmpName kRedirectCodes[] = {
    {"net", kIcmpRedirectNet}, {"host", kIcmpRedirectHost}, {"tosnet", 2}, {"toshost", 3}};
constexpr IcmpName kTimeExceededCodes[] = {{"transit", kIcmpTtlExceeded},
                                           {"reassembly", kIcmpReassemblyTimeExceeded}};
constexpr IcmpName kParameterProblemCodes[] = {{"erroratptr", 0}, {"missingopt", 1}, {"length", 2}};

std::optional<uint8_t> number_of(std::span<const IcmpName> names, std::string_view name) {
  for (const IcmpName& one : names)
    if (one.name == name) return one.number;
  return std::nullopt;
}
std::string_view name_of(std::span<const IcmpName> names, uint8_t number) {
  for (const IcmpName& one : names)
    if (one.number == number) return one.name;
  return {};
}

}  // namespace

std::span<const IcmpName> icmp_type_names() { return kTypes; }

std::span<const IcmpName> icmp_code_names(uint8_t type) {
  switch (type) {
    case kIcmpUnreachable:
      return kUnreachableCodes;
    case kIcmpRedirect:
      return kRedirectCodes;
    case kIcmpTimeExceeded:
      return kTimeExceededCodes;
    case kIcmpParameterProblem:
      return kParameterProblemCodes;
    default:
      return {};
  }
}

std::optional<uint8_t> icmp_type_by_name(std::string_view name) { return number_of(kTypes, name); }
std::optional<uint8_t> icmp_code_by_name(uint8_t type, std::string_view name) {
  return number_of(icmp_code_names(type), name);
}
std::string_view icmp_type_name(uint8_t type) { return name_of(kTypes, type); }
std::string_view icmp_code_name(uint8_t type, uint8_t code) {
  return name_of(icmp_code_names(type), code);
}

}  // namespace headroom
