#!/usr/bin/env python3
"""Compares Headroom with DPDK's testpmd on one core, over the same devices.

Both receive the packets of one capture file, which net_pcap keeps in memory and copies into a fresh
packet each time (infinite_rx), and send them into net_null, which frees them. testpmd forwards in
its modes io (touches no packet), macswap and csum; Headroom runs configurations. The contenders take turns,
a second each, in many rounds, because machines change speed while one measures: what counts are the
ratios to testpmd's io, of the best round of each and of the medians.

Traffic is UDP and TCP over IPv4 in frames of one size, destinations at random over the prefixes
of --routes. A configuration whose packets do not all leave is marked with its drops.
"""

import argparse
import json
import os
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(HERE)
DEFAULT_ROUTES = [f"10.{i}.0.0/16" for i in range(16)]
DEFAULT_CONFIGS = ["configs/ipv4-router-nba.click", "configs/ipv4-router.click"]
NEIGHBOUR = "02:00:00:00:00:20"
# net_pcap's first device always has the first of these.
ADDRESSES = "02:70:63:61:70:00", "02:70:63:61:70:01"
CACHE = 256  # packets in a core's cache, for both
NOISY = 0.2
CHOICE = "io", "macswap", "csum"


class Failure(Exception):
    """Something that ends the comparison, for the person who started it."""


def run(command, **kwargs):
    result = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                            timeout=120, check=False, **kwargs)
    if result.returncode != 0:
        raise Failure(f"`{shlex.join(command)}` failed:\n{result.stderr or result.stdout}")
    return result


def devices(capture):
    """The two virtual devices, by what each does."""
    return f"net_pcap0,rx_pcap={capture},infinite_rx=1", "net_null0,no-rx=1"


class Testpmd:
    """testpmd in one of its modes."""

    def __init__(self, mode, options, capture):
        self.name = f"testpmd {mode}"
        self.options = options
        # The first lcore reads commands and sleeps; the second forwards.
        self.command = [
            "stdbuf", "-oL", options.testpmd, f"--lcores=0@{options.other_core},1@{options.core}", "--no-pci",
            "--iova-mode=va", "--no-telemetry"]
        self.command += ["--in-memory"] if options.hugepages else ["--no-huge", "--no-shconf", "-m", "512"]
        for device in devices(capture):
            self.command += ["--vdev", device]
        self.command += ["--", "-i", f"--forward-mode={mode}", "--nb-cores=1", "--no-flush-rx",
                         f"--burst={options.burst}", f"--mbcache={CACHE}",
                         f"--total-num-mbufs={16384 + options.packets}"]

    def measure(self):
        """Packets per second, sent, by testpmd's own clock between two looks at its counters."""
        process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True)
        killer = threading.Timer(60 + self.options.duration, process.kill)
        killer.start()
        said = []

        def ask(command, answer):
            process.stdin.write(command + "\n")
            process.stdin.flush()
            for line in process.stdout:
                said.append(line)
                if match := re.search(answer, line):
                    return match
            raise Failure(f"`{shlex.join(self.command)}` ended:\n{''.join(said)}")

        try:
            ask("start", r"packets/burst=")
            time.sleep(self.options.warm_up)
            ask("show port stats 1", r"Tx-pps:\s+(\d+)")
            time.sleep(self.options.duration)
            return int(ask("show port stats 1", r"Tx-pps:\s+(\d+)")[1])
        except BrokenPipeError:
            raise Failure(f"`{shlex.join(self.command)}` ended:\n{process.stdout.read()}") from None
        finally:
            killer.cancel()
            try:
                process.communicate("quit\n", timeout=20)
            except (subprocess.TimeoutExpired, BrokenPipeError, ValueError):
                process.kill()
                process.wait()


class Headroom:
    """Headroom with one configuration."""

    def __init__(self, text, options, capture, directory):
        words = shlex.split(text)
        self.options = options
        self.config, arguments = words[0], words[1:]
        if not os.path.exists(self.config):
            raise Failure(f"there is no configuration '{self.config}'")
        self.name = os.path.basename(self.config)
        self.loss = ""
        number = len(os.listdir(directory))
        received, sent = devices(capture)
        receiving, others = self.ports(arguments)
        config, more = self.prepare(os.path.join(directory, f"{number}.click"), arguments,
                                    [receiving, *others])
        self.system = os.path.join(directory, f"{number}.yaml")
        with open(self.system, "w", encoding="utf-8") as file:
            ports = [f"  {receiving}: {{ vdev: '{received}' }}\n"]
            for index, port in enumerate(others):
                ports.append(f"  {port}: {{ vdev: '{sent.replace('null0', f'null{index}')}' }}\n")
            file.write(
                f"eal: {{ hugepages: '{'on' if options.hugepages else 'off'}' }}\nports:\n"
                + "".join(ports) + f"workers: {{ cores: [{options.core}], idle: poll, "
                f"io_batch_size: {options.burst} }}\npools: {{ cache: {CACHE} }}\n")
        self.sent = others
        self.command = [options.headroom, "--system", self.system, "--report", "never",
                        "--sample", f"{options.duration / 10:.4f}",
                        "--run-for", f"{1.1 * options.duration + options.warm_up:.3f}", *more, config]

    def ports(self, arguments):
        """The port that receives, and the others, of the configuration's text."""
        flatten = os.path.join(os.path.dirname(self.options.headroom), "click-flatten")
        flat = run([flatten, self.config, *arguments]).stdout
        flat = re.sub(r"//.*", "", flat)
        named = re.findall(r"\b(From|To)(?:DPDK)?(?:Port|Device)\(\s*([\w./-]+)", flat)
        if re.search(r"\bFromInput\b", flat):
            return "in", ["out"]
        receiving = [name for kind, name in named if kind == "From"]
        if not receiving:
            raise Failure(f"{self.config} receives from no port")
        others = dict.fromkeys(name for _, name in named if name != receiving[0])
        return receiving[0], list(others) or ["unused"]

    def prepare(self, path, arguments, ports):
        """What gives the configuration the routes: a file and arguments."""
        with open(self.config, encoding="utf-8") as file:
            text = file.read()
        if re.search(r"\bIPlookup\b", text):
            routes = path.replace(".click", ".routes")
            with open(routes, "w", encoding="utf-8") as file:
                file.writelines(f"{route} {NEIGHBOUR} 1\n" for route in self.options.routes)
            return self.config, ["--set", f"compat.nba.routes={routes}", *arguments]
        if not re.search(r"^routes :: \w+IPLookup", text, re.M) or "RouterPort" not in text:
            return self.config, arguments
        # The router of configs/: its second port has a gateway to all of the routes, which it knows.
        given = {word.partition("=")[0] for word in arguments}
        for name, net in (("left_net", "192.168.1.1/24"), ("right_net", "192.168.2.1/24")):
            if name not in given:
                arguments = [*arguments, f"{name}={net}"]
        gateway = "192.168.2.2"
        writes = [f"write routes.add {route} {gateway} 2" for route in self.options.routes]
        writes.append(f"write right/arp.insert {gateway} {NEIGHBOUR}")
        # These devices have no interface of Linux to take their addresses from.
        known = ", ".join(f"{port} {address}" for port, address in zip(ports, ADDRESSES))
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"{text}\n\nAddressInfo({known});\nScript(" + ",\n       ".join(writes) + ");\n")
        return path, arguments

    def measure(self):
        """Packets per second, sent, by Headroom's own clock between two looks at its counters."""
        lines = [json.loads(line) for line in run(self.command).stdout.splitlines()]
        final = lines.pop()
        running = [line for line in lines if line["workers"][0]["thread"]]
        running = [line for line in running if line["seconds"] >= running[0]["seconds"] + self.options.warm_up]
        if len(running) < 2:
            raise Failure(f"`{shlex.join(self.command)}` ended before it was measured")

        def sent(line):
            return sum(port["transmitted"] for port in line["ports"] if port["name"] in self.sent)

        created = sum(port["received"] for port in final["ports"])
        if sent(final) < 0.999 * created:
            drops = [(drop["packets"], drop["reason"], drop["element"]) for drop in final["drops"]]
            _, reason, element = max(drops, default=(0, "?", "?"))
            self.loss = (f"{100 * (1 - sent(final) / created):.1f} % of the packets did not leave, "
                         f"most of them by drop '{reason}' of {element}")
        first, last = running[0], running[-1]
        return (sent(last) - sent(first)) / (last["seconds"] - first["seconds"])


def cores():
    return sorted(os.sched_getaffinity(0))


def parse(arguments):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: compare_testpmd.py --config configs/demo.click --rounds 21")
    parser.add_argument("--config", action="append", metavar="'FILE [NAME=VALUE...]'",
                        help="a configuration; may be given several times "
                             f"({' and '.join(DEFAULT_CONFIGS)})")
    parser.add_argument("--modes", default=",".join(CHOICE), metavar="MODE,...",
                        help="what testpmd does: io is always among them (io,macswap,csum)")
    parser.add_argument("--rounds", type=int, default=9, metavar="N", help="turns of each (9)")
    parser.add_argument("--duration", type=float, default=1.0, metavar="SECONDS",
                        help="length of a turn (1)")
    parser.add_argument("--warm-up", type=float, default=0.2, metavar="SECONDS",
                        help="before a turn (0.2)")
    parser.add_argument("--size", type=int, default=64, metavar="BYTES",
                        help="frames with their FCS, as on the wire (64)")
    parser.add_argument("--packets", type=int, default=4096, metavar="N",
                        help="frames in the capture file (4096)")
    parser.add_argument("--routes", default=",".join(DEFAULT_ROUTES), metavar="PREFIX,...",
                        help="destinations, and the routes of those configurations that are given some "
                             "(10.0.0.0/16 to 10.15.0.0/16)")
    parser.add_argument("--burst", type=int, default=64, metavar="N",
                        help="packets at a time, for all contenders (64)")
    parser.add_argument("--core", type=int, default=cores()[-1], metavar="N",
                        help=f"the core that forwards ({cores()[-1]})")
    parser.add_argument("--no-hugepages", action="store_true", help="ordinary pages, for all")
    parser.add_argument("--headroom", default=os.path.join(SOURCE, "build/release/headroom"),
                        metavar="FILE", help="the program (build/release/headroom)")
    parser.add_argument("--testpmd", default="dpdk-testpmd", metavar="FILE",
                        help="Debian's package dpdk has it (dpdk-testpmd)")
    options = parser.parse_args(arguments)
    options.modes = list(dict.fromkeys(["io", *filter(None, options.modes.split(","))]))
    options.routes = [route.strip() for route in options.routes.split(",") if route.strip()]
    options.hugepages = not options.no_hugepages
    options.other_core = next((core for core in cores() if core != options.core), options.core)
    for mode in options.modes:
        if mode not in CHOICE:
            parser.error(f"--modes: '{mode}' is none of {', '.join(CHOICE)}")
    if options.rounds < 1 or options.duration <= 0:
        parser.error("--rounds and --duration must be positive")
    if options.core not in cores():
        parser.error(f"--core: this process may use {', '.join(map(str, cores()))}")
    if not os.path.exists(options.headroom):
        parser.error(f"there is no {options.headroom}: cmake --preset release && cmake --build --preset release")
    options.headroom = os.path.abspath(options.headroom)
    if shutil.which(options.testpmd) is None:
        parser.error(f"there is no {options.testpmd}: scripts/setup.sh installs it")
    return options


def compare(options, directory):
    capture = os.path.join(directory, "traffic.pcap")
    contenders = [Testpmd(mode, options, capture) for mode in options.modes]
    contenders += [Headroom(text, options, capture, directory)
                   for text in options.config or DEFAULT_CONFIGS]
    run([sys.executable, os.path.join(HERE, "make_traffic.py"), "--out", capture,
         "--packets", str(options.packets), "--size", str(options.size - 4),
         "--routes", ",".join(options.routes), "--dst-mac", ADDRESSES[0]])
    rates = {contender: [] for contender in contenders}
    try:
        for number in range(options.rounds):
            for contender in contenders:
                rates[contender].append(contender.measure())
            print(f"round {number + 1}: " + "  ".join(
                f"{contender.name} {rates[contender][-1] / 1e6:.2f}" for contender in contenders),
                file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
    if any(rates[contenders[0]]):
        show(contenders, rates, options)


def show(contenders, rates, options):
    io = rates[contenders[0]]
    width = max(len(contender.name) for contender in contenders)
    print(f"\none core, {options.size}-byte frames, {len(options.routes)} prefixes, "
          f"{len(io)} rounds of {options.duration:g} s, "
          f"{'hugepages' if options.hugepages else 'ordinary pages'}\n")
    print(f"{'':{width}}  {'Mpps':>15}  {'ratio to io':>15}\n{'':{width}}  {'best':>7} {'median':>7}"
          f"  {'best':>7} {'median':>7}")
    for contender in contenders:
        own = rates[contender]
        if not own:
            continue
        best, median = max(own), statistics.median(own)
        print(f"{contender.name:{width}}  {best / 1e6:7.2f} {median / 1e6:7.2f}"
              f"  {best / max(io):7.3f} {median / statistics.median(io):7.3f}")
    spread = (max(io) - min(io)) / statistics.median(io)
    if spread > NOISY:
        print(f"the machine was noisy: the rounds of testpmd io differ by {100 * spread:.0f} %; believe the best "
              "rounds rather than the medians, and more rounds rather than these")
    for contender in contenders:
        if getattr(contender, "loss", ""):
            print(f"{contender.name}: {contender.loss}")


def main():
    options = parse(sys.argv[1:])
    try:
        with tempfile.TemporaryDirectory(prefix="headroom-compare-") as directory:
            compare(options, directory)
    except Failure as failure:
        sys.exit(f"compare_testpmd.py: {failure}")


if __name__ == "__main__":
    main()
