"""Mpps and Gbps over the packet size, with the spread of the repeats."""

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as pyplot  # noqa: E402  (the backend must be chosen first)


def plot(path, rows, options, machine):
    lines = {}
    for row in rows:
        if row.repeats and not row.failure:
            name = ", ".join([f"batches of {row.io}", *(f"{key} {value}" for key, value in row.swept)])
            lines.setdefault(name, []).append(row)
    figure, axes = pyplot.subplots(1, 2, figsize=(11, 4.5))
    labels = list(dict.fromkeys(str(row.size) for row in rows))
    for title, axis in zip(("Mpps", "Gbps"), axes):
        for name, points in lines.items():
            def scale(row, rate):
                return rate if title == "Mpps" else row.gbps(options.gbps, rate)

            middle = [scale(row, row.value("mpps")) for row in points]
            low = [value - scale(row, row.range()[0]) for row, value in zip(points, middle)]
            high = [scale(row, row.range()[1]) - value for row, value in zip(points, middle)]
            axis.errorbar([labels.index(str(row.size)) for row in points], middle, yerr=[low, high], marker="o",
                          capsize=4, linewidth=1.5, markersize=4, label=name)
        axis.set_xticks(range(len(labels)), labels)
        axis.set_xlabel("frame with FCS (bytes)")
        axis.set_ylabel(title if title == "Mpps" or options.gbps == "l2" else "Gbps, with preamble and gap")
        axis.set_ylim(bottom=0)
        axis.grid(alpha=0.3)
    if len(lines) > 1:
        axes[0].legend(fontsize="small")
    router = machine["router"]["file"].rsplit("/", 1)[-1]
    figure.suptitle(f"{router}: median, slowest and fastest of {options.repeat} repeats\n"
                    f"{machine['cpu']}, {machine['commit'][:12]}", fontsize="medium")
    figure.tight_layout()
    figure.savefig(path, dpi=120)
