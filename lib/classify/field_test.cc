#include "headroom/classify/field_test.hh"

#include <cstdio>

namespace headroom::classify {
namespace {

bool protocol_fits(uint16_t wanted, uint8_t protocol) {
  if (wanted == kAnyProtocol) return true;
  if (wanted == kTcpOrUdp) return protocol == 6 || protocol == 17;
  return wanted == protocol;
}

}  // namespace

bool FieldTest::holds(const HeaderView& view) const {
  const uint8_t* start = view.ip;
  if (base == Base::ip) {
    if (end() > view.length) return false;
  } else if (base == Base::transport) {
    if (end() > view.transport_length() || !protocol_fits(protocol, view.ip[9])) return false;
    start += view.transport;
  } else {
    if (view.ether == nullptr) return false;
    start = view.ether;
  }
  uint64_t field = 0;
  for (uint32_t i = offset; i < end(); ++i) field = field << 8 | start[i];
  field &= mask;
  switch (relation) {
    case Relation::equal:
      return field == value;
    case Relation::not_equal:
      return field != value;
    case Relation::at_most:
      return field <= value;
    case Relation::at_least:
      return field >= value;
  }
  return false;
}

std::string FieldTest::to_string() const {
  static constexpr const char* kRelations[] = {"==", "!=", "<=", ">="};
  std::string text = base == Base::ip ? "ip" : base == Base::ether ? "ether" : "transp";
  if (base == Base::transport && protocol != kAnyProtocol)
    text = protocol == kTcpOrUdp ? "tcpudp" : "proto-" + std::to_string(protocol);
  text += "[" + std::to_string(offset) + ":" + std::to_string(size) + "]";
  char number[64];
  if (mask != (uint64_t{1} << 8 * size) - 1) {
    std::snprintf(number, sizeof number, "&%llx", static_cast<unsigned long long>(mask));
    text += number;
  }
  std::snprintf(number, sizeof number, "%llx", static_cast<unsigned long long>(value));
  return text + kRelations[static_cast<int>(relation)] + number;
}

}  // namespace headroom::classify
