#include "headroom/routing/neighbours.hh"

#include <gtest/gtest.h>
#include <sys/time.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <deque>
#include <map>
#include <random>
#include <thread>
#include <vector>

namespace headroom {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kStart = 1'000'000'000 * kSecond;

template <class Address>
Address nth(uint32_t n);
template <>
IPAddress nth(uint32_t n) {
  return IPAddress::from_host_order(0x0a000000 + n);
}
template <>
IP6Address nth(uint32_t n) {
  // Different in either half, so that both must be compared.
  return IP6Address::from_halves(0xfe80'0000'0000'0000 + n % 2, n / 2);
}

EtherAddress ether(uint64_t n) { return EtherAddress::from_uint64(0x020000000000 + n); }

template <class Address>
class Neighbours : public ::testing::Test {};
using Addresses = ::testing::Types<IPAddress, IP6Address>;
TYPED_TEST_SUITE(Neighbours, Addresses);

TYPED_TEST(Neighbours, AskedThenKnownThenForgotten) {
  const TypeParam address = nth<TypeParam>(1);
  NeighbourTable<TypeParam> table(10);
  table.set_timeout(10 * kSecond);
  EXPECT_FALSE(table.lookup(address, kStart).known());
  EXPECT_FALSE(table.hear(address, ether(1), kStart).accepted) << "nobody asked";
  EXPECT_TRUE(table.entries().empty());

  auto wanted = table.want(address, 3, kStart);
  EXPECT_FALSE(wanted.ether);
  EXPECT_TRUE(wanted.ask);
  EXPECT_FALSE(table.want(address, 4, kStart + kSecond - 1).ask) << "once a second";
  EXPECT_TRUE(table.want(address, 4, kStart + kSecond).ask);
  EXPECT_FALSE(table.lookup(address, kStart).known());
  EXPECT_EQ(table.wanted(), 1U);
  EXPECT_EQ(table.size(), 0U);

  const int64_t heard_at = kStart + 2 * kSecond;
  auto heard = table.hear(address, ether(1), heard_at);
  EXPECT_TRUE(heard.accepted);
  EXPECT_FALSE(heard.changed);
  EXPECT_EQ(heard.waiting, listener_bit(3) | listener_bit(4));
  EXPECT_EQ(table.wanted(), 0U);
  EXPECT_EQ(table.size(), 1U);
  const Neighbour found = table.lookup(address, heard_at);
  ASSERT_TRUE(found.known());
  EXPECT_EQ(found.ether(), ether(1));
  EXPECT_EQ(found.confirmed, heard_at);
  EXPECT_EQ(found.asked, kStart + kSecond);
  EXPECT_EQ(table.want(address, 3, heard_at).ether, ether(1));

  heard = table.hear(address, ether(2), heard_at + kSecond);
  EXPECT_TRUE(heard.changed);
  EXPECT_EQ(heard.waiting, 0U) << "they were told";
  EXPECT_EQ(table.lookup(address, heard_at + kSecond).ether(), ether(2));

  const int64_t end = heard_at + 11 * kSecond;
  EXPECT_TRUE(table.lookup(address, end - 1).known());
  EXPECT_FALSE(table.lookup(address, end).known());
  EXPECT_FALSE(table.hear(address, ether(2), end).accepted) << "forgotten, and not asked for again";
  EXPECT_EQ(table.size(), 0U);
}

TYPED_TEST(Neighbours, WithoutTimeoutNothingIsForgotten) {
  NeighbourTable<TypeParam> table(10);
  table.insert(nth<TypeParam>(1), ether(1), 0);
  EXPECT_TRUE(table.lookup(nth<TypeParam>(1), INT64_MAX).known());
  table.set_timeout(INT64_MAX);
  EXPECT_TRUE(table.lookup(nth<TypeParam>(1), kStart).known());
  table.set_timeout(1);
  EXPECT_FALSE(table.lookup(nth<TypeParam>(1), kStart).known());
  EXPECT_TRUE(table.insert(nth<TypeParam>(1), ether(1), kStart).accepted) << "in place of the old";
}

TYPED_TEST(Neighbours, PollsOnlyWhatIsKnown) {
  const TypeParam address = nth<TypeParam>(1);
  NeighbourTable<TypeParam> table(10);
  EXPECT_FALSE(table.poll(address, kStart));
  table.want(address, 0, kStart);
  EXPECT_FALSE(table.poll(address, kStart + 5 * kSecond));
  table.hear(address, ether(1), kStart);
  EXPECT_FALSE(table.poll(address, kStart + kSecond - 1));
  EXPECT_TRUE(table.poll(address, kStart + kSecond));
  EXPECT_FALSE(table.poll(address, kStart + kSecond + 1));
}

TYPED_TEST(Neighbours, GivenUpWhenNobodyWaits) {
  const TypeParam address = nth<TypeParam>(1);
  NeighbourTable<TypeParam> table(10);
  table.give_up(address, 1);
  table.want(address, 1, kStart);
  table.want(address, 65, kStart);
  table.want(address, 2, kStart);
  table.give_up(address, 1);
  EXPECT_EQ(table.wanted(), 1U);
  table.give_up(address, 2);
  EXPECT_EQ(table.wanted(), 0U);
  table.insert(address, ether(1), kStart);
  table.give_up(address, 2);
  EXPECT_EQ(table.size(), 1U) << "what is known stays";
}

// Whoever makes this machine send to many addresses, or answers for many, costs it nothing that is
// in use.
TYPED_TEST(Neighbours, AScanPushesOutOnlyItself) {
  NeighbourTable<TypeParam> table(100);
  EXPECT_EQ(table.max_wanted(), 25U);
  for (uint32_t i = 0; i < 100; ++i) table.insert(nth<TypeParam>(i), ether(i), kStart + i);
  for (uint32_t i = 1000; i < 100000; ++i) table.want(nth<TypeParam>(i), 0, kStart + i);
  EXPECT_EQ(table.wanted(), 25U);
  EXPECT_EQ(table.size(), 100U);
  for (uint32_t i = 0; i < 100; ++i)
    EXPECT_EQ(table.lookup(nth<TypeParam>(i), kStart).ether(), ether(i));
  EXPECT_FALSE(table.hear(nth<TypeParam>(1000), ether(0), kStart + 100000).accepted);
  EXPECT_EQ(table.evicted(), 0U);
  // One that was not confirmed for the longest time makes room; 0 was confirmed again.
  table.hear(nth<TypeParam>(0), ether(0), kStart + 100000);
  EXPECT_TRUE(table.hear(nth<TypeParam>(99999), ether(7), kStart + 100001).accepted);
  EXPECT_EQ(table.evicted(), 1U);
  EXPECT_TRUE(table.lookup(nth<TypeParam>(0), kStart).known());
  EXPECT_FALSE(table.lookup(nth<TypeParam>(1), kStart).known());
  EXPECT_TRUE(table.lookup(nth<TypeParam>(2), kStart).known());
}

TYPED_TEST(Neighbours, SmallestTable) {
  NeighbourTable<TypeParam> table(1);
  for (uint32_t i = 0; i < 100; ++i) {
    table.want(nth<TypeParam>(2 * i), 0, kStart);
    table.want(nth<TypeParam>(2 * i + 1), 0, kStart);
    EXPECT_FALSE(table.hear(nth<TypeParam>(2 * i), ether(i), kStart).accepted);
    EXPECT_TRUE(table.hear(nth<TypeParam>(2 * i + 1), ether(i), kStart).accepted);
    EXPECT_EQ(table.size(), 1U);
    EXPECT_EQ(table.wanted(), 0U);
  }
}

TYPED_TEST(Neighbours, BulkLookupsOfAnySize) {
  NeighbourTable<TypeParam> table(1000);
  std::vector<TypeParam> addresses;
  for (uint32_t i = 0; i < 300; ++i) {
    addresses.push_back(nth<TypeParam>(i));
    if (i % 3 != 0) table.insert(addresses.back(), ether(i), kStart);
  }
  for (const std::size_t count : {0, 1, 31, 32, 33, 64, 65, 300}) {
    std::vector<Neighbour> found(count + 1, Neighbour{7, 7, 7});
    table.lookup_bulk(addresses.data(), count, kStart, found.data());
    for (uint32_t i = 0; i < count; ++i) {
      ASSERT_EQ(found[i].known(), i % 3 != 0) << i;
      if (found[i].known()) {
        ASSERT_EQ(found[i].ether(), ether(i));
      }
    }
    EXPECT_EQ(found[count].word, 7U) << "written too far";
  }
}

// The table as plainly as it can be written.
template <class Address>
struct Model {
  struct Entry {
    bool known = false;
    EtherAddress ether;
    int64_t confirmed = 0;
    int64_t asked = INT64_MIN / 2;
    uint64_t waiting = 0;
  };
  std::size_t capacity;
  int64_t timeout;
  std::map<Address, Entry> entries;
  std::deque<Address> known;   // by confirmation
  std::deque<Address> wanted;  // by first question

  void erase(const Address& address) {
    entries.erase(address);
    std::erase(known, address);
    std::erase(wanted, address);
  }
  void expire(int64_t now) {
    while (!known.empty() && now - entries[known.front()].confirmed >= timeout)
      erase(known.front());
  }
  void add(const Address& address) {
    if (wanted.size() == std::max<std::size_t>(capacity / 4, 1)) erase(wanted.front());
    entries[address] = {};
    wanted.push_back(address);
  }
  bool ask(Entry& entry, int64_t now) const {
    if (now - entry.asked < kSecond) return false;
    entry.asked = now;
    return true;
  }
  std::pair<std::optional<EtherAddress>, bool> want(const Address& address, uint32_t listener,
                                                    int64_t now) {
    expire(now);
    if (!entries.contains(address)) add(address);
    Entry& entry = entries[address];
    if (entry.known) return {entry.ether, false};
    entry.waiting |= uint64_t{1} << listener;
    return {std::nullopt, ask(entry, now)};
  }
  bool poll(const Address& address, int64_t now) {
    return entries.contains(address) && entries[address].known && ask(entries[address], now);
  }
  void give_up(const Address& address, uint32_t listener) {
    if (!entries.contains(address) || entries[address].known) return;
    entries[address].waiting &= ~(uint64_t{1} << listener);
    if (entries[address].waiting == 0) erase(address);
  }
  std::optional<std::pair<bool, uint64_t>> hear(const Address& address, const EtherAddress& ether,
                                                int64_t now) {
    expire(now);
    if (!entries.contains(address)) return std::nullopt;
    Entry entry = entries[address];
    const bool changed = entry.known && entry.ether != ether;
    erase(address);
    if (known.size() == capacity) erase(known.front());
    const uint64_t waiting = std::exchange(entry.waiting, 0);
    entry.known = true;
    entry.ether = ether;
    entry.confirmed = now;
    entries[address] = entry;
    known.push_back(address);
    return std::pair{changed, waiting};
  }
};

TYPED_TEST(Neighbours, BehavesLikeAPlainMap) {
  for (const uint32_t capacity : {1U, 7U, 64U}) {
    SCOPED_TRACE(capacity);
    std::mt19937 random(capacity);
    NeighbourTable<TypeParam> table(capacity);
    Model<TypeParam> model{
        .capacity = capacity, .timeout = 20 * kSecond, .entries = {}, .known = {}, .wanted = {}};
    table.set_timeout(model.timeout);
    int64_t now = kStart;
    for (int step = 0; step < 40000; ++step) {
      now += random() % (kSecond / 4);
      const uint32_t n = random() % (2 * capacity);
      const TypeParam address = nth<TypeParam>(n);
      const EtherAddress from = ether(n * 4 + random() % 8 / 7);
      const uint32_t listener = random() % 4;
      switch (random() % 16) {
        case 0: {
          ASSERT_EQ(table.remove(address), model.entries.contains(address));
          model.erase(address);
          break;
        }
        case 1: {
          model.expire(now);
          if (!model.entries.contains(address)) model.add(address);
          const auto expected = model.hear(address, from, now);
          const auto heard = table.insert(address, from, now);
          ASSERT_TRUE(heard.accepted);
          ASSERT_EQ(std::pair(heard.changed, heard.waiting), *expected);
          break;
        }
        case 2:
          table.give_up(address, listener);
          model.give_up(address, listener);
          break;
        case 3:
          ASSERT_EQ(table.poll(address, now), model.poll(address, now));
          break;
        case 4:
          if (random() % 500 != 0) break;
          table.clear();
          model = {.capacity = capacity,
                   .timeout = model.timeout,
                   .entries = {},
                   .known = {},
                   .wanted = {}};
          break;
        case 5:
        case 6:
        case 7:
        case 8:
        case 9: {
          const auto wanted = table.want(address, listener, now);
          ASSERT_EQ(std::pair(wanted.ether, wanted.ask), model.want(address, listener, now));
          break;
        }
        default: {
          const auto expected = model.hear(address, from, now);
          const auto heard = table.hear(address, from, now);
          ASSERT_EQ(heard.accepted, expected.has_value());
          if (expected) {
            ASSERT_EQ(std::pair(heard.changed, heard.waiting), *expected);
          }
        }
      }
      ASSERT_EQ(table.size(), model.known.size());
      ASSERT_EQ(table.wanted(), model.wanted.size());
      // Lookups do not forget; they only do not see what is too old.
      const TypeParam other = nth<TypeParam>(random() % (2 * capacity));
      const Neighbour found = table.lookup(other, now);
      const auto in_model = model.entries.find(other);
      const bool valid = in_model != model.entries.end() && in_model->second.known &&
                         now - in_model->second.confirmed < model.timeout;
      ASSERT_EQ(found.known(), valid);
      if (valid) {
        ASSERT_EQ(found.ether(), in_model->second.ether);
        ASSERT_EQ(found.confirmed, in_model->second.confirmed);
        ASSERT_EQ(found.asked, in_model->second.asked);
      }
      if (step % 1000 != 0) continue;
      std::vector<TypeParam> seen;
      for (const auto& entry : table.entries()) {
        ASSERT_TRUE(model.entries.contains(entry.address));
        ASSERT_EQ(entry.ether.has_value(), model.entries[entry.address].known);
        seen.push_back(entry.address);
      }
      ASSERT_EQ(seen.size(), model.entries.size());
      ASSERT_TRUE(std::is_sorted(seen.begin(), seen.end()));
    }
  }
}

// Two slots change hands among four addresses all the time: whatever a reader finds must be what
// was written for just that address, all of it at one time.
TYPED_TEST(Neighbours, ReadersBesideAWriter) {
  constexpr uint32_t kAddresses = 4;
  NeighbourTable<TypeParam> table(1);
  std::atomic<bool> stop{false};
  std::atomic<uint64_t> hits{0};
  auto read = [&] {
    TypeParam addresses[kAddresses];
    for (uint32_t i = 0; i < kAddresses; ++i) addresses[i] = nth<TypeParam>(i);
    Neighbour found[kAddresses];
    while (!stop.load(std::memory_order_relaxed)) {
      table.lookup_bulk(addresses, kAddresses, kStart, found);
      for (uint32_t i = 0; i < kAddresses; ++i) {
        if (!found[i].known()) continue;
        hits.fetch_add(1, std::memory_order_relaxed);
        const auto time = static_cast<uint64_t>(found[i].confirmed - kStart);
        ASSERT_EQ(found[i].ether(), ether(i << 20 | (time & 0xfffff)));
      }
    }
  };
  std::thread readers[] = {std::thread(read), std::thread(read)};
  for (int64_t step = 1; (step < 1000000 || hits < 10000) && !this->HasFailure(); ++step) {
    const auto n = static_cast<uint32_t>(step) % kAddresses;
    table.insert(nth<TypeParam>(n), ether(n << 20 | (step & 0xfffff)), kStart + step);
  }
  stop = true;
  for (std::thread& reader : readers) reader.join();
}

// The same on one thread, which a signal interrupts at any instruction to write: threads on busy
// machines hardly ever meet.
template <class Address>
struct Interrupting {
  static inline NeighbourTable<Address>* table = nullptr;
  static inline volatile uint32_t step = 0;
  static void handler(int) {
    // Two at a time, so that the slot that is being read is written for another address.
    for (int i = 0; i < 2; ++i) {
      step = step + 1;
      table->insert(nth<Address>(step % 4), ether(step % 4 << 20 | step), kStart + step);
    }
  }
};

TYPED_TEST(Neighbours, AWriterThatInterruptsAReader) {
  using Writer = Interrupting<TypeParam>;
  NeighbourTable<TypeParam> table(1);
  Writer::table = &table;
  Writer::step = 0;
  struct sigaction action {};
  action.sa_handler = &Writer::handler;
  struct sigaction before {};
  ASSERT_EQ(sigaction(SIGALRM, &action, &before), 0);
  const itimerval often{{0, 20}, {0, 20}};
  ASSERT_EQ(setitimer(ITIMER_REAL, &often, nullptr), 0);
  uint64_t hits = 0;
  uint64_t wrong = 0;
  while (Writer::step < 20000) {
    for (uint32_t i = 0; i < 4; ++i) {
      const Neighbour found = table.lookup(nth<TypeParam>(i), kStart);
      if (!found.known()) continue;
      ++hits;
      const auto time = static_cast<uint64_t>(found.confirmed - kStart);
      if (found.ether() != ether(i << 20 | time)) ++wrong;
    }
  }
  const itimerval never{};
  setitimer(ITIMER_REAL, &never, nullptr);
  sigaction(SIGALRM, &before, nullptr);
  EXPECT_EQ(wrong, 0U);
  EXPECT_GT(hits, 0U);
}

}  // namespace
}  // namespace headroom
