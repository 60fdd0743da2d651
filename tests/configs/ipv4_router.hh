// configs/ipv4-router.click between two hosts that tests play: 10.0.1.2 on the left, 10.0.2.2 on
// the right.
#pragma once

#include <fstream>
#include <map>
#include <sstream>

#include "../elements/datagrams.hh"
#include "../elements/ether/arp_frames.hh"

namespace headroom::test {

inline const EtherAddress kLeftPort(2, 0, 0, 0, 1, 1);
inline const EtherAddress kLeftHost(2, 0, 0, 0, 1, 2);
inline const EtherAddress kRightPort(2, 0, 0, 0, 2, 1);
inline const EtherAddress kRightHost(2, 0, 0, 0, 2, 2);

inline Bytes ether_frame(const EtherAddress& destination, const EtherAddress& source, uint16_t type,
                         const Bytes& payload) {
  EtherHeader header{destination, source, type};
  const auto* bytes = reinterpret_cast<const uint8_t*>(&header);
  return concat({Bytes(bytes, bytes + sizeof header), payload});
}
// From the left host to the router.
inline Bytes ip_frame(const Bytes& ip) {
  return ether_frame(kLeftPort, kLeftHost, kEtherTypeIp, ip);
}

class Ipv4RouterTest {
 public:
  Ipv4RouterTest() : test(config()) {
    // Each neighbour is asked for, and answers.
    const Datagram to_left{.source = {10, 0, 2, 2}, .destination = {10, 0, 1, 2}};
    const Datagram to_right{.source = {10, 0, 1, 2}, .destination = {10, 0, 2, 2}};
    test.send("left/from/in", {ip_frame(udp_datagram(8, to_right))});
    test.send("right/from/in",
              {ether_frame(kRightPort, kRightHost, kEtherTypeIp, udp_datagram(8, to_left))});
    const auto answer = [&](const char* port, const char* host, const EtherAddress& ether,
                            const char* asker, const EtherAddress& asker_ether) {
      const Arp reply{.sender_ip = host,
                      .sender_ether = ether,
                      .target_ip = asker,
                      .target_ether = asker_ether};
      test.send(port, {reply.build()});
    };
    answer("left/from/in", "10.0.1.2", kLeftHost, "10.0.1.1", kLeftPort);
    answer("right/from/in", "10.0.2.2", kRightHost, "10.0.2.1", kRightPort);
    test.pass(1'000'000'000);
    EXPECT_EQ(test.sink("left/to/out").packets.size(), 2U);
    EXPECT_EQ(test.sink("right/to/out").packets.size(), 2U);
    forget();
  }

  void forget() {
    test.sink("left/to/out").clear();
    test.sink("right/to/out").clear();
    changes();
  }

  // Sends from the left host, and says what became of that: drops as "Class reason", frames that
  // left as "left ..." and "right ...", each with the number of times it happened.
  using Outcome = std::map<std::string, uint64_t>;
  Outcome send(const std::vector<Bytes>& frames, int64_t pass = 20'000'000,
               uint32_t batch_size = PacketBatch::kCapacity) {
    test.send("left/from/in", frames, batch_size);
    test.pass(pass);
    Outcome outcome = changes();
    for (const char* side : {"left", "right"}) {
      TestSink& sink = test.sink(std::string(side) + "/to/out");
      for (const TestSink::Seen& seen : sink.packets)
        ++outcome[std::string(side) + " " + describe(seen.bytes, frames)];
      sink.clear();
    }
    return outcome;
  }

  TestRouter test;

 private:
  static std::string config() {
    std::ifstream file(CONFIGS "/ipv4-router.click");
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_FALSE(text.str().empty());
    return "elementclass FromDevice { $name | in :: TestSource -> output }"
           "elementclass ToDevice { $name | input -> out :: TestSink }"
           "AddressInfo(eth1 02:00:00:00:01:01, eth2 02:00:00:00:02:01);\n" +
           text.str();
  }

  // Drops, and packets that a Discard took, since the last call.
  Outcome changes() {
    const Ledger ledger = test.router->ledger();
    std::map<std::string, std::string> classes;
    Outcome now;
    for (const LedgerEntry& entry : ledger.entries) {
      classes[entry.element] = entry.class_name;
      if (entry.class_name == "Discard") now[entry.element + " Discard"] += entry.absorbed;
    }
    for (const LedgerDrop& drop : ledger.drops)
      now[classes[drop.element] + " " + drop.reason] += drop.packets;
    Outcome changed;
    for (const auto& [name, count] : now)
      if (count != before_[name]) changed[name] = count - before_[name];
    before_ = now;
    return changed;
  }

  // What a frame is; a test failure if it is not as it should be on the wire. ICMP errors are about
  // one of `frames`.
  static std::string describe(const Bytes& frame, const std::vector<Bytes>& frames) {
    EtherHeader ether;
    if (frame.size() < sizeof ether) return "short frame";
    std::memcpy(&ether, frame.data(), sizeof ether);
    if (ether.type == kEtherTypeArp) {
      ArpFrame arp;
      EXPECT_EQ(frame.size(), sizeof arp);
      std::memcpy(&arp, frame.data(), sizeof arp);
      return arp.arp.operation == kArpReply ? "arp reply from " + arp.arp.sender_ip.to_string()
                                            : "arp query for " + arp.arp.target_ip.to_string();
    }
    const Bytes bytes = without_first(frame, sizeof ether);
    IpHeader ip;
    std::memcpy(&ip, bytes.data(), sizeof ip);
    EXPECT_EQ(slow_checksum(first_bytes(bytes, ip.header_length())), 0) << to_hex(bytes);
    EXPECT_EQ(ip.total_length, bytes.size());
    const std::string from_to = ip.source.to_string() + " > " + ip.destination.to_string();
    if (ip.protocol != kIpProtocolIcmp || ip.is_later_fragment())
      return from_to + " ttl " + std::to_string(ip.ttl);
    const Bytes message = without_first(bytes, ip.header_length());
    IcmpHeader icmp;
    std::memcpy(&icmp, message.data(), sizeof icmp);
    if (!ip.is_fragment()) {
      EXPECT_EQ(slow_checksum(message), 0);
    }
    std::string text = from_to + " icmp " + std::to_string(icmp.type);
    if (icmp.type == kIcmpEcho || icmp.type == kIcmpEchoReply || ip.ttl < 64) return text;
    text += "/" + std::to_string(icmp.code);
    if (icmp.type == kIcmpParameterProblem) text += " at " + std::to_string(icmp.pointer());
    if (icmp.type == kIcmpRedirect) text += " use " + icmp.gateway().to_string();
    if (icmp.next_hop_mtu() != 0 && icmp.type == kIcmpUnreachable)
      text += " mtu " + std::to_string(icmp.next_hop_mtu());
    expect_quotes(without_first(message, sizeof icmp), frames);
    return text;
  }

  // RFC 1812, 4.3.2.3: as much of the original as fits into 576 bytes, as it came, but for what the
  // router had done to it before: TTL, options, checksum.
  static void expect_quotes(const Bytes& quoted, const std::vector<Bytes>& frames) {
    const auto same = [&](const Bytes& frame) {
      const Bytes sent = without_first(frame, sizeof(EtherHeader));
      if (sent.size() < quoted.size()) return false;
      for (std::size_t i = 0; i < quoted.size(); ++i) {
        const bool may_change =
            i == 8 || i == 10 || i == 11 || (i >= 20 && i < (sent[0] & 15U) * 4);
        if (!may_change && sent[i] != quoted[i]) return false;
      }
      return true;
    };
    EXPECT_TRUE(std::any_of(frames.begin(), frames.end(), same)) << to_hex(quoted);
    EXPECT_GE(quoted.size(), (quoted[0] & 15U) * 4) << to_hex(quoted);
  }

  Outcome before_;
};

inline std::string to_text(const Ipv4RouterTest::Outcome& outcome) {
  std::string text;
  for (const auto& [name, count] : outcome)
    text += (text.empty() ? "" : ", ") + name + (count == 1 ? "" : " x" + std::to_string(count));
  return text;
}

}  // namespace headroom::test
