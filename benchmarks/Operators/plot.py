#!/usr/bin/env python3
#===- plot.py - operations compared with the best peers -------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws the JSON of pruner-bench-operators: a bar for each operation.

    plot.py data/results/operators-zen5.json docs/results/operations.svg
    plot.py --check data/results/operators-zen5.json docs/results/operations.svg

A bar is the time of the best peer over that of the tuned library: above 1 the library
is faster. Drawing requires matplotlib (benchmarks/requirements.txt). The picture holds
the hash of its result. --check requires the standard library only, and exits with 1 if
the picture shows another result.
"""

import pathlib
import sys

from page import geometric_mean, ratio

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

from pruner_tools import pictures

# Differences below 10 % are noise on this machine.
NOISE = 1.1
FASTER, EQUAL, SLOWER = "#2a7f62", "#9aa5b1", "#c0504d"
# In this order from left to right, sorted by ratio within.
KINDS = [("products", {"mm", "bmm", "mm_bias_gelu"}),
         ("convolutions", {"conv", "conv_transposed"}),
         ("others", None)]


def sections(operations):
    """Return (name, operations by decreasing ratio) of every kind that occurs."""
    left = [each for each in operations if ratio(each)]
    for name, kinds in KINDS:
        mine = [each for each in left if kinds is None or each["kind"] in kinds]
        left = [each for each in left if each not in mine]
        if mine:
            yield name, sorted(mine, key=ratio, reverse=True)


def color(value):
    return FASTER if value > NOISE else SLOWER if value < 1 / NOISE else EQUAL


def draw(result, pyplot):
    figure, axes = pyplot.subplots(figsize=(10, 4.2))
    place, ticks, names, drawn = 0, [], [], []
    for section, operations in sections(result["operators"]):
        first = place
        for each in operations:
            value = ratio(each)
            axes.bar(place, value - 1, bottom=1, width=0.75, color=color(value))
            axes.text(place, 1.04 * max(value, NOISE), each["best_peer"]["name"],
                      rotation=90, ha="center", va="bottom", fontsize=6, color="#444444")
            ticks.append(place)
            names.append(each["name"])
            drawn.append(value)
            place += 1
        axes.text((first + place - 1) / 2, 9.5, section, ha="center", va="top", fontsize=8)
        place += 1
    axes.axhline(1, color="black", linewidth=0.8)
    axes.axhspan(1 / NOISE, NOISE, color="#eeeeee", zorder=0)
    axes.set_yscale("log")
    axes.set_ylim(0.75, 10)
    scale = [0.8, 1, 1.2, 1.5, 2, 3]
    axes.set_yticks(scale, [f"{value:g}" for value in scale])
    axes.minorticks_off()
    axes.set_ylabel("best peer's time / Pruner's")
    axes.set_xticks(ticks, names, rotation=60, ha="right", rotation_mode="anchor")
    axes.set_xlim(-0.8, place - 1.2)
    axes.spines[["top", "right"]].set_visible(False)
    mean = geometric_mean(drawn)
    axes.set_title(f"{len(drawn)} operations, one core of {result['machine']['arch']}, "
                   f"{result['time'][:10]}: geometric mean {mean:.2f}; above 1 Pruner is "
                   "faster, within the gray band the difference is noise", fontsize=8)
    figure.tight_layout()
    return figure


if __name__ == "__main__":
    pictures.main(__doc__, draw)
