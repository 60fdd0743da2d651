"""The program as its users meet it: mistakes, signals, ordinary users."""

import os
import re
import signal

from support import ProgramTest, main

NULL_PORTS = """
ports:
  in: { vdev: net_null0 }
  out: { vdev: net_null1 }
workers: { count: 1, idle: poll }
"""


class Mistakes(ProgramTest):
    def full(self, text, *arguments):
        return self.run_headroom("--diagnostics", "full", "-e", text, *arguments, status=1).stderr

    def test_all_at_once_with_place_and_hint(self):
        errors = self.full("in :: InfinteSource(LIMIT 1)\n  -> Queue(x) -> Discard;\nnobody -> Idle;")
        self.assertIn("config:1:7: error: unknown element class 'InfinteSource'", errors)
        self.assertIn("did you mean 'InfiniteSource'?", errors)
        self.assertIn("config:3:1: error: undeclared element 'nobody'", errors)
        self.assertRegex(errors, r"\n +1 \| in :: InfinteSource\(LIMIT 1\)\n +\| +\^")

    def test_arguments(self):
        errors = self.full("Idle -> Queue(CAPASITY 5) -> Discard")
        self.assertIn("config:1:15: error: CAPASITY: unknown argument", errors)
        self.assertIn("did you mean 'CAPACITY'?", errors)
        errors = self.full("Idle -> Queue(5, 6) -> Discard")
        self.assertIn("too many arguments", errors)

    def test_plain_form_is_clicks(self):
        result = self.run_headroom("-e", "Idle -> Queue(x) -> Discard", status=1)
        self.assertEqual(result.stderr,
                         "config:1: While configuring 'Queue@2 :: Queue':\n"
                         "  CAPACITY: parse error\n"
                         "Router could not be initialized!\n")

    def test_push_and_pull(self):
        errors = self.full("InfiniteSource -> Queue -> Tee -> Discard")
        self.assertIn("pull output 0 connected to", errors)
        self.assertIn("put an Unqueue between them", errors)

    def test_no_partial_start(self):
        # The file of an element that is right must not appear when another is wrong.
        self.full(f"Idle -> ToDump({self.path('out.pcap')}); Idle -> Queue(x) -> Discard")
        self.assertFalse(os.path.exists(self.path("out.pcap")))

    def test_ports(self):
        system = self.write("system.yaml", NULL_PORTS)
        errors = self.full("FromPort(inn) -> Discard", "--system", system)
        self.assertIn("no port 'inn'", errors)
        self.assertIn("did you mean 'in'?", errors)
        errors = self.full("FromPort(in) -> Discard")
        self.assertIn("--system", errors)

    def test_system_file(self):
        system = self.write("system.yaml", "workers: { io_batch_sise: 32 }\n")
        errors = self.full("Idle -> Discard", "--system", system)
        self.assertIn("system.yaml:1:12: error:", errors)
        self.assertIn("io_batch_size", errors)

    def test_devices_that_do_not_exist(self):
        for vdev, said in (("net_pcap0,rx_pcap=nothing.pcap,infinite_rx=1", "No such file"),
                           ("net_pcap0,iface=nothing0", "no interface 'nothing0'"),
                           ("net_nlul0", "net_null")):
            with self.subTest(vdev=vdev):
                system = self.write("system.yaml", f'ports: {{ in: {{ vdev: "{vdev}" }} }}\n')
                errors = self.full("FromPort(in) -> Discard", "--system", system)
                self.assertIn("system.yaml:1:", errors)
                self.assertIn(said, errors)

    def test_too_little_memory(self):
        system = self.write("system.yaml", NULL_PORTS)
        errors = self.full("FromPort(in) -> ToPort(out)", "--system", system,
                           "--set", "pools.packets=1000", "--set", "pools.cache=64")
        self.assertIn("pools.packets is 1,000, but this configuration needs", errors)
        self.assertIn("port 'in': 1 queue x 1,024 receive descriptors", errors)
        self.assertIn("in all", errors)
        errors = self.full("Idle -> Queue(2000000000) -> Discard")
        self.assertIn("too little memory", errors)
        self.assertIn("'Queue@2 :: Queue' holds up to 2,000,000,000", errors)
        self.assertIn("hint:", errors)

    def test_too_many_workers(self):
        errors = self.full("Idle -> Discard", "-j", "100")
        self.assertIn("workers", errors)


class Running(ProgramTest):
    def setUp(self):
        super().setUp()
        self.system = self.write("system.yaml", NULL_PORTS)

    def test_signals_under_load(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            with self.subTest(signal=number):
                process = self.start_headroom(
                    "--system", self.system, "-h", "c.count", "-e",
                    "FromPort(in) -> t :: Tee -> c :: Counter -> ToPort(out);"
                    "t [1] -> q :: Queue(500) -> Unqueue(BURST 8) -> Discard")
                output, errors = self.stop_headroom(process, number, after=2.0)
                ledger = self.ledger(errors)
                self.assertGreater(ledger["created"], 0)
                self.assertGreater(int(output), 0)
                self.assertIn("queue-full", errors)

    def test_port_speaks_for_itself(self):
        self.write_pcap("in.pcap", [bytes(60)] * 321)
        system = self.write("pcap.yaml", 'ports: { in: { vdev: "net_pcap0,rx_pcap=in.pcap" } }\n')
        values = {"hw_count": "321", "hw_bytes": str(321 * 60), "hw_dropped": "0", "hw_errors": "0", "carrier": "1",
                  "duplex": "1", "speed": "10000", "driver": "net_pcap", "mtu": "1500"}
        asked = [word for name in (*values, "mac", "xstats") for word in ("-h", f"f.{name}")]
        result = self.run_headroom("--system", system, "--run-for", "0.5", *asked, "-e",
                                   "f :: FromPort(in) -> Discard")
        for name, value in values.items():
            self.assertIn(f"f.{name}:\n{value}\n", result.stdout)
        self.assertRegex(result.stdout, r"f\.mac:\n([0-9A-F]{2}-){5}[0-9A-F]{2}\n")
        self.assertIn("rx_good_packets 321\n", result.stdout)
        self.assertRegex(result.stderr, r"in +net_pcap +up, 10,000 Mb/s +321 ")

    def test_two_workers(self):
        if len(os.sched_getaffinity(0)) < 2:
            self.fail("this test needs two cores")
        result = self.run_headroom("--system", self.system, "-j", "2", "--run-for", "1", "-h", "c.count",
                                   "-e", "FromPort(in) -> c :: Counter -> ToPort(out)")
        self.assertIn("on 2 cores", result.stderr)
        ledger = self.ledger(result.stderr)
        self.assertEqual(int(result.stdout), ledger["created"])

    def test_element_that_exists_once(self):
        dump = self.path("o.pcap")
        result = self.run_headroom("--system", self.system, "-j", "2", "--run-for", "0.5", "-h", "d.count", "-e",
                                   f"FromPort(in) -> d :: ToDump({dump}, SNAPLEN 20) -> ToPort(out)")
        self.assertIn("on 2 cores:", result.stderr)
        self.ledger(result.stderr)
        # One file header, then the packets of both.
        self.assertEqual(os.path.getsize(dump), 24 + 36 * int(result.stdout))

    def test_sleeping_worker_wakes(self):
        result = self.run_headroom("--system", self.system, "--set", "workers.idle=sleep", "--run-for",
                                   "0.5", "-e", "FromPort(in) -> ToPort(out)")
        self.assertGreater(self.ledger(result.stderr)["created"], 1000)

    def test_ordinary_user_with_a_pcap(self):
        frames = [bytes(range(i % 60, i % 60 + 64)) for i in range(500)]
        self.write_pcap("in.pcap", frames)
        os.chmod(self.directory, 0o777)
        user = 65534 if os.geteuid() == 0 else None
        result = self.run_headroom(
            "-e", "FromDump(in.pcap, STOP true) -> c :: Counter -> ToDump(out.pcap)", "-h", "c.count",
            user=user)
        self.assertEqual((result.stdout, result.stderr), ("500\n", ""))
        with open(self.path("out.pcap"), "rb") as file:
            self.assertEqual(len(file.read()), 24 + 500 * (16 + 64))
        system = self.write("pcap.yaml", 'ports: { in: { vdev: "net_pcap0,rx_pcap=in.pcap" } }\n')
        result = self.run_headroom("--system", system, "--run-for", "1", "-h", "c.count", "-e",
                                   "FromPort(in) -> c :: Counter -> Discard", user=user)
        self.assertEqual(result.stdout, "500\n")
        self.ledger(result.stderr)

    def test_permission_is_named(self):
        user = 65534 if os.geteuid() == 0 else None
        system = self.write("lo.yaml", 'ports: { in: { vdev: "net_af_packet0,iface=lo" } }\n')
        result = self.run_headroom("--diagnostics", "full", "--system", system, "-e",
                                   "FromPort(in) -> Discard", status=1, user=user)
        self.assertIn("not permitted to open interface 'lo'", result.stderr)
        self.assertIn("run as root", result.stderr)

    def test_pool_that_runs_empty_and_recovers(self):
        # A queue that nobody empties takes packets until the pool is used up; then they are named drops.
        result = self.run_headroom(
            "--run-for", "0.5", "--report", "always", "-e",
            "InfiniteSource(BURST 32) -> c :: Counter -> t :: Tee; t [0] -> Discard; t [1] -> Discard")
        self.ledger(result.stderr)


class Routes(ProgramTest):
    CONFIG = ("FromPort(in) -> SetIPAddress(10.5.7.1) -> r :: RadixIPLookup(FILE routes.txt);"
              "r[0] -> a :: Counter -> ToPort(out); r[1] -> b :: Counter -> ToPort(out);")

    def setUp(self):
        super().setUp()
        self.system = self.write("system.yaml", NULL_PORTS)

    def test_file_on_two_workers(self):
        if len(os.sched_getaffinity(0)) < 2:
            self.fail("this test needs two cores")
        self.write("routes.txt", "".join(f"10.{i // 256}.{i % 256}.0/24 - {i % 2}\n" for i in range(20000)))
        result = self.run_headroom("--system", self.system, "-j", "2", "--run-for", "1",
                                   "-h", "r.size", "-h", "a.count", "-h", "b.count", "-e", self.CONFIG)
        ledger = self.ledger(result.stderr)
        values = dict(re.findall(r"(\w+\.\w+):\n(\d+)\n", result.stdout))
        self.assertEqual(values["r.size"], "20000", "one table, not one for each worker")
        self.assertEqual(values["a.count"], "0")
        self.assertEqual(int(values["b.count"]), ledger["created"])

    def test_load_under_traffic(self):
        self.write("routes.txt", "10.0.0.0/8 0\n")
        self.write("new.txt", "10.5.0.0/16\t\t-\t\t1\n11.0.0.0/8\t\t1.2.3.4\t\t0\n")
        self.write("broken.txt", "10.5.0.0/16 - 1\n11.0.0.0/8 - 9\n")
        result = self.run_headroom(
            "--system", self.system, "-e",
            self.CONFIG + "DriverManager(wait 0.3s, write r.load new.txt, wait 0.3s, save r.table out.txt,"
            "write r.load broken.txt, print $?, print r.size)")
        self.ledger(result.stderr)
        self.assertIn("broken.txt:2:14: output 9 out of range, bound 1", result.stderr)
        self.assertNotEqual(result.stdout.splitlines()[0], "0")
        self.assertEqual(result.stdout.splitlines()[1], "2")
        with open(self.path("out.txt"), encoding="ascii") as out, \
                open(self.path("new.txt"), encoding="ascii") as new:
            self.assertEqual(out.read(), new.read())
        for counter in ("a", "b"):
            self.assertRegex(result.stderr, rf"(?m)^ +{counter} +Counter +[\d,]*[1-9]")

    def test_mistakes_in_a_file(self):
        self.write("routes.txt", "10.0.0.0/8 0\n  10.0.0.0/33 - 1\n")
        errors = self.run_headroom("--diagnostics", "full", "--system", self.system, "-e", self.CONFIG,
                                   status=1).stderr
        self.assertIn("routes.txt:2:3: error: should be a prefix, as 10.1.0.0/16\n"
                      "    2 |   10.0.0.0/33 - 1\n", errors)
        self.assertIn("error: FILE: routes.txt has 1 mistake\n", errors)


if __name__ == "__main__":
    main()
