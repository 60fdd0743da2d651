"""The machine: what it is, and the system file that measuring on it takes."""

import os
import platform
import re
import subprocess

import yaml

from . import Failure
from .options import IMIX, SOURCE

POOL = "/sys/kernel/mm/hugepages/hugepages-2048kB"
PAGES = 1024
# What holds of a port that generates traffic, too.
KEPT = "rx_queues", "rx_descriptors", "tx_descriptors", "mtu"


class Loader(yaml.SafeLoader):
    """YAML in which on, off, yes and no are words, as in the program's: `hugepages: on`."""


Loader.yaml_implicit_resolvers = {
    first: [(tag, expression) for tag, expression in resolvers if tag != "tag:yaml.org,2002:bool"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()}


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError:
        return ""


def output(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True,
                              stdin=subprocess.DEVNULL, timeout=20).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return ""


def describe(options, hugepages):
    """What a result must carry to be compared with another."""
    model = re.search(r"^model name\s*:\s*(.*)$", read("/proc/cpuinfo"), re.M)
    commit = output("git", "-C", SOURCE, "rev-parse", "HEAD")
    if commit and output("git", "-C", SOURCE, "status", "--porcelain", "--untracked-files=no"):
        commit += " with changes"
    return {
        "cpu": model[1] if model else platform.machine(),
        "cores": len(os.sched_getaffinity(0)),
        "kernel": platform.release(),
        "dpdk": output("pkg-config", "--modversion", "libdpdk") or "unknown",
        "headroom": output(options.headroom, "--version"),
        "commit": commit or "unknown",
        "hugepages": hugepages,
        "system": {"file": options.system, "text": read(options.system)},
        "router": {"file": options.config, "text": read(options.config), "variables": options.names},
    }


def make_hugepages():
    """How many pages of 2 MB there are, after an attempt to have some."""
    def count():
        return int(read(f"{POOL}/nr_hugepages") or 0)

    if count() == 0 and os.geteuid() == 0:
        try:
            with open(f"{POOL}/nr_hugepages", "w", encoding="ascii") as file:
                file.write(str(PAGES))
        except OSError:
            pass
    if count() and os.geteuid() == 0 and " hugetlbfs " not in read("/proc/mounts"):
        os.makedirs("/dev/hugepages", exist_ok=True)
        output("mount", "-t", "hugetlbfs", "hugetlbfs", "/dev/hugepages")
    return count()


class System:
    """A system file, and those derived from it: its ports generate traffic."""

    def __init__(self, options, note):
        self.options = options
        self.note = note
        try:
            with open(options.system, encoding="utf-8") as file:
                self.text = yaml.load(file, Loader) or {}
        except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
            raise Failure(f"cannot read {options.system}: {error}")
        if not isinstance(self.text, dict):
            raise Failure(f"{options.system}: it should be a map of sections")
        ports = self.text.get("ports") or {}
        if not isinstance(ports, dict) or not ports:
            raise Failure(f"{options.system}: it describes no ports")
        self.bodies = {str(name): body for name, body in ports.items()}
        for name, body in self.bodies.items():
            if not isinstance(body, dict):
                raise Failure(f"{options.system}: port '{name}' should be a map")
        self.ports = list(self.bodies)
        self.hugepages = self.set_hugepages()

    def set_hugepages(self):
        eal = self.text.get("eal") or {}
        wanted = eal.get("hugepages", "auto") if isinstance(eal, dict) else "auto"
        if wanted == "off":
            return "off, as the system file says"
        pages = make_hugepages()
        free = int(read(f"{POOL}/free_hugepages") or 0)
        if free:
            return f"{pages} pages of 2 MB, {free} of them free"
        if isinstance(eal, dict) and wanted == "on" and self.options.generator == "internal":
            self.text["eal"] = {**eal, "hugepages": "off"}
            self.note("the system file wants hugepages, and none are free or could be made (that takes root "
                      "and memory): ordinary pages are used, which is slower")
        return "none free: ordinary pages"

    def workers(self, count):
        """The workers section, on cores that exist."""
        section = dict(self.text.get("workers") or {})
        allowed = sorted(os.sched_getaffinity(0))
        cores = section.get("cores")
        if count is not None:
            section.pop("cores", None)
            cores, section["count"] = None, count
        wanted = len(cores) if isinstance(cores, list) else section.get("count", 1)
        if isinstance(wanted, int) and wanted > len(allowed):
            raise Failure(f"{wanted} workers need as many cores, and this machine has {len(allowed)}: give --workers "
                          f"{len(allowed)}" + (" (a pipeline needs at least two)" if "shape" in section else ""))
        if isinstance(cores, list) and not set(cores) <= set(allowed):
            # Those that exist stay; the others come from the end, because core 0 has most other work.
            spare = [core for core in reversed(allowed) if core not in cores]
            mapped = [core if core in allowed else spare.pop(0) for core in cores]
            self.note(f"workers.cores {cores} are mapped to {mapped}, because this machine has cores "
                      f"{', '.join(map(str, allowed))}")
            section["cores"] = mapped
        return section

    def write_sender(self, path, size, rate, destinations, addresses):
        """The system file of the process that sends to the router's ports, and its configuration."""
        options = self.options
        names = [port for port, _ in options.facing]
        used = self.text.get("workers") or {}
        allowed = sorted(os.sched_getaffinity(0))
        taken = used.get("cores") if isinstance(used.get("cores"), list) else allowed[:int(used.get("count", 1))]
        free = [core for core in allowed if core not in taken]
        if not free:
            self.note("the router's workers have all cores, so the sender shares one with them")
        ports, lines = {}, []
        for number, (port, device) in enumerate(options.facing):
            traffic = self.traffic(size, destinations.get(port), rate / len(names) if rate else 0)
            ports[f"made{number}"] = {"traffic": traffic | {"to": addresses[port]}}
            kind = "vdev" if device.startswith("net_") else "pci" if re.fullmatch(r"[\da-fA-F:]+\.\d", device) else \
                "interface"
            ports[f"sent{number}"] = {kind: device}
            lines.append(f"FromPort(made{number}) -> ToPort(sent{number}); FromPort(sent{number}) -> Discard;")
        derived = {"ports": ports, "workers": {"cores": [(free or allowed)[-1]], "idle": "poll"}}
        if self.text.get("eal"):
            derived["eal"] = self.text["eal"]
        with open(path, "w", encoding="utf-8") as file:
            yaml.safe_dump(derived, file, sort_keys=False)
        return [options.headroom, "--system", path, "-e", " ".join(lines)]

    def traffic(self, size, destinations, rate):
        options = self.options
        traffic = {"kind": options.kind, "flows": options.flows, "seed": options.seed}
        if options.kind == "pcap":
            traffic["file"] = os.path.abspath(options.file)
        elif size == IMIX:
            traffic["imix"] = True
        else:
            traffic["size"] = size
        if destinations:
            traffic["destinations"] = destinations
        if rate:
            traffic["rate"] = max(1, round(rate))
        if options.latency:
            traffic["latency"] = True
        return traffic

    def write(self, path, count=None, size=64, rate=0, destinations=None, routes=None):
        """Writes the derived system file; `rate` is that of all ports together."""
        derived = {key: value for key, value in self.text.items() if key != "ports"}
        derived["workers"] = self.workers(count)
        if routes:
            derived["compat"] = {"nba": {"routes": routes}}
        derived["ports"] = {}
        receiving = [port for port in self.ports if destinations is None or port in destinations]
        for port in self.ports:
            body = self.bodies.get(port) or {}
            own = body.get("traffic") or {}
            made = self.traffic(size, (destinations or {}).get(port), rate / len(receiving))
            kept = {key: value for key, value in body.items() if key in KEPT}
            derived["ports"][port] = kept | {
                "traffic": {key: value for key, value in own.items() if key in ("to", "fill")} | made}
        with open(path, "w", encoding="utf-8") as file:
            yaml.safe_dump(derived, file, sort_keys=False)
        return path
