#!/usr/bin/env python3
#===- plot.py - tuners by trials and by time, drawn ------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws the result of curves.py --json: a panel for each operation or network by
trials, and one below it by seconds.

    plot.py data/results/curves-zen4.json docs/results/curves.svg
    plot.py --check data/results/curves-zen4.json docs/results/curves.svg

A line is the time of the fastest program of all tuners over the best time of a tuner so
far: the median of its seeds, with a band from the slowest to the fastest one. Drawing
requires matplotlib (benchmarks/requirements.txt). The picture holds the hash of its
result. --check requires the standard library only, and exits with 1 if the picture shows
another result.
"""

import pathlib
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

from pruner_tools import pictures

COLUMNS = 4
COLORS = ("#1f5fa8", "#d9711c", "#2a7f62", "#8a4f9e")
TRIALS, SECONDS = 0, 1  # Columns of a curve.
NAMES = {TRIALS: "trials", SECONDS: "seconds"}
# Other tuners are shown by their names in the result.
TUNERS = {"draft": "Pruner (draft)", "ansor": "Ansor's loop in Pruner (ansor)",
          "metaschedule": "TVM MetaSchedule"}
LEAST = {TRIALS: 1, SECONDS: 0.5}  # Time stamps are whole seconds.


def quality(run, column, fastest):
    """Where it changes (trials or seconds, share of the fastest speed), to its end."""
    scale = run["seconds"] / run["curve"][-1][2]
    steps = []
    for point in run["curve"]:
        share = fastest / (point[2] * scale)
        where = max(LEAST[column], point[column])
        if not steps or share > steps[-1][1]:
            steps.append((where, share))
    end = run["trials"] if column == TRIALS else run["wall"]
    return steps + [(max(LEAST[column], end), steps[-1][1])]


def at(steps, place):
    """The share at a place, 0 before the first program."""
    return max((share for where, share in steps if where <= place), default=0)


def draw_panel(axis, runs, column):
    fastest = min(run["seconds"] for each in runs.values() for run in each)
    furthest = 0
    for color, (name, each) in zip(COLORS, runs.items()):
        curves = [quality(run, column, fastest) for run in each]
        furthest = max(furthest, *(curve[-1][0] for curve in curves))
        first = max(curve[0][0] for curve in curves)
        last = statistics.median(curve[-1][0] for curve in curves)
        places = sorted({where for curve in curves for where, _ in curve
                         if first <= where < last} | {first, last})
        shares = [[at(curve, place) for curve in curves] for place in places]
        axis.step(places, [statistics.median(share) for share in shares], where="post",
                  color=color, linewidth=1.1, label=TUNERS.get(name, name))
        if len(each) > 1:
            axis.fill_between(places, [min(share) for share in shares],
                              [max(share) for share in shares], step="post",
                              color=color, alpha=0.2, linewidth=0)
    axis.set_xscale("log")
    axis.set_xticks([step * 10**n for n in range(4) for step in (1, 3)])
    axis.set_xlim(0.8 * LEAST[column], 1.2 * furthest)
    axis.xaxis.set_major_formatter("{x:g}")
    axis.minorticks_off()
    axis.set_ylim(0, 1.03)
    axis.grid(color="#e4e4e4", linewidth=0.6)
    axis.set_axisbelow(True)
    axis.spines[["top", "right"]].set_visible(False)


def draw(result, pyplot):
    operations = result["operations"]
    columns = min(COLUMNS, len(operations))
    rows = -(-len(operations) // columns)
    figure, axes = pyplot.subplots(2 * rows, columns, squeeze=False, sharey=True,
                                   figsize=(2.5 * columns, 1.6 * 2 * rows + 0.5))
    for axis in axes.flat:
        axis.set_visible(False)
    for column, first in ((TRIALS, 0), (SECONDS, rows)):
        for n, (name, runs) in enumerate(operations.items()):
            axis = axes[first + n // columns][n % columns]
            axis.set_visible(True)
            draw_panel(axis, runs, column)
            axis.set_title(f"{name}, by {NAMES[column]}", fontsize=7)
    lines = {label: line for axis in axes.flat
             for line, label in zip(*axis.get_legend_handles_labels())}
    figure.legend(lines.values(), lines.keys(), loc="upper center", ncols=len(lines),
                  frameon=False)
    figure.supylabel("fastest program of all / best so far", fontsize=7)
    figure.tight_layout(rect=(0, 0, 1, 1 - 0.25 / (1.6 * 2 * rows + 0.5)))
    return figure


if __name__ == "__main__":
    pictures.main(__doc__, draw)
