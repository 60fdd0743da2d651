"""scripts/run_throughput.py and scripts/compare_testpmd.py, on tiny durations: what they print and
how they end. No test looks at how fast anything is."""

import csv
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import unittest

import support
from support import HEADROOM, SOURCE, ProgramTest

SCRIPT = os.path.join(SOURCE, "scripts/run_throughput.py")
COMPARE = os.path.join(SOURCE, "scripts/compare_testpmd.py")
COLUMNS = ("io-batch-size comp-batch-size coproc-ppdepth pkt-size Mpps Gbps cpu-io-usr cpu-io-sys cpu-coproc-usr "
           "cpu-coproc-sys loss% cycles/pkt busy% ns/pkt min max").split()
TINY = ["--duration", "0.1", "--warm-up", "0.05", "--repeat", "2"]
SYSTEM = "ports:\n  left: { interface: eth1 }\n  right: { pci: '0000:03:00.0' }\nworkers: { count: 1, idle: sleep }\n"
WIRE = "FromPort(left) -> ToPort(right); FromPort(right) -> ToPort(left);"


class Throughput(ProgramTest):
    def script(self, *arguments, status=0, timeout=120):
        command = [sys.executable, SCRIPT, "--headroom", HEADROOM, *arguments]
        result = subprocess.run(command, capture_output=True, text=True, cwd=self.directory, timeout=timeout,
                                stdin=subprocess.DEVNULL)
        self.assertEqual(result.returncode, status, f"{command}\n{result.stdout}\n{result.stderr}")
        return result

    def measure(self, *arguments, config=WIRE, system=SYSTEM, status=0):
        return self.script(*TINY, *arguments, self.write("system.yaml", system), self.write("router.click", config),
                           status=status)

    def rows(self, output):
        """The rows of the table as dictionaries."""
        lines = output.splitlines()
        start = next(i for i, line in enumerate(lines) if line.split()[:4] == COLUMNS[:4])
        header, rows = lines[start].split(), []
        for line in lines[start + 1:]:
            if len(line.split()) != len(header):
                break
            rows.append(dict(zip(header, line.split())))
        return rows

    def refused(self, *arguments, says, config=WIRE, system=SYSTEM):
        """A mistake: the reason, and no row."""
        result = self.measure(*arguments, config=config, system=system, status=1)
        self.assertIn(says, result.stderr)
        self.assertNotIn("Mpps", result.stdout)

    def test_columns_and_rows(self):
        result = self.measure("-p", "64,128", "--csv", "out.csv", "--json", "out.json")
        rows = self.rows(result.stdout)
        self.assertEqual(list(rows[0]), COLUMNS)
        self.assertEqual([row["pkt-size"] for row in rows], ["64", "128"])
        for row in rows:
            self.assertEqual([row[name] for name in ("coproc-ppdepth", "cpu-coproc-usr", "cpu-coproc-sys")], ["-"] * 3)
            self.assertGreater(float(row["Mpps"]), 0)
            self.assertLessEqual(float(row["min"]), float(row["Mpps"]))
            self.assertLessEqual(float(row["Mpps"]), float(row["max"]))
            self.assertLess(float(row["loss%"]), 1)
            # 20 bytes of preamble and gap are counted.
            self.assertAlmostEqual(float(row["Gbps"]), float(row["Mpps"]) * (int(row["pkt-size"]) + 20) * 8 / 1000,
                                   delta=0.02 + 0.002 * float(row["Gbps"]))
        self.assertRegex(result.stdout, r"generator alone: [\d.]+ cycles/packet")
        with open(self.path("out.csv"), encoding="utf-8") as file:
            self.assertEqual([dict(row) for row in csv.DictReader(file)], rows)
        with open(self.path("out.json"), encoding="utf-8") as file:
            saved = json.load(file)
        for key in ("cpu", "kernel", "dpdk", "commit", "hugepages"):
            self.assertTrue(saved["machine"][key], key)
        self.assertEqual(saved["machine"]["router"]["text"], WIRE)
        self.assertEqual(saved["machine"]["system"]["text"], SYSTEM)
        self.assertEqual([len(row["repeats"]) for row in saved["rows"]], [2, 2])

        compared = self.measure("-p", "64", "--compare", "out.json").stdout
        self.assertRegex(compared, r"64 bytes: [\d.]+ / [\d.]+ Mpps = [\d.]+")

    def test_every_combination_is_a_row(self):
        rows = self.rows(self.measure("-p", "64,imix", "--io-batch-size", "8,64", "--sweep",
                                      "workers.idle=poll,adaptive", "--repeat", "1", "--gbps=l2").stdout)
        self.assertEqual([(row["io-batch-size"], row["workers.idle"], row["pkt-size"]) for row in rows],
                         [(io, idle, size) for io in ("8", "64") for idle in ("poll", "adaptive")
                          for size in ("64", "imix")])
        mean = (7 * 64 + 4 * 594 + 1518) / 12
        for row in rows:
            size = mean if row["pkt-size"] == "imix" else 64
            self.assertAlmostEqual(float(row["Gbps"]), float(row["Mpps"]) * size * 8 / 1000,
                                   delta=0.02 + 0.01 * float(row["Gbps"]))

    def test_older_spellings(self):
        rows = self.rows(self.measure("--pkt-sizes", "64", "--io-batch-sizes", "32", "--comp-batch-sizes", "16",
                                      "--coproc-ppdepths", "32", "--emulate-io", "--timeout", "30", "-t", "-v",
                                      "--repeat", "1").stdout)
        self.assertEqual((rows[0]["io-batch-size"], rows[0]["comp-batch-size"]), ("32", "16"))

    def test_routers_of_the_tree_forward(self):
        for config in ("ipv4-router", "ipv4-router-nba", "l2-forward"):
            with self.subTest(config=config):
                system = self.write("system.yaml", SYSTEM)
                result = self.script(*TINY, "-p", "64", "--repeat", "1", system,
                                     os.path.join(SOURCE, f"configs/{config}.click"))
                row = self.rows(result.stdout)[0]
                self.assertGreater(float(row["Mpps"]), 0, result.stdout)
                self.assertLess(float(row["loss%"]), 2, result.stdout)
                self.assertNotIn("ended in", result.stdout)

    def test_configurations_of_nba(self):
        result = self.measure("-p", "64", "--repeat", "1", "--compat=nba",
                              config="FromInput() -> L2Forward(method echoback) -> ToOutput();")
        self.assertGreater(float(self.rows(result.stdout)[0]["Mpps"]), 0)

    def test_libraries_beside_the_configuration(self):
        self.write("wire.click", "elementclass Wire { $from, $to | FromPort($from) -> ToPort($to) }\n")
        result = self.measure("-p", "64", "--repeat", "1",
                              config="require(library wire.click);\nWire(left, right); Wire(right, left);")
        self.assertGreater(float(self.rows(result.stdout)[0]["Mpps"]), 0)

    def test_all_kinds_of_traffic(self):
        capture = self.write_pcap("in.pcap", [bytes(60), bytes(range(200))])
        for traffic, size in (("ipv4", "64"), ("ipv6", "66"), ("mixed", "66"), (f"pcap:{capture}", "pcap")):
            with self.subTest(traffic=traffic):
                sizes = [] if size == "pcap" else ["-p", size]
                rows = self.rows(self.measure("--traffic", traffic, *sizes, "--repeat", "1").stdout)
                self.assertEqual(rows[0]["pkt-size"], size)
                self.assertGreater(float(rows[0]["Mpps"]), 0)
        # Half of mixed traffic is of either kind.
        result = self.measure("--traffic", "mixed", "-p", "66", "--repeat", "1",
                              config="FromPort(left) -> Classifier(12/86dd) -> ToPort(right)")
        self.assertAlmostEqual(float(self.rows(result.stdout)[0]["loss%"]), 50, delta=3)

    def test_without_hugepages(self):
        result = self.measure("-p", "64", "--repeat", "1", system=SYSTEM + "eal: { hugepages: off }\n")
        self.assertIn("hugepages: off, as the system file says", result.stdout)
        self.assertGreater(float(self.rows(result.stdout)[0]["Mpps"]), 0)

    def test_latency_at_a_load(self):
        result = self.measure("-p", "64", "--latency", "--load", "20k", "--json", "-")
        row = self.rows(result.stdout)[0]
        self.assertEqual(list(row)[len(COLUMNS):], ["p50-us", "p99-us", "p99.9-us", "max-us"])
        times = [float(row[name]) for name in ("p50-us", "p99-us", "p99.9-us", "max-us")]
        self.assertEqual(times, sorted(times))
        self.assertGreater(times[0], 0)
        self.assertAlmostEqual(float(row["Mpps"]), 0.02, delta=0.01)

    def test_find_rate(self):
        result = self.measure("-p", "64", "--find-rate", "--max-loss", "50", "--repeat", "1")
        self.assertRegex(result.stdout, r"load of [\d.]+ Mpps")

    def test_drops_are_named(self):
        result = self.measure("-p", "64", "--repeat", "1", config="FromPort(left) -> Classifier(12/0806) -> "
                              "ToPort(right); FromPort(right) -> Discard")
        self.assertIn("of the packets ended in", result.stdout)
        self.assertIn("no packet left", result.stdout)
        self.assertEqual(self.rows(result.stdout)[0]["loss%"], "100.00")
        result = self.measure("-p", "64", "--repeat", "1",
                              config="FromPort(left) -> Classifier(12/0806) -> ToPort(right)")
        self.assertIn("100 % of the packets ended in the drop 'no-match' of Classifier@2", result.stdout)

    def test_a_row_that_fails_is_marked_and_the_others_go_on(self):
        result = self.measure("-p", "64,1500", "--repeat", "1", system=SYSTEM + "pools: { data_room: 512 }\n",
                              status=1)
        rows = self.rows(result.stdout)
        self.assertGreater(float(rows[0]["Mpps"]), 0)
        self.assertEqual(rows[1]["Mpps"], "failed")
        self.assertIn("do not fit into packets", result.stdout)

    def test_mistakes_stop_before_the_first_row(self):
        system, config = self.write("system.yaml", SYSTEM), self.write("router.click", WIRE)
        for arguments, says in ((("nope.yaml", config), "there is no system file 'nope.yaml'"),
                                ((system, "nope.click"), "there is no router configuration 'nope.click'")):
            self.assertIn(says, self.script(*TINY, *arguments, status=1).stderr)
        self.refused("-p", "60", says="60 is too small")
        self.refused("-p", "64", "--traffic", "ipv6", says="64 is too small")
        self.refused("-p", "64", "--latency", "--traffic", "mixed", says="64 is too small")
        self.refused("--traffic", "esp", says="esp is not there yet")
        self.refused("--traffic", "pcap:nope", says="there is no capture file 'nope'")
        self.refused("--traffic", "tcp", says="'tcp' is none of")
        self.refused("--destinations", "10.0.0.0/33", says="'10.0.0.0/33' is no prefix")
        self.refused("--csv", "nowhere/out.csv", says="there is no directory")
        self.refused("--compare", "nope.json", says="there is no 'nope.json'")
        self.refused("--workers", "100", says="100 workers need as many cores")
        self.refused("--sweep", "workers.idel=poll", says="did you mean 'workers.idle'?")
        self.refused("--sweep", "workers.idle=poll,never", says="not 'never'")
        self.refused(says="ICPM: unknown", config="FromPort(left) -> Discard(ICPM 1)")
        self.refused(says="uses 'up'", config="FromDevice(up) -> ToDevice(right)")
        self.refused(says="describes no ports", system="workers: { count: 1 }")
        self.refused(says="cannot read", system="ports: [")
        for arguments in (["-p", "x"], ["-p", ""], ["--repeat", "0"], ["--load", "0"], ["--sweep", "idle"],
                          ["--no-such-option"]):
            self.assertEqual(self.measure(*arguments, status=2).stdout, "")

    def test_cores_that_do_not_exist_are_mapped(self):
        result = self.measure("-p", "64", "--repeat", "1", system=SYSTEM.replace("count: 1", "cores: [1000]"))
        self.assertIn("workers.cores [1000] are mapped to", result.stdout)

    def test_help_says_what_is_counted(self):
        text = " ".join(self.script("--help").stdout.split())
        self.assertIn("A size is that of a frame with its FCS", text)
        self.assertIn("20 bytes more", text)

    def test_an_interrupt_prints_what_is_done(self):
        system, config = self.write("system.yaml", SYSTEM), self.write("router.click", WIRE)
        process = subprocess.Popen(
            [sys.executable, SCRIPT, "--headroom", HEADROOM, *TINY, "--repeat", "1000", "-p", "64", system, config],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL)
        self.addCleanup(process.kill)
        for line in process.stderr:
            if line.startswith("repeat 2"):
                break
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, errors)
        self.assertIn("interrupted", errors)
        self.assertGreater(float(self.rows(output)[0]["Mpps"]), 0)

    def test_plot(self):
        self.measure("-p", "64,1500", "--repeat", "2", "--plot", "out.png")
        with open(self.path("out.png"), "rb") as file:
            self.assertEqual(file.read(8), b"\x89PNG\r\n\x1a\n")

    @unittest.skipUnless(os.geteuid() == 0, "making interfaces needs root")
    def test_a_second_process_sends(self):
        names = [f"hrt{os.getpid() % 10000}{end}" for end in "abcd"]
        for first, second in (names[:2], names[2:]):
            subprocess.run(["ip", "link", "add", first, "type", "veth", "peer", "name", second], check=True)
            self.addCleanup(subprocess.run, ["ip", "link", "del", first], check=False)
            for name in (first, second):
                subprocess.run(["ip", "link", "set", name, "up"], check=True)
        system = f"ports: {{ left: {{ interface: {names[0]} }}, right: {{ interface: {names[2]} }} }}\n"
        with open(os.path.join(SOURCE, "configs/ipv4-router.click"), encoding="utf-8") as file:
            router = file.read()
        arguments = ["-p", "64", "--repeat", "1", "--duration", "0.5", "--generator", "port", "--load", "2k"]
        result = self.measure(*arguments, "--facing", f"left={names[1]}", "--facing", f"right={names[3]}",
                              system=system, config=router)
        row = self.rows(result.stdout)[0]
        self.assertGreater(float(row["loss%"]), -1)
        self.assertLess(float(row["loss%"]), 60, result.stdout)
        self.assertIn("64 bytes: load of 0.002 Mpps", result.stdout)
        self.assertNotIn("no packet left", result.stdout)
        self.assertNotIn("ended in", result.stdout)
        self.refused(*arguments, "--facing", f"up={names[1]}", system=system, config=router, says="not 'up'")
        result = self.measure(*arguments, "--facing", "left=nowhere0", system=system, config=router, status=1)
        self.assertIn("the sender ended", result.stdout)
        self.refused("--generator", "port", says="needs --facing")
        self.refused("--facing", "left=eth0", says="--facing is for --generator port")

    def test_external_generator(self):
        system = "ports: { left: { vdev: net_null0 }, right: { vdev: net_null1 } }\n"
        result = self.measure("-p", "64", "--repeat", "1", "--generator", "external", system=system)
        self.assertIn("Something else must send frames of 64 bytes", result.stderr)
        self.assertGreater(float(self.rows(result.stdout)[0]["Mpps"]), 0)
        self.assertNotIn("generator alone", result.stdout)


class Samples(ProgramTest):
    def test_lines_of_json(self):
        system = self.write("system.yaml", "ports: { in: { traffic: { size: 100, rate: 10000 } } }\n")
        result = self.run_headroom("--system", system, "-e", "FromPort(in) -> Discard", "--sample", "0.1", "--run-for",
                                   "0.5", "--report", "always")
        lines = [json.loads(line) for line in result.stdout.splitlines()]
        self.assertGreaterEqual(len(lines), 4)
        self.assertEqual([line.get("final", False) for line in lines], [False] * (len(lines) - 1) + [True])
        self.assertEqual([line["seconds"] for line in lines], sorted(line["seconds"] for line in lines))
        port = lines[-1]["ports"][0]
        self.assertEqual(port["received_bytes"], 96 * port["received"])
        # What was not received in time is counted as well.
        self.assertAlmostEqual(port["received"] + port["missed"], 5000, delta=1500)
        self.assertEqual(self.ledger(result.stderr)["absorbed"], port["received"])
        self.assertEqual(lines[-1]["absorbed"],
                         [{"element": "Discard@2", "class": "Discard", "packets": port["received"]}])
        self.assertIn("--sample: not a time", self.run_headroom("--sample", "0", "-e", "Idle -> Discard",
                                                                status=1).stderr)
        busy = lines[-1]["workers"][0]["busy_cycles"]
        self.assertLess(busy, lines[-1]["cycles"] - lines[0]["cycles"] + lines[-1]["cycles_per_second"])

    def test_every_packet_is_right(self):
        capture = self.path("out.pcap")
        if shutil.which("tshark") is None:
            self.skipTest("there is no tshark")
        for kind, size, latency in (("ipv4", 64, "false"), ("ipv4", 64, "true"), ("ipv6", 66, "false"),
                                    ("mixed", 128, "true"), ("mixed", 127, "true")):
            system = self.write("system.yaml", f"ports: {{ in: {{ traffic: {{ kind: {kind}, size: {size}, fill: true, "
                                               f"latency: {latency}, rate: 20000 }} }} }}\n")
            self.run_headroom("--system", system, "-e",
                              f"FromPort(in) -> ToDump({capture}, LIMIT 1000) -> Discard", "--run-for", "0.3")
            tshark = ["tshark", "-r", capture, "-o", "ip.check_checksum:TRUE", "-o", "udp.check_checksum:TRUE", "-Y"]
            for wanted, count in (("udp.checksum.status == 1 && frame.len == " + str(size - 4), 1000),
                                  ("_ws.malformed || _ws.expert.severity >= 0x600000", 0)):
                found = subprocess.run([*tshark, wanted], capture_output=True, text=True, check=True).stdout
                self.assertEqual(len(found.splitlines()), count, f"{kind} {size}: {wanted}\n{found[:2000]}")


@unittest.skipIf(shutil.which("dpdk-testpmd") is None, "there is no dpdk-testpmd")
class Beside(ProgramTest):
    def script(self, *arguments, status=0):
        result = subprocess.run([sys.executable, COMPARE, "--headroom", HEADROOM, "--rounds", "1", "--duration", "0.2",
                                 "--warm-up", "0.05", "--no-hugepages", *arguments], capture_output=True, text=True,
                                timeout=300, cwd=SOURCE, stdin=subprocess.DEVNULL)
        self.assertEqual(result.returncode, status, f"{result.stdout}\n{result.stderr}")
        return result

    def test_ratios(self):
        result = self.script("--modes", "macswap")
        for name in ("testpmd io", "testpmd macswap", "ipv4-router-nba.click", "ipv4-router.click"):
            match = re.search(rf"^{name} +([\d.]+) +([\d.]+) +([\d.]+) +([\d.]+)$", result.stdout, re.M)
            self.assertTrue(match, result.stdout)
            self.assertGreater(float(match[1]), 0)
        self.assertRegex(result.stdout, r"(?m)^testpmd io .* 1\.000 +1\.000$")
        self.assertNotIn("did not leave", result.stdout)

    def test_losses_are_named(self):
        router = self.write("drops.click", "FromPort(in) -> Classifier(12/0806) -> ToPort(out);")
        result = self.script("--modes", "io", "--config", router)
        self.assertIn("100.0 % of the packets did not leave, most of them by drop 'no-match'", result.stdout)

    def test_mistakes(self):
        self.assertIn("'rxonly' is none of", self.script("--modes", "rxonly", status=2).stderr)
        self.assertIn("there is no configuration", self.script("--config", "nope.click", status=1).stderr)


if __name__ == "__main__":
    support.main()
