"""Running the program, and what its counters say."""

import json
import os
import signal
import subprocess
import tempfile
import threading

TICKS = os.sysconf("SC_CLK_TCK")


class RunFailure(Exception):
    """A row that failed; the others go on."""


def thread_times(process, worker):
    """Seconds of user and system time, and nanoseconds of waiting for the core, of a worker's thread."""
    base = f"/proc/{process.pid}/task/{worker['thread']}"
    try:
        with open(f"{base}/stat", encoding="ascii") as file:
            fields = file.read().rpartition(")")[2].split()
        with open(f"{base}/schedstat", encoding="ascii") as file:
            waited = int(file.read().split()[1])
    except (OSError, IndexError):
        return 0.0, 0.0, 0
    return int(fields[11]) / TICKS, int(fields[12]) / TICKS, waited


class Sample:
    """A line of --sample, with what the system says of the workers at that time."""

    def __init__(self, line, process):
        self.line = line
        self.seconds = line["seconds"]
        self.times = [thread_times(process, worker) for worker in line["workers"]]

    def sum(self, key):
        return sum(port[key] for port in self.line["ports"])

    def latency(self):
        bins = {}
        for port in self.line["ports"]:
            for upper, count in port.get("latency_ns", []):
                bins[upper] = bins.get(upper, 0) + count
        return bins


def percentiles(before, after):
    """p50, p99, p99.9 and maximum, in microseconds, of what was counted between two samples."""
    bins = sorted((upper, count - before.get(upper, 0)) for upper, count in after.items())
    bins = [(upper, count) for upper, count in bins if count > 0]
    total = sum(count for _, count in bins)
    if not total:
        return None
    result, seen = {}, 0
    wanted = [("p50", 0.5), ("p99", 0.99), ("p99.9", 0.999)]
    for upper, count in bins:
        seen += count
        while wanted and seen >= wanted[0][1] * total:
            result[wanted.pop(0)[0]] = upper / 1000
    result["max"] = bins[-1][0] / 1000
    return result


def difference(first, last, samples):
    """What happened between two samples."""
    seconds = last.seconds - first.seconds
    received = last.sum("received") - first.sum("received")
    lost = sum(last.sum(key) - first.sum(key) for key in ("missed", "no_buffer"))
    sent = last.sum("transmitted") - first.sum("transmitted")
    workers = last.line["workers"]
    io = [i for i, worker in enumerate(workers) if worker["io"]]
    user, system, waited = ([last.times[i][k] - first.times[i][k] for i in range(len(workers))] for k in range(3))
    hertz = last.line["cycles_per_second"]
    cycles = last.line["cycles"] - first.line["cycles"]
    # While another program has the core, a worker's clock goes on, but it is not the packets that take time.
    busy = [max(0, after["busy_cycles"] - before["busy_cycles"] - wait * hertz / 1e9)
            for before, after, wait in zip(first.line["workers"], workers, waited)]
    offered = received + lost
    steps = [(b.sum("transmitted") - a.sum("transmitted")) / (b.seconds - a.seconds) / 1e6
             for a, b in zip(samples, samples[1:])]
    received_bytes = last.sum("received_bytes") - first.sum("received_bytes")
    result = {
        "mpps": sent / seconds / 1e6,
        "offered_mpps": offered / seconds / 1e6,
        # A packet that is under way at the end is none that was lost.
        "loss": 100 * max(0.0, 1 - sent / offered) if offered else 0.0,
        "cycles_per_packet": sum(busy) / sent if sent else None,
        "ns_per_packet": sum(busy) / sent * 1e9 / hertz if sent else None,
        "busy": 100 * sum(busy) / max(1.0, cycles * len(workers) - sum(waited) * hertz / 1e9),
        "cpu_io_user": 100 * sum(user[i] for i in io) / seconds / len(io),
        "cpu_io_system": 100 * sum(system[i] for i in io) / seconds / len(io),
        "waited": 100 * max(waited) / 1e9 / seconds,
        "steps_mpps": steps,
        "mean_size": received_bytes / received + 4 if received else None,
        "latency_us": percentiles(first.latency(), last.latency()),
    }
    return result


class Sender:
    """A second process that sends to the router's ports while it is measured."""

    def __init__(self, command, step, options):
        self.errors = tempfile.TemporaryFile("w+", encoding="utf-8")
        self.lines = []
        self.started = threading.Event()
        command = command + ["--sample", f"{step:.4f}", "--report", "never"]
        if options.verbose:
            print(" ".join(command))
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        stderr=self.errors, text=True, start_new_session=True)
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()
        self.started.wait(options.timeout)

    def read(self):
        for text in self.process.stdout:
            line = json.loads(text)
            self.lines.append(line)
            if line["workers"] and line["workers"][0]["thread"]:
                self.started.set()
        self.started.set()  # it has ended

    def check(self):
        if self.process.poll() is not None:
            self.errors.seek(0)
            said = self.errors.read().strip()
            raise RunFailure("the sender ended" + (f": {said.splitlines()[0]}" if said else ""))

    def packets_per_second(self, first, last):
        """What it sent between two times of the time stamp counter, which all processes share."""
        within = [line for line in self.lines if first <= line["seconds"] <= last and not line.get("final")]
        if len(within) < 2:
            return 0
        sent = [sum(port["transmitted"] for port in line["ports"] if port["name"].startswith("sent"))
                for line in (within[0], within[-1])]
        return (sent[1] - sent[0]) / (within[-1]["seconds"] - within[0]["seconds"])

    def end(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.reader.join(5)
        self.process.stdout.close()
        self.errors.close()


class Runner:
    def __init__(self, options):
        self.options = options

    def run(self, command, settings, duration=None, sender=None):
        """Runs the program for a warm-up and a repeat, and returns what was measured. `sender` is the command
        of a process that sends to it meanwhile."""
        if sender is None:
            return self.run_alone(command, settings, duration)[0]
        other = Sender(sender, min(0.05, (duration or self.options.duration) / 8), self.options)
        try:
            other.check()
            result, first, last = self.run_alone(command, settings, duration)
            other.check()
        finally:
            other.end()
        offered = other.packets_per_second(first, last) / 1e6
        result["offered_mpps"] = offered
        result["loss"] = 100 * max(0.0, 1 - result["mpps"] / offered) if offered else 0.0
        return result

    def run_alone(self, command, settings, duration):
        """What was measured, and when that began and ended."""
        options = self.options
        duration = duration or options.duration
        step = min(0.25, duration / 4)
        length = options.warm_up + duration
        command = command + ["--sample", f"{step:.4f}", "--report", "never", "--run-for", f"{2 * length + 5:.3f}"]
        for setting in settings:
            command += ["--set", setting]
        if options.verbose:
            print(" ".join(command))
        with tempfile.TemporaryFile("w+", encoding="utf-8") as errors:
            # In a session of its own, so that an interrupt reaches this program first.
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors,
                                       text=True, start_new_session=True)
            killer = threading.Timer(length + options.timeout, process.kill)
            killer.start()
            try:
                samples, last = self.follow(process, duration)
                status = process.wait()
            finally:
                killer.cancel()
                if process.poll() is None:
                    process.kill()
                    process.wait()
                process.stdout.close()
            errors.seek(0)
            said = errors.read().strip()
        if options.transparent and said:
            print(said)
        if status == -signal.SIGKILL:
            raise RunFailure(f"it did not end within {length + options.timeout:g} s")
        if status != 0:
            raise RunFailure(said.split("\n")[0] if said else f"exit status {status}")
        if len(samples) < 2 or last is None:
            raise RunFailure("it ended before it was measured" + (f": {said.splitlines()[0]}" if said else ""))
        result = difference(samples[0], samples[-1], samples)
        result["fate"] = fate(last)
        return result, samples[0].seconds, samples[-1].seconds

    def follow(self, process, duration):
        """The samples of the repeat, and the last line; stops the program when it has them."""
        start, samples, last, asked = None, [], None, False
        for text in process.stdout:
            try:
                line = json.loads(text)
            except json.JSONDecodeError:
                if self.options.transparent:
                    print(text, end="")
                continue
            if line.get("final"):
                last = line
                continue
            if asked or not line["workers"] or any(worker["thread"] == 0 for worker in line["workers"]):
                continue
            start = line["seconds"] if start is None else start
            if line["seconds"] < start + self.options.warm_up:
                continue
            samples.append(Sample(line, process))
            if samples[-1].seconds >= samples[0].seconds + duration * 0.999:
                process.send_signal(signal.SIGTERM)
                asked = True
        return samples, last


def fate(last):
    """Where most packets ended, if not at a port: a sentence, or nothing."""
    received = sum(port["received"] for port in last["ports"])
    ends = [(drop["packets"], f"the drop '{drop['reason']}' of {drop['element']}") for drop in last["drops"]]
    ends += [(one["packets"], f"{one['class']} {one['element']}") for one in last["absorbed"]
             if not one["class"].startswith("To")]
    if not ends or not received:
        return None
    packets, name = max(ends)
    if sum(count for count, _ in ends) < received / 2:
        return None
    return f"{100 * packets / received:.0f} % of the packets ended in {name}"


def null_path(ports, receiving):
    """A configuration that sends at once what it receives: the generator's own cost and the ports'."""
    lines = []
    for port in receiving:
        other = ports[(ports.index(port) + 1) % len(ports)]
        lines.append(f"FromPort({port}) -> ToPort({other});")
    return " ".join(lines)
