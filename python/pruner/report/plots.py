#===- plots.py - plots of a report ----------------------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One function per plot, which returns a matplotlib figure, or None if the environment
has no data for it. `svg` converts a figure to text, deterministically, with the tips of
its points and bars as titles, which browsers show.
"""

import io
import math
import re
from html import escape

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402: the backend must be selected first.

STYLE = {"svg.fonttype": "none", "svg.hashsalt": "pruner", "font.family": "sans-serif",
         "font.size": 9, "axes.spines.top": False, "axes.spines.right": False,
         "axes.grid": True, "grid.color": "#e4e4e4", "axes.axisbelow": True,
         "legend.frameon": False, "figure.constrained_layout.use": True}
BLUE, ORANGE, GREY = "#1f5fa8", "#d9711c", "#888888"
COLUMNS = 6  # Columns of small plots, at most.
PEERS = ("#2a7f62", "#8a4f9e", "#c0504d", "#b08900")
MOST_BARS = 30
MOST_SHOWN = 3  # Times relative to the best.


def _tips(figure, artist, texts):
    """Give the points or the bar of an artist their texts."""
    if texts:
        every = figure.__dict__.setdefault("pruner_tips", [])
        artist.set_gid(f"tips-{len(every)}")
        every.append(texts)


def _titled(text, number, tips):
    """Return the SVG with titles in the points of a group; in the group if it is a bar."""
    start = text.index(f'<g id="tips-{number}">')
    start = text.index(">", start) + 1
    if isinstance(tips, str):
        return f"{text[:start]}<title>{escape(tips)}</title>{text[start:]}"
    parts, place = [text[:start]], start
    for tip in tips:
        end = text.index("/>", text.index("<use", place))
        parts += [text[place:end], f"><title>{escape(tip)}</title></use>"]
        place = end + 2
    return "".join([*parts, text[place:]])


def svg(figure):
    buffer = io.StringIO()
    with plt.rc_context(STYLE):
        figure.savefig(buffer, format="svg", metadata={"Date": None}, transparent=True)
    plt.close(figure)
    text = buffer.getvalue()
    for number, tips in enumerate(getattr(figure, "pruner_tips", [])):
        text = _titled(text, number, tips)
    return text[text.index("<svg"):]


def seconds(value):
    """Return a time with three digits and a unit."""
    if value is None:
        return "-"
    for unit, scale in (("s", 1), ("ms", 1e-3), ("us", 1e-6), ("ns", 1e-9)):
        if value >= scale:
            break
    number = value / scale
    return f"{number:.{2 if number < 9.995 else 1 if number < 99.95 else 0}f} {unit}"


def _trial_tip(task, number, trial, best=None):
    result = (f"{trial.status}: {shorten(trial.reason, 120)}" if trial.status != "ok" else
              seconds(trial.seconds) + (f", {trial.seconds / best:.2f} of the best" if best else ""))
    return f"{task.short_name}, trial {number}: {result}\n{shorten(trial.schedule, 300)}"


def _log_axes(axis):
    """Logarithmic axes with plain numbers."""
    for each in (axis.xaxis, axis.yaxis):
        low, high = each.get_view_interval()
        each.axes.set(**{"xscale" if each is axis.xaxis else "yscale": "log"})
        decades = math.log10(max(high, 1e-300) / max(low, 1e-300)) if low > 0 else 9
        subs = (1, 2, 5) if decades < 3 else (1,)
        each.set_major_locator(matplotlib.ticker.LogLocator(subs=subs, numticks=12))
        each.set_major_formatter("{x:g}")
        each.set_minor_formatter(matplotlib.ticker.NullFormatter())


def _figure(width, height, rows=1, columns=1, **options):
    with plt.rc_context(STYLE):
        return plt.subplots(rows, columns, figsize=(width, height), **options)


def progress(environment, peers=None):
    """The sum over tasks of the best time so far, by trials and by wall time, starting
    when every task has a time; the untuned tasks and runs of peers as baselines."""
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
        marks, = axis.plot(x[:-1], y[:-1], ".", color=BLUE, markersize=4)
        _tips(figure, marks, [f"trial {count}, {after:.0f} s: {seconds(total)}"
                              for count, after, total in points])
        axis.set_xlabel(name)
        baselines(axis, environment, weights, wanted, y, peers)
        axis.set_ylim(bottom=0)
    axes[0].set_ylabel("sum of best times, ms")
    if axes[1].get_legend_handles_labels()[1]:
        axes[1].legend(fontsize=7, frameon=False)
    return figure


def baselines(axis, environment, weights, wanted, drawn, peers):
    """Lines for the untuned tasks and for peers. A line far above the others would flatten
    them, so it is only named."""
    tasks = [environment.tasks[key] for key in sorted(wanted)]
    found = {}
    if tasks and all(task.default for task in tasks):
        found["untuned"] = sum(weights[task.key] * task.default for task in tasks)
    found.update(peers or {})
    for (name, value), color in zip(found.items(), ("black", *PEERS * len(found))):
        label = f"{name}, {seconds(value)}"
        if value * 1e3 > 3 * max(drawn):
            axis.plot([], [], " ", label=label + " (above)")
        else:
            axis.axhline(value * 1e3, color=color, lw=1, ls="--", label=label)


def progress_by_task(environment):
    """The trials of each task and the best so far, relative to the best of all."""
    tasks = [task for task in environment.tasks.values() if task.progress()]
    tasks.sort(key=lambda task: -(task.calls or 1) * task.progress()[-1][1])
    if not tasks:
        return None
    columns = min(COLUMNS, max(3, len(tasks)))
    rows = math.ceil(len(tasks) / columns)
    figure, axes = _figure(10, max(1.35, 6 / columns) * rows, rows, columns, squeeze=False,
                           sharey=True)
    for axis, task in zip(axes.flat, tasks):
        points = task.progress()
        best = points[-1][1]
        done = [(n, trial) for n, trial in enumerate(task.trials, 1)
                if trial.seconds and trial.seconds <= MOST_SHOWN * best]
        marks, = axis.plot([n for n, _ in done], [trial.seconds / best for _, trial in done], ".",
                           color=GREY, markersize=4)
        _tips(figure, marks, [_trial_tip(task, n, trial, best) for n, trial in done])
        if task.default:
            axis.axhline(task.default / best, color="black", lw=0.8, ls="--")
        axis.step([x for x, _ in points], [y / best for _, y in points], where="post",
                  color=BLUE)
        failures = [(n, trial) for n, trial in enumerate(task.trials, 1) if trial.status != "ok"]
        marks, = axis.plot([n for n, _ in failures], [MOST_SHOWN - 0.1] * len(failures), "x",
                           color=ORANGE, markersize=3)
        _tips(figure, marks, [_trial_tip(task, n, trial) for n, trial in failures])
        axis.set_title(shorten(task.short_name, 27), fontsize=6.5)
        axis.set_ylim(0.95, MOST_SHOWN)
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
    bars = axis.barh(range(len(labels)), inside, color=BLUE, height=0.7)
    for bar, task in zip(bars, shown):
        _tips(figure, bar, f"{task.short_name}: {seconds(task.best)} a call, "
              f"untuned {seconds(task.default)}, {len(task.trials)} trials")
    axis.plot(alone, range(len(labels)), "|", color=ORANGE, markersize=8, markeredgewidth=2,
              label="in isolation, in the same cache state")
    untuned = [(task.calls or 1) * (task.default or math.nan) * 1e3 for task in shown]
    limit = 1.3 * max(filter(math.isfinite, inside + alone))
    near = [(value, n) for n, value in enumerate(untuned) if value <= limit]
    if near:
        axis.plot(*zip(*near), "|", color="black", markersize=8, label="untuned")
    axis.set_xlim(0, limit)
    for n, value in enumerate(untuned):
        if value > limit:
            axis.text(limit, n, f"untuned {seconds(value * 1e-3)} \u2192", fontsize=6, ha="right",
                      va="center")
    axis.set_yticks(range(len(labels)), labels, fontsize=7)
    axis.set_ylim(len(labels) - 0.4, -0.6)
    axis.set_xlabel("ms of a run of the network" if network else "ms of its calls")
    if not all(math.isnan(value) for value in alone):
        axis.legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=2, fontsize=7, frameon=False)
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
        marks = axis.scatter([task.flops / task.bytes for task in group],
                             [task.flops / task.best * 1e-9 for task in group], s=14,
                             color=matplotlib.colormaps["tab20"](number % 20), label=kind)
        _tips(figure, marks, [f"{task.short_name}: {task.flops / task.best * 1e-9:.1f} GFLOP/s, "
                              f"{seconds(task.best)}, {task.flops / task.bytes:.1f} operations a "
                              "byte" for task in group])
    axis.set_xscale("log")
    axis.set_yscale("log")
    if machine:
        cores = environment.threads if machine["kind"] == "cpu" else 1
        peak, width = machine["peakFlops"] * cores, machine["memoryBandwidth"] * cores
        low, high = axis.get_xlim()
        ridge = peak / width
        line = sorted({low, min(max(ridge, low), high), high})
        axis.plot(line, [min(peak, width * x) * 1e-9 for x in line], color="black", lw=1,
                  label=f"{cores} core{'s' * (cores > 1)}: {peak * 1e-9:.0f} GFLOP/s,\n"
                  f"{width * 1e-9:.3g} GB/s" if machine["kind"] == "cpu" else "the device")
    _log_axes(axis)
    axis.set_xlabel("operations per byte that must be read or written")
    axis.set_ylabel("GFLOP/s")
    axis.legend(fontsize=7, ncols=1, loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
    return figure


def predicted(environment):
    """Predictions of the analytical model for the candidates, and measured times."""
    kinds = {}
    for task in environment.tasks.values():
        for trial in task.trials:
            if trial.seconds and trial.predicted:
                kinds.setdefault(task.kind, []).append((trial.predicted, trial.seconds, task,
                                                        trial))
    if not kinds:
        return None
    figure, axis = _figure(9, 4)
    for number, (kind, pairs) in enumerate(sorted(kinds.items())):
        marks = axis.scatter([1e6 * each[0] for each in pairs], [1e6 * each[1] for each in pairs],
                             s=4, alpha=0.6, color=matplotlib.colormaps["tab20"](number % 20),
                             label=kind)
        _tips(figure, marks, [f"{task.short_name}, trial {trial.number}: predicted {seconds(p)}, "
                              f"measured {seconds(s)}\n{shorten(trial.schedule, 300)}"
                              for p, s, task, trial in pairs])
    _log_axes(axis)
    axis.axline((1, 1), (10, 10), color="black", lw=0.8)
    axis.set_xlabel("predicted, us")
    axis.set_ylabel("measured, us")
    axis.legend(fontsize=7, loc="center left", bbox_to_anchor=(1, 0.5), markerscale=2,
                frameon=False)
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
    bars = axis.barh(range(len(order)), [reasons[name] for name in order], color=ORANGE, height=0.7)
    for bar, name in zip(bars, order):
        _tips(figure, bar, f"{reasons[name]} trials, {name}")
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
