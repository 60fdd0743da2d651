"""The command line: options, subcommands, and the names that Click's programs have."""

import json
import os
import shlex
import subprocess
import time

from support import BUILD, SOURCE, ProgramTest, main


class CommandLine(ProgramTest):
    def test_starts_and_quits(self):
        start = time.monotonic()
        result = self.run_headroom("-q", "-e", "Idle -> Discard")
        print(f"-q -e 'Idle -> Discard': {time.monotonic() - start:.3f} s")
        self.assertEqual((result.stdout, result.stderr), ("", ""))

    def test_handler_values(self):
        config = "InfiniteSource(LIMIT 7, STOP true) -> c :: Counter -> Discard"
        self.assertEqual(self.run_headroom("-e", config, "-h", "c.count").stdout, "7\n")
        result = self.run_headroom("-e", config, "-h", "c.count", "-h", "c.class")
        self.assertEqual(result.stdout, "c.count:\n7\n\nc.class:\nCounter\n\n")
        self.assertEqual(result.stderr, "")

    def test_handler_errors(self):
        config = "InfiniteSource(LIMIT 1, STOP true) -> c :: Counter -> Discard"
        for name, message in (("c.cuont", "no 'c.cuont' handler"),
                              ("cuont", "no 'cuont' handler"),
                              ("d.count", "no element 'd'"),
                              ("x*.count", "no element matching 'x*'"),
                              ("Discard.nosuch", "no 'Discard.nosuch' handler"),
                              ("c.reset", "'c.reset' is a write handler")):
            with self.subTest(name=name):
                result = self.run_headroom("-e", config, "-h", name, "-h", "c.count", status=1)
                self.assertEqual(result.stderr, message + "\n")
                self.assertIn("c.count:\n1\n", result.stdout)
        result = self.run_headroom("--diagnostics", "full", "-e", config, "-h", "c.cuont", status=1)
        self.assertIn("did you mean 'count'?", result.stderr)

    def test_handlers_of_several_elements(self):
        config = ("InfiniteSource(LIMIT 2, STOP true) -> c1 :: Counter -> c2 :: Counter"
                  " -> n/c3 :: Counter -> Discard")
        two = "c1.count:\n2\n\nc2.count:\n2\n\n"
        self.assertEqual(self.run_headroom("-e", config, "-h", "c?.count").stdout, two)
        self.assertEqual(self.run_headroom("-e", config, "-h", "c[12].count").stdout, two)
        for pattern in ("Counter.count", "*c[1-3].count"):
            self.assertEqual(self.run_headroom("-e", config, "-h", pattern).stdout,
                             two + "n/c3.count:\n2\n\n")
        # One element is enough for a header when it was asked for by a pattern.
        self.assertEqual(self.run_headroom("-e", config, "-h", "Discard.class").stdout,
                         "Discard@5.class:\nDiscard\n\n")
        # Elements without the handler are left out.
        self.assertEqual(self.run_headroom("-e", config, "-h", "*.byte_count").stdout.count(":"), 3)
        self.assertEqual(self.run_headroom("-qe", config, "-h", "list").stdout,
                         "5\nInfiniteSource@1\nc1\nc2\nn/c3\nDiscard@5\n")

    def test_standard_input_and_file(self):
        config = "InfiniteSource(LIMIT 3, STOP true) -> c :: Counter -> Discard;"
        self.assertEqual(self.run_headroom("-h", "c.count", input=config).stdout, "3\n")
        self.write("a.click", config)
        for arguments in (["a.click"], ["-f", "a.click"], ["--file=a.click"]):
            self.assertEqual(self.run_headroom(*arguments, "-h", "c.count").stdout, "3\n")
        for arguments in (["a.click", "b.click"], ["-f", "a.click", "b.click"], ["-e", "Idle", "a.click"],
                          ["-e", "Idle", "-f", "a.click"]):
            errors = self.run_headroom(*arguments, status=1).stderr
            self.assertTrue(errors.startswith("router configuration specified twice\n"), errors)
            self.assertIn("Usage: headroom", errors)

    def test_list_and_doc(self):
        classes = self.run_headroom("list").stdout
        for name in ("FromPort", "ToDump", "CheckIPHeader", "StaticIPLookup", "EtherRewrite", "ARPQuerier"):
            self.assertRegex(classes, rf"(?m)^{name} +\S")
            page = self.run_headroom("doc", name).stdout
            self.assertIn("\nDrops\n", page)
            self.assertNotRegex(page, r"(?m)^ +$")
            self.assertNotIn("default ,", page)
        result = self.run_headroom("doc", "Queu", status=1)
        self.assertIn("did you mean 'Queue'?", result.stderr)

    def test_help(self):
        self.assertIn("--system", self.run_headroom("--help").stdout)
        self.assertIn("io_batch_size", self.run_headroom("--help", "system").stdout)
        self.assertRegex(self.run_headroom("--version").stdout, r"^headroom \d")
        self.assertIn("did you mean '--help'?", self.run_headroom("--hlep", status=1).stderr)

    def test_empty_configuration(self):
        result = self.run_headroom("-e", "")
        self.assertEqual(result.stderr, "warning: config: configuration has no elements, exiting\n")
        self.assertEqual(self.run_headroom("-w", "-e", "").stderr, "")

    def test_no_such_file(self):
        result = self.run_headroom("nothing.click", status=1)
        self.assertIn("nothing.click: No such file or directory", result.stderr)

    def test_simulated_time(self):
        # A million seconds of simulated time would never end otherwise.
        config = "InfiniteSource(LIMIT 100, STOP true) -> q :: Queue(10) -> Unqueue -> c :: Counter -> Discard"
        self.assertEqual(self.run_headroom("--simtime", "-e", config, "-h", "c.count").stdout, "100\n")

    def test_run_for(self):
        result = self.run_headroom("--run-for", "0.3", "--report", "always", "-e",
                                   "InfiniteSource -> Discard")
        self.assertGreater(self.ledger(result.stderr)["created"], 0)

    def test_short_options_bundle(self):
        result = self.run_headroom("-qh", "q.capacity", "-e", "Idle -> q :: Queue(5) -> Discard")
        self.assertEqual(result.stdout, "5\n")
        self.assertEqual(self.run_headroom("-qo-", "-e", "Idle").stdout, "Idle@1 :: Idle;\n")

    def test_flat_configuration(self):
        config = "elementclass Two { $n | -> Queue($n) -> } Idle -> t :: Two(7) -> Discard"
        flat = ("Idle@1 :: Idle;\nDiscard@3 :: Discard;\nt/Queue@1 :: Queue(7);\n\n"
                "Idle@1 -> t/Queue@1\n    -> Discard@3;\n")
        self.assertEqual(self.run_headroom("-q", "-o", "-", "-e", config).stdout, flat)
        self.run_headroom("-q", "-o", "out.click", "-e", config)
        with open(self.path("out.click"), encoding="utf-8") as file:
            self.assertEqual(file.read(), flat)
        # It is a configuration, and its own flat form.
        self.assertEqual(self.run_headroom("-q", "-o", "-", "out.click").stdout, flat)
        self.assertEqual(self.run_headroom("-qh", "config", "-e", config).stdout, config + "\n")
        result = self.run_headroom("-q", "-o", "no/such/directory", "-e", config, status=1)
        self.assertIn("no/such/directory: No such file", result.stderr)

    def test_variables(self):
        config = "define($n 1, $m 2) Idle -> q :: Queue($n$m) -> Discard"
        for words, capacity in (([], "12"), (["n=5"], "52"), (["n=", "m=8"], "8")):
            self.assertEqual(self.run_headroom("-qh", "q.capacity", "-e", config, *words).stdout,
                             capacity + "\n")
        self.assertEqual(self.run_headroom("-q", "-e", config, "n=1", "n=2", status=1).stderr,
                         "parameter 'n' multiply defined\n")

    def test_libraries(self):
        os.makedirs(self.path("lib/conf"))
        self.write("lib/conf/mine.click", "elementclass Mine { -> Queue(77) -> }")
        config = "require(library mine.click) Idle -> m :: Mine -> Discard"
        for options, environment in ((["-C", "nowhere:lib"], {}), ([], {"CLICKPATH": "nowhere:lib"})):
            result = self.run_headroom("-qh", "m/Queue@1.capacity", "-e", config, *options,
                                       env={**os.environ, **environment})
            self.assertEqual(result.stdout, "77\n")
        self.assertIn("library 'mine.click' not found",
                      self.run_headroom("-q", "-e", config, status=1).stderr)

    def test_exit_status_of_a_handler(self):
        config = "InfiniteSource(LIMIT 300, STOP true) -> c :: Counter -> Discard"
        self.run_headroom("-e", config, "-x", "c.count", status=300 % 256)
        self.run_headroom("-e", "s :: InfiniteSource -> Discard", "-q", "-x", "s.active", status=0)
        self.run_headroom("-e", "s :: InfiniteSource(ACTIVE no) -> Discard", "-q", "-x", "s.active", status=1)
        self.assertIn("neither an integer nor a boolean",
                      self.run_headroom("-e", config, "-x", "c.class", status=255).stderr)
        self.assertEqual(self.run_headroom("-e", config, "-x", "c.nosuch", status=255).stderr,
                         "no 'c.nosuch' handler\n")

    def test_times(self):
        self.assertRegex(self.run_headroom("-t", "--run-for", "0.2", "-e", "InfiniteSource -> Discard").stderr,
                         r"ran 0\.[2-9]\d* s; user ")

    def test_cores(self):
        last = max(os.sched_getaffinity(0))
        config = "InfiniteSource(LIMIT 3, STOP true) -> c :: Counter -> Discard"
        for options in ([f"--affinity={last}"], [f"-a{last}"], ["--no-affinity"], ["-j", "1"]):
            self.assertEqual(self.run_headroom("-e", config, "-h", "c.count", *options).stdout, "3\n")
        self.assertIn("core 9", self.run_headroom("-qe", config, "-a999", status=1).stderr)
        # Workers that are not pinned may be more than the cores.
        more = str(len(os.sched_getaffinity(0)) + 1)
        system = self.write("system.yaml", "ports: { in: { vdev: net_null0 }, out: { vdev: net_null1 } }\n")
        forward = ["--system", system, "--run-for", "0.3", "-e", "FromPort(in) -> ToPort(out)", "-j", more]
        self.ledger(self.run_headroom(*forward, "--no-affinity").stderr)
        self.assertIn("workers.pinned", self.run_headroom(*forward, "--diagnostics=full", status=1).stderr)

    def test_arguments_of_dpdk(self):
        self.run_headroom("-q", "--dpdk", "--log-level=5", "--", "-e", "Idle -> Discard")
        self.assertIn("DPDK does not start",
                      self.run_headroom("-q", "-e", "Idle -> Discard", "--dpdk", "--no-such", status=1).stderr)

    def test_diagnostics_for_editors(self):
        config = "elementclass Q { $n | -> Queue($n) -> }\nIdle -> q :: Q(many) -> Discrad;"
        result = self.run_headroom("check", "--diagnostics=json", "-e", "Idle -> Discrad", status=1)
        self.assertEqual([json.loads(line) for line in result.stderr.splitlines()],
                         [{"severity": "error", "file": "config", "line": 1, "column": 9,
                           "message": "undeclared element 'Discrad'", "hint": "did you mean 'Discard'?"}])
        result = self.run_headroom("--diagnostics=json", "-e", config.replace("rad", "ard"), status=1)
        self.assertEqual([json.loads(line) for line in result.stderr.splitlines()],
                         [{"severity": "error", "file": "config", "line": 1, "column": 32,
                           "message": "CAPACITY: parse error",
                           "context": "While configuring 'q/Queue@1 :: Queue':",
                           "hint": "expected an unsigned integer, such as 10",
                           "expanded from": [{"element": "q", "file": "config", "line": 2, "column": 9}]}])


class Inspecting(ProgramTest):
    CONFIG = """
        elementclass Branch { -> Queue(9) -> output }
        InfiniteSource(DATA "a|b{c}<\\\">") -> t :: Tee(2) -> b :: Branch -> Unqueue -> Discard;
        t [1] -> Discard
    """

    def test_check_starts_nothing(self):
        result = self.run_headroom("check", "-e", f"Idle -> ToDump({self.path('o.pcap')})")
        self.assertEqual((result.stdout, result.stderr), ("", ""))
        self.assertFalse(os.path.exists(self.path("o.pcap")))
        result = self.run_headroom("check", "-e", "Idle -> Queue(x) -> Unqueue -> Discard; a [1] -> a :: Idle",
                                   status=1)
        self.assertEqual(result.stderr, "config:1: undeclared element 'a'\n")
        result = self.run_headroom("check", "-e", "Idle -> Queue(x) -> Unqueue -> Discard", status=1)
        self.assertEqual(result.stderr, "config:1: While configuring 'Queue@2 :: Queue':\n  CAPACITY: parse error\n")
        self.write("system.yaml", "wrokers: { count: 2 }\n")
        result = self.run_headroom("check", "--system", "system.yaml", "-e", "Idle", status=1)
        self.assertIn("wrokers", result.stderr)

    def test_graph_is_graphviz(self):
        text = self.run_headroom("graph", "-e", self.CONFIG).stdout
        plain = subprocess.run(["dot", "-Tplain"], input=text, capture_output=True, text=True, check=True)
        self.assertEqual(plain.stderr, "")
        words = [shlex.split(line) for line in plain.stdout.splitlines()]
        self.assertEqual({word[1] for word in words if word[0] == "node"},
                         {"InfiniteSource@1", "t", "Unqueue@4", "Discard@5", "Discard@6", "b/Queue@1"})
        self.assertEqual({tuple(word[1:3]) for word in words if word[0] == "edge"},
                         {("InfiniteSource@1", "t"), ("t", "b/Queue@1"), ("b/Queue@1", "Unqueue@4"),
                          ("Unqueue@4", "Discard@5"), ("t", "Discard@6")})
        self.assertEqual([word[1] for word in words if word[0] == "edge" and "dashed" in word], ["b/Queue@1"])
        self.assertIn('subgraph "cluster b"', text)

    def test_click_flatten_takes_unknown_classes(self):
        def flatten(*arguments, status=0):
            return subprocess.run([os.path.join(BUILD, "click-flatten"), *arguments], capture_output=True, text=True,
                                  timeout=60, cwd=self.directory, stdin=subprocess.DEVNULL, check=False)
        config = 'elementclass In { $a | FromNowhere($a) -> output } require(package none) In(eth0) -> x :: Unknown -> Other'
        flat = ("require(package none);\n\nx :: Unknown;\nOther@3 :: Other;\nIn@1/FromNowhere@1 :: FromNowhere(eth0);\n\n"
                "In@1/FromNowhere@1 -> x\n    -> Other@3;\n")
        self.assertEqual(flatten("-e", config).stdout, flat)
        self.write("a.click", config)
        self.assertEqual(flatten("a.click").stdout, flat)
        flatten("a.click", "-o", "b.click")
        self.assertEqual(flatten("-f", "b.click").stdout, flat)
        result = flatten("-e", "a :: A; a -> b; b :: B")
        self.assertEqual((result.returncode, result.stderr), (1, "config:1: undeclared element 'b'\n"))

    def test_click_has_no_subcommands(self):
        # A file may be called as a subcommand of ours is.
        self.write("check", "InfiniteSource(LIMIT 2, STOP true) -> c :: Counter -> Discard")
        result = subprocess.run([os.path.join(BUILD, "click"), "check", "-h", "c.count"], capture_output=True,
                                text=True, timeout=60, cwd=self.directory, check=False)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "2\n", ""))

    def test_system_files_are_right(self):
        folder = os.path.join(SOURCE, "configs", "system")
        names = sorted(os.listdir(folder))
        self.assertIn("two-sockets.yaml", names)
        for name in names:
            with self.subTest(name=name):
                result = self.run_headroom("check", "--system", os.path.join(folder, name), "-e", "Idle -> Discard")
                self.assertEqual(result.stderr, "")


if __name__ == "__main__":
    main()
