#!/usr/bin/env python3
"""Measures how many packets a router forwards. --help says how; docs/throughput.md says more."""

import itertools
import json
import os
import sys
import tempfile

PYTHON = "/usr/bin/python3"
try:
    import yaml  # noqa: F401  (only whether it is there)
    if any(argument.startswith("--plot") for argument in sys.argv[1:]):
        import matplotlib  # noqa: F401
except ImportError as missing:
    # Debian's packages belong to Debian's interpreter, and another may come first on the PATH.
    if os.path.realpath(sys.executable) == os.path.realpath(PYTHON) or not os.path.exists(PYTHON):
        sys.exit(f"run_throughput.py: {missing}: scripts/setup.sh installs it")
    os.execv(PYTHON, [PYTHON, *sys.argv])

# pylint: disable=wrong-import-position
from throughput import Failure, machine, measure, options as command_line, results  # noqa: E402
from throughput.router import Router  # noqa: E402

# The generator's own cost is no result to be precise about.
ALONE_REPEATS = 3
ALONE_SECONDS = 0.3
TRIALS = 3
# --find-rate ends when the interval is this share of the greatest rate.
RESOLUTION = 0.01


class Measurement:
    def __init__(self, options, directory):
        self.options = options
        self.directory = directory
        self.notes = []
        self.system = machine.System(options, self.note)
        self.machine = machine.describe(options, self.system.hugepages)
        self.rows = self.make_rows()
        if options.generator == "internal":
            for row in self.rows:
                self.system.workers(row.workers)  # too many of them are a mistake of the person's
        if options.coproc_ppdepths:
            self.note("--coproc-ppdepths has no effect: there is no co-processor")
        self.router = Router(options, self.system, directory)
        self.runner = measure.Runner(options)
        for row in {tuple(row.settings): row for row in self.rows}.values():
            self.router.check(self.system_file(row), row.settings)

    def note(self, text):
        if text not in self.notes:
            self.notes.append(text)
            print(f"note: {text}", file=sys.stderr)

    def make_rows(self):
        options = self.options
        section = self.system.text.get("workers") or {}
        ios = options.io_batch_size or [section.get("io_batch_size", 64)]
        comps = options.comp_batch_size or [section.get("comp_batch_size", 64)]
        sweeps = [[(key, value) for value in values] for key, values in options.sweep]
        rows = []
        for io, comp, workers, *swept in itertools.product(ios, comps, options.workers or [None], *sweeps):
            settings = [f"workers.io_batch_size={io}", f"workers.comp_batch_size={comp}"]
            settings += [f"{key}={value}" for key, value in swept]
            shown = ([("workers", workers)] if options.workers else []) + swept
            distinct = [f"{name} {value}" for name, value, values in (
                ("io-batch-size", io, ios), ("comp-batch-size", comp, comps)) if len(values) > 1]
            rows += [results.Row(size, io, comp, workers, settings, shown, distinct) for size in options.pkt_sizes]
        return rows

    def system_file(self, row, rate=0):
        if self.options.generator != "internal":
            return self.options.system
        return self.system.write(os.path.join(self.directory, "system.yaml"), count=row.workers, size=row.size,
                                 rate=rate, destinations=self.router.destinations, routes=self.router.routes)

    def once(self, row, rate=0, duration=None):
        settings = row.settings
        if self.options.generator != "internal" and row.workers:
            settings = [*settings, f"workers.count={row.workers}"]
        sender = None
        if self.options.generator == "port":
            sender = self.system.write_sender(os.path.join(self.directory, "sender.yaml"), row.size, rate,
                                              self.router.destinations, self.router.addresses)
        return self.runner.run(self.router.command(self.system_file(row, rate)), settings, duration, sender)

    def alone(self, row):
        """The null path of a row."""
        config = measure.null_path(self.system.ports, list(self.router.destinations))
        command = self.router.command(self.system_file(row), config)
        return self.runner.run(command, row.settings, ALONE_SECONDS)

    def run(self):
        if self.options.find_rate or (self.options.load and self.options.load[0] == "share"):
            self.try_rows(self.set_load)
        elif self.options.load:
            for row in self.rows:
                row.rate = self.options.load[1]
        # Rows take turns, a repeat each, because machines are fast and slow for seconds to minutes: so each row
        # sees both, and the ratios between rows hold.
        for number in range(self.options.repeat):
            self.try_rows(lambda row, number=number: self.repeat(row, number))

    def try_rows(self, work):
        for row in self.rows:
            if row.failure:
                continue
            try:
                work(row)
            except measure.RunFailure as failure:
                row.failure = str(failure)
                print(f"{row.label()}: failed: {failure}", file=sys.stderr)

    def repeat(self, row, number):
        result = self.once(row, row.rate or 0)
        row.repeats.append(result)
        cost = f", {result['cycles_per_packet']:.1f} cycles/packet" if result["cycles_per_packet"] else ""
        print(f"repeat {number + 1}/{self.options.repeat}, {row.label()}: {result['mpps']:.2f} Mpps{cost}, "
              f"loss {result['loss']:.2f} %", file=sys.stderr, flush=True)
        if self.options.generator == "internal" and number < ALONE_REPEATS:
            row.alone.append(self.alone(row))

    def set_load(self, row):
        """The rate of a row, from what it can do."""
        greatest = self.once(row)["mpps"] * 1e6
        if greatest == 0:
            raise measure.RunFailure("no packet left, so there is no rate to find")
        if not self.options.find_rate:
            row.rate = greatest * self.options.load[1]
            return
        low, high = 0.0, greatest * 1.05
        rate = greatest
        while high - low > RESOLUTION * greatest:
            # What another program takes from a worker is lost, too, so the best of some trials counts.
            for _ in range(TRIALS):
                loss = self.once(row, rate)["loss"]
                if loss <= self.options.max_loss:
                    break
            print(f"{row.label()}: loss {loss:.3f} % at {rate / 1e6:.3f} Mpps", file=sys.stderr, flush=True)
            if loss <= self.options.max_loss:
                low = rate
            else:
                high = rate
            rate = (low + high) / 2
        if low == 0:
            raise measure.RunFailure(f"no rate was found that loses no more than {self.options.max_loss:g} %")
        row.rate = low

    def show(self):
        options = self.options
        print()
        print(results.table(self.rows, options))
        for line in results.below_table(self.rows):
            print(line)
        for note in self.notes:
            print(f"note: {note}")
        print(f"{self.machine['cpu']}, kernel {self.machine['kernel']}, DPDK {self.machine['dpdk']}, "
              f"commit {self.machine['commit'][:12]}, hugepages: {self.machine['hugepages']}")
        if options.csv:
            results.write_csv(self.rows, options)
        if options.json:
            text = json.dumps(results.as_json(self.rows, options, self.machine, self.notes), indent=1)
            if options.json == "-":
                print(text)
            else:
                with open(options.json, "w", encoding="utf-8") as file:
                    file.write(text + "\n")
        if options.compare:
            print("\n".join(results.compare(self.rows, options)))
        if options.plot:
            from throughput.plot import plot  # it takes a second to import
            plot(options.plot, self.rows, options, self.machine)


def external_hint(options):
    size = next((size for size in options.pkt_sizes if isinstance(size, int)), 64)
    print(f"""\
Something else must send frames of {", ".join(map(str, options.pkt_sizes))} bytes (with FCS) to the router's ports, of each
row's size while that row is measured; what is measured here is what the router receives and transmits. Such as
  TestPMD:  dpdk-testpmd -a PCI -- -i --forward-mode=txonly --txpkts={size - 4}
  pktgen:   pktgen -a PCI -- -P -m 1.0      and then: set 0 size {size}; start 0
  TRex:     ./t-rex-64 -i                   and then: start -f stl/bench.py -m 100% -t size={size}""",
          file=sys.stderr)


def main():
    try:
        options = command_line.parse(sys.argv[1:])
        with tempfile.TemporaryDirectory(prefix="headroom-throughput-") as directory:
            measurement = Measurement(options, directory)
            if options.generator == "external":
                external_hint(options)
            interrupted = False
            try:
                measurement.run()
            except KeyboardInterrupt:
                interrupted = True
                print("\ninterrupted: this is what was done", file=sys.stderr)
            measurement.show()
    except Failure as failure:
        sys.exit(f"run_throughput.py: {failure}")
    except KeyboardInterrupt:
        sys.exit(130)
    if interrupted:
        sys.exit(130)
    sys.exit(1 if any(row.failure for row in measurement.rows) else 0)


if __name__ == "__main__":
    main()
