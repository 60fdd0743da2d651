#include "headroom/routing/neighbours.hh"

#include <algorithm>
#include <bit>
#include <random>

namespace headroom {

// Addresses whose lookups are interleaved, so that their cache misses overlap.
static constexpr std::size_t kInterleaved = 32;

template <class Address>
NeighbourTable<Address>::NeighbourTable(std::size_t capacity)
    : capacity_(capacity),
      slots_(capacity + std::max<std::size_t>(capacity / 4, 1)),
      bucket_shift_(static_cast<unsigned>(std::countl_zero(slots_ - 1))),
      buckets_(std::make_unique<std::atomic<uint32_t>[]>(std::bit_ceil(slots_))),
      slot_(std::make_unique<Slot[]>(slots_)),
      notes_(slots_ + 2) {
  std::random_device random;
  for (uint64_t& multiplier : multipliers_) multiplier = uint64_t{random()} << 32 | random() | 1;
  for (std::size_t i = 0; i < std::bit_ceil(slots_); ++i)
    buckets_[i].store(kNone, std::memory_order_relaxed);
  for (std::size_t i = slots_; i-- > 0;) free_.push_back(static_cast<uint32_t>(i));
  for (const uint32_t ring : {wanted_ring(), known_ring()})
    notes_[ring].before = notes_[ring].after = ring;
}

template <class Address>
typename NeighbourTable<Address>::Key NeighbourTable<Address>::key_of(const Address& address) {
  if constexpr (kWords == 1)
    return {address.host_order()};
  else
    return {address.high(), address.low()};
}

template <class Address>
Address NeighbourTable<Address>::address_of(const Key& key) {
  if constexpr (kWords == 1)
    return IPAddress::from_host_order(static_cast<uint32_t>(key[0]));
  else
    return IP6Address::from_halves(key[0], key[1]);
}

template <class Address>
typename NeighbourTable<Address>::Key NeighbourTable<Address>::key_at(uint32_t slot) const {
  Key key;
  for (std::size_t i = 0; i < kWords; ++i)
    key[i] = slot_[slot].key[i].load(std::memory_order_relaxed);
  return key;
}

template <class Address>
int64_t NeighbourTable<Address>::oldest_valid(int64_t now) const {
  const int64_t timeout = timeout_.load(std::memory_order_relaxed);
  return timeout > 0 ? now - timeout : kNever;
}

// --- readers

// The loads between the two of the version acquire, and the stores of write() between its two
// release: who sees anything of a change sees its version.
template <class Address>
[[gnu::always_inline]] inline Neighbour NeighbourTable<Address>::read(uint32_t at, const Key& key,
                                                                      int64_t oldest) const {
  for (unsigned step = 0; at != kNone && step < kMaxSteps; ++step) {
    const Slot& slot = slot_[at];
    const uint32_t version = slot.version.load(std::memory_order_acquire);
    bool same = true;
    for (std::size_t i = 0; i < kWords; ++i)
      same &= slot.key[i].load(std::memory_order_acquire) == key[i];
    const Neighbour found{slot.word.load(std::memory_order_acquire),
                          slot.confirmed.load(std::memory_order_acquire),
                          slot.asked.load(std::memory_order_acquire)};
    at = slot.next.load(std::memory_order_acquire);
    if (version % 2 != 0 || slot.version.load(std::memory_order_relaxed) != version) break;
    if (same) return found.confirmed > oldest ? found : Neighbour{0, 0, 0};
  }
  return {0, 0, 0};
}

template <class Address>
void NeighbourTable<Address>::lookup_bulk(const Address* addresses, std::size_t count, int64_t now,
                                          Neighbour* found) const {
  const int64_t oldest = oldest_valid(now);
  Key keys[kInterleaved];
  uint32_t first[kInterleaved];
  while (count != 0) {
    const std::size_t size = std::min(count, kInterleaved);
    for (std::size_t i = 0; i < size; ++i) {
      keys[i] = key_of(addresses[i]);
      first[i] = static_cast<uint32_t>(bucket_of(keys[i]));
      __builtin_prefetch(&buckets_[first[i]]);
    }
    for (std::size_t i = 0; i < size; ++i) {
      first[i] = buckets_[first[i]].load(std::memory_order_acquire);
      if (first[i] != kNone) __builtin_prefetch(&slot_[first[i]]);
    }
    for (std::size_t i = 0; i < size; ++i) found[i] = read(first[i], keys[i], oldest);
    addresses += size;
    found += size;
    count -= size;
  }
}

// --- the writer

template <class Address>
void NeighbourTable<Address>::write(uint32_t at, const Key& key, uint64_t word, int64_t confirmed) {
  Slot& slot = slot_[at];
  const uint32_t version = slot.version.load(std::memory_order_relaxed);
  slot.version.store(version + 1, std::memory_order_relaxed);
  for (std::size_t i = 0; i < kWords; ++i) slot.key[i].store(key[i], std::memory_order_release);
  slot.word.store(word, std::memory_order_release);
  slot.confirmed.store(confirmed, std::memory_order_release);
  slot.version.store(version + 2, std::memory_order_release);
}

template <class Address>
void NeighbourTable<Address>::append(uint32_t ring, uint32_t slot) {
  notes_[slot].before = notes_[ring].before;
  notes_[slot].after = ring;
  notes_[notes_[ring].before].after = slot;
  notes_[ring].before = slot;
}

template <class Address>
void NeighbourTable<Address>::unlink(uint32_t slot) {
  notes_[notes_[slot].before].after = notes_[slot].after;
  notes_[notes_[slot].after].before = notes_[slot].before;
}

template <class Address>
uint32_t NeighbourTable<Address>::find(const Key& key) const {
  uint32_t at = buckets_[bucket_of(key)].load(std::memory_order_relaxed);
  while (at != kNone && key_at(at) != key) at = slot_[at].next.load(std::memory_order_relaxed);
  return at;
}

// A new slot in the ring of those that are asked for.
template <class Address>
uint32_t NeighbourTable<Address>::add(const Key& key) {
  if (wanted() == max_wanted()) erase(notes_[wanted_ring()].after);
  const uint32_t at = free_.back();
  free_.pop_back();
  notes_[at] = Note{};
  slot_[at].asked.store(kNever, std::memory_order_relaxed);
  append(wanted_ring(), at);
  write(at, key, 0, 0);
  std::atomic<uint32_t>& bucket = buckets_[bucket_of(key)];
  slot_[at].next.store(bucket.load(std::memory_order_relaxed), std::memory_order_release);
  bucket.store(at, std::memory_order_release);
  return at;
}

// The slot keeps its `next`, for readers that are just there.
template <class Address>
void NeighbourTable<Address>::erase(uint32_t slot) {
  std::atomic<uint32_t>* link = &buckets_[bucket_of(key_at(slot))];
  while (link->load(std::memory_order_relaxed) != slot)
    link = &slot_[link->load(std::memory_order_relaxed)].next;
  link->store(slot_[slot].next.load(std::memory_order_relaxed), std::memory_order_release);
  write(slot, Key{}, 0, 0);
  unlink(slot);
  if (notes_[slot].known) --known_count_;
  notes_[slot].known = false;
  free_.push_back(slot);
}

template <class Address>
void NeighbourTable<Address>::make_known(uint32_t slot, const EtherAddress& ether, int64_t now) {
  Note& note = notes_[slot];
  if (!note.known) {
    if (known_count_ == capacity_) {
      erase(notes_[known_ring()].after);
      ++evicted_;
    }
    note.known = true;
    ++known_count_;
  }
  unlink(slot);
  append(known_ring(), slot);
  write(slot, key_at(slot), ether.to_uint64() | Neighbour::kKnown, now);
}

template <class Address>
bool NeighbourTable<Address>::may_ask(uint32_t slot, int64_t now) {
  if (now - slot_[slot].asked.load(std::memory_order_relaxed) < kQuestionInterval) return false;
  slot_[slot].asked.store(now, std::memory_order_relaxed);
  return true;
}

template <class Address>
typename NeighbourTable<Address>::Wanted NeighbourTable<Address>::want(const Address& address,
                                                                       uint32_t listener,
                                                                       int64_t now) {
  expire(now);
  const Key key = key_of(address);
  uint32_t at = find(key);
  if (at == kNone) at = add(key);
  if (notes_[at].known)
    return {.ether = EtherAddress::from_uint64(slot_[at].word.load(std::memory_order_relaxed)),
            .ask = false};
  notes_[at].waiting |= listener_bit(listener);
  return {.ether = std::nullopt, .ask = may_ask(at, now)};
}

template <class Address>
bool NeighbourTable<Address>::poll(const Address& address, int64_t now) {
  const uint32_t at = find(key_of(address));
  return at != kNone && notes_[at].known && may_ask(at, now);
}

template <class Address>
void NeighbourTable<Address>::give_up(const Address& address, uint32_t listener) {
  const uint32_t at = find(key_of(address));
  if (at == kNone || notes_[at].known) return;
  notes_[at].waiting &= ~listener_bit(listener);
  if (notes_[at].waiting == 0) erase(at);
}

template <class Address>
typename NeighbourTable<Address>::Heard NeighbourTable<Address>::hear(const Address& address,
                                                                      const EtherAddress& ether,
                                                                      int64_t now) {
  expire(now);
  const uint32_t at = find(key_of(address));
  if (at == kNone) return {};
  const uint64_t before = slot_[at].word.load(std::memory_order_relaxed);
  const bool changed = notes_[at].known && EtherAddress::from_uint64(before) != ether;
  make_known(at, ether, now);
  return {.accepted = true, .changed = changed, .waiting = std::exchange(notes_[at].waiting, 0)};
}

template <class Address>
typename NeighbourTable<Address>::Heard NeighbourTable<Address>::insert(const Address& address,
                                                                        const EtherAddress& ether,
                                                                        int64_t now) {
  expire(now);
  const Key key = key_of(address);
  if (find(key) == kNone) add(key);
  return hear(address, ether, now);
}

template <class Address>
bool NeighbourTable<Address>::remove(const Address& address) {
  const uint32_t at = find(key_of(address));
  if (at == kNone) return false;
  erase(at);
  return true;
}

template <class Address>
void NeighbourTable<Address>::clear() {
  for (const uint32_t ring : {wanted_ring(), known_ring()})
    while (notes_[ring].after != ring) erase(notes_[ring].after);
}

template <class Address>
void NeighbourTable<Address>::expire(int64_t now) {
  const int64_t oldest = oldest_valid(now);
  for (uint32_t at = notes_[known_ring()].after;
       at != known_ring() && slot_[at].confirmed.load(std::memory_order_relaxed) <= oldest;
       at = notes_[known_ring()].after)
    erase(at);
}

template <class Address>
std::vector<typename NeighbourTable<Address>::Entry> NeighbourTable<Address>::entries() const {
  std::vector<Entry> all;
  for (const uint32_t ring : {wanted_ring(), known_ring()})
    for (uint32_t at = notes_[ring].after; at != ring; at = notes_[at].after) {
      Entry entry{.address = address_of(key_at(at)),
                  .ether = std::nullopt,
                  .confirmed = slot_[at].confirmed.load(std::memory_order_relaxed)};
      if (notes_[at].known)
        entry.ether = EtherAddress::from_uint64(slot_[at].word.load(std::memory_order_relaxed));
      else
        entry.confirmed = slot_[at].asked.load(std::memory_order_relaxed);
      all.push_back(entry);
    }
  std::sort(all.begin(), all.end(),
            [](const Entry& a, const Entry& b) { return a.address < b.address; });
  return all;
}

template class NeighbourTable<IPAddress>;
template class NeighbourTable<IP6Address>;

}  // namespace headroom
