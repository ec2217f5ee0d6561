#===- plots.py - plots of a report ----------------------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One function per plot, which returns a matplotlib figure, or None if the environment
has no data for it. `svg` converts a figure to text, deterministically.
"""

import io
import math
import re

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402: the backend must be selected first.

STYLE = {"svg.fonttype": "none", "svg.hashsalt": "pruner", "font.family": "sans-serif",
         "font.size": 9, "axes.spines.top": False, "axes.spines.right": False,
         "axes.grid": True, "grid.color": "#e4e4e4", "axes.axisbelow": True,
         "legend.frameon": False, "figure.constrained_layout.use": True}
BLUE, ORANGE, GREY = "#1f5fa8", "#d9711c", "#a8a8a8"
COLUMNS = 6  # Columns of small plots.
MOST_BARS = 30


def svg(figure):
    buffer = io.StringIO()
    with plt.rc_context(STYLE):
        figure.savefig(buffer, format="svg", metadata={"Date": None})
    plt.close(figure)
    text = buffer.getvalue()
    return text[text.index("<svg"):]


def _figure(width, height, rows=1, columns=1, **options):
    with plt.rc_context(STYLE):
        return plt.subplots(rows, columns, figsize=(width, height), **options)


def progress(environment):
    """The sum over tasks of the best time so far, by trials and by wall time, starting
    when every task has a time."""
    weights = {key: task.calls or 1 for key, task in environment.tasks.items()}
    best, points, end = {}, [], 0
    wanted = {key for key, task in environment.tasks.items()
              if any(trial.verified and trial.seconds for trial in task.trials)}
    for count, (task, trial) in enumerate(environment.trials(), 1):
        end = count
        if not (trial.verified and trial.seconds):
            continue
        if trial.seconds < best.get(task.key, math.inf):
            best[task.key] = trial.seconds
            if best.keys() == wanted:
                total = sum(weights[key] * seconds for key, seconds in best.items())
                points.append((count, (trial.when - environment.first).total_seconds(), total))
    if not points:
        return None
    figure, axes = _figure(9, 2.8, 1, 2, sharey=True)
    last = max(trial.when for _, trial in environment.trials())
    ends = (end, (last - environment.first).total_seconds())
    for axis, column, name in zip(axes, (0, 1), ("trials", "seconds since the first record")):
        x = [point[column] for point in points] + [ends[column]]
        y = [point[2] * 1e3 for point in points] + [points[-1][2] * 1e3]
        axis.step(x, y, where="post", color=BLUE)
        axis.set_xlabel(name)
        axis.set_ylim(bottom=0)
    axes[0].set_ylabel("sum of best times, ms")
    return figure


def progress_by_task(environment):
    """The trials of each task and the best so far, relative to the best of all."""
    tasks = [task for task in environment.tasks.values() if task.progress()]
    tasks.sort(key=lambda task: -(task.calls or 1) * task.progress()[-1][1])
    if not tasks:
        return None
    rows = math.ceil(len(tasks) / COLUMNS)
    figure, axes = _figure(10, 1.35 * rows, rows, COLUMNS, squeeze=False, sharey=True)
    for axis, task in zip(axes.flat, tasks):
        points = task.progress()
        best = points[-1][1]
        done = [(n, trial.seconds / best) for n, trial in enumerate(task.trials, 1)
                if trial.seconds]
        axis.plot(*zip(*done), ".", color=GREY, markersize=2.5)
        axis.step([x for x, _ in points], [y / best for _, y in points], where="post",
                  color=BLUE)
        failures = [n for n, trial in enumerate(task.trials, 1) if trial.status != "ok"]
        axis.plot(failures, [2.9] * len(failures), "x", color=ORANGE, markersize=3)
        axis.set_title(shorten(task.short_name, 27), fontsize=6.5)
        axis.set_ylim(0.95, 3)
        axis.tick_params(labelsize=6)
    for axis in axes.flat[len(tasks):]:
        axis.set_visible(False)
    return figure


def time_by_task(environment, network=None):
    """The time of each task per run: in the network if it was measured, and in
    isolation. `network` is the result of read_profile."""
    tasks = [task for task in environment.tasks.values() if task.best]
    tasks.sort(key=lambda task: -(task.calls or 1) * task.best)
    if not tasks:
        return None
    shown, rest = tasks[:MOST_BARS], tasks[MOST_BARS:]
    labels = [f"{shorten(task.short_name, 46)}  x{task.calls or 1:g}" for task in shown]
    inside = [(task.calls or 1) * task.best * 1e3 for task in shown]
    alone = [(task.calls or 1) * (task.final or math.nan) * 1e3 for task in shown]
    if rest:
        labels.append(f"{len(rest)} others")
        inside.append(sum((task.calls or 1) * task.best * 1e3 for task in rest))
        alone.append(math.nan)
    if network:
        labels.append("(outside of tasks)")
        inside.append(max(0, network[1]) * 1e3)
        alone.append(math.nan)
    figure, axis = _figure(9, 0.8 + 0.2 * len(labels))
    axis.barh(range(len(labels)), inside, color=BLUE, height=0.7)
    axis.plot(alone, range(len(labels)), "|", color=ORANGE, markersize=8, markeredgewidth=2,
              label="in isolation, in the same cache state")
    axis.set_yticks(range(len(labels)), labels, fontsize=7)
    axis.invert_yaxis()
    axis.set_xlabel("ms of a run of the network" if network else "ms of its calls")
    if not all(math.isnan(value) for value in alone):
        axis.legend(loc="lower right")
    return figure


def roofline(environment, machine=None):
    """Operations per second by operations per byte. `machine` is the object of a
    machine file; for CPUs its peakFlops and memoryBandwidth are those of one core."""
    tasks = [task for task in environment.tasks.values() if task.best and task.flops]
    if not tasks:
        return None
    figure, axis = _figure(9, 4)
    kinds = {}
    for task in tasks:
        kinds.setdefault(task.kind, []).append(task)
    for number, (kind, group) in enumerate(sorted(kinds.items())):
        axis.scatter([task.flops / task.bytes for task in group],
                     [task.flops / task.best * 1e-9 for task in group], s=14,
                     color=matplotlib.colormaps["tab20"](number % 20), label=kind)
    axis.set_xscale("log")
    axis.set_yscale("log")
    if machine:
        cores = environment.threads if machine["kind"] == "cpu" else 1
        peak, width = machine["peakFlops"] * cores, machine["memoryBandwidth"] * cores
        low, high = axis.get_xlim()
        ridge = peak / width
        line = sorted({low, min(max(ridge, low), high), high})
        axis.plot(line, [min(peak, width * x) * 1e-9 for x in line], color="black", lw=1)
    axis.set_xlabel("operations per byte that must be read or written")
    axis.set_ylabel("GFLOP/s")
    axis.legend(fontsize=7, ncols=1, loc="center left", bbox_to_anchor=(1, 0.5))
    return figure


def predicted(environment):
    """Predictions of the analytical model for the candidates, and measured times."""
    kinds = {}
    for task in environment.tasks.values():
        for trial in task.trials:
            if trial.seconds and trial.predicted:
                kinds.setdefault(task.kind, []).append((trial.predicted, trial.seconds))
    if not kinds:
        return None
    figure, axis = _figure(9, 4)
    for number, (kind, pairs) in enumerate(sorted(kinds.items())):
        axis.scatter([1e6 * p for p, _ in pairs], [1e6 * s for _, s in pairs], s=4, alpha=0.6,
                     color=matplotlib.colormaps["tab20"](number % 20), label=kind)
    axis.set_xscale("log")
    axis.set_yscale("log")
    axis.axline((1, 1), (10, 10), color="black", lw=0.8)
    axis.set_xlabel("predicted, us")
    axis.set_ylabel("measured, us")
    axis.legend(fontsize=7, loc="center left", bbox_to_anchor=(1, 0.5), markerscale=2)
    return figure


def failures(environment):
    """The number of failed trials for each reason."""
    reasons = {}
    for task in environment.tasks.values():
        for trial in task.failed:
            name = reason_of(trial)
            reasons[name] = reasons.get(name, 0) + 1
    if not reasons:
        return None
    order = sorted(reasons, key=lambda name: (-reasons[name], name))[:MOST_BARS]
    figure, axis = _figure(9, 0.7 + 0.24 * len(order))
    axis.barh(range(len(order)), [reasons[name] for name in order], color=ORANGE, height=0.7)
    axis.set_yticks(range(len(order)), [shorten(name, 70) for name in order], fontsize=7)
    axis.invert_yaxis()
    axis.set_xlabel("trials")
    return figure


def reason_of(trial):
    """Return the status and the first line of the reason, without its numbers."""
    lines = trial.reason.splitlines()
    reason = re.sub(r"\d+(\.\d+)?", "N", lines[0]) if lines else ""
    return f"{trial.status}: {reason}" if reason else trial.status


def shorten(text, most):
    return text if len(text) <= most else text[:most - 1] + "\u2026"
