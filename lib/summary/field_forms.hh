// How the fields are written and read that are more than a number in a header. For field_table.cc.
#pragma once

#include <string>
#include <string_view>

#include "headroom/summary/field.hh"

namespace headroom::summary {

#define HEADROOM_FORM(name)                                       \
  bool write_##name(const PacketView& packet, std::string& text); \
  bool read_##name(std::string_view text, Draft& draft, std::string& error)

// packet_forms.cc
HEADROOM_FORM(timestamp);
HEADROOM_FORM(timestamp_ns);
HEADROOM_FORM(seconds);
HEADROOM_FORM(microseconds);
HEADROOM_FORM(all_microseconds);
HEADROOM_FORM(first_timestamp);
HEADROOM_FORM(count);
HEADROOM_FORM(direction);
HEADROOM_FORM(link);
HEADROOM_FORM(aggregate);
bool write_wire_length(const PacketView& packet, std::string& text);
bool write_ether_source(const PacketView& packet, std::string& text);
bool write_ether_destination(const PacketView& packet, std::string& text);

// payload_forms.cc
HEADROOM_FORM(payload);
HEADROOM_FORM(payload_length);
HEADROOM_FORM(capture_length);
bool write_payload_md5(const PacketView& packet, std::string& text);
bool write_payload_md5_hex(const PacketView& packet, std::string& text);

// ip_forms.cc
HEADROOM_FORM(source);
HEADROOM_FORM(destination);
HEADROOM_FORM(header_length);
HEADROOM_FORM(dscp);
HEADROOM_FORM(ecn);
HEADROOM_FORM(fragment);
HEADROOM_FORM(fragment_offset);
HEADROOM_FORM(protocol);
HEADROOM_FORM(ip_options_field);
bool read_total_length(std::string_view text, Draft& draft, std::string& error);

// transport_forms.cc
HEADROOM_FORM(data_offset);
HEADROOM_FORM(tcp_flags);
HEADROOM_FORM(tcp_options_field);
bool read_some_tcp_options(std::string_view text, Draft& draft, std::string& error);
bool write_tcp_options_without_time(const PacketView& packet, std::string& text);
bool write_tcp_sack(const PacketView& packet, std::string& text);
bool read_udp_length(std::string_view text, Draft& draft, std::string& error);
HEADROOM_FORM(icmp_type);
HEADROOM_FORM(icmp_code);
bool write_icmp_id(const PacketView& packet, std::string& text);
bool write_icmp_sequence(const PacketView& packet, std::string& text);
bool write_icmp_mtu(const PacketView& packet, std::string& text);

#undef HEADROOM_FORM

}  // namespace headroom::summary
