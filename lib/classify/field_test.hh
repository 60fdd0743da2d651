// Tests on the fields of an IPv4 packet, and boolean expressions of them.
//
// A FieldTest compares one to six bytes of the IP header, of the transport header or of the
// Ethernet header with a number. It is false where the packet ends before these bytes; a test of
// the transport header is also false on later fragments, which have none, and on other protocols
// than its own. So `not (port 80)` holds for a later fragment and `port != 80` does not.
//
//   HeaderView view(ip_bytes, length);
//   FieldTest ttl{.offset = 8, .size = 1, .mask = 0xff, .relation = Relation::at_most, .value = 1};
//   if (ttl.holds(view)) expired();
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace headroom::classify {

enum class Base : uint8_t { ip, transport, ether };
enum class Relation : uint8_t { equal, not_equal, at_most, at_least };

// Which protocols a test of the transport header is about; smaller values are protocol numbers.
inline constexpr uint16_t kAnyProtocol = 256;
inline constexpr uint16_t kTcpOrUdp = 257;

// Where the headers of one packet are.
struct HeaderView {
  // `length` bytes are readable at `ip`, and 14 at `ether` unless it is null.
  HeaderView(const uint8_t* ip_in, uint32_t length_in, const uint8_t* ether_in = nullptr)
      : ip(ip_in), ether(ether_in), length(length_in) {
    if (length < 20) return;
    const uint32_t header_length = (ip[0] & 15U) * 4;
    const bool later_fragment = ((ip[6] & 0x1f) | ip[7]) != 0;
    if (header_length >= 20 && header_length <= length && !later_fragment)
      transport = header_length;
  }
  uint32_t transport_length() const { return transport == 0 ? 0 : length - transport; }

  const uint8_t* ip;
  const uint8_t* ether;
  uint32_t length;
  uint32_t transport = 0;  // its offset from `ip`; 0 when the packet has none
};

struct FieldTest {
  Base base = Base::ip;
  Relation relation = Relation::equal;
  uint8_t size = 1;  // bytes
  uint16_t offset = 0;
  uint16_t protocol = kAnyProtocol;
  uint64_t mask = 0;
  uint64_t value = 0;

  uint32_t end() const { return uint32_t{offset} + size; }
  bool holds(const HeaderView& view) const;
  std::string to_string() const;
};

// A tree of tests. `choice` is its first part ? the second : the third.
struct Expression {
  enum class Kind : uint8_t { constant, test, negation, all_of, any_of, choice };

  Kind kind = Kind::constant;
  bool value = false;  // of a constant
  FieldTest test;
  std::vector<Expression> parts;

  static Expression of(bool value) {
    Expression made;
    made.value = value;
    return made;
  }
  static Expression of(const FieldTest& test) {
    Expression made;
    made.kind = Kind::test;
    made.test = test;
    return made;
  }
  static Expression of(Kind kind, std::vector<Expression> parts) {
    Expression made;
    made.kind = kind;
    made.parts = std::move(parts);
    return made;
  }
};

}  // namespace headroom::classify
