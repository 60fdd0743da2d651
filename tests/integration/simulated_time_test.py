"""Runs under --simtime: as long as the configuration says, in no time, and the same every time."""

import time

from support import ProgramTest, main

# Every kind of timer there is: sources, limits, delays with jitter, retries, time-outs, waits.
TIMERS = """
a :: RatedSource(RATE 300, LIMIT 900, LENGTH 400)
  -> UDPIPEncap(10.0.0.1, 1000, 10.0.0.2, 2000)
  -> IPFragmenter(200)
  -> SetTimestamp
  -> link :: Impair(LOSS 0.03, DUPLICATE 0.02, DELAY 0.3, REORDER 0.1, TIME 30ms, SEED 5)
  -> whole :: IPReassembler(TIMEOUT 2)
  -> Queue(1000) -> Shaper(120) -> out :: Unqueue
  -> arp :: ARPQuerier(10.0.0.3, 2:0:0:0:0:3, TRIES 2)
  -> ToDump({out}, SNAPLEN 100);
b :: RatedSource(RATE 7, LIMIT 60)
  -> UDPIPEncap(10.0.0.4, 1000, 10.0.0.5, 2000) -> [0] arp;
// The neighbour 10.0.0.2 tells its address again and again.
c :: RatedSource(\\<ffffffffffff 020000000002 0806 0001080006040002 020000000002 0a000002 020000000003 0a000003>,
                 RATE 1, LIMIT 12) -> [1] arp;
average :: AverageCounter;
RatedSource(RATE 50, LIMIT 500) -> average -> Discard;
Script(set i 0, label again, wait 0.7s, print "$(now) $(a.count) $(average.rate) $(whole.waiting) $(random 100)",
       set i $(add $i 1), goto again $(lt $i 20), stop);
"""


class SimulatedTime(ProgramTest):
    def run_once(self, name, config):
        path = self.path(name)
        start = time.monotonic()
        result = self.run_headroom("--simtime", "--report", "always", "-e", config.replace("{out}", path))
        with open(path, "rb") as file:
            # All but the last line, which has the real time.
            return file.read(), result.stdout, result.stderr.rsplit("\n", 2)[0], time.monotonic() - start

    def test_the_same_every_time(self):
        runs = [self.run_once(f"{i}.pcap", TIMERS) for i in range(3)]
        packets, printed, report, seconds = runs[0]
        self.assertGreater(len(packets), 10_000)
        self.assertEqual(len(printed.splitlines()), 20, printed)
        # Fourteen seconds pass in less.
        self.assertGreater(float(printed.splitlines()[-1].split()[0]) - float(printed.split()[0]), 13)
        self.assertLess(seconds, 13)
        self.ledger(report)
        for other in runs[1:]:
            self.assertEqual(other[0], packets)
            self.assertEqual(other[1], printed)
            self.assertEqual(other[2], report)

    def test_another_seed_is_another_run(self):
        first = self.run_once("1.pcap", TIMERS)
        second = self.run_once("2.pcap", TIMERS.replace("SEED 5", "SEED 6"))
        self.assertNotEqual(first[0], second[0])


if __name__ == "__main__":
    main()
