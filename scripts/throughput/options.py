"""The command line of run_throughput.py."""

import argparse
import os
import re

from . import Failure

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HEADERS = {"ipv4": 64, "ipv6": 66, "mixed": 66}  # shortest frames with FCS
STAMPED = {"ipv4": 64, "ipv6": 82, "mixed": 82}  # that have room for a time stamp
LONGEST = 65_535
IMIX = "imix"
IMIX_MEAN = (7 * 64 + 4 * 594 + 1518) / 12

DESCRIPTION = """\
Measures how many packets a router forwards, on this machine alone: its ports are replaced by ports that
generate traffic. A row for each combination of packet size, batch sizes and what else is swept.

A size is that of a frame with its FCS, as on the wire: 64 is the shortest, and 60 bytes in memory. Mpps
are packets that left. Gbps count 20 bytes more for each of them, preamble and gap (--gbps=l2: only the
frame), so that 64-byte frames fill 10 Gbit/s at 14.88 Mpps."""

EPILOG = """\
columns: cpu-io-usr and cpu-io-sys are the processor time of the workers that receive and transmit, in per
cent of a core, always near 100 when workers poll; the co-processor columns are `-`, because there is none. loss%
is the share of the packets that did not leave. cycles/pkt and ns/pkt are what a packet takes of a worker's
time, counted while it has work; busy% is that time's share. min and max are the Mpps of the slowest and
the fastest repeat; other numbers are medians.

The older spellings --pkt-sizes, --io-batch-sizes, --comp-batch-sizes, --coproc-ppdepths, --emulate-io,
--pktgen, --transparent and --timeout mean what they meant.

example: run_throughput.py -p 64,128,256,512,1024,1500 configs/system/rss.yaml configs/ipv4-router.click"""


def integers(low, high):
    def convert(text):
        values = []
        for word in filter(None, (word.strip() for word in text.split(","))):
            try:
                value = int(word)
            except ValueError:
                raise argparse.ArgumentTypeError(f"'{word}' is no integer")
            if not low <= value <= high:
                raise argparse.ArgumentTypeError(f"{value} is not from {low} to {high}")
            values.append(value)
        if not values:
            raise argparse.ArgumentTypeError("at least one number is needed")
        return values

    return convert


def sizes(text):
    return [IMIX if word.strip() == IMIX else integers(1, LONGEST)(word)[0]
            for word in text.split(",") if word.strip()] or integers(1, LONGEST)("")


def positive(text):
    try:
        value = float(text)
    except ValueError:
        value = 0
    if not 0 < value < 1e6:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number above 0")
    return value


def not_negative(text):
    return 0.0 if text.strip() in ("0", "0.0") else positive(text)


def one(low, high):
    convert = integers(low, high)
    return lambda text: convert(text.replace(",", " "))[0]


def load(text):
    """Packets a second (with k, M or G), or a share of the greatest rate as per cent."""
    match = re.fullmatch(r"([\d.]+)([%kMG]?)", text.strip())
    try:
        number = float(match[1]) if match else 0
    except ValueError:
        number = 0
    if number <= 0 or (match[2] == "%" and number > 100):
        raise argparse.ArgumentTypeError(f"'{text}' is no load such as 50% or 1.5M")
    if match[2] == "%":
        return ("share", number / 100)
    return ("rate", number * {"": 1, "k": 1e3, "M": 1e6, "G": 1e9}[match[2]])


def sweep(text):
    key, equals, values = text.partition("=")
    if not equals or "." not in key or not values:
        raise argparse.ArgumentTypeError(f"'{text}' is no KEY=VALUE,... such as workers.idle=poll,adaptive")
    return key, values.split(",")


def facing(text):
    port, equals, device = text.partition("=")
    if not port or not equals or not device:
        raise argparse.ArgumentTypeError(f"'{text}' is no PORT=DEVICE such as left=eth3")
    return port, device


def build_parser():
    parser = argparse.ArgumentParser(
        prog="run_throughput.py", description=DESCRIPTION, epilog=EPILOG, allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("system", metavar="SYSTEM.yaml", help="the machine: ports, workers, memory")
    parser.add_argument("config", metavar="ROUTER.click", help="the router")
    parser.add_argument("variables", nargs="*", metavar="NAME=VALUE", help="variables of the router")

    group = parser.add_argument_group("what is swept")
    group.add_argument("-p", "--pkt-sizes", "--pkt-size", type=sizes, default=None, metavar="N,...",
                       help="frames with FCS, or imix: 64, 594 and 1518 as 7:4:1 (64,128,256,512,1024,1500)")
    group.add_argument("--io-batch-size", "--io-batch-sizes", type=integers(1, 256), default=None,
                       metavar="N,...", help="packets that a port hands on at once (the system file's)")
    group.add_argument("--comp-batch-size", "--comp-batch-sizes", type=integers(1, 256), default=None,
                       metavar="N,...", help="packets that workers take from each other at once")
    group.add_argument("--coproc-ppdepths", "--coproc-ppdepth", type=integers(1, 4096), default=None,
                       metavar="N,...", help="accepted and without effect: there is no co-processor")
    group.add_argument("--workers", type=integers(1, 128), default=None, metavar="N,...",
                       help="how many workers (the system file's)")
    group.add_argument("--sweep", type=sweep, action="append", default=[], metavar="KEY=A,B,...",
                       help="any key of the system file, such as workers.idle=poll,adaptive")

    group = parser.add_argument_group("traffic")
    group.add_argument("--traffic", default="ipv4", metavar="KIND",
                       help="ipv4, ipv6, mixed or pcap:FILE (ipv4)")
    group.add_argument("--flows", type=one(1, 1 << 24), default=4096, metavar="N",
                       help="flows at each port (4096)")
    group.add_argument("--destinations", default="routes", metavar="WHAT",
                       help="routes: uniform over those of the router that lead to another port; space: over "
                            "all addresses; or PREFIX,... (routes)")
    group.add_argument("--seed", type=one(0, 2**32 - 1), default=1, metavar="N",
                       help="another seed gives other destinations (1)")
    group.add_argument("--generator", choices=("internal", "port", "external"), default="internal",
                       help="internal: the ports generate traffic; port: the ports are those of the system file, and a "
                            "second process sends to them by the devices of --facing; external: something else "
                            "sends to them (internal)")
    group.add_argument("--facing", type=facing, action="append", default=[], metavar="PORT=DEVICE",
                       help="for --generator port: what is connected to a port of the router, as an interface, a "
                            "PCI address or a virtual device of DPDK; several times for several ports")
    group.add_argument("--load", type=load, default=None, metavar="RATE",
                       help="packets a second in all, such as 2.5M, or a share of the greatest rate, such as 50%%")
    group.add_argument("--latency", action="store_true",
                       help="time packets, at a load of 50%% unless --load says another")
    group.add_argument("--find-rate", action="store_true",
                       help="search the highest rate at which no more than --max-loss is lost (RFC 2544)")
    group.add_argument("--max-loss", type=not_negative, default=0.0, metavar="PERCENT", help="for --find-rate (0)")

    group = parser.add_argument_group("how it is measured")
    group.add_argument("--repeat", type=one(1, 1000), default=5, metavar="N", help="repeats of each row (5)")
    group.add_argument("--duration", type=positive, default=1.0, metavar="SECONDS",
                       help="of each repeat (1)")
    group.add_argument("--warm-up", type=not_negative, default=0.3, metavar="SECONDS",
                       help="before each repeat (0.3)")
    group.add_argument("--timeout", type=positive, default=60.0, metavar="SECONDS",
                       help="a repeat that takes so much longer than it should has failed (60)")
    group.add_argument("--compat", choices=("click", "nba"), default=None, help="passed on")
    group.add_argument("--headroom", default=os.path.join(SOURCE, "build/release/headroom"), metavar="FILE",
                       help="the program (build/release/headroom)")

    group = parser.add_argument_group("what is shown")
    group.add_argument("--gbps", choices=("l1", "l2"), default="l1",
                       help="l1 counts preamble and gap, l2 does not (l1)")
    group.add_argument("--csv", metavar="FILE", help="the table as CSV; - is standard output")
    group.add_argument("--json", metavar="FILE", help="all that was measured, with the machine and both files")
    group.add_argument("--plot", metavar="FILE.png", help="Mpps and Gbps over the packet size")
    group.add_argument("--compare", metavar="OLD.json", help="ratios to what was measured before")
    group.add_argument("-t", "--transparent", action="store_true", help="show what the program prints")
    group.add_argument("-v", "--verbose", action="store_true", help="show how the program is called")

    parser.add_argument("--emulate-io", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--pktgen", nargs="+", metavar="HOST:PORT", help=argparse.SUPPRESS)
    return parser


def parse(arguments):
    parser = build_parser()
    options = parser.parse_intermixed_args(arguments)
    options.names = {}
    for word in options.variables:
        name, equals, value = word.partition("=")
        if not equals or not re.fullmatch(r"\w+", name):
            parser.error(f"'{word}' is no NAME=VALUE")
        options.names[name] = value
    if options.pktgen:
        if options.emulate_io:
            parser.error("--emulate-io and --pktgen contradict each other")
        options.generator = "external"
    check(options)
    return options


def check(options):
    """What can be known to be wrong before anything runs."""
    for path, what in ((options.system, "system file"), (options.config, "router configuration")):
        if not os.path.isfile(path):
            raise Failure(f"there is no {what} '{path}'")
    if not os.access(options.headroom, os.X_OK):
        raise Failure(f"there is no program {options.headroom}: "
                      "`cmake --preset release && cmake --build --preset release` makes it")
    options.headroom = os.path.abspath(options.headroom)
    kind, _, file = options.traffic.partition(":")
    if kind in ("esp", "proxy"):
        raise Failure(f"--traffic: {kind} is not there yet; ipv4, ipv6, mixed and pcap:FILE are")
    if kind not in ("ipv4", "ipv6", "mixed", "pcap") or (file and kind != "pcap"):
        raise Failure(f"--traffic: '{options.traffic}' is none of ipv4, ipv6, mixed and pcap:FILE")
    options.kind, options.file = kind, file
    if kind == "pcap":
        if not os.path.isfile(file):
            raise Failure(f"--traffic: there is no capture file '{file}'")
        if options.pkt_sizes:
            raise Failure("-p: the sizes are those of the capture file")
        if options.latency:
            raise Failure("--latency: frames of a capture file carry no time stamps")
        options.pkt_sizes = ["pcap"]
    else:
        options.pkt_sizes = options.pkt_sizes or [64, 128, 256, 512, 1024, 1500]
        least = (STAMPED if options.latency else HEADERS)[kind]
        for size in options.pkt_sizes:
            if (64 if size == IMIX else size) < least:
                raise Failure(f"-p: {size} is too small: the headers{' and a time stamp' if options.latency else ''} "
                              f"of {kind} traffic make frames of {least} bytes, with the FCS")
    if options.generator == "external":
        for given, name in ((options.load, "--load"), (options.find_rate, "--find-rate"),
                            (options.latency, "--latency")):
            if given:
                raise Failure(f"{name} needs a generator that is paced here, which an external one is not")
    if options.generator == "port":
        if not options.facing:
            raise Failure("--generator port needs --facing PORT=DEVICE: what is connected to the router's ports")
        if options.latency:
            raise Failure("--latency is measured by ports that generate traffic: leave --generator out")
    elif options.facing:
        raise Failure("--facing is for --generator port")
    if options.find_rate and (options.load or options.latency):
        raise Failure("--find-rate sets the load itself; leave --load and --latency out")
    if options.latency and not options.load:
        options.load = ("share", 0.5)
    for path, name in ((options.csv, "--csv"), (options.json, "--json"), (options.plot, "--plot")):
        directory = os.path.dirname(os.path.abspath(path)) if path and path != "-" else "."
        if not os.path.isdir(directory):
            raise Failure(f"{name}: there is no directory '{directory}'")
    if options.compare and not os.path.isfile(options.compare):
        raise Failure(f"--compare: there is no '{options.compare}'")
