// The neighbour table: which Ethernet address the neighbour with an IP address has (RFC 826; IPv6
// has the same table behind another protocol).
//
// An address is asked for (want), and known once its owner has answered (hear), for `timeout`
// nanoseconds after it last did. Answers for addresses that nobody asked for are not taken, so the
// table holds what this machine sends to and nothing that others put there. It holds at most
// `capacity` known addresses: the one that was confirmed longest ago goes first. Those that are
// asked for are kept apart, at most a quarter as many, so a scan of a whole network pushes out
// nothing but other questions.
//
//   NeighbourTable<IPAddress> table(1000);
//   table.set_timeout(300'000'000'000);
//   if (Neighbour found = table.lookup(address, now); found.known()) send(found.ether());
//   else if (table.want(address, my_number, now).ask) send_query(address);
//
// Threads: lookup() and lookup_bulk() may run on any thread beside one writer; all else is
// for the writer (Shared::write). A lookup never gives one neighbour's address for another's, but
// it may miss one that is being written at the same moment; want() does not.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "headroom/base/shared.hh"
#include "headroom/net/addresses.hh"

namespace headroom {

// What a lookup gives. Not initialised by default, because arrays of it are filled at once.
struct Neighbour {
  static constexpr uint64_t kKnown = uint64_t{1} << 63;

  uint64_t word;      // the Ethernet address, and kKnown
  int64_t confirmed;  // when the neighbour last said that this is its address
  int64_t asked;      // when it was last asked

  bool known() const { return word & kKnown; }
  EtherAddress ether() const { return EtherAddress::from_uint64(word); }
};

template <class Address>
class NeighbourTable {
 public:
  // A change that somebody waits for: the address is known now.
  using Event = Address;

  // The least time between two questions for the same address (RFC 1122, 2.3.2.1).
  static constexpr int64_t kQuestionInterval = 1'000'000'000;
  static constexpr std::size_t kMaxCapacity = std::size_t{1} << 24;

  // 1 <= capacity <= kMaxCapacity. Throws std::bad_alloc.
  explicit NeighbourTable(std::size_t capacity);

  // --- readers
  Neighbour lookup(const Address& address, int64_t now) const {
    Neighbour found;
    lookup_bulk(&address, 1, now, &found);
    return found;
  }
  void lookup_bulk(const Address* addresses, std::size_t count, int64_t now,
                   Neighbour* found) const;

  // --- the writer
  // 0 or less: what is known stays known.
  void set_timeout(int64_t nanoseconds) { timeout_.store(nanoseconds, std::memory_order_relaxed); }

  struct Wanted {
    std::optional<EtherAddress> ether;  // it is known
    bool ask = false;                   // it is not, and it is time for a question
  };
  // `listener` has something to send to this address: if it is not known, it waits from now on.
  Wanted want(const Address& address, uint32_t listener, int64_t now);
  // Whether it is time to ask for an address again that is known.
  bool poll(const Address& address, int64_t now);
  // `listener` waits no longer. When nobody else does, the address is forgotten.
  void give_up(const Address& address, uint32_t listener);

  struct Heard {
    bool accepted = false;    // the address was known or asked for
    bool changed = false;     // it was known to have another Ethernet address
    ListenerSet waiting = 0;  // who waited for it
  };
  // A neighbour says that it has this address.
  Heard hear(const Address& address, const EtherAddress& ether, int64_t now);
  // The same, of one that nobody needs to have asked for.
  Heard insert(const Address& address, const EtherAddress& ether, int64_t now);
  // Returns whether it was known or asked for.
  bool remove(const Address& address);
  void clear();
  // Forgets what was confirmed longer ago than the timeout. The changes above do so themselves.
  void expire(int64_t now);

  struct Entry {
    Address address;
    std::optional<EtherAddress> ether;  // nothing while it is asked for
    int64_t confirmed = 0;              // while it is asked for, when it was last asked
  };
  // All entries, by address.
  std::vector<Entry> entries() const;
  std::size_t size() const { return known_count_; }
  std::size_t wanted() const { return slots_ - free_.size() - known_count_; }
  // Known addresses that had to make room for others.
  uint64_t evicted() const { return evicted_; }

  // --- anybody
  std::size_t capacity() const { return capacity_; }
  std::size_t max_wanted() const { return slots_ - capacity_; }

 private:
  static constexpr std::size_t kWords = sizeof(Address) <= 8 ? 1 : 2;
  using Key = std::array<uint64_t, kWords>;
  static constexpr uint32_t kNone = UINT32_MAX;
  static constexpr int64_t kNever = INT64_MIN / 2;
  // A longer chain is not followed: who looks up then asks the writer.
  static constexpr unsigned kMaxSteps = 32;

  // What readers see, guarded by `version`, which is odd while the writer is at it.
  struct alignas(64) Slot {
    std::atomic<uint32_t> version{0};
    std::atomic<uint32_t> next{kNone};  // in the chain of its bucket
    std::array<std::atomic<uint64_t>, kWords> key{};
    std::atomic<uint64_t> word{0};
    std::atomic<int64_t> confirmed{0};
    std::atomic<int64_t> asked{kNever};  // not guarded: it is a hint to readers
  };
  // What the writer knows beside. Slots in use are in one of two rings, oldest first.
  struct Note {
    uint32_t before = kNone;
    uint32_t after = kNone;
    ListenerSet waiting = 0;
    bool known = false;
  };

  static Key key_of(const Address& address);
  static Address address_of(const Key& key);
  std::size_t bucket_of(const Key& key) const {
    uint64_t sum = 0;
    for (std::size_t i = 0; i < kWords; ++i) sum += key[i] * multipliers_[i];
    return sum >> bucket_shift_;
  }
  Key key_at(uint32_t slot) const;
  Neighbour read(uint32_t first, const Key& key, int64_t oldest) const;
  int64_t oldest_valid(int64_t now) const;

  uint32_t find(const Key& key) const;
  uint32_t add(const Key& key);
  void erase(uint32_t slot);
  void make_known(uint32_t slot, const EtherAddress& ether, int64_t now);
  bool may_ask(uint32_t slot, int64_t now);
  void write(uint32_t slot, const Key& key, uint64_t word, int64_t confirmed);
  void append(uint32_t ring, uint32_t slot);
  void unlink(uint32_t slot);
  uint32_t wanted_ring() const { return static_cast<uint32_t>(slots_); }
  uint32_t known_ring() const { return static_cast<uint32_t>(slots_) + 1; }

  std::size_t capacity_;
  std::size_t slots_;  // known and wanted together
  std::atomic<int64_t> timeout_{0};
  // Of a hash function that is drawn from a universal family (multiply-shift), so that nobody
  // outside can choose addresses that share a bucket.
  Key multipliers_;
  unsigned bucket_shift_;
  std::unique_ptr<std::atomic<uint32_t>[]> buckets_;
  std::unique_ptr<Slot[]> slot_;
  std::vector<Note> notes_;  // the last two are the rings' ends
  std::vector<uint32_t> free_;
  std::size_t known_count_ = 0;
  uint64_t evicted_ = 0;
};

extern template class NeighbourTable<IPAddress>;
extern template class NeighbourTable<IP6Address>;

using Ip4Neighbours = NeighbourTable<IPAddress>;

}  // namespace headroom
