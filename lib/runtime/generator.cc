#include "headroom/runtime/generator.hh"

#include <pcap/pcap.h>
#include <rte_cycles.h>
#include <rte_errno.h>
#include <rte_ethdev.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "headroom/base/text.hh"

namespace headroom {
namespace {

using Traffic = SystemConfig::Traffic;
using Frames = std::vector<std::vector<uint8_t>>;

TrafficOptions::Kind kind_of(const Traffic& traffic) {
  switch (traffic.kind) {
    case Traffic::Kind::ipv6:
      return TrafficOptions::Kind::ipv6;
    case Traffic::Kind::mixed:
      return TrafficOptions::Kind::mixed;
    case Traffic::Kind::ipv4:
    case Traffic::Kind::pcap:
      break;
  }
  return TrafficOptions::Kind::ipv4;
}

uint32_t least_size(const Traffic& traffic) {
  const uint32_t headers = TrafficPattern::least_size(kind_of(traffic));
  // In front of the stamp there are Ethernet's header, that of IP and UDP's.
  const uint32_t before = traffic.kind == Traffic::Kind::ipv4 ? 14 + 20 + 8 : 14 + 40 + 8;
  const auto stamped = before + static_cast<uint32_t>(kStampSize) + TrafficOptions::kFcs;
  return traffic.latency ? std::max(headers, stamped) : headers;
}

std::vector<TrafficOptions::Size> sizes_of(const Traffic& traffic) {
  if (traffic.imix) return TrafficPattern::imix();
  return {{traffic.size, 1}};
}

// The frames of a capture file; none, and the reason, when it cannot be read.
Frames read_capture(const std::string& path, std::string& error) {
  Frames frames;
  char reason[PCAP_ERRBUF_SIZE] = "";
  pcap_t* const capture = pcap_open_offline(path.c_str(), reason);
  if (capture == nullptr) {
    error = reason;
    return frames;
  }
  pcap_pkthdr* header = nullptr;
  const u_char* bytes = nullptr;
  int result = 0;
  while ((result = pcap_next_ex(capture, &header, &bytes)) == 1)
    if (header->caplen >= 14) frames.emplace_back(bytes, bytes + header->caplen);
  if (result == PCAP_ERROR) error = path + ": " + pcap_geterr(capture);
  if (error.empty() && pcap_datalink(capture) != DLT_EN10MB)
    error = path + ": its packets are no Ethernet frames";
  if (error.empty() && frames.empty()) error = path + ": it holds no frames";
  pcap_close(capture);
  return frames;
}

std::string place(const SystemConfig::Port& port) { return "port '" + port.name + "': "; }

bool check_capture(const SystemConfig::Port& port, uint32_t data_room, Diagnostics& diagnostics) {
  std::string error;
  std::string hint = "paths are relative to the current directory";
  if (port.traffic.file.empty()) {
    error = "traffic of kind pcap needs a capture file";
    hint = "name it: traffic: { kind: pcap, file: in.pcap }";
  } else {
    for (const auto& frame : read_capture(port.traffic.file, error)) {
      if (frame.size() <= data_room) continue;
      error = "a frame of " + grouped(frame.size()) + " bytes in " + port.traffic.file +
              " does not fit into packets of " + grouped(data_room);
      hint = "raise pools.data_room";
      break;
    }
  }
  if (error.empty() && port.traffic.latency) {
    error = "frames of a capture file carry no time stamps";
    hint = "latency needs traffic that is made here";
  }
  if (error.empty()) return true;
  diagnostics.error(port.where, place(port) + error, std::move(hint));
  return false;
}

// The prefixes of either family; nothing is given means all addresses.
void split_destinations(const Traffic& traffic, TrafficOptions& options) {
  for (const std::string& text : traffic.destinations) {
    if (const auto prefix = IPPrefix::parse(text))
      options.destinations.push_back(*prefix);
    else if (const auto prefix6 = IP6Prefix::parse(text))
      options.destinations6.push_back(*prefix6);
  }
}

}  // namespace

bool Generator::check(const SystemConfig::Port& port, uint32_t data_room,
                      Diagnostics& diagnostics) {
  const Traffic& traffic = port.traffic;
  if (traffic.kind == Traffic::Kind::pcap) return check_capture(port, data_room, diagnostics);
  const auto refuse = [&](const std::string& what, std::string hint) {
    diagnostics.error(port.where, place(port) + what, std::move(hint));
    return false;
  };
  if (!traffic.file.empty())
    return refuse("a capture file is for traffic of kind pcap", "write kind: pcap, or no file");
  for (const TrafficOptions::Size& size : sizes_of(traffic)) {
    if (size.bytes < least_size(traffic))
      return refuse(
          "frames of " + grouped(size.bytes) + " bytes have no room for the headers" +
              (traffic.latency ? " and the time stamp" : ""),
          "the shortest possible are of " + grouped(least_size(traffic)) + " bytes, with the FCS");
    if (size.bytes - TrafficOptions::kFcs > data_room)
      return refuse("frames of " + grouped(size.bytes) + " bytes do not fit into packets of " +
                        grouped(data_room),
                    "raise pools.data_room");
  }
  TrafficOptions options;
  split_destinations(traffic, options);
  const bool useless = (traffic.kind == Traffic::Kind::ipv4 && options.destinations.empty()) ||
                       (traffic.kind == Traffic::Kind::ipv6 && options.destinations6.empty());
  if (useless && !traffic.destinations.empty())
    return refuse(std::string("none of its destinations is for ") +
                      (traffic.kind == Traffic::Kind::ipv4 ? "IPv4" : "IPv6"),
                  "without any, they are all addresses");
  return true;
}

bool Generator::attach(uint16_t ethdev, uint32_t rx_queues, uint32_t tx_queues, rte_mempool* pool,
                       EtherAddress address, std::string& error) {
  const auto refused = [&error] {
    error = std::string("takes no callback: ") + rte_strerror(rte_errno);
    return false;
  };
  Frames frames;
  if (traffic_.kind == Traffic::Kind::pcap) {
    frames = read_capture(traffic_.file, error);
    if (frames.empty()) return false;
  }
  const double cycles =
      traffic_.rate == 0 ? 0 : static_cast<double>(rte_get_tsc_hz()) * rx_queues / traffic_.rate;
  for (uint32_t queue = 0; queue < rx_queues; ++queue) {
    std::optional<TrafficPattern> pattern;
    if (frames.empty()) {
      TrafficOptions options;
      options.kind = kind_of(traffic_);
      options.sizes = sizes_of(traffic_);
      options.flows = std::max(1U, traffic_.flows / rx_queues);
      options.first_flow = queue;
      options.flow_step = rx_queues;
      split_destinations(traffic_, options);
      options.ether_destination = EtherAddress::parse(traffic_.to).value_or(address);
      options.seed = traffic_.seed + queue;
      pattern.emplace(options);
    } else {
      pattern.emplace(frames);
    }
    rx_queues_.push_back(std::unique_ptr<RxQueue>(new RxQueue{.pattern = std::move(*pattern),
                                                              .pool = pool,
                                                              .cycles_per_packet = cycles,
                                                              .depth = std::max(1U, depth_),
                                                              .fill = traffic_.fill,
                                                              .stamp = traffic_.latency}));
    if (rte_eth_add_rx_callback(ethdev, static_cast<uint16_t>(queue), &Generator::receive,
                                rx_queues_.back().get()) == nullptr)
      return refused();
  }
  for (uint32_t queue = 0; traffic_.latency && queue < tx_queues; ++queue) {
    tx_queues_.push_back(std::make_unique<TxQueue>());
    if (rte_eth_add_tx_callback(ethdev, static_cast<uint16_t>(queue), &Generator::transmit,
                                tx_queues_.back().get()) == nullptr)
      return refused();
  }
  return true;
}

uint16_t Generator::receive(uint16_t ethdev, uint16_t, rte_mbuf** mbufs, uint16_t, uint16_t limit,
                            void* rx_queue) {
  RxQueue& queue = *static_cast<RxQueue*>(rx_queue);
  uint16_t count = limit;
  uint64_t now = 0;
  double due = 0;
  if (queue.stamp || queue.cycles_per_packet != 0) now = rte_rdtsc();
  if (queue.cycles_per_packet != 0) {
    const auto time = static_cast<double>(now);
    if (queue.due == 0) queue.due = time;
    if (queue.due > time) return 0;
    auto owed = static_cast<uint64_t>((time - queue.due) / queue.cycles_per_packet) + 1;
    if (owed > queue.depth) {
      const uint64_t lost = owed - queue.depth;
      queue.missed.add(lost);
      queue.due += static_cast<double>(lost) * queue.cycles_per_packet;
      owed = queue.depth;
    }
    count = static_cast<uint16_t>(std::min<uint64_t>(limit, owed));
    due = queue.due;
    queue.due += count * queue.cycles_per_packet;
  }
  if (rte_pktmbuf_alloc_bulk(queue.pool, mbufs, count) != 0) {
    queue.no_buffer.add(count);
    return 0;
  }
  uint64_t bytes = 0;
  for (uint16_t i = 0; i < count; ++i) {
    rte_mbuf* const mbuf = mbufs[i];
    auto* const data = rte_pktmbuf_mtod(mbuf, uint8_t*);
    const uint32_t length = queue.pattern.next(data);
    if (queue.fill && length > queue.pattern.copied())
      std::memset(data + queue.pattern.copied(), 0, length - queue.pattern.copied());
    // A packet that had to wait to be received was under way since it was due.
    if (queue.stamp)
      write_stamp(data + length,
                  due == 0 ? now : static_cast<uint64_t>(due + i * queue.cycles_per_packet));
    mbuf->data_len = static_cast<uint16_t>(length);
    mbuf->pkt_len = length;
    mbuf->port = ethdev;
    bytes += length;
  }
  queue.packets.add(count);
  queue.bytes.add(bytes);
  return count;
}

uint16_t Generator::transmit(uint16_t, uint16_t, rte_mbuf** mbufs, uint16_t count, void* tx_queue) {
  LatencyHistogram& histogram = static_cast<TxQueue*>(tx_queue)->histogram;
  const uint64_t now = rte_rdtsc();
  for (uint16_t i = 0; i < count; ++i) {
    const rte_mbuf* const mbuf = mbufs[i];
    if (mbuf->nb_segs != 1 || mbuf->data_len < kStampSize) continue;
    const auto* const end = rte_pktmbuf_mtod(mbuf, const uint8_t*) + mbuf->data_len;
    if (const auto then = read_stamp(end); then && *then <= now) histogram.add(now - *then);
  }
  return count;
}

uint64_t Generator::sum(Cell RxQueue::*cell) const {
  uint64_t sum = 0;
  for (const auto& queue : rx_queues_) sum += ((*queue).*cell).get();
  return sum;
}
uint64_t Generator::packets() const { return sum(&RxQueue::packets); }
uint64_t Generator::bytes() const { return sum(&RxQueue::bytes); }
uint64_t Generator::no_buffer() const { return sum(&RxQueue::no_buffer); }
uint64_t Generator::missed() const { return sum(&RxQueue::missed); }
uint64_t Generator::latency_count(std::size_t bin) const {
  uint64_t sum = 0;
  for (const auto& queue : tx_queues_) sum += queue->histogram.count(bin);
  return sum;
}

}  // namespace headroom
