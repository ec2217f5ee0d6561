#!/usr/bin/env python3
#===- page.py - tables of docs/results/Gpu.md -----------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints results of the GPU kit as tables in Markdown.

    page.py operations gpu-h200.json --buffers rotated    # a row for each operation
    page.py means gpu-h200.json                           # a row for each kind of operation
    page.py tests gpu-h200.json                           # a row for each kind of task

The file is bench.json, reduced by benchmarks/results/medians.py; `tests` needs the counts
that its option --steps adds. Needs the standard library only.
"""

import argparse
import pathlib
import sys

sys.path.insert(1, str(pathlib.Path(__file__).resolve().parents[2] / "python"))

from pruner_tools.results import (filled_columns, mean_cells, origin, print_mean, print_origins,
                                  print_rows, read, seconds)

BUFFERS = ("rotated", "warm")
GROUPS = [("products", ("mm_", "bmm_")), ("convolutions", ("conv_",)),
          ("depthwise convolutions", ("dw_",)),
          ("maps, sums, transposes and softmax",
           ("relu_", "add_", "transpose_", "sum_", "softmax_"))]


def median(row, name, buffers):
    """Return the seconds of one of the compared programs, or None."""
    return row["contenders"].get(name, {}).get(buffers, {}).get("median")


def ratios(rows, buffers, peer=None):
    """Return the ratios by operation: to one peer, or to the best of the same precision."""
    if peer is None:
        return {row["name"]: row["ratio"][buffers] for row in rows if "ratio" in row}
    return {row["name"]: median(row, peer, buffers) / median(row, "pruner", buffers)
            for row in rows if median(row, peer, buffers) and median(row, "pruner", buffers)}


def print_operations(result, buffers):
    def cells(row):
        ours = row["contenders"].get("pruner", {}).get(buffers, {})
        share = ours.get("percent_of_ceiling")
        ratio = row.get("ratio", {}).get(buffers)
        return [f"`{row['name']}`",
                *(seconds(median(row, name, buffers))
                  for name in ("pruner", "torch", "triton", "torch.compile")),
                "-" if ratio is None else f"{ratio:.2f}",
                "-" if share is None else f"{share:.0f}",
                seconds(median(row, "torch-tf32", buffers))]

    rows = result["rows"]
    header, *lines = filled_columns(
        ["operation", "pruner", "PyTorch", "Triton", "torch.compile", "ratio", "% of ceiling",
         "PyTorch, TF32: another precision"], [cells(row) for row in rows])
    print_rows(header, lines)
    print_mean(ratios(rows, buffers), 0.95)


def print_means(result):
    rows, lines = result["rows"], []

    def add(name, part, peer=None):
        rotated, warm = (list(ratios(part, each, peer).values()) for each in BUFFERS)
        if rotated:
            how_many, mean, *others = mean_cells(rotated)
            lines.append([name, how_many, mean, mean_cells(warm)[1], *others])

    for name, prefixes in GROUPS:
        add(name, [row for row in rows if row["name"].startswith(prefixes)])
    known = tuple(prefix for _, prefixes in GROUPS for prefix in prefixes)
    add("others", [row for row in rows if not row["name"].startswith(known)])
    add("all", rows)
    for peer, name in (("torch", "PyTorch"), ("triton", "Triton")):
        add(f"all that {name} has, compared with {name} alone", rows, peer)
    print_rows(["operations", "how many", "geometric mean, rotated", "geometric mean, warm",
                "faster, rotated", "within 10 %", "slower"], lines)


def print_tests(result):
    kinds = {}
    for family, counts in result["steps"]["tests"]["families"].items():
        sketch, kind, element = family.split()
        row = kinds.setdefault((kind, sketch), {"right": 0, "wrong": 0, "elements": []})
        row["right"] += counts["right"]
        row["wrong"] += counts["wrong"] + counts["crashed"]
        row["elements"].append(element)
    print_rows(["tasks", "sketch", "element types", "right", "wrong"],
               [[kind, f"`{sketch}`", ", ".join(row["elements"]), f"{row['right']:,}",
                 f"{row['wrong']:,}"] for (kind, sketch), row in sorted(kinds.items())])


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", choices=("operations", "means", "tests"))
    parser.add_argument("result")
    parser.add_argument("--buffers", choices=BUFFERS, default="rotated")
    arguments = parser.parse_args()
    result = read(arguments.result)
    if arguments.table == "operations":
        print_operations(result, arguments.buffers)
    elif arguments.table == "means":
        print_means(result)
    elif "tests" in result.get("steps", {}):
        print_tests(result)
    else:
        sys.exit(f"{arguments.result}: expected counts of the tests; see medians.py --steps")
    print_origins(origin(arguments.result, result))


if __name__ == "__main__":
    main()
