#include <csignal>

#include "../element_test.hh"

namespace headroom::test {
namespace {

std::string read(TestRouter& test, std::string_view handler, std::string_view parameters) {
  std::string error;
  return test.router->read_handler(handler, error, parameters).value_or("error: " + error);
}

TEST(Script, RunsWhenTheRouterStarts) {
  TestRouter test(
      "s :: InfiniteSource(LIMIT 5) -> c :: Counter -> Discard;"
      "x :: Script(wait 1s, export seen $(c.count), set seen $(c.count), write c.reset, wait 2s,"
      "  set seen $seen-$(c.count), stop)");
  test.run();
  EXPECT_EQ(test.read("x.seen"), "5-0");
  EXPECT_TRUE(test.router->wants_stop());
}

TEST(Script, IsWokenByTimeExactly) {
  TestRouter test("x :: Script(init n 0, wait 0.1s, set n $(add $n 1), loop)");
  const int64_t end = test.clock.now() + 1'050'000'000;
  while (test.clock.now() < end) {
    test.scheduler->run_round();
    if (!test.scheduler->jump_to_next_timer()) break;
  }
  EXPECT_EQ(read(test, "x.get", "n"), "10");
}

TEST(Script, PassiveOnesAreFunctions) {
  TestRouter test(
      "a :: Counter; b :: Counter; InfiniteSource(LIMIT 3) -> a -> Discard;"
      "InfiniteSource(LIMIT 4) -> b -> Discard;"
      "s :: Script(TYPE PASSIVE, return $(add $(a.count) $(b.count) $args))");
  test.run();
  EXPECT_EQ(read(test, "s.run", "10"), "17");
  EXPECT_EQ(read(test, "s.run", "x"), "$(add 3 4 x)");  // said, and left as it is
  EXPECT_EQ(read(test, "s.sprintf", "%03d 7"), "007");
}

TEST(Script, OwnHandlersAndNeighboursNeedNoPath) {
  TestRouter test(
      "elementclass Box { c :: Counter; input -> c -> output;"
      "  s :: Script(TYPE PASSIVE, return $(add 1 $(c.count)) ) }"
      "in :: TestSource -> b :: Box -> Discard; c :: Counter; Idle -> c -> Discard");
  test.send("in", {{1}, {2}});
  EXPECT_EQ(read(test, "b/s.run", ""), "3");
  EXPECT_EQ(read(test, "b/s.readable", "c.count"), "true");
  EXPECT_EQ(read(test, "b/s.writable", "c.count"), "false");
  EXPECT_EQ(read(test, "b/s.readable", "nobody.count"), "false");
}

TEST(Script, PacketOnesChooseOutputs) {
  TestRouter test(
      "in :: TestSource -> s :: Script(init i -1, set i $(mod $(add $i 1) 4), goto exit $(eq $i 3),"
      "  goto end $(eq $i 2), return $i);"
      "s [0] -> a :: TestSink; s [1] -> b :: TestSink");
  std::vector<Bytes> packets;
  for (uint8_t i = 0; i < 8; ++i) packets.push_back({i});
  test.send("in", packets);
  EXPECT_EQ(bytes_at(test, "a"), (std::vector<Bytes>{{0}, {2}, {4}, {6}}));
  EXPECT_EQ(bytes_at(test, "b"), (std::vector<Bytes>{{1}, {5}}));
  EXPECT_EQ(test.dropped("s", "script-exit"), 2u);
}

TEST(Script, PacketOnesMayReturnWhatIsNoOutput) {
  for (const char* value : {"1", "-1", "x", "99999999999"}) {
    TestRouter test("in :: TestSource -> s :: Script(return " + std::string(value) +
                    ") -> out :: TestSink");
    test.send("in", {{1}, {2}});
    EXPECT_EQ(test.dropped("s", "script-exit"), 2u) << value;
  }
}

TEST(Script, ProxiesHaveAnyHandler) {
  TestRouter test(
      "p :: Script(TYPE PROXY, init last none, goto w $write, return $0/$args/$last,"
      "  label w, set last $0=$args)");
  EXPECT_EQ(read(test, "p.anything", "a b"), "anything/a b/none");
  test.write("p.other", "5");
  EXPECT_EQ(test.read("p.x"), "x//other=5");
}

TEST(Script, StepAndGoto) {
  TestRouter test("s :: Script(set x 1, pause, set x 2, pause 2, set x 3, label l, set x 4)");
  test.run();
  EXPECT_EQ(read(test, "s.get", "x"), "1");
  test.write("s.step", "");
  EXPECT_EQ(read(test, "s.get", "x"), "2");
  test.write("s.step", "1");
  EXPECT_EQ(read(test, "s.get", "x"), "2");
  test.write("s.step", "1");
  EXPECT_EQ(read(test, "s.get", "x"), "4");
  test.write("s.set", "x  some text");
  EXPECT_EQ(read(test, "s.get", "x"), "some text");
  test.write("s.goto", "l");
  EXPECT_EQ(read(test, "s.get", "x"), "4");
}

// Signals of this process, one thread of which is the worker.
TEST(Script, SignalsRunAllThatTakeThem) {
  struct sigaction before {};
  struct sigaction after {};
  sigaction(SIGUSR1, nullptr, &before);
  {
    TestRouter test(
        "a :: Script(TYPE SIGNAL USR1, export n 0, set n $(add $(get n) 1));"
        "b :: Script(TYPE SIGNAL SIGUSR2 USR1, export n 0, set n $(add $(get n) 1), wait 1s,"
        "  set n $(add $(get n) 10))");
    test.run();
    raise(SIGUSR1);
    raise(SIGUSR1);
    EXPECT_EQ(test.read("a.n"), "0") << "not before its turn";
    test.scheduler->run_round();
    EXPECT_EQ(test.read("a.n"), "1");
    EXPECT_EQ(test.read("b.n"), "1");
    raise(SIGUSR1);
    raise(SIGUSR2);
    test.run();
    EXPECT_EQ(test.read("a.n"), "2");
    EXPECT_EQ(test.read("b.n"), "22") << "once more after the wait";
  }
  sigaction(SIGUSR1, nullptr, &after);
  EXPECT_EQ(after.sa_handler, before.sa_handler);
}

TEST(Script, ASignalEndsOneOfSeveral) {
  TestRouter test(
      "a :: Script(TYPE SIGNAL USR1, export n 0, set n $(add $(get n) 1), exit);"
      "b :: Script(TYPE SIGNAL USR1, export n 0, set n $(add $(get n) 1), return x);"
      "c :: Script(TYPE SIGNAL USR1, export n 0, set n $(add $(get n) 1), end)");
  for (int i = 0; i < 3; ++i) {
    raise(SIGUSR1);
    test.run(3);
  }
  EXPECT_EQ(test.read("a.n"), "1");
  EXPECT_EQ(test.read("b.n"), "3");
  EXPECT_EQ(test.read("c.n"), "3");
}

TEST(Script, Mistakes) {
  auto error = [](const std::string& text) { return errors_of(text); };
  EXPECT_THAT(error("Script(foo 1)"), testing::HasSubstr("  syntax error at 'foo'\n"));
  EXPECT_THAT(error("Script(goto x)"), testing::HasSubstr("  no such label 'x'\n"));
  EXPECT_THAT(error("Script(TYPE PASIVE, stop)"), testing::HasSubstr("  bad TYPE\n"));
  EXPECT_THAT(error("Script(TYPE PACKET, stop)"),
              testing::HasSubstr("  PACKET script must have inputs\n"));
  EXPECT_THAT(error("Idle -> Script(TYPE ACTIVE, stop)"),
              testing::HasSubstr("  ports allowed only on PACKET scripts\n"));
  EXPECT_THAT(error("DriverManager(wait); Script(TYPE DRIVER, wait)"),
              testing::HasSubstr("  router has more than one driver script\n"));
}

// What a stop event means, by the instructions of a DriverManager and how many events it takes.
class DriverTest : public testing::Test {
 protected:
  static int events_until_the_end(const std::string& instructions, int tries = 5) {
    TestRouter test("d :: DriverManager(" + instructions + ")");
    test.scheduler->run_round();
    test.scheduler->run_round();
    for (int events = 0; events <= tries; ++events) {
      if (test.scheduler->stopped()) return events;
      test.write("stop", "");
      test.scheduler->run_round();
      test.scheduler->run_round();
    }
    return -1;
  }
};

TEST_F(DriverTest, EachWaitTakesAnEvent) {
  EXPECT_EQ(events_until_the_end("wait"), 1);
  EXPECT_EQ(events_until_the_end("wait, stop"), 1);
  EXPECT_EQ(events_until_the_end("wait, wait, stop"), 2);
  EXPECT_EQ(events_until_the_end("wait_stop 3"), 3);
  EXPECT_EQ(events_until_the_end("pause 2, wait"), 3);
  EXPECT_EQ(events_until_the_end("wait 1000s, wait"), 2);  // an event ends a wait for time as well
  EXPECT_EQ(events_until_the_end("stop"), 0);
  EXPECT_EQ(events_until_the_end("set x 1"), 0);
  EXPECT_EQ(events_until_the_end("label l, wait, goto l"), -1);
}

TEST_F(DriverTest, ActsBetweenEventAndEnd) {
  TestRouter test(
      "s :: InfiniteSource(LIMIT 5, STOP true) -> c :: Counter -> Discard;"
      "DriverManager(wait, write s.reset, wait, wait 0.1s)");
  const int64_t start = test.clock.now();
  test.run();
  EXPECT_EQ(test.read("c.count"), "10");
  EXPECT_TRUE(test.scheduler->stopped());
  EXPECT_GE(test.clock.now() - start, 100'000'000);
}

}  // namespace
}  // namespace headroom::test
