"""Linux interfaces as ports: two kernels that talk through the program."""

import json
import re

from network import NetworkTest
from support import main

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
