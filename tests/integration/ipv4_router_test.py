"""configs/ipv4-router.click between two kernels that know nothing of it but its address."""

import json
import os
import re
import time

from network import NetworkTest
from support import SOURCE, main

ROUTER = os.path.join(SOURCE, "configs", "ipv4-router.click")


class Ipv4Router(NetworkTest):
    def start(self, right_mtu=1500, config=ROUTER, arguments=()):
        self.left = self.host("10.0.1.2/24")
        self.right = self.host("10.0.2.2/24", right_mtu)
        self.left.ip("route", "add", "default", "via", "10.0.1.1")
        self.right.ip("route", "add", "default", "via", "10.0.2.1")
        self.router = self.start_headroom(
            config, f"left={self.left.port}", f"right={self.right.port}", f"right_mtu={right_mtu}",
            "--set", "workers.idle=sleep", *arguments)
        self.wait_until_up(self.left, "10.0.2.2")

    def finish(self):
        """Stops the router; returns its drops, by reason."""
        _, errors = self.stop_headroom(self.router, after=0)
        self.ledger(errors)
        for host in (self.left, self.right):
            wrong = {name: count for name, count in host.counters().items() if "CsumErr" in name and count}
            self.assertEqual(wrong, {})
        self.assertTrue(errors.startswith("\nPorts\n"), errors)
        drops = {}
        for reason, count in re.findall(r"^ +\S+ +([a-z-]+) +([\d,]+)$", errors, re.M):
            drops[reason] = drops.get(reason, 0) + int(count.replace(",", ""))
        return drops

    def stream(self, *options):
        server = self.right.start("iperf3", "-s", "-1", stdout=-3)
        self.addCleanup(server.kill)
        self.wait_for_listener(self.right, 5201)
        result = json.loads(self.left.call("iperf3", "-c", "10.0.2.2", "-t", "2", "-J", *options).stdout)
        server.wait(timeout=20)
        return result["end"]

    def test_pings_of_all_sizes(self):
        self.start()
        for size in (0, 1, 7, 8, 56, 1000, 1472, 1473, 2961, 4000, 8000):
            self.assert_ping(self.left, "10.0.2.2", "-s", str(size), count=2)
            self.assert_ping(self.right, "10.0.1.2", "-s", str(size), count=2)
        # The router itself, at both of its addresses.
        for size in (56, 8000):
            self.assert_ping(self.left, "10.0.1.1", "-s", str(size), count=2)
            self.assert_ping(self.left, "10.0.2.1", "-s", str(size), count=2)
        self.assertRegex(self.assert_ping(self.left, "10.0.2.2"), r"ttl=63 ")
        self.finish()

    def test_traceroute(self):
        self.start()
        for protocol in ([], ["-I"], ["-T"]):
            lines = self.left.call("traceroute", "-n", "-q", "1", "-w", "2", *protocol, "10.0.2.2").stdout.splitlines()
            self.assertEqual([line.split()[1] for line in lines[1:]], ["10.0.1.1", "10.0.2.2"], lines)
        # To the router itself: it says that nobody listens there.
        lines = self.left.call("traceroute", "-n", "-q", "1", "-w", "2", "10.0.2.1").stdout.splitlines()
        self.assertEqual(len(lines), 2, lines)
        self.finish()

    def test_streams(self):
        self.start()
        self.assertGreater(self.stream("-P", "4")["sum_received"]["bytes"], 1_000_000)
        udp = self.stream("-u", "-b", "20M", "-l", "1400")["sum"]
        self.assertGreater(udp["packets"], 1000)
        self.assertLess(udp["lost_percent"], 5)
        # Datagrams that are fragmented by their sender.
        udp = self.stream("-u", "-b", "20M", "-l", "4000")["sum"]
        self.assertLess(udp["lost_percent"], 5)
        self.finish()

    def test_a_narrower_link(self):
        self.start(right_mtu=1300)
        # May be fragmented: it is, by the router.
        self.assert_ping(self.left, "10.0.2.2", "-M", "dont", "-s", "1400", count=2)
        self.assertGreater(self.right.counters()["IpReasmOKs"], 0)
        # May not: the sender is told, and uses what it was told.
        output = self.left.call("ping", "-n", "-c", "1", "-W", "2", "-M", "do", "-s", "1400", "10.0.2.2").stdout
        self.assertRegex(output, r"From 10\.0\.1\.1 icmp_seq=1 Frag needed and DF set \(mtu = 1300\)")
        self.assertIn("mtu 1300", self.left.ip("route", "get", "10.0.2.2"))
        self.assertGreater(self.stream()["sum_received"]["bytes"], 100_000)
        self.finish()

    def test_options(self):
        self.start()
        output = self.assert_ping(self.left, "10.0.2.2", "-R", count=1)
        # There by the right port, back by the left one.
        self.assertRegex(output, r"RR:\s+10\.0\.1\.2\s+10\.0\.2\.1\s+10\.0\.2\.2\s+10\.0\.2\.2\s+10\.0\.1\.1\s+10\.0\.1\.2")
        output = self.assert_ping(self.left, "10.0.2.2", "-T", "tsonly", count=1)
        self.assertIn("TS:", output)
        self.finish()

    def test_what_cannot_be_delivered(self):
        self.start()
        output = self.left.call("ping", "-n", "-c", "2", "-W", "6", "10.0.2.99").stdout
        self.assertRegex(output, r"From 10\.0\.1\.1 icmp_seq=\d Destination Host Unreachable")
        output = self.left.call("ping", "-n", "-c", "1", "-W", "2", "192.0.2.1").stdout
        self.assertRegex(output, r"From 10\.0\.1\.1 icmp_seq=1 Destination Net Unreachable")
        output = self.left.call("ping", "-n", "-c", "1", "-W", "2", "-t", "1", "10.0.2.2").stdout
        self.assertRegex(output, r"From 10\.0\.1\.1 icmp_seq=1 Time to live exceeded")
        # The router sends what came from the left back to the left, and says that there is a shorter way.
        self.left.ip("route", "add", "10.0.1.77/32", "via", "10.0.1.1")
        output = self.left.call("ping", "-n", "-c", "1", "-W", "5", "10.0.1.77").stdout
        self.assertIn("Redirect Host", output)
        self.left.ip("addr", "add", "127.9.9.9/8", "dev", "eth")
        self.left.call("ping", "-n", "-c", "1", "-W", "1", "-I", "127.9.9.9", "10.0.2.2")
        self.finish()

    def test_held_packets(self):
        self.start()
        output = self.left.call("ping", "-n", "-c", "20", "-i", "0.01", "-W", "6", "10.0.2.99").stdout
        unreachable = len(re.findall("Destination Host Unreachable", output))
        drops = self.finish()
        self.assertGreater(unreachable, 2)
        self.assertEqual(unreachable + drops.get("neighbour-full", 0), 20, output)

    def test_arp_entries_age(self):
        with open(ROUTER, encoding="utf-8") as file:
            config = file.read()
        querier = "ARPQuerier($net, $device:eth)"
        self.assertIn(querier, config)
        quick = self.write("quick.click", config.replace(querier, querier[:-1] + ", TIMEOUT 2, POLL_TIMEOUT 0)"))
        self.start(config=quick, arguments=("-h", "right/arp.table"))
        capture = self.right.start("tshark", "-n", "-l", "-i", "eth", "-f", "arp", stdout=-1, stderr=-1)
        self.addCleanup(capture.kill)
        self.assertIn("Capturing on", capture.stderr.readline() + capture.stderr.readline())
        for _ in range(3):
            self.assert_ping(self.left, "10.0.2.2", count=2)
            time.sleep(3)
        output, errors = self.stop_headroom(self.router, after=0)
        self.ledger(errors)
        capture.terminate()
        asked = capture.communicate(timeout=20)[0].count("Who has 10.0.2.2? Tell 10.0.2.1")
        # Nobody asked while packets flowed, and somebody each time that the neighbour was forgotten.
        self.assertIn(asked, (2, 3))
        self.assertEqual(output.strip(), "")

    def test_a_neighbour_that_gets_another_address(self):
        self.start()
        self.right.ip("link", "set", "eth", "address", "02:00:00:00:77:77")
        self.right.ip("neigh", "flush", "all")
        # It asks for the router, and tells its new address with that.
        self.assert_ping(self.right, "10.0.1.2", count=2)
        self.assert_ping(self.left, "10.0.2.2", count=2)
        self.finish()


if __name__ == "__main__":
    main()
