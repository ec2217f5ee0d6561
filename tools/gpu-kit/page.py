#!/usr/bin/env python3
#===- page.py - tables of docs/results/Gpu.md -----------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints results of the GPU kit as tables in Markdown.

    page.py operations gpu-h200.json --buffers rotated    # a row for each operation
    page.py means gpu-h200.json                           # a row for each kind of operation
    page.py drafts gpu-h200.json gpu-drafts48-h200.json   # operations by the number of drafts
    page.py tests gpu-h200.json                           # a row for each kind of task
    page.py libraries gpu-libraries-h200.json             # a row for each network
    page.py constants calibrate-h200.json --apart 1.1     # measured constants of the model

The files are reduced by benchmarks/medians.py. `operations`, `means` and `drafts`
read those of bench.json, and --type selects an element type; `tests` needs the counts that
the option --steps of medians.py adds; `constants` reads that of calibrate.json. Needs the
standard library only.
"""

import argparse
import pathlib
import re
import sys

sys.path.insert(1, str(pathlib.Path(__file__).resolve().parents[2] / "python"))

from pruner_tools.results import (filled_columns, geometric_mean, mean_cells, origin, print_mean,
                                  print_origins, print_rows, read, seconds)

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


def drafts_of(row):
    """Return how many schedules were built, the ones that gave wrong results included."""
    return row["candidates"]["built"]


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


def print_drafts(results):
    """Print times and ratios of the operations that all results have, by the number of
    drafts."""
    tables = [{row["name"]: row for row in result["rows"] if "ratio" in row}
              for result in results]
    names = [name for name in tables[0] if all(name in table for table in tables)]
    counts = [max(drafts_of(table[name]) for name in names) for table in tables]
    lines = [[f"`{name}`",
              *(f"{seconds(median(table[name], 'pruner', buffers))}, "
                f"{table[name]['ratio'][buffers]:.2f}" for buffers in BUFFERS for table in tables)]
             for name in names]
    lines.append([f"geometric mean of {len(names)}",
                  *(f"{geometric_mean([table[name]['ratio'][buffers] for name in names]):.2f}"
                    for buffers in BUFFERS for table in tables)])
    print_rows(["operation", *(f"{count} drafts, {buffers}" for buffers in BUFFERS
                               for count in counts)], lines)


def print_libraries(result):
    def cells(network):
        times = network["milliseconds"]
        return [network["name"], f"{max(network['largest_errors'].values()):.1e}",
                f"{network['first_run_seconds']:.1f} s",
                *(f"{times[name]:.3g} ms" for name in
                  ("tensors in host memory", "weights on the device", "stream", "CUDA graph",
                   "submission")), str(network["profile_rows"])]

    print_rows(["network", "largest error", "first run", "all tensors in host memory",
                "weights on the device", "all on the device", "CUDA graph", "submitting a run",
                "steps"], [cells(network) for network in result["networks"]])


def figure(value):
    """Return four significant digits, without an exponent where they fit."""
    text = f"{value:.4g}"
    return f"{float(text):.0f}" if "e" in text and 1 <= abs(value) < 1e6 else text


def print_constants(result, pattern, apart):
    """Print the constants whose names match and that differ from those of the model by a
    factor of `apart` or more. Neighbors that differ in the last part of their names and
    by less than 1 % share a row."""
    lines = []
    for constant in result["constants"]:
        ratio = constant.get("ratio")
        if not re.search(pattern, constant["constant"]) or ratio is None or (
                1 / apart < ratio < apart):
            continue
        head, _, tail = constant["constant"].rpartition(", ")
        group = head, constant["unit"], constant["model"]
        if head and lines and lines[-1][0] == group and abs(ratio / lines[-1][1] - 1) < 0.01:
            lines[-1][2][0] += ", " + tail
            continue
        lines.append((group, ratio, [constant["constant"], constant["unit"],
                                     figure(constant["model"]), figure(constant["measured"]),
                                     f"{ratio:.2f}"]))
    print_rows(["constant", "unit", "model", "measured", "measured / model"],
               [cells for _, _, cells in lines])


def print_tests(result):
    kinds = {}
    for family, counts in result["steps"]["tests"]["families"].items():
        sketch, kind, element, *cores = family.split()
        row = kinds.setdefault((kind, sketch, *cores), {"right": 0, "wrong": 0, "elements": []})
        row["right"] += counts["right"]
        row["wrong"] += counts["wrong"] + counts["crashed"]
        row["elements"].append(element)
    print_rows(["tasks", "sketch", "element types", "right", "wrong"],
               [[kind, f"`{sketch}`" + ", tensor cores" * bool(cores), ", ".join(row["elements"]),
                 f"{row['right']:,}", f"{row['wrong']:,}"]
                for (kind, sketch, *cores), row in sorted(kinds.items())])


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", choices=("operations", "means", "drafts", "tests", "libraries",
                                          "constants"))
    parser.add_argument("result", nargs="+", help="one; `drafts` compares several")
    parser.add_argument("--buffers", choices=BUFFERS, default="rotated")
    parser.add_argument("--type", help="only operations of this element type, such as f32")
    parser.add_argument("--only", default="", metavar="REGEX", help="constants to print")
    parser.add_argument("--apart", type=float, default=1.0,
                        help="print constants that differ by this factor or more")
    arguments = parser.parse_args()
    results = [read(path) for path in arguments.result]
    if len(results) > 1 and arguments.table != "drafts":
        parser.error(f"{arguments.table}: expected one result")
    result = results[0]
    for each in results:
        if arguments.type:
            each["rows"] = [row for row in each["rows"] if row["dtype"] == arguments.type]
    if arguments.table == "operations":
        print_operations(result, arguments.buffers)
    elif arguments.table == "means":
        print_means(result)
    elif arguments.table == "drafts":
        print_drafts(results)
    elif arguments.table == "libraries":
        print_libraries(result)
    elif arguments.table == "constants":
        print_constants(result, arguments.only, arguments.apart)
    elif "tests" in result.get("steps", {}):
        print_tests(result)
    else:
        sys.exit(f"{arguments.result[0]}: expected counts of the tests; see medians.py --steps")
    print_origins(*map(origin, arguments.result, results))


if __name__ == "__main__":
    main()
