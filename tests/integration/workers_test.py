"""One configuration on one worker and on several: the same packets, in order, and the same totals."""

import re
import struct

from flows import PORTS, frame, frames_of, pcap_ports
from support import ProgramTest, main

FLOWS = 24

# A router between four ports, by the third byte of the destination.
ROUTER = """
elementclass In { $port, $color |
  FromPort($port) -> Strip(14) -> CheckIPHeader -> Paint($color) -> output }
elementclass Out { $port | input -> DecIPTTL -> EtherEncap(0x0800, 2:0:0:0:0:1, 2:0:0:0:0:2) -> ToPort($port) }
routes :: StaticIPLookup(10.0.0.0/24 0, 10.0.1.0/24 1, 10.0.2.0/24 2, 10.0.3.0/24 3);
In(p0, 0), In(p1, 1), In(p2, 2), In(p3, 3) -> all :: Counter -> routes;
routes [0] -> Out(p0); routes [1] -> Out(p1); routes [2] -> Out(p2); routes [3] -> Out(p3);
"""

SHAPES = {
    "one": "workers: { count: 1, idle: sleep }",
    "two": "workers: { count: 2, idle: sleep }",
    "pipeline": "workers: { count: 2, shape: pipeline, io: 1, idle: sleep }",
    "three": "workers: { count: 3, pinned: false, idle: sleep }",
    "wide pipeline": "workers: { count: 4, pinned: false, shape: pipeline, io: 2, idle: sleep }",
}


class Workers(ProgramTest):
    def system(self, shape, more=""):
        return self.write("system.yaml", f"{pcap_ports(self, more)}{SHAPES[shape]}\n")

    def capture_files(self, each):
        for port in range(PORTS):
            self.write_pcap(f"in{port}.pcap", [frame(port, i % FLOWS, i // FLOWS) for i in range(each)])

    def forward(self, shape):
        """What left each port, in order, and the drops."""
        process = self.start_headroom("--system", self.system(shape), "-e", ROUTER, "-h", "all.count")
        output, errors = self.stop_headroom(process, after=1)
        self.assertEqual(self.ledger(errors)["dropped"], 0, errors)
        return [frames_of(self.path(f"out{port}.pcap")) for port in range(PORTS)], int(output)

    def check_order(self, frames):
        """Within each flow, which the first four bytes of the payload name, numbers ascend."""
        last = {}
        for one in frames:
            flow, (number,) = one[42:46], struct.unpack_from("!I", one, 46)
            self.assertGreater(number, last.get(flow, -1))
            last[flow] = number

    def test_the_same_packets(self):
        self.capture_files(480)
        expected, count = self.forward("one")
        self.assertEqual(count, PORTS * 480)
        self.assertEqual(sum(len(frames) for frames in expected), count)
        for shape in list(SHAPES)[1:]:
            with self.subTest(shape=shape):
                forwarded, count = self.forward(shape)
                self.assertEqual(count, PORTS * 480)
                for port in range(PORTS):
                    self.assertEqual(sorted(forwarded[port]), sorted(expected[port]))
                    self.check_order(forwarded[port])

    def test_overload(self):
        self.capture_files(480)
        for shape in SHAPES:
            with self.subTest(shape=shape):
                system = self.system(shape, more=",infinite_rx=1")
                with open(system, encoding="utf-8") as file:
                    text = file.read()
                # Nothing is written: it would be gigabytes.
                self.write("system.yaml", re.sub(r",tx_pcap=[^']*", "", text).replace("idle: sleep", "idle: poll"))
                process = self.start_headroom("--system", system, "-e", ROUTER, "-h", "all.count")
                output, errors = self.stop_headroom(process, after=1)
                ledger = self.ledger(errors)
                self.assertGreater(int(output), 10_000)
                reasons = set(re.findall(r"^ +\S+ +([a-z-]+) +[\d,]+$", errors, re.M))
                self.assertLessEqual(reasons, {"hand-off-full", "tx-queue-full"}, errors)
                self.assertGreaterEqual(ledger["created"], int(output))

    def test_totals_stay_totals(self):
        """A limit, a counter and a script say the same, however many workers there are."""
        self.capture_files(480)
        config = """
            a :: FromPort(p0) -> c :: Counter -> q :: Queue(2000) -> s :: Shaper(200) -> u :: Unqueue -> d :: Counter
              -> Discard;
            DriverManager(wait 1s, print "$(d.count)", write s.rate 100000, wait 0.2s,
                          print "$(c.count) $(d.count) $(q.length)", stop)
        """
        for shape in SHAPES:
            with self.subTest(shape=shape):
                system = self.write("system.yaml", f"ports: {{ p0: {{ vdev: 'net_pcap0,rx_pcap="
                                    f"{self.path('in0.pcap')}' }} }}\n{SHAPES[shape]}\n")
                result = self.run_headroom("--system", system, "-e", config)
                first, second = result.stdout.splitlines()
                # 200 a second; a machine that is busy lets fewer through, but never more.
                self.assertLessEqual(int(first), 230)
                self.assertGreater(int(first), 50)
                self.assertEqual(second, "480 480 0")
                self.ledger(result.stderr)

    def test_fragments_meet(self):
        """An element that exists once sees the fragments of all workers."""
        whole = frame(0, 1, 7)[14:]
        payload = bytes(range(200)) * 8
        fragments = []
        for offset in range(0, len(payload), 400):
            part = payload[offset:offset + 400]
            more = 0x2000 if offset + 400 < len(payload) else 0
            header = bytearray(whole[:20])
            struct.pack_into("!HHHBBH", header, 2, 20 + len(part), 9, more | offset // 8, 64, 17, 0)
            total = sum(struct.unpack("!10H", header))
            total = (total & 0xFFFF) + (total >> 16)
            struct.pack_into("!H", header, 10, 0xFFFF - ((total & 0xFFFF) + (total >> 16)))
            fragments.append(bytes(12) + b"\x08\x00" + bytes(header) + part)
        self.write_pcap("in0.pcap", fragments[::-1])
        for shape in SHAPES:
            with self.subTest(shape=shape):
                system = self.write("system.yaml", f"ports: {{ p0: {{ vdev: 'net_pcap0,rx_pcap="
                                    f"{self.path('in0.pcap')}' }} }}\n{SHAPES[shape]}\n")
                result = self.run_headroom(
                    "--system", system, "-e",
                    "FromPort(p0) -> Strip(14) -> CheckIPHeader -> IPReassembler -> c :: Counter -> Discard;"
                    "Script(wait 0.5s, stop)", "-h", "c.count", "-h", "c.byte_count")
                self.assertRegex(result.stdout, rf"c.count:\n1\n\n?c.byte_count:\n{20 + len(payload)}\n")


if __name__ == "__main__":
    main()
