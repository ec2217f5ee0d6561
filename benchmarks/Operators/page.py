#!/usr/bin/env python3
#===- page.py - the tables of docs/results/Operations.md ---------------------------===#
#
# Part of the Pruner project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Prints what pruner-bench-operators --json wrote as tables in Markdown.

    page.py result.json[.gz]

The first table has a row for each operation, with a mark where tuning changed
nothing; the second has geometric means of the ratios to the best peer by group
of operations.
"""

import argparse
import pathlib
import sys

sys.path.insert(1, str(pathlib.Path(__file__).resolve().parents[2] / "python"))

from pruner_tools.results import geometric_mean, markdown_head, markdown_row, read

PRODUCTS = {"mm", "bmm", "mm_bias_gelu", "conv", "conv_transposed"}

# A tuned schedule that gains less than this much of the untuned time gained
# nothing: what pruner-tune itself asks of a schedule before it applies it.
LEAST_GAIN = 0.03


def seconds(value):
    """Three significant digits and a unit."""
    if value is None:
        return "-"
    for unit, scale in (("s", 1), ("ms", 1e-3), ("us", 1e-6)):
        if value >= scale:
            break
    else:
        unit, scale = "ns", 1e-9
    number = value / scale
    digits = 2 if number < 9.995 else 1 if number < 99.95 else 0
    return f"{number:.{digits}f} {unit}"


def contender(operation, name):
    for each in operation["contenders"]:
        if each["name"] == name:
            return each
    return {}


def mark(operation):
    """Why `pruner` and `untuned` are one and the same; empty if they are not."""
    tasks = len(operation["tasks"])
    if tasks and operation["tuned_tasks"] == 0:
        return "left untuned"
    if operation["tuned_tasks"] < tasks:
        return f"{operation['tuned_tasks']} of {tasks} tasks tuned"
    plain = contender(operation, "default").get("median_s")
    if plain and operation["pruner_s"] > (1 - LEAST_GAIN) * plain:
        return "no faster than untuned"
    return ""


def channels_apart(operation):
    """Depthwise and grouped convolutions."""
    return operation["parameters"].get("g", [1])[0] > 1


GROUPS = [
    ("products and convolutions", lambda o: o["kind"] in PRODUCTS),
    ("of these, without depthwise and grouped convolutions",
     lambda o: o["kind"] in PRODUCTS and not channels_apart(o)),
    ("the rest", lambda o: o["kind"] not in PRODUCTS),
    ("all", lambda o: True),
    ("all, without depthwise and grouped convolutions",
     lambda o: not channels_apart(o)),
]


def ratio(operation):
    return operation.get("best_peer", {}).get("ratio")


def table(head, rows):
    print(markdown_head(head), *map(markdown_row, rows), sep="\n")


def print_operations(operations):
    rows = []
    for each in operations:
        best = each.get("best_peer", {})
        share = contender(each, "pruner").get("roof_share")
        rows.append([
            f"`{each['name']}`", seconds(each.get("pruner_s")),
            seconds(contender(each, "default").get("median_s")),
            seconds(best.get("net_s")), best.get("name", "-"),
            f"{best['ratio']:.2f}" if "ratio" in best else "-",
            f"{100 * share:.0f}" if share is not None else "-", mark(each)])
    table(["operation", "pruner", "untuned", "best peer", "which", "ratio",
           "% of roof", ""], rows)


def print_means(operations):
    rows = []
    for name, belongs in GROUPS:
        ratios = [ratio(o) for o in operations if belongs(o) and ratio(o)]
        if not ratios:
            continue
        ties = sum(1 / 1.1 <= r <= 1.1 for r in ratios)
        rows.append([name, str(len(ratios)), f"{geometric_mean(ratios):.2f}",
                     str(sum(r > 1.1 for r in ratios)), str(ties),
                     str(sum(r < 1 / 1.1 for r in ratios))])
    table(["operations", "how many", "geometric mean", "faster", "within 10 %",
           "slower"], rows)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("result")
    arguments = parser.parse_args()
    operations = [o for o in read(arguments.result)["operators"]
                  if "pruner_s" in o]
    if not operations:
        sys.exit(f"{arguments.result}: no operation was timed")
    print_operations(operations)
    print()
    print_means(operations)


if __name__ == "__main__":
    main()
