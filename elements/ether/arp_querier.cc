#include <algorithm>
#include <optional>

#include "arp_drops.hh"
#include "arp_table.hh"
#include "headroom/click/named_types.hh"
#include "headroom/graph/router.hh"
#include "headroom/net/arp.hh"
#include "headroom/packet/held_packets.hh"

namespace headroom {

class ARPQuerier final : public ARPTable {
 public:
  static constexpr ElementSpec spec{
      .name = "ARPQuerier",
      .ports = "2/1-3",
      .processing = "h/h",
      .doc =
          "Puts Ethernet headers in front of IPv4 packets, and finds out by ARP what to write into "
          "them. Input 0 takes IP packets, which go to the neighbour in their destination address "
          "annotation by output 0. While its Ethernet address is not known they are held, and the "
          "neighbour is asked, at most once a second. Input 1 takes ARP packets with their "
          "Ethernet header: replies, and better requests as well, because a neighbour that "
          "announces a new address is believed if its IP address is known already or asked for. "
          "Queries leave by output 1 if there is one, else by output 0. Packets whose neighbour "
          "does not answer leave as they came by output 2, or are dropped if there is none; a "
          "router connects it to ICMPError(ADDRESS, unreachable, host). Packets to "
          "255.255.255.255, to BROADCAST and to multicast addresses need no query.",
      .writes = true,
      .contiguous = sizeof(ArpFrame)};

  Arg<IPPrefix> ip{*this,
                   "IP",
                   {.doc = "The router's own address on this network, with the length of the "
                           "network's prefix or without.",
                    .positional = true,
                    .mandatory = true,
                    .live = true}};
  Arg<EtherAddress> ether{*this,
                          "ETH",
                          {.doc = "The router's own Ethernet address.",
                           .positional = true,
                           .mandatory = true,
                           .live = true}};
  Arg<click::ElementName> table{
      *this, "TABLE", {.doc = "The ARPTable to use; without it the element has its own."}};
  Arg<IPAddress> broadcast{*this,
                           "BROADCAST",
                           {.doc = "Packets to this address go to all. By default the last "
                                   "address of the network, if IP has a prefix of 1 to 30 bits.",
                            .live = true}};
  Arg<click::Duration> poll_timeout{
      *this,
      "POLL_TIMEOUT",
      click::Duration{60'000'000'000},
      {.doc = "A neighbour that is in use is asked again when it has not confirmed its address for "
              "so long, so that it is never forgotten in the midst of traffic; 0 is not before "
              "TIMEOUT.",
       .live = true}};
  Arg<uint32_t> tries{*this,
                      "TRIES",
                      3,
                      {.doc = "Queries, one a second, before packets are held no longer.",
                       .unit = "queries",
                       .live = true}};

  Drop no_address{*this, "no-next-hop", "Its destination address annotation is not set."};
  Drop unresolved{*this, "unresolved", "The neighbour did not answer TRIES queries."};
  Drop neighbour_full{*this, "neighbour-full",
                      "ENTRY_PACKET_CAPACITY packets were held for its neighbour, it the longest."};
  Drop full{*this, "hold-full", "CAPACITY packets were held, of this element's it the longest."};
  ArpDrops malformed{*this};
  Drop probe{*this, "arp-probe", "A request without a sender's address to learn (RFC 5227)."};
  Drop own_address{*this, "own-address", "The sender says that it has the querier's own address."};
  Drop not_asked{*this, "not-asked", "The sender is neither known nor asked for."};

  Count queries{*this, "queries", "Queries sent."};
  Count responses{*this, "responses", "ARP packets that made or confirmed an entry."};
  Count changes{*this, "changes", "Those of a known neighbour with a new Ethernet address."};

  ~ARPQuerier() override {
    if (!alive_) return;
    table_->unsubscribe(listener_);
    *alive_ = nullptr;
  }

  bool configure(SetupContext& context) override;
  bool initialize(SetupContext& context) override;
  bool reconfigure(std::string& error) override;

  void push(uint32_t port, PacketBatch& batch) override {
    if (port == 0)
      forward(batch);
    else
      listen(batch);
  }
  void run_timer(Timer&) override;

  uint64_t held() const override { return held_.size(); }
  uint64_t holds_at_most() const override { return table.given() ? 0 : *capacity; }

 private:
  using Group = HeldPackets<IPAddress>::Group;
  static constexpr int64_t kInterval = Ip4Neighbours::kQuestionInterval;
  static constexpr uint32_t kChunk = 64;

  ARPTable& limits() { return named_table_ != nullptr ? *named_table_ : *this; }
  bool check(std::string& error) const;
  void set_broadcast();

  void forward(PacketBatch& batch);
  std::optional<EtherAddress> resolve(Packet& packet, IPAddress address, int64_t time);
  Packet* encapsulate(Packet& packet, const EtherAddress& to);
  void send_query(IPAddress address);

  void hold(Group& group, Packet& packet);
  Packet* take(Group& group);
  void lose(Drop& reason, Packet& packet);
  void release(Group& group, const EtherAddress& to);
  void release_known(IPAddress address);
  void give_up(Group& group);

  void listen(PacketBatch& batch);
  void learn(Packet& packet);

  ARPTable* named_table_ = nullptr;
  IPAddress broadcast_;
  HeldPackets<IPAddress> held_;
  Timer timer_{*this};
  uint32_t listener_ = 0;
  // Outlives the element in work that was posted for it.
  std::shared_ptr<ARPQuerier*> alive_;
};

// --- setup

bool ARPQuerier::configure(SetupContext& context) {
  bool ok = ARPTable::configure(context);
  std::string error;
  if (!check(error)) ok = context.error(error);
  if (!table.given()) return ok;
  for (const ArgBase* arg : std::initializer_list<const ArgBase*>{&capacity, &entry_packet_capacity,
                                                                  &entry_capacity, &timeout})
    if (arg->given())
      ok = context.error(std::string(arg->name()) + ": is that of TABLE",
                         "give it to '" + table->name + "'");
  for (const std::string& one : click::resolution_order(name(), table->name)) {
    Element* const found = router().find(one);
    if (found == nullptr) continue;
    if (found->spec().name != ARPTable::spec.name)
      return context.error("TABLE: element type mismatch, expected ARPTable");
    named_table_ = static_cast<ARPTable*>(found);
    return ok;
  }
  return context.error("TABLE: does not name an element");
}

bool ARPQuerier::check(std::string& error) const {
  if (poll_timeout->nanoseconds < 0) error = "POLL_TIMEOUT: out of range, bound 0";
  if (*tries == 0) error = "TRIES: out of range, bound 1";
  if (ether->is_group()) error = "ETH: a group's address cannot be a router's own";
  return error.empty();
}

bool ARPQuerier::initialize(SetupContext& context) {
  if (named_table_ != nullptr)
    table_ = named_table_->table_;
  else if (!ARPTable::initialize(context))
    return false;
  set_broadcast();
  alive_ = std::make_shared<ARPQuerier*>(this);
  listener_ = table_->subscribe([this](const IPAddress& address) {
    scheduler().post([alive = alive_, address] {
      if (*alive != nullptr) (*alive)->release_known(address);
    });
  });
  return true;
}

bool ARPQuerier::reconfigure(std::string& error) {
  if (!check(error)) return false;
  if (named_table_ != nullptr && timeout.given()) {
    error = "TIMEOUT: is that of TABLE";
    return false;
  }
  set_broadcast();
  return named_table_ != nullptr || ARPTable::reconfigure(error);
}

void ARPQuerier::set_broadcast() {
  const bool has_last = ip->length >= 1 && ip->length <= 30;
  broadcast_ = broadcast.given() ? *broadcast : has_last ? ip->last() : IPAddress::broadcast();
}

// --- packets to neighbours

void ARPQuerier::forward(PacketBatch& batch) {
  const int64_t time = now();
  const int64_t poll_after = poll_timeout->nanoseconds > 0 ? poll_timeout->nanoseconds : INT64_MAX;
  uint32_t kept = 0;
  for (uint32_t first = 0; first < batch.size(); first += kChunk) {
    const uint32_t size = std::min(kChunk, batch.size() - first);
    IPAddress addresses[kChunk];
    Neighbour found[kChunk];
    for (uint32_t i = 0; i < size; ++i) addresses[i] = batch[first + i].dst_ip_anno();
    table_->read().lookup_bulk(addresses, size, time, found);
    for (uint32_t i = 0; i < size; ++i) {
      Packet* packet = &batch[first + i];
      EtherAddress to = found[i].ether();
      if (found[i].known()) [[likely]] {
        // Those that came before go first, also when the answer came to another worker just now.
        if (!held_.empty()) [[unlikely]]
          if (Group* const group = held_.find(addresses[i])) release(*group, to);
        if (time - found[i].confirmed >= poll_after && time - found[i].asked >= kInterval)
            [[unlikely]]
          if (table_->write([&](Ip4Neighbours& t) { return t.poll(addresses[i], time); }))
            send_query(addresses[i]);
      } else {
        const auto resolved = resolve(*packet, addresses[i], time);
        if (!resolved) continue;
        to = *resolved;
      }
      packet = encapsulate(*packet, to);
      if (packet != nullptr) batch.set(kept++, *packet);
    }
  }
  batch.set_size(kept);
  output(0).push(batch);
}

// The address to send to, or nothing when the packet was held or dropped.
std::optional<EtherAddress> ARPQuerier::resolve(Packet& packet, IPAddress address, int64_t time) {
  if (address.is_zero()) {
    no_address.drop(packet);
    return std::nullopt;
  }
  if (address.is_broadcast() || address == broadcast_) return EtherAddress::broadcast();
  if (address.is_multicast()) return ether_multicast(address);
  Group* group = held_.find(address);
  if (group == nullptr) {
    const auto wanted =
        table_->write([&](Ip4Neighbours& t) { return t.want(address, listener_, time); });
    if (wanted.ether) return wanted.ether;
    group = &held_.start(address, time + kInterval);
    group->tries = 1;
    if (wanted.ask) send_query(address);
  }
  hold(*group, packet);
  if (!timer_.scheduled() && held_.first() != nullptr)
    timer_.schedule_at(held_.first()->deadline());
  return std::nullopt;
}

// Null when the pool is empty; then the packet is freed and counted.
Packet* ARPQuerier::encapsulate(Packet& original, const EtherAddress& to) {
  Packet* packet = &original;
  if (packet->shared()) [[unlikely]] {
    packet = prepare(original, true, 0);
    if (packet == nullptr) return nullptr;
  }
  if (!packet->push(sizeof(EtherHeader))) [[unlikely]] {
    no_buffer.drop(*packet);
    return nullptr;
  }
  auto& header = *reinterpret_cast<EtherHeader*>(packet->data());
  header.destination = to;
  header.source = *ether;
  header.type = kEtherTypeIp;
  packet->set_mac_header(0);
  return packet;
}

void ARPQuerier::send_query(IPAddress address) {
  count_created(1);
  Packet* const query = Packet::make(pool(), sizeof(ArpFrame));
  if (query == nullptr) return no_buffer.count_lost(1);
  make_arp_request(*reinterpret_cast<ArpFrame*>(query->data()), *ether, ip->address, address);
  query->set_mac_header(0);
  query->set_network_header(sizeof(EtherHeader), sizeof(ArpHeader));
  query->set_timestamp_anno(now());
  queries.add(1);
  output(output_connected(1) ? 1 : 0).push(*query);
}

// --- packets that wait

// The group ends if nothing is held for it any more.
void ARPQuerier::hold(Group& group, Packet& packet) {
  ARPTable& limit = limits();
  if (group.size() >= *limit.entry_packet_capacity) {
    lose(neighbour_full, *take(group));
  } else if (limit.length() >= *limit.capacity) {
    Group* const oldest = held_.oldest_group();
    if (oldest == nullptr) {  // all of them are held by other queriers
      lose(full, packet);
      return held_.end(group);
    }
    lose(full, *take(*oldest));
    if (oldest->size() == 0 && oldest != &group) held_.end(*oldest);
  }
  held_.hold(group, packet);
  limit.add_length(1);
}

Packet* ARPQuerier::take(Group& group) {
  Packet* const packet = held_.take_oldest(group);
  if (packet != nullptr) limits().add_length(-1);
  return packet;
}

void ARPQuerier::lose(Drop& reason, Packet& packet) {
  reason.drop(packet);
  lost.add(1);
  if (named_table_ != nullptr) named_table_->lost.add(1);
}

void ARPQuerier::release(Group& group, const EtherAddress& to) {
  PacketBatch batch;
  while (Packet* held = take(group)) {
    Packet* const packet = encapsulate(*held, to);
    if (packet == nullptr) continue;
    batch.push_back(*packet);
    if (batch.full()) output(0).push(batch);
  }
  held_.end(group);
  output(0).push(batch);
}

// Another worker, another querier or the operator says that the address is known.
void ARPQuerier::release_known(IPAddress address) {
  Group* const group = held_.find(address);
  if (group == nullptr) return;
  const auto wanted =
      table_->write([&](Ip4Neighbours& t) { return t.want(address, listener_, now()); });
  if (wanted.ether) return release(*group, *wanted.ether);
  if (wanted.ask) send_query(address);
}

void ARPQuerier::give_up(Group& group) {
  // The answer may have come this very moment.
  const Neighbour found = table_->read().lookup(group.key(), now());
  if (found.known()) return release(group, found.ether());
  table_->write([&](Ip4Neighbours& t) { t.give_up(group.key(), listener_); });
  PacketBatch batch;
  while (Packet* packet = take(group)) {
    if (!output_connected(2)) {
      lose(unresolved, *packet);
      continue;
    }
    unresolved.count_diverted();
    batch.push_back(*packet);
    if (batch.full()) output(2).push(batch);
  }
  held_.end(group);
  if (!batch.empty()) output(2).push(batch);
}

void ARPQuerier::run_timer(Timer&) {
  const int64_t time = now();
  for (Group* group = held_.first(); group != nullptr && group->deadline() <= time;
       group = held_.first()) {
    if (group->tries >= *tries) {
      give_up(*group);
      continue;
    }
    ++group->tries;
    held_.postpone(*group, time + kInterval);
    release_known(group->key());
  }
  if (held_.first() != nullptr) timer_.schedule_at(held_.first()->deadline());
}

// --- ARP packets

void ARPQuerier::listen(PacketBatch& batch) {
  for (uint32_t i = 0; i < batch.size(); ++i) {
    Packet* packet = &batch[i];
    if (packet->chained() && packet->contiguous() < sizeof(ArpFrame))
      packet = prepare(*packet, false, sizeof(ArpFrame));
    if (packet != nullptr) learn(*packet);
  }
  batch.release();
}

void ARPQuerier::learn(Packet& packet) {
  const ArpFault fault = find_arp_fault(packet.data(), packet.length());
  if (fault != ArpFault::none) return malformed[fault].drop(packet);
  const ArpHeader& arp = reinterpret_cast<const ArpFrame*>(packet.data())->arp;
  const IPAddress address = arp.sender_ip;
  const EtherAddress sender = arp.sender_ether;
  if (address.is_zero()) return probe.drop(packet);
  if (address == ip->address) return own_address.drop(packet);
  const auto heard =
      table_->write([&](Ip4Neighbours& t) { return t.hear(address, sender, now()); });
  if (!heard.accepted) return not_asked.drop(packet);
  responses.add(1);
  changes.add(heard.changed);
  count_absorbed(1);
  packet.kill();
  table_->notify(heard.waiting, address, listener_);
  if (Group* const group = held_.find(address)) release(*group, sender);
}

HEADROOM_ELEMENT(ARPQuerier);

}  // namespace headroom
