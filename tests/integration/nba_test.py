"""Configurations as they are written for NBA: their own and ours."""

import os

from flows import PORTS, frame, frames_of, pcap_ports
from support import SOURCE, ProgramTest, main

PIPELINE = ("FromInput() -> CPUOnly() -> DropBroadcasts() -> CheckIPHeader() -> IPlookup() -> DecIPTTL() "
            "-> ToOutput();")
ROUTES = """
10.0.0.0/24  02:aa:00:00:00:00  0
10.0.1.0/24  02:aa:00:00:00:01  1
10.0.2.0/24  -  2
10.0.3.0/24  192.0.2.1  3
"""
SENDER = bytes([2, 0xBB, 0, 0, 0, 0])
ROUTER = bytes([2, 0xCC, 0, 0, 0, 0])


def addressed(packet, destination=ROUTER):
    """The frame, from a station to the router."""
    return destination + SENDER + packet[12:]


class Nba(ProgramTest):
    def system(self, workers=""):
        return self.write("system.yaml", f"{pcap_ports(self)}workers: {{ idle: sleep{workers} }}\n")

    def send(self, packets):
        """One list of frames for each port."""
        for port in range(PORTS):
            self.write_pcap(f"in{port}.pcap", packets[port] if port < len(packets) else [])

    def run_nba(self, *arguments, workers=""):
        process = self.start_headroom("--system", self.system(workers), *arguments)
        _, errors = self.stop_headroom(process, after=1)
        return [frames_of(self.path(f"out{port}.pcap")) for port in range(PORTS)], errors

    def check_routed(self, sent, received):
        addresses = {}
        for packet in (packet for port in sent for packet in port):
            addresses[packet[42:]] = packet
        seen = 0
        for port, frames in enumerate(received):
            for one in frames:
                seen += 1
                before = addresses[one[42:]]
                self.assertEqual(one[32], port)  # the third byte of the destination
                self.assertEqual(one[22], before[22] - 1)  # TTL
                # A route with an Ethernet address, and routes without.
                self.assertEqual(one[:6], bytes([2, 0xAA, 0, 0, 0, port]) if port < 2 else SENDER)
                self.assertNotEqual(one[6:12], SENDER)  # the port's own address
        self.assertEqual(seen, sum(map(len, sent)))

    def test_the_ipv4_pipeline_routes(self):
        routes = self.write("routes", ROUTES)
        sent = [[addressed(frame(port, i % 24, i // 24)) for i in range(240)] for port in range(PORTS)]
        self.send(sent)
        for workers in "", ", fuse: false", ", count: 2", ", count: 2, shape: pipeline":
            for configuration in ["-e", PIPELINE], [os.path.join(SOURCE, "configs/ipv4-router-nba.click")]:
                with self.subTest(workers=workers, configuration=configuration):
                    received, _ = self.run_nba("--compat=nba", "--set", f"compat.nba.routes={routes}",
                                               *configuration, workers=workers)
                    self.check_routed(sent, received)

    def test_what_is_not_routed_is_counted(self):
        routes = self.write("routes", ROUTES)
        good = frame(0, 0, 0)
        expired = good[:22] + b"\x01" + good[23:24] + bytes([good[24] + 63]) + good[25:]
        self.send([[addressed(good, b"\xff" * 6), addressed(good, bytes([1, 0, 0x5E, 0, 0, 1])),
                    addressed(good[:30] + bytes([11]) + good[31:]),  # a wrong checksum
                    addressed(expired)]])
        received, errors = self.run_nba("--compat=nba", "--set", f"compat.nba.routes={routes}", "-e", PIPELINE)
        self.assertEqual(sum(map(len, received)), 0)
        self.assertEqual(self.ledger(errors)["dropped"], 4)
        self.assertRegex(errors, r"link-broadcast +2\b")
        self.assertRegex(errors, r"bad-checksum +1\b")
        self.assertRegex(errors, r"ttl-expired +1\b")

    def test_forwarding_methods(self):
        self.send([[addressed(frame(port, i, i)) for i in range(8)] for port in range(PORTS)])
        leaves_by = {"echoback": {0: 8, 1: 8, 2: 8, 3: 8}, "echoback_cross": {0: 8, 1: 8, 2: 8, 3: 8},
                     "two_to_one": {0: 16, 2: 16}, "roundrobin": {0: 8, 1: 8, 2: 8, 3: 8},
                     "roundrobin_batch": None}
        for method, counts in leaves_by.items():
            with self.subTest(method=method):
                received, errors = self.run_nba(
                    "--compat=nba", "-e", f"FromInput() -> L2Forward(method {method}) -> ToOutput();")
                self.assertEqual(sum(map(len, received)), PORTS * 8, errors)
                if counts:
                    self.assertEqual({i: len(frames) for i, frames in enumerate(received) if frames}, counts)
                for port, frames in enumerate(received):
                    for one in frames:
                        came_by = one[28]  # the third byte of the source
                        self.assertEqual(one[:6], SENDER)
                        expected = {"echoback": came_by, "echoback_cross": came_by ^ 1,
                                    "two_to_one": came_by - came_by % 2}.get(method, port)
                        self.assertEqual(port, expected)

    def test_our_forwarder(self):
        self.send([[addressed(frame(port, i, i)) for i in range(8)] for port in range(PORTS)])
        config = os.path.join(SOURCE, "configs/l2-forward-nba.click")
        received, _ = self.run_nba(config, "method=two_to_one")
        self.assertEqual([len(frames) for frames in received], [16, 0, 16, 0])

    def test_branches_and_queues(self):
        """Trees of branches, a classifier before several chains, queues, and hints where to compute."""
        config = """
            FromInput() -> kind :: Classifier(12/0800, 12/86dd);
            kind[1] -> Discard();
            kind[0] -> LoadBalanceByWeight(0.5) -> branch :: RandomWeightedBranch(0.4, 0.6);
            branch[0] -> Queue() -> L2Forward(method echoback) -> ToOutput();
            branch[1] -> size :: PacketSizeClassifier();
            size[0] -> None() -> L2Forward(method echoback_cross) -> ToOutput();
            size[1] -> GPUOnly() -> Queue(10, 20) -> L2Forward(method roundrobin) -> ToOutput();
            size[2] -> Discard();
        """
        long = frame(0, 0, 0) + bytes(100)
        six = bytes(12) + b"\x86\xdd" + bytes(46)
        self.send([[addressed(frame(0, i % 24, i)) for i in range(200)] + [addressed(six)] * 7,
                   [addressed(long)] * 50])
        for workers in "", ", count: 2":
            with self.subTest(workers=workers):
                received, errors = self.run_nba("--compat=nba", "-e", config, workers=workers)
                self.assertEqual(sum(map(len, received)), 250)
                self.assertGreater(len(received[0]), 20)
                self.assertGreater(len(received[1]), 20)
                self.assertIn("GPUOnly: there is no co-processor", errors)

    def test_an_egress_switch_without_a_choice(self):
        """Frames that no element chose a port for are counted, and a port too many or too few is a mistake."""
        self.send([[addressed(frame(0, 0, i)) for i in range(8)]])
        senders = "".join(f"e[{port}] -> ToPort(p{port});" for port in range(PORTS))
        received, errors = self.run_nba("-e", f"FromPort(p0) -> e :: EgressSwitch(p0, p1, p2, p3); {senders}")
        self.assertEqual(sum(map(len, received)), 0)
        self.assertRegex(errors, r"no-egress-port +8\b")
        result = self.run_headroom("-q", "--system", self.system(), "-e",
                                   "FromPort(p0) -> EgressSwitch(p0, p1) -> ToPort(p0)", status=1)
        self.assertIn("has 1 outputs and 2 ports", result.stderr)

    def test_a_file_of_routes_as_argument(self):
        routes = self.write("routes", ROUTES)
        sent = [[addressed(frame(0, i, i)) for i in range(24)]]
        self.send(sent)
        received, _ = self.run_nba("--compat=nba", "-e", PIPELINE.replace("IPlookup()", f"IPlookup({routes})"))
        self.check_routed(sent, received)

    def test_environment(self):
        self.send([[]])
        config = "FromInput() -> L2Forward(method echoback) -> ToOutput();"
        os.environ["NBA_IO_BATCH_SIZE"] = "300"
        self.addCleanup(os.environ.pop, "NBA_IO_BATCH_SIZE")
        result = self.run_headroom("--compat=nba", "-q", "--system", self.system(), "-e", config, status=1)
        self.assertIn("'workers.io_batch_size' should be an integer from 1 to 256", result.stderr)
        self.run_headroom("-q", "--system", self.system(), "-e", "require(package nba); " + config)

    def test_mistakes(self):
        self.send([[]])
        system = self.system()

        def message(config, *more):
            return self.run_headroom("--compat=nba", "--diagnostics=full", "-q", *more, "-e", config, status=1).stderr

        self.assertIn("there are no ports; name them in a file given with --system", message(PIPELINE))
        self.assertIn("compat.nba.routes", message(PIPELINE, "--system", system))
        routes = self.write("routes", "10.0.0.0/8 - 4\n")
        self.assertRegex(message(PIPELINE, "--system", system, "--set", f"compat.nba.routes={routes}"),
                         r"routes:1:14: (error: )?output 4 out of range, bound 3")
        self.assertIn("did you mean 'echoback'?",
                      message("FromInput() -> L2Forward(method ecoback) -> ToOutput();", "--system", system))
        result = self.run_headroom("--compat=vpp", "-e", "Idle", status=1)
        self.assertIn("--compat: 'vpp' is none of click, nba", result.stderr)
        # Click's own meaning, without the package.
        result = self.run_headroom("-q", "--system", system, "-e", PIPELINE, status=1)
        self.assertIn("FromInput", result.stderr)


if __name__ == "__main__":
    main()
