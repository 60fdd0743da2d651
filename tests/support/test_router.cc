#include "test_router.hh"

#include <algorithm>

#include "headroom/click/reader.hh"
#include "headroom/net/checksum.hh"
#include "headroom/net/ether.hh"
#include "headroom/net/ip.hh"
#include "headroom/net/udp.hh"

namespace headroom::test {

HEADROOM_ELEMENT(TestSource);
HEADROOM_ELEMENT(TestSink);

Bytes hex(std::string_view text) {
  Bytes bytes;
  int high = -1;
  for (const char c : text) {
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) continue;
    if (high < 0) {
      high = digit;
    } else {
      bytes.push_back(static_cast<uint8_t>(high << 4 | digit));
      high = -1;
    }
  }
  return bytes;
}

std::string to_hex(std::span<const uint8_t> bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const uint8_t byte : bytes) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

Bytes bytes_of(const Packet& packet) {
  Bytes bytes(packet.length());
  EXPECT_TRUE(packet.copy_out(0, bytes.data(), packet.length()));
  return bytes;
}

Packet* make_split(Pool& pool, std::span<const uint8_t> bytes, uint32_t first) {
  if (first == 0 || first >= bytes.size()) return Packet::make(pool, bytes);
  Packet* head = Packet::make(pool, bytes.first(first));
  rte_mbuf* tail = rte_pktmbuf_alloc(pool.mempool());
  if (head == nullptr || tail == nullptr) return nullptr;
  const auto rest = bytes.subspan(first);
  std::memcpy(rte_pktmbuf_append(tail, static_cast<uint16_t>(rest.size())), rest.data(),
              rest.size());
  rte_pktmbuf_chain(head->mbuf(), tail);
  head->fence();
  return head;
}

Bytes Ip4Frame::build_ip() const {
  Bytes bytes(sizeof(IpHeader) + sizeof(UdpHeader) + payload);
  auto& ip = *reinterpret_cast<IpHeader*>(bytes.data());
  auto& udp = *reinterpret_cast<UdpHeader*>(bytes.data() + sizeof(IpHeader));
  ip = IpHeader{};
  bytes[0] = 0x45;
  ip.total_length = static_cast<uint16_t>(bytes.size());
  ip.ttl = ttl;
  ip.protocol = 17;
  ip.source = *IPAddress::parse(source);
  ip.destination = *IPAddress::parse(destination);
  udp.source_port = source_port;
  udp.destination_port = destination_port;
  udp.length = static_cast<uint16_t>(sizeof(UdpHeader) + payload);
  for (uint32_t i = 0; i < payload; ++i)
    bytes[sizeof(IpHeader) + sizeof(UdpHeader) + i] = static_cast<uint8_t>(i);
  set_ip_header_checksum(ip);
  return bytes;
}

Bytes Ip4Frame::build() const {
  Bytes frame = hex("020000000002 020000000001 0800");
  const Bytes ip = build_ip();
  frame.insert(frame.end(), ip.begin(), ip.end());
  return frame;
}

void TestSource::emit(std::vector<Packet*> packets, uint32_t batch_size) {
  count_created(packets.size());
  for (std::size_t at = 0; at < packets.size();) {
    PacketBatch batch;
    while (at < packets.size() && batch.size() < batch_size) batch.push_back(*packets[at++]);
    output(0).push(batch);
  }
}

void TestSink::push(uint32_t, PacketBatch& batch) {
  batches.push_back(batch.size());
  for (uint32_t i = 0; i < batch.size(); ++i) {
    Packet& packet = batch[i];
    packets.push_back({bytes_of(packet), packet.annotations(),
                       static_cast<uint32_t>(packet.mbuf()->nb_segs),
                       packet.has_network_header() ? packet.network_header_offset() : -1});
    if (keep) kept.push_back(&packet);
  }
  if (keep) return batch.release();
  count_absorbed(batch.size());
  batch.kill();
}

void TestSink::clear() {
  count_absorbed(kept.size());
  for (Packet* packet : kept) packet->kill();
  kept.clear();
  packets.clear();
  batches.clear();
}

TestRouter::TestRouter(std::string_view config, Options options) : options_(options) {
  static int number = 0;
  std::string error;
  pool = Pool::create(
      {.name = "test-" + std::to_string(number++), .packets = options.packets, .cache = 0}, error);
  EXPECT_NE(pool, nullptr) << error;
  scheduler = std::make_unique<Scheduler>(clock);
  const uint32_t file = diagnostics.sources().add("config", std::string(config));
  const click::FlatGraph graph = click::read(file, Registry::instance(), diagnostics);
  if (diagnostics.ok()) router = Router::build(graph, nullptr, diagnostics);
  const WorkerContext worker{
      .scheduler = scheduler.get(), .pool = pool.get(), .batch_size = options.batch_size};
  if (router && !router->initialize(worker, nullptr, diagnostics)) router.reset();
  EXPECT_TRUE(diagnostics.ok()) << diagnostics.render(Diagnostics::Form::full);
}

TestRouter::~TestRouter() {
  if (router) {
    const Ledger ledger = router->ledger();
    if (options_.expect_balanced) {
      EXPECT_TRUE(ledger.balanced()) << ledger.complaint();
    }
  }
  router.reset();
  scheduler.reset();
  if (pool) {
    EXPECT_EQ(pool->in_use(), 0u) << "packets did not come home";
  }
}

void TestRouter::send_packets(std::string_view source, std::vector<Packet*> packets,
                              uint32_t batch_size) {
  auto* element = router->find_as<TestSource>(source);
  ASSERT_NE(element, nullptr);
  element->emit(std::move(packets), batch_size);
  while (scheduler->run_inbox()) {
  }
}

void TestRouter::send(std::string_view source, const std::vector<Bytes>& packets,
                      uint32_t batch_size) {
  std::vector<Packet*> made;
  for (const Bytes& bytes : packets) {
    made.push_back(Packet::make(*pool, bytes));
    ASSERT_NE(made.back(), nullptr);
  }
  send_packets(source, std::move(made), batch_size);
}

void TestRouter::pass(int64_t nanoseconds) {
  constexpr int64_t kStep = 1'000'000;  // for those that poll and have no timer
  constexpr int kRounds = 16;
  const int64_t end = clock.now() + nanoseconds;
  while (clock.now() < end) {
    const int64_t step = std::min(clock.now() + kStep, end);
    clock.jump_to(std::min(step, std::max(clock.now(), scheduler->next_timer().value_or(end))));
    for (int round = 0; round < kRounds && scheduler->run_round(); ++round) {
    }
  }
}

TestSink& TestRouter::sink(std::string_view name) {
  auto* element = router->find_as<TestSink>(name);
  if (element == nullptr) throw std::runtime_error("no TestSink " + std::string(name));
  return *element;
}

std::string TestRouter::read(std::string_view handler) {
  std::string error;
  const auto value = router->read_handler(handler, error);
  EXPECT_TRUE(value) << error;
  return value.value_or("");
}

void TestRouter::write(std::string_view handler, std::string_view value) {
  std::string error;
  EXPECT_TRUE(router->write_handler(handler, value, error)) << error;
}

uint64_t TestRouter::dropped(std::string_view element, std::string_view reason) {
  for (const LedgerDrop& drop : router->ledger().drops)
    if (drop.element == element && drop.reason == reason) return drop.packets;
  return 0;
}

std::string errors_of(std::string_view config) {
  Diagnostics diagnostics;
  const uint32_t file = diagnostics.sources().add("config", std::string(config));
  const click::FlatGraph graph = click::read(file, Registry::instance(), diagnostics);
  if (diagnostics.ok()) Router::build(graph, nullptr, diagnostics);
  return diagnostics.render(Diagnostics::Form::plain);
}

}  // namespace headroom::test
