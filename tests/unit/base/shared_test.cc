#include "headroom/base/shared.hh"

#include <gtest/gtest.h>

#include <thread>

namespace headroom {
namespace {

struct Number {
  using Event = int;
  explicit Number(int start) : value(start) {}
  int value;
};
struct Other {
  using Event = int;
};

TEST(Shared, WritersTakeTurns) {
  Shared<Number> number(0);
  std::thread threads[4];
  for (std::thread& thread : threads)
    thread = std::thread([&] {
      for (int i = 0; i < 20000; ++i) number.write([](Number& n) { ++n.value; });
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(number.read().value, 80000);
  EXPECT_EQ(number.write([](Number& n) { return n.value + 1; }), 80001);
}

TEST(Shared, TellsThoseWhoWait) {
  Shared<Number> number(0);
  std::vector<int> told;
  uint32_t ids[70];
  for (int i = 0; i < 70; ++i)
    ids[i] = number.subscribe([&told, i](int event) { told.push_back(event * 100 + i); });
  number.notify(listener_bit(ids[3]) | listener_bit(ids[5]), 1);
  EXPECT_EQ(told, (std::vector{103, 105, 167, 169})) << "and those who share their bits";
  told.clear();
  number.notify(listener_bit(ids[3]), 2, ids[3]);
  EXPECT_EQ(told, std::vector{267});
  told.clear();
  number.unsubscribe(ids[67]);
  number.notify(listener_bit(ids[3]), 3);
  EXPECT_EQ(told, std::vector{303});
  EXPECT_EQ(number.subscribe([](int) {}), ids[67]) << "numbers are used again";
  told.clear();
  number.notify(0, 4);
  EXPECT_TRUE(told.empty());
}

TEST(Shared, FoundByTypeAndName) {
  SharedStore store;
  int made = 0;
  const auto make = [&] {
    ++made;
    return std::make_shared<Shared<Number>>(made);
  };
  auto a = store.get<Shared<Number>>("a", make);
  EXPECT_EQ(store.get<Shared<Number>>("a", make), a);
  const auto b = store.get<Shared<Number>>("b", make);
  EXPECT_NE(a, b);
  const auto other =
      store.get<Shared<Other>>("a", [] { return std::make_shared<Shared<Other>>(); });
  EXPECT_NE(static_cast<void*>(other.get()), static_cast<void*>(a.get()));
  EXPECT_EQ(made, 2);
  a.reset();
  EXPECT_EQ(store.get<Shared<Number>>("a", make)->read().value, 3) << "it ended with its last user";
  EXPECT_EQ(b->read().value, 2);
}

}  // namespace
}  // namespace headroom
