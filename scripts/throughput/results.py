"""Rows: medians of their repeats, and how they are shown."""

import csv
import io
import json
import statistics
import sys

from .options import IMIX, IMIX_MEAN

OVERHEAD = 20       # preamble and inter-frame gap (IEEE 802.3)
WIDE_SPREAD = 10    # per cent between the slowest and the fastest repeat, beside the median
LONG_WAIT = 3       # per cent of the time that a worker waited for its core

CLASSIC = ["io-batch-size", "comp-batch-size", "coproc-ppdepth", "pkt-size", "Mpps", "Gbps", "cpu-io-usr",
           "cpu-io-sys", "cpu-coproc-usr", "cpu-coproc-sys"]
MORE = ["loss%", "cycles/pkt", "busy%", "ns/pkt", "min", "max"]
LATENCY = ["p50-us", "p99-us", "p99.9-us", "max-us"]


def median(values):
    values = [value for value in values if value is not None]
    return statistics.median(values) if values else None


class Row:
    def __init__(self, size, io, comp, workers, settings, swept, distinct=()):
        self.size, self.io, self.comp, self.workers = size, io, comp, workers
        self.settings = settings  # for --set
        self.swept = swept        # pairs of key and value, for the table
        self.distinct = distinct  # what tells it from rows of the same size, besides
        self.repeats = []
        self.alone = []           # of the generator, cycles and Mpps
        self.failure = None
        self.rate = None          # packets a second that were asked for

    def key(self):
        return [self.size, self.io, self.comp, *map(list, self.swept)]

    def label(self):
        size = self.size if self.size in (IMIX, "pcap") else f"{self.size} bytes"
        return ", ".join([size, *self.distinct, *(f"{key} {value}" for key, value in self.swept)])

    def value(self, name):
        return median([repeat[name] for repeat in self.repeats])

    def mean_size(self):
        if self.size == IMIX:
            return IMIX_MEAN
        return self.value("mean_size") or 0 if self.size == "pcap" else self.size

    def gbps(self, layer, mpps=None):
        mpps = self.value("mpps") if mpps is None else mpps
        return mpps * (self.mean_size() + (OVERHEAD if layer == "l1" else 0)) * 8 / 1000

    def range(self):
        rates = [repeat["mpps"] for repeat in self.repeats]
        return min(rates), max(rates)

    def spread(self):
        low, high = self.range()
        return 100 * (high - low) / self.value("mpps") if self.value("mpps") else 0.0

    def latency(self, name):
        return median([(repeat["latency_us"] or {}).get(name) for repeat in self.repeats])

    def notes(self):
        if self.failure:
            return [f"failed: {self.failure}"]
        notes = sorted({repeat["fate"] for repeat in self.repeats if repeat["fate"]})
        if any(repeat["mpps"] == 0 for repeat in self.repeats):
            notes.append("no packet left")
        waited = max(repeat["waited"] for repeat in self.repeats)
        spread = self.spread()
        if spread > WIDE_SPREAD:
            notes.append(f"too noisy to believe: repeats differ by {spread:.0f} %")
        if waited > LONG_WAIT:
            notes.append(f"too noisy to believe: other programs had a worker's core for {waited:.0f} % of a repeat")
        return notes


def number(value, digits=2):
    return "-" if value is None else f"{value:.{digits}f}"


def cells(row, options):
    sizes = [str(row.io), str(row.comp), "-", str(row.size)]
    swept = [str(value) for _, value in row.swept]
    if row.failure or not row.repeats:
        blank = len(CLASSIC) - 4 + len(MORE) + (len(LATENCY) if options.latency else 0)
        return sizes + ["failed" if row.failure else "-"] + ["-"] * (blank - 1) + swept
    low, high = row.range()
    result = sizes + [
        number(row.value("mpps")), number(row.gbps(options.gbps)), number(row.value("cpu_io_user"), 1),
        number(row.value("cpu_io_system"), 1), "-", "-", number(row.value("loss")),
        number(row.value("cycles_per_packet"), 1), number(row.value("busy"), 1),
        number(row.value("ns_per_packet"), 1), number(low), number(high)]
    if options.latency:
        result += [number(row.latency(name)) for name in ("p50", "p99", "p99.9", "max")]
    return result + swept


def header(rows, options):
    return CLASSIC + MORE + (LATENCY if options.latency else []) + [key for key, _ in rows[0].swept]


def table(rows, options):
    lines = [header(rows, options)] + [cells(row, options) for row in rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(line, widths)) for line in lines)


def below_table(rows):
    """The generator's own cost, the loads, and what is wrong."""
    lines, seen = [], set()
    for row in rows:
        alone = [one for one in row.alone if one["cycles_per_packet"]]
        if alone:
            cost = min(one["cycles_per_packet"] for one in alone)
            best = max(one["mpps"] for one in alone)
            lines.append(f"generator alone: {cost:.1f} cycles/packet, {best:.2f} Mpps ({row.label()})")
    for row in rows:
        if row.rate:
            lines.append(f"{row.label()}: load of {row.rate / 1e6:.3f} Mpps in all")
    for row in rows:
        for note in row.notes() if row.failure or row.repeats else []:
            line = f"{row.label()}: {note}"
            if line not in seen:
                seen.add(line)
                lines.append(line)
    return lines


def write_csv(rows, options):
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header(rows, options))
    writer.writerows(cells(row, options) for row in rows)
    if options.csv == "-":
        sys.stdout.write(text.getvalue())
    else:
        with open(options.csv, "w", encoding="utf-8") as file:
            file.write(text.getvalue())


def as_json(rows, options, machine, notes):
    def of(row):
        result = {"pkt_size": row.size, "io_batch_size": row.io, "comp_batch_size": row.comp,
                  "workers": row.workers, "swept": dict(row.swept), "failure": row.failure,
                  "load_pps": row.rate, "repeats": row.repeats, "generator_alone": row.alone,
                  "notes": row.notes() if row.failure or row.repeats else []}
        if row.repeats and not row.failure:
            low, high = row.range()
            result |= {name: row.value(name) for name in
                       ("mpps", "loss", "cycles_per_packet", "ns_per_packet", "busy", "cpu_io_user",
                        "cpu_io_system")}
            result |= {"gbps": row.gbps(options.gbps), "min_mpps": low, "max_mpps": high}
            if options.latency:
                result["latency_us"] = {name: row.latency(name) for name in ("p50", "p99", "p99.9", "max")}
        return result

    shown = {key: value for key, value in vars(options).items() if key not in ("variables", "sweep")}
    return {"machine": machine, "options": shown | {"sweep": options.sweep}, "notes": notes,
            "rows": [of(row) for row in rows]}


def compare(rows, options):
    """Ratios of the medians to those of an older result, row by row."""
    with open(options.compare, encoding="utf-8") as file:
        old = json.load(file)
    before = {}
    for one in old["rows"]:
        if one.get("mpps"):
            key = [one["pkt_size"], one["io_batch_size"], one["comp_batch_size"], *map(list, one["swept"].items())]
            before[json.dumps(key)] = one
    lines = [f"beside {options.compare} (commit {old['machine'].get('commit', '?')[:12]}):"]
    for row in rows:
        if row.failure or not row.repeats:
            continue
        one = before.get(json.dumps(row.key()))
        if one is None:
            lines.append(f"  {row.label()}: not in there")
            continue
        lines.append(f"  {row.label()}: {row.value('mpps'):.2f} / {one['mpps']:.2f} Mpps = "
                     f"{row.value('mpps') / one['mpps']:.3f}")
    return lines
