// One configuration on several workers, seen as one.
#include "machine_fixture.hh"

namespace headroom::test {
namespace {

TEST(Replicas, ValuesOfAllWorkersAreMerged) {
  in_child([] {
    MachineRun run(
        "ports: {a: {vdev: net_null0}}\nworkers: {count: 2, pinned: false, io_batch_size: 10}",
        "FromPort(a) -> c :: Counter -> q :: Queue(25) -> Idle; n :: Queue -> Idle; Idle -> n");
    run.rounds(1, 0);
    run.rounds(4, 1);
    EXPECT_EQ(run.read("c.count"), "50") << "summed";
    EXPECT_EQ(run.read("q.length"), "35");
    EXPECT_EQ(run.read("q.highwater_length"), "25") << "the greatest";
    EXPECT_EQ(run.read("q.drops"), "15");
    EXPECT_EQ(run.read("c.class"), "Counter") << "the first";
    EXPECT_EQ(run.read("c.drops"),
              "0\tno-buffer\n0\tunconnected-output\n"
              "0\tno-buffer\n0\tunconnected-output\n")
        << "one after the other";
    EXPECT_EQ(run.dropped("q", "queue-full"), 15u);
    const LedgerEntry total = run.replicas.ledger().total();
    EXPECT_EQ(total.created, 50u);
    EXPECT_EQ(total.held, 35u);
    EXPECT_EQ(total.dropped, 15u);
  });
}

TEST(Replicas, HandlersThatAreNotThere) {
  MachineRun run("", "Idle -> c :: Counter -> Discard", MachineRun::Unstarted{});
  ASSERT_TRUE(run.built);
  std::string error;
  EXPECT_FALSE(run.replicas.read_handler("c.cuont", error));
  EXPECT_EQ(error, "no 'c.cuont' read handler");
  EXPECT_FALSE(run.replicas.read_handler("d.count", error));
  EXPECT_EQ(error, "no element named 'd'");
  EXPECT_FALSE(run.replicas.read_handler("c.reset", error));
  EXPECT_EQ(error, "no 'c.reset' read handler");
  EXPECT_EQ(run.read("c.count"), "0");
  EXPECT_FALSE(run.replicas.write_handler("c.count", "1", error));
  EXPECT_EQ(error, "no 'c.count' write handler");
}

}  // namespace
}  // namespace headroom::test
