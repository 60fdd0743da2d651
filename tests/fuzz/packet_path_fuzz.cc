// Packets of any bytes, in any segments, shared or not, through the elements that touch packets.
//
// The first five bytes say what is made of the rest:
//   0  packets: bits 0-2 how many (and one more), 3-4 how large the batches are, 5 whether clones
//      of them stay outside meanwhile, 6 whether a clone of each goes in as well
//   1  bytes of headroom, 0 to 63
//   2  0: one segment; else the bytes of the first segment, and of the others with bit 7 set
//   3  the way in: which output of the first PaintSwitch, 255 for all
//   4  0: a full pool; else so many packets are left in it
//
// After every run the ledger is balanced, every packet is home again, and the clones outside are
// what they were.
#include <rte_eal.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "headroom/base/clock.hh"
#include "headroom/click/reader.hh"
#include "headroom/graph/element.hh"
#include "headroom/graph/router.hh"

#if HEADROOM_POISON
#include <sanitizer/lsan_interface.h>
#endif

namespace headroom {
namespace {

constexpr char kConfig[] = R"(
in :: FuzzSource -> entry :: PaintSwitch;
entry [0] -> ether :: Classifier(12/0800, 12/0806 20/000?, 12/86dd 14/60%f0,
                                 0/ff??ff%ffffff !6/02 40/01, !2000/00, -);
entry [1] -> ip :: Null;
entry [2] -> Strip(34) -> Unstrip(20) -> Strip(7) -> mark :: MarkIPHeader(100);
entry [3] -> Unstrip(14) -> Paint(9) -> ether;
entry [4] -> marked :: MarkIPHeader(0);
entry [5] -> EtherRewrite(2:0:0:0:0:1, 2:0:0:0:0:2) -> Paint(1) -> again :: PaintSwitch;

ether [0] -> Strip(14) -> ip;
ether [1] -> Tee -> Queue(20) -> Unqueue(BURST 3) -> EtherRewrite(2:0:0:0:0:3, ff:ff:ff:ff:ff:ff)
          -> out :: FuzzSink;
ether [2] -> Strip(54) -> out;
ether [3] -> both :: Tee; both [0] -> EtherRewrite(2:0:0:0:0:1, 2:0:0:0:0:2) -> out; both [1] -> out;
ether [4] -> CheckIPHeader(100, CHECKSUM false) -> Counter -> out;
ether [5] -> out;

ip -> check :: CheckIPHeader(BADSRC 0.0.0.0 127.0.0.1, INTERFACES 10.0.0.1/8)
   -> routes :: StaticIPLookup(10.0.0.0/8 0, 10.1.0.0/16 192.168.0.1 1, 192.168.0.0/16 2,
                               224.0.0.0/4 3, 10.2.0.0/16 10.1.0.1 2);
check [1] -> Unstrip(14) -> Paint(2) -> again;

// Round and round, until the TTL has expired.
routes [0] -> ttl :: DecIPTTL -> Unstrip(14) -> EtherRewrite(2:0:0:0:0:1, 2:0:0:0:0:2)
           -> Queue(50) -> Counter -> Unqueue(BURST 8) -> out;
routes [1] -> copies :: Tee;
copies [0] -> down :: DecIPTTL -> routes;
copies [1] -> Strip(20) -> out;
copies [2] -> DecIPTTL -> Strip(3) -> Unstrip(3) -> Print(fuzz, MAXLENGTH -1, TIMESTAMP true, PRINTANNO true, HEADROOM true)
            -> out;
routes [2] -> DecIPTTL -> down;
routes [3] -> DecIPTTL(MULTICAST false) -> out;
ttl [1] -> Unstrip(1) -> out;
down [1] -> Paint(2) -> again;

mark -> DecIPTTL -> again;
marked -> DecIPTTL(MULTICAST false) -> protocol :: Classifier(9/01, 9/06 6/00%1f, -);
protocol [0] -> out; protocol [1] -> Strip(20) -> out; protocol [2] -> Unstrip(4) -> out;
again [0] -> out;
again [1] -> Strip(14) -> check;
again [2] -> out;
)";

class FuzzSource final : public Element {
 public:
  static constexpr ElementSpec spec{.name = "FuzzSource", .ports = "0/1", .processing = "h/h"};
  void emit(const std::vector<Packet*>& packets, uint32_t batch_size) {
    for (std::size_t at = 0; at < packets.size();) {
      PacketBatch batch;
      while (at < packets.size() && batch.size() < batch_size) batch.push_back(*packets[at++]);
      count_created(batch.size());
      output(0).push(batch);
    }
  }
};
HEADROOM_ELEMENT(FuzzSource);

void check(bool good, const char* what) {
  if (good) return;
  dprintf(STDERR_FILENO, "wrong: %s\n", what);
  std::abort();
}

std::vector<uint8_t> bytes_of(const Packet& packet) {
  std::vector<uint8_t> bytes(packet.length());
  check(packet.copy_out(0, bytes.data(), packet.length()), "a packet's length");
  return bytes;
}

// Looks at every byte.
class FuzzSink final : public Element {
 public:
  static constexpr ElementSpec spec{.name = "FuzzSink", .ports = "1/0", .processing = "h/h"};
  void push(uint32_t, PacketBatch& batch) override {
    for (uint32_t i = 0; i < batch.size(); ++i) {
      rte_mbuf* mbuf = batch[i].mbuf();
      const char* reason = "";
      check(rte_mbuf_check(mbuf, 1, &reason) == 0, reason);
      bytes_of(batch[i]);
    }
    count_absorbed(batch.size());
    batch.kill();
  }
};
HEADROOM_ELEMENT(FuzzSink);

struct Bench {
  SimulatedClock clock;
  std::unique_ptr<Pool> pool;
  Scheduler scheduler{clock};
  std::unique_ptr<Router> router;
  FuzzSource* source = nullptr;

  Bench() {
    const char* eal[] = {"fuzz",        "--no-huge",      "-m", "64", "--no-pci",
                         "--no-shconf", "--iova-mode=va", "-l", "0",  "--no-telemetry",
                         "--log-level", "lib.eal:error"};
    check(rte_eal_init(static_cast<int>(std::size(eal)), const_cast<char**>(eal)) >= 0, "EAL");
    std::string error;
    pool = Pool::create({.name = "fuzz", .packets = 2047, .cache = 0}, error);
    check(pool != nullptr, error.c_str());
#if HEADROOM_POISON
    // The poisoning operations keep their list in memory that the leak checker does not look at.
    __lsan_register_root_region(pool->mempool(), sizeof(rte_mempool));
#endif
    Diagnostics diagnostics;
    const uint32_t file = diagnostics.sources().add("config", kConfig);
    const click::FlatGraph graph = click::read(file, Registry::instance(), diagnostics);
    if (diagnostics.ok()) router = Router::build(graph, nullptr, diagnostics);
    const WorkerContext worker{.scheduler = &scheduler, .pool = pool.get()};
    if (router) router->initialize(worker, nullptr, diagnostics);
    check(diagnostics.ok(), diagnostics.render(Diagnostics::Form::full).c_str());
    check(router->deferred_connections() != 0, "the configuration has no cycle");
    source = router->find_as<FuzzSource>("in");
  }

  // In segments of these sizes; the last takes the rest. Null when the pool is empty.
  Packet* make(std::span<const uint8_t> bytes, uint32_t headroom, std::size_t first, bool all) {
    const std::size_t size = first == 0 ? bytes.size() : std::min(first, bytes.size());
    Packet* head = Packet::make(*pool, bytes.first(size), headroom);
    bytes = bytes.subspan(size);
    while (head != nullptr && !bytes.empty()) {
      const std::size_t next = all ? std::min(first, bytes.size()) : bytes.size();
      Packet* segment = Packet::make(*pool, bytes.first(next), 0);
      if (segment == nullptr || rte_pktmbuf_chain(head->mbuf(), segment->mbuf()) != 0) {
        if (segment != nullptr) segment->kill();
        head->kill();
        return nullptr;
      }
      bytes = bytes.subspan(next);
    }
    if (head != nullptr) head->fence();
    return head;
  }
};

struct Kept {
  Packet* clone;
  std::vector<uint8_t> bytes;
  Annotations annotations;
};

void run(Bench& bench, std::span<const uint8_t> input) {
  constexpr std::size_t kHeader = 5;
  if (input.size() < kHeader) return;
  const std::size_t count = 1 + (input[0] & 7U);
  constexpr uint32_t kBatchSizes[] = {1, 3, 64, 256};
  const uint32_t batch_size = kBatchSizes[input[0] >> 3 & 3];
  const bool keep_clones = (input[0] & 0x20) != 0;
  const bool send_clones = (input[0] & 0x40) != 0;
  const uint8_t left = input[4];

  std::vector<rte_mbuf*> reserved;
  if (left != 0) {
    reserved.resize(bench.pool->capacity() - left);
    check(rte_mempool_get_bulk(bench.pool->mempool(), reinterpret_cast<void**>(reserved.data()),
                               static_cast<unsigned>(reserved.size())) == 0,
          "the pool");
  }
  std::vector<Packet*> packets;
  std::vector<Kept> kept;
  std::span<const uint8_t> rest = input.subspan(kHeader);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t size = rest.size() / (count - i);
    Packet* packet =
        bench.make(rest.first(size), input[1] & 63U, input[2] & 127U, (input[2] & 128) != 0);
    rest = rest.subspan(size);
    if (packet == nullptr) continue;
    packet->set_paint_anno(input[3]);
    if (Packet* clone = keep_clones ? packet->clone() : nullptr)
      kept.push_back({clone, bytes_of(*clone), clone->annotations()});
    if (Packet* clone = send_clones ? packet->clone() : nullptr) packets.push_back(clone);
    packets.push_back(packet);
  }

  // Print prints, but not here.
  static std::FILE* const nowhere = std::fopen("/dev/null", "w");
  std::FILE* const standard_error = std::exchange(stderr, nowhere);
  bench.source->emit(packets, batch_size);
  while (bench.scheduler.run_inbox()) {
  }
  bench.scheduler.run_until_idle(100'000);
  stderr = standard_error;

  for (const Kept& one : kept) {
    check(bytes_of(*one.clone) == one.bytes, "the bytes of a clone have changed");
    check(std::memcmp(&one.clone->annotations(), &one.annotations, sizeof one.annotations) == 0,
          "the annotations of a clone have changed");
    one.clone->kill();
  }
  if (!reserved.empty())
    rte_mempool_put_bulk(bench.pool->mempool(), reinterpret_cast<void**>(reserved.data()),
                         static_cast<unsigned>(reserved.size()));
  const Ledger ledger = bench.router->ledger();
  check(ledger.balanced(), ledger.complaint().c_str());
  check(ledger.total().held == 0 && ledger.in_transit == 0, "packets are held");
  check(bench.pool->in_use() == 0, "packets did not come home");
}

}  // namespace
}  // namespace headroom

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  static auto* bench = new headroom::Bench;  // never ended: EAL must outlive it
  headroom::run(*bench, {data, size});
  return 0;
}
