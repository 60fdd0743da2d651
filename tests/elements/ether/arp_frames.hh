// ARP frames for tests, and a router with an ARPQuerier under simulated time.
#pragma once

#include "../element_test.hh"
#include "headroom/net/arp.hh"

namespace headroom::test {

inline constexpr int64_t kSecond = 1'000'000'000;
inline const EtherAddress kOwnEther(2, 0, 0, 0, 0, 1);

struct Arp {
  uint16_t operation = kArpReply;
  std::string sender_ip = "10.0.0.2";
  EtherAddress sender_ether = {2, 0, 0, 0, 0, 2};
  std::string target_ip = "10.0.0.1";
  EtherAddress target_ether = kOwnEther;

  Bytes build() const {
    ArpFrame frame;
    frame.ether.destination = operation == kArpReply ? target_ether : EtherAddress::broadcast();
    frame.ether.source = sender_ether;
    frame.ether.type = kEtherTypeArp;
    frame.arp.set_ether_ip();
    frame.arp.operation = operation;
    frame.arp.sender_ether = sender_ether;
    frame.arp.sender_ip = *IPAddress::parse(sender_ip);
    frame.arp.target_ether = target_ether;
    frame.arp.target_ip = *IPAddress::parse(target_ip);
    const auto* bytes = reinterpret_cast<const uint8_t*>(&frame);
    return {bytes, bytes + sizeof frame};
  }
};

// The query that 10.0.0.1 with kOwnEther sends.
inline Bytes query_for(std::string_view address) {
  return Arp{.operation = kArpRequest,
             .sender_ip = "10.0.0.1",
             .sender_ether = kOwnEther,
             .target_ip = std::string(address),
             .target_ether = {}}
      .build();
}

// `in` sends IP packets, `arp` ARP packets; what leaves the querier `q` is in `out` and `queries`.
class QuerierTest {
 public:
  explicit QuerierTest(std::string_view arguments = "", std::string_view more = "",
                       TestRouter::Options options = {})
      : test("in :: TestSource -> [0] q :: ARPQuerier(10.0.0.1, 2:0:0:0:0:1" +
                 std::string(arguments) +
                 "); arp :: TestSource -> [1] q; q -> out :: TestSink; q[1] -> queries :: "
                 "TestSink;" +
                 std::string(more),
             options) {}

  Packet* packet_to(std::string_view address, const Bytes& bytes) {
    return annotated(Packet::make(*test.pool, bytes), address);
  }
  static Packet* annotated(Packet* packet, std::string_view address) {
    if (packet != nullptr) packet->set_dst_ip_anno(*IPAddress::parse(address));
    return packet;
  }
  // Packets of one byte each, in one batch.
  void send(std::string_view address, std::initializer_list<uint8_t> numbers,
            std::string_view source = "in") {
    std::vector<Packet*> packets;
    for (const uint8_t number : numbers) packets.push_back(packet_to(address, Bytes{number}));
    test.send_packets(source, packets);
  }
  void hear(const Arp& arp, std::string_view source = "arp") { test.send(source, {arp.build()}); }
  void pass(int64_t nanoseconds) { test.pass(nanoseconds); }
  // The Ethernet destination and the last byte of what has left, as "020000000002:7", and forgets
  // it.
  std::vector<std::string> sent(std::string_view sink = "out") {
    std::vector<std::string> all;
    for (const Bytes& bytes : bytes_at(test, sink)) {
      EXPECT_EQ(to_hex(first_bytes(without_first(bytes, 6), 8)), "0200000000010800");
      all.push_back(to_hex(first_bytes(bytes, 6)) + ":" + std::to_string(bytes.back()));
    }
    test.sink(sink).clear();
    return all;
  }
  // The addresses that were asked for.
  std::vector<std::string> asked(std::string_view sink = "queries") {
    std::vector<std::string> all;
    for (const Bytes& bytes : bytes_at(test, sink)) {
      ArpFrame frame;
      EXPECT_EQ(bytes.size(), sizeof frame);
      std::memcpy(&frame, bytes.data(), sizeof frame);
      all.push_back(frame.arp.target_ip.to_string());
      EXPECT_EQ(to_hex(bytes), to_hex(query_for(all.back())));
    }
    test.sink(sink).clear();
    return all;
  }

  TestRouter test;
};

using Strings = std::vector<std::string>;

}  // namespace headroom::test
