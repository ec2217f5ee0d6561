#!/usr/bin/env python3
#===- plot.py - networks next to their peers -------------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws the JSON of networks.py: a group of bars for each network.

    plot.py data/results/networks-zen5.json docs/results/networks.svg
    plot.py --check data/results/networks-zen5.json docs/results/networks.svg

A bar is the time of eager PyTorch over the time of another compiler: higher is faster.
The legend has the geometric means. Drawing requires matplotlib
(benchmarks/requirements.txt). The picture holds the hash of its result. --check requires
the standard library only, and exits with 1 if the picture shows another result.
"""

import pathlib
import sys

from tables import ratio_of, short

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

from pruner_tools import pictures
from pruner_tools.results import geometric_mean

BASE = "torch"
# From left to right: name in the result, name in the legend, color.
BARS = [("inductor", "PyTorch Inductor", "#f0b48a"), ("iree", "IREE", "#b9a6d3"),
        ("onnxruntime", "ONNX Runtime", "#9aa5b1"), ("openvino", "OpenVINO", "#8fbf9f"),
        ("pruner", "Pruner", "#1f5fa8")]


def speeds(networks):
    """Return {compiler: {network: speed relative to eager PyTorch}}."""
    found = {name: {} for name, _, _ in BARS}
    for network, entry in networks:
        times = {name: each.get("median_s") for name, each in entry["contenders"].items()}
        for name in found:
            if times.get(name):
                found[name][network] = times[BASE] / times[name]
    return found


def draw(result, pyplot):
    networks = sorted(((short(name), entry) for name, entry in result["networks"].items()),
                      key=lambda pair: -ratio_of(pair[1])[0])
    names = [name for name, _ in networks]
    found = speeds(networks)
    bars = [bar for bar in BARS if found[bar[0]]]
    width = 0.8 / len(bars)
    figure, axes = pyplot.subplots(figsize=(10, 3.6))
    for number, (compiler, label, color) in enumerate(bars):
        mean = geometric_mean(found[compiler].values())
        axes.bar([names.index(name) + (number - (len(bars) - 1) / 2) * width
                  for name in found[compiler]], found[compiler].values(), width=width,
                 color=color, label=f"{label}, mean {mean:.2f}")
    for place, (_, entry) in enumerate(networks):  # Inside of Pruner's bars.
        milliseconds = entry["contenders"]["pruner"]["median_s"] * 1e3
        axes.text(place + 0.4 - width / 2, 0.04, f"{milliseconds:.3g} ms", ha="center", va="bottom",
                  rotation=90, fontsize=6, color="white")
    axes.axhline(1, color="black", linewidth=0.8)
    axes.set_xticks(range(len(names)), names, rotation=30, ha="right", rotation_mode="anchor")
    axes.set_xlim(-0.6, len(names) - 0.4)
    axes.set_ylabel("time of eager PyTorch / time")
    axes.grid(axis="y", color="#e4e4e4", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_ylim(0, 1.13 * max(max(each.values()) for each in found.values() if each))
    axes.legend(loc="upper left", ncols=len(bars), frameon=False)
    axes.set_title(f"{len(names)} networks, f32, batch 1, {result['threads']} thread of an "
                   f"{result['processor']} machine, {result['time'][:10]}; 1 is eager PyTorch, "
                   "higher is faster", fontsize=8)
    figure.tight_layout()
    return figure


if __name__ == "__main__":
    pictures.main(__doc__, draw)
