"""Scripts of TYPE SIGNAL in the running program, and kill."""

import os
import re
import signal
import time

from support import ProgramTest, main

NULL_PORTS = "ports: { in: { vdev: net_null0 }, out: { vdev: net_null1 } }\n"


class Signals(ProgramTest):
    def start(self, text, *arguments):
        """The program, once it prints that it runs."""
        process = self.start_headroom("-e", text + '; Script(print "ready")', *arguments)
        self.assertEqual(process.stdout.readline(), "ready\n")
        return process

    def line(self, process):
        return process.stdout.readline().rstrip("\n")

    def end(self, process, number=None, status=0):
        if number is not None:
            process.send_signal(number)
        output, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, status, output + errors)
        return output, errors

    def test_runs_again_and_again(self):
        process = self.start("Script(TYPE SIGNAL HUP USR1, init n 0, set n $(add $n 1), print $(get n))")
        for i in range(1, 6):
            process.send_signal(signal.SIGHUP if i % 2 else signal.SIGUSR1)
            self.assertEqual(self.line(process), str(i))
        self.assertEqual(self.end(process, signal.SIGTERM)[0], "")

    def test_instead_of_stopping(self):
        for number, name in ((signal.SIGINT, "INT"), (signal.SIGTERM, "SIGTERM")):
            process = self.start(f'Script(TYPE SIGNAL {name}, print "no")')
            for _ in range(3):
                process.send_signal(number)
                self.assertEqual(self.line(process), "no")
            other = signal.SIGTERM if number == signal.SIGINT else signal.SIGINT
            self.assertEqual(self.end(process, other)[0], "")

    def test_stop_is_a_stop_event(self):
        process = self.start('Script(TYPE SIGNAL INT, print "bye", stop)')
        self.assertEqual(self.end(process, signal.SIGINT)[0], "bye\n")
        process = self.start('Script(TYPE SIGNAL TERM, stop); DriverManager(wait, print "driver", wait 0.1s, stop)')
        self.assertEqual(self.end(process, signal.SIGTERM)[0], "driver\n")

    def test_after_exit_the_signal_is_what_it_was(self):
        process = self.start('Script(TYPE SIGNAL INT HUP, print "once", exit)')
        process.send_signal(signal.SIGINT)
        self.assertEqual(self.line(process), "once")
        time.sleep(0.1)
        self.assertEqual(self.end(process, signal.SIGINT)[0], "")
        process = self.start('Script(TYPE SIGNAL HUP, print "once", exit)')
        process.send_signal(signal.SIGHUP)
        self.assertEqual(self.line(process), "once")
        time.sleep(0.1)
        self.end(process, signal.SIGHUP, status=-signal.SIGHUP)

    def test_all_scripts_run(self):
        process = self.start('Script(TYPE SIGNAL USR1, print "a", exit); Script(TYPE SIGNAL USR1 USR2, print "b");'
                             'Script(TYPE SIGNAL USR2, print "c")')
        process.send_signal(signal.SIGUSR1)
        self.assertEqual({self.line(process), self.line(process)}, {"a", "b"})
        process.send_signal(signal.SIGUSR1)
        self.assertEqual(self.line(process), "b")
        process.send_signal(signal.SIGUSR2)
        self.assertEqual({self.line(process), self.line(process)}, {"b", "c"})
        self.end(process, signal.SIGINT)

    def test_comes_while_it_waits(self):
        process = self.start('Script(TYPE SIGNAL USR1, print "begin", wait 0.3s, print "end")')
        process.send_signal(signal.SIGUSR1)
        self.assertEqual(self.line(process), "begin")
        for _ in range(3):
            process.send_signal(signal.SIGUSR1)
        self.assertEqual([self.line(process) for _ in range(3)], ["end", "begin", "end"])
        time.sleep(0.1)
        self.assertEqual(self.end(process, signal.SIGINT)[0], "")

    def test_before_the_first_round(self):
        # The script is told of what came while the program started.
        process = self.start_headroom("-e", 'Script(TYPE SIGNAL INT, print "early", stop)')
        self.wait_for_handler(process, signal.SIGINT)
        for _ in range(200):
            if process.poll() is not None:
                break
            process.send_signal(signal.SIGINT)
            time.sleep(0.05)
        # Signals before the script was there stop the program by themselves.
        self.assertIn(process.communicate()[0], ("early\n", ""))
        self.assertIn(process.returncode, (0, -signal.SIGINT))

    def test_under_load_on_two_workers(self):
        if len(os.sched_getaffinity(0)) < 2:
            self.fail("this test needs two cores")
        system = self.write("system.yaml", NULL_PORTS)
        process = self.start(
            "FromPort(in) -> c :: Counter -> ToPort(out);"
            'Script(TYPE SIGNAL HUP, print c.count, write c.reset); Script(TYPE SIGNAL TERM, print "end", stop)',
            "--system", system, "-j", "2", "--report", "always")
        total = 0
        for _ in range(20):
            process.send_signal(signal.SIGHUP)
            count = int(self.line(process))
            self.assertGreater(count, 0)
            total += count
        output, errors = self.end(process, signal.SIGTERM)
        self.assertEqual(output, "end\n")
        self.assertGreaterEqual(self.ledger(errors)["created"], total - 20 * 1000)

    def test_kill(self):
        process = self.start('Script(TYPE SIGNAL USR1, print "got it", stop); Script(wait 0.2s, print $(kill USR1 $$))')
        self.assertEqual(self.end(process)[0], "true\ngot it\n")
        result = self.run_headroom(
            "-e", "Script(print $(kill SIGUSR2 999999999), print $(kill FOO 1), print $(kill HUP), "
            "print $(kill HUP -1), print $(kill HUP 0), stop)")
        self.assertEqual(result.stdout.splitlines()[0], "false")
        for text in ("unknown signal 'FOO'", "needs a signal and processes", "bad process ID '-1'",
                     "bad process ID '0'"):
            self.assertIn(text, result.stderr)

    def test_mistakes(self):
        for kind, said in (("SIGNAL", "TYPE: expected names of signals"),
                           ("SIGNAL HUPP", "TYPE: unknown signal 'HUPP'"),
                           ("SIGNAL KILL", "TYPE: a script cannot take the signal 'KILL'"),
                           ("SIGNAL SEGV", "TYPE: a script cannot take the signal 'SEGV'"),
                           ("SIGNAL ALRM", "TYPE: a script cannot take the signal 'ALRM'"),
                           ("ACTIVE HUP", "bad TYPE"), ("SIGNALS", "did you mean 'SIGNAL'?")):
            errors = self.run_headroom("--diagnostics", "full", "-e", f"Script(TYPE {kind}, stop)",
                                       status=1).stderr
            self.assertIn(said, errors)
            self.assertEqual(len(re.findall("error:", errors)), 1)


if __name__ == "__main__":
    main()
