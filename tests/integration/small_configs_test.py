"""configs/l2-forward.click and configs/ping-responder.click, with real kernels at their interfaces."""

import os

from network import NetworkTest
from support import SOURCE, main

L2_FORWARD = os.path.join(SOURCE, "configs", "l2-forward.click")
PING_RESPONDER = os.path.join(SOURCE, "configs", "ping-responder.click")


class SmallConfigs(NetworkTest):
    def test_l2_forward(self):
        left = self.host("10.0.0.1/24")
        right = self.host("10.0.0.2/24")
        program = self.start_headroom(L2_FORWARD, f"left={left.port}", f"right={right.port}",
                                      "--set", "workers.idle=sleep", "-h", "to_right.count", "-h", "to_left.count")
        self.wait_until_up(left, "10.0.0.2")
        for size in (0, 56, 1472, 8000):
            self.assert_ping(left, "10.0.0.2", "-s", str(size), count=5)
            self.assert_ping(right, "10.0.0.1", "-s", str(size), count=5)
        # A wire has no addresses of its own: each sees the other's.
        self.assertIn(right.mac(), left.ip("neigh", "show", "10.0.0.2"))
        output, errors = self.stop_headroom(program, after=0)
        self.assertEqual(self.ledger(errors)["dropped"], 0)
        for count in output.splitlines()[1::3]:
            self.assertGreater(int(count), 40, output)

    def test_ping_responder(self):
        host = self.host("10.0.0.2/24")
        program = self.start_headroom(PING_RESPONDER, f"device={host.port}", "net=10.0.0.1/24",
                                      "--set", "workers.idle=sleep", "-h", "pings.count")
        self.wait_until_up(host, "10.0.0.1")
        for size in (0, 56, 1472, 1473, 8000, 60000):
            self.assert_ping(host, "10.0.0.1", "-s", str(size), count=2)
        # Only its own address is answered for, and nothing but pings.
        for other in ("10.0.0.3", "10.0.0.255"):
            result = host.call("ping", "-n", "-c", "1", "-W", "1", "-b", other)
            self.assertIn(" 0 received", result.stdout, result.stderr)
        counters = host.counters()
        output, errors = self.stop_headroom(program, after=0)
        self.ledger(errors)
        self.assertEqual(counters["IcmpInCsumErrors"], 0)
        self.assertGreaterEqual(int(output.split()[-1]), 13)


if __name__ == "__main__":
    main()
