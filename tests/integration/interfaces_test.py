"""Linux interfaces as ports: two kernels that talk through the program."""

import json
import os
import re
import time

from network import NetworkTest
from support import SOURCE, main

BRIDGE = "FromDevice({0}) -> ToDevice({1}); FromDevice({1}) -> ToDevice({0});"


class Interfaces(NetworkTest):
    def bridge(self, mtu=1500, *arguments):
        self.left = self.host("10.0.0.1/24", mtu)
        self.right = self.host("10.0.0.2/24", mtu)
        process = self.start_router(BRIDGE.format(self.left.port, self.right.port), *arguments)
        self.wait_until_up(self.left, "10.0.0.2")
        return process

    def finish(self, process):
        _, errors = self.stop_headroom(process, after=0)
        self.assertEqual(self.ledger(errors)["dropped"], 0)
        for host in (self.left, self.right):
            wrong = {name: count for name, count in host.counters().items() if "CsumErr" in name and count}
            self.assertEqual(wrong, {})
        return errors

    def test_pings_and_fragments(self):
        process = self.bridge()
        for size in (0, 1, 56, 1472, 1473, 2000, 4000, 8000):
            self.assert_ping(self.left, "10.0.0.2", "-s", str(size))
            self.assert_ping(self.right, "10.0.0.1", "-s", str(size))
        errors = self.finish(process)
        # Nothing on standard error but the table.
        self.assertTrue(errors.startswith("\nPorts\n"), errors)
        self.assertRegex(errors, rf"{self.left.port} +net_af_xdp")
        # Fragments travelled as fragments.
        self.assertGreater(self.right.counters()["IpReasmReqds"], 20)

    def test_streams(self):
        process = self.bridge()
        server = self.right.start("iperf3", "-s", "-1", stdout=-3)
        self.addCleanup(server.kill)
        self.wait_for_listener(self.right, 5201)
        result = json.loads(self.left.call("iperf3", "-c", "10.0.0.2", "-t", "2", "-P", "2", "-J").stdout)
        self.assertGreater(result["end"]["sum_received"]["bytes"], 1_000_000)
        server.wait(timeout=20)
        self.finish(process)

    def test_jumbo_frames(self):
        process = self.bridge(9000)
        for size in (56, 1472, 8000, 8972):
            self.assert_ping(self.left, "10.0.0.2", "-M", "do", "-s", str(size))
        self.assert_ping(self.left, "10.0.0.2", "-s", "20000")
        errors = self.finish(process)
        self.assertEqual(len(re.findall("has an MTU of 9,000, so it is attached by libpcap", errors)), 2)

    def test_af_xdp_with_more_room(self):
        process = self.bridge(3000, "--set", "pools.data_room=3400")
        self.assert_ping(self.left, "10.0.0.2", "-M", "do", "-s", "2972")
        self.assertIn("net_af_xdp", self.finish(process))

    queues = 2

    def two_queue_hosts(self):
        """Two hosts at interfaces with two queues; each flow has one."""
        hosts = [self.host(address, queues=self.queues) for address in ("10.0.0.1/24", "10.0.0.2/24")]
        with open(os.path.join(SOURCE, "configs", "system", "rss.yaml"), encoding="utf-8") as file:
            text = file.read()
        for name, host in zip(("eth1", "eth2"), hosts):
            self.assertIn(f"interface: {name} ", text)
            text = text.replace(f"interface: {name} ", f"interface: {host.port} ")
        return *hosts, self.write("rss.yaml", text)

    def run_streams(self, workers):
        """Sixteen streams between the hosts, and the packets that each worker forwarded."""
        self.left, self.right, system = self.two_queue_hosts()
        one_way = ("FromDevice({0}) -> {0}s :: CPUSwitch; {0}s [0] -> {0}0 :: Counter -> {1}t :: ToDevice({1});"
                   "{0}s [1] -> {0}1 :: Counter -> {1}t;")
        handlers = [word for name in ("left0", "left1", "right0", "right1") for word in ("-h", name + ".count")]
        process = self.start_headroom(
            "--system", system, "-e", one_way.format("left", "right") + one_way.format("right", "left"),
            "--set", "workers.idle=sleep", "--set", "workers.pinned=false", "--set", f"workers.count={workers}",
            *handlers)
        self.wait_until_up(self.left, "10.0.0.2")
        server = self.right.start("iperf3", "-s", "-1", stdout=-3)
        self.addCleanup(server.kill)
        self.wait_for_listener(self.right, 5201)
        result = json.loads(self.left.call("iperf3", "-c", "10.0.0.2", "-t", "2", "-P", "16", "-J").stdout)
        server.wait(timeout=20)
        # None hangs because its queue is not polled.
        for stream in result["end"]["streams"]:
            self.assertGreater(stream["receiver"]["bytes"], 10_000)
        for size in (56, 1472, 8000):
            self.assert_ping(self.left, "10.0.0.2", "-s", str(size))
        output, errors = self.stop_headroom(process, after=0)
        self.ledger(errors)
        # The peers run on the same cores, so one worker may have to wait while the other hands over.
        reasons = set(re.findall(r"^ +\S+ +([a-z-]+) +[\d,]+$", errors, re.M))
        self.assertLessEqual(reasons, {"hand-off-full"} if self.queues < workers else set(), errors)
        for host in (self.left, self.right):
            wrong = {name: count for name, count in host.counters().items() if "CsumErr" in name and count}
            self.assertEqual(wrong, {})
        return [int(line) for line in output.splitlines()[1::3]], errors

    def test_two_queues_on_two_workers(self):
        counts, errors = self.run_streams(2)
        self.assertIn("on 2 cores", errors)
        for count in counts:
            self.assertGreater(count, 100, counts)

    def test_two_queues_on_one_worker(self):
        counts, _ = self.run_streams(1)
        self.assertEqual([count > 100 for count in counts], [True, False, True, False])

    def test_one_queue_on_two_workers(self):
        self.queues = 1
        counts, _ = self.run_streams(2)
        for count in counts:
            self.assertGreater(count, 100, counts)

    def test_links_that_go_down_and_away(self):
        process = self.bridge()
        self.left.ip("link", "set", "eth", "down")
        time.sleep(0.5)
        self.left.ip("link", "set", "eth", "up")
        self.wait_until_up(self.left, "10.0.0.2")
        time.sleep(0.5)
        self.left.run("ip", "link", "del", self.left.port)
        time.sleep(0.5)
        # Whoever sends meanwhile sends into nothing; the router goes on.
        self.right.call("ping", "-n", "-c", "3", "-i", "0.2", "-W", "0.2", "10.0.0.1")
        _, errors = self.stop_headroom(process, after=0)
        self.ledger(errors)
        self.assertEqual(re.findall(rf"^headroom: port '{self.left.port}': link is (\w+)", errors, re.M),
                         ["down", "up", "gone"])
        self.assertRegex(errors, rf"{self.left.port} +net_af_xdp +gone")

    def test_interface_from_the_system_file(self):
        self.left = self.host("10.0.0.1/24")
        self.right = self.host("10.0.0.2/24")
        system = self.write("system.yaml", "ports:\n"
                            f"  left: {{ interface: {self.left.port}, attach: pcap }}\n"
                            f"  right: {{ interface: {self.right.port} }}\n")
        process = self.start_router(BRIDGE.format("left", "right"), "--system", system)
        self.wait_until_up(self.left, "10.0.0.2")
        self.assert_ping(self.left, "10.0.0.2")
        errors = self.finish(process)
        self.assertRegex(errors, r"left +net_pcap")
        self.assertRegex(errors, r"right +net_af_xdp")

    def test_mistakes(self):
        left = self.host()
        result = self.run_headroom("--diagnostics=full", "-e", f"FromDevice({left.port}x) -> Discard", status=1)
        self.assertIn(f"there is no interface '{left.port}x'", result.stderr)
        self.assertIn(f"did you mean '{left.port}'?", result.stderr)
        result = self.run_headroom("--diagnostics=full", "-e", f"FromDevice({left.port}) -> Discard", status=1,
                                   user=65534)
        self.assertIn("not permitted", result.stderr)
        self.assertIn("run as root", result.stderr)


if __name__ == "__main__":
    main()
