#!/usr/bin/env python3
#===- page.py - tables of docs/results/Operations.md ----------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the JSON of pruner-bench-operators as tables in Markdown.

    page.py result.json[.gz]
    page.py warm.json --cold cold.json
    page.py --overview "Zen 4=warm.json" "Zen 3=result.json" ...

The first table has a row for each operation, with a mark if tuning changed nothing. The
second has geometric means of the ratios to the best peer by group of operations. With
--cold, a second result of the same operations with cold caches, one table compares both
results. --overview prints a row for each result.
"""

import argparse
import pathlib
import sys

sys.path.insert(1, str(pathlib.Path(__file__).resolve().parents[2] / "python"))

from pruner_tools.results import (filled_columns, geometric_mean, mean_cells, origin, print_mean,
                                  print_origins, print_rows, read, seconds)

PRODUCTS = {"mm", "bmm", "mm_bias_gelu", "conv", "conv_transposed"}

# The least gain of a tuned schedule, relative to the untuned time. pruner-tune requires
# it before it applies a schedule.
LEAST_GAIN = 0.03


def contender(operation, name):
    for each in operation["contenders"]:
        if each["name"] == name:
            return each
    return {}


def mark(operation):
    """Return why `pruner` and `untuned` are the same; empty if they are not."""
    tasks, tuned = len(operation["tasks"]), operation["tuned_tasks"]
    plain = contender(operation, "default").get("median_s")
    gained = plain and operation["pruner_s"] <= (1 - LEAST_GAIN) * plain
    # The benchmark counts records of this build and of the task's cache state. The
    # library may use others, so the times decide whether nothing was tuned.
    if tasks and tuned == 0:
        return "left untuned" if plain and not gained else ""
    if tuned < tasks:
        return f"{tuned} of {tasks} tasks tuned"
    return "no faster than untuned" if plain and not gained else ""


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


def types_of(operation):
    return operation.get("types", "f32")


def groups_of(operations):
    """Return the groups of the table of means: by types where there are several."""
    types = dict.fromkeys(types_of(o) for o in operations)
    if len(types) < 2:
        return GROUPS
    by_types = [(name, lambda o, name=name: types_of(o) == name) for name in types]
    kinds = [(f"{name}, {kind}", lambda o, name=name, test=test: types_of(o) == name and test(o))
             for name in types for kind, test in (
                 ("products", lambda o: o["kind"] in PRODUCTS - {"conv", "conv_transposed"}),
                 ("convolutions", lambda o: o["kind"] == "conv"))]
    return by_types + kinds + [("all", lambda o: True)]


def ratio(operation):
    return operation.get("best_peer", {}).get("ratio")


def share(operation):
    """Return the percentage of the roofline."""
    value = contender(operation, "pruner").get("roof_share")
    return "-" if value is None else f"{100 * value:.0f}"


def best_cells(operation):
    best = operation.get("best_peer", {})
    return [seconds(best.get("net_s")), best.get("name", "-"),
            f"{best['ratio']:.2f}" if "ratio" in best else "-"]


def print_operations(operations):
    header = ["operation", "pruner", "untuned", "best peer", "which", "ratio", "% of roofline", ""]
    rows = [[f"`{each['name']}`", seconds(each.get("pruner_s")),
             seconds(contender(each, "default").get("median_s")), *best_cells(each),
             share(each), mark(each)] for each in operations]
    header, *rows = filled_columns(header, rows)
    print_rows(header, rows)


def print_means(operations):
    rows = []
    for name, belongs in groups_of(operations):
        ratios = [ratio(o) for o in operations if belongs(o) and ratio(o)]
        if not ratios or (len(ratios) == len(operations) and name != "all"):
            continue
        rows.append([name, *mean_cells(ratios)])
    print_rows(["operations", "how many", "geometric mean", "faster", "within 10 %", "slower"],
               rows)


def print_cold(warm, cold):
    """Print the operations of `cold` and their slowdown relative to `warm`."""
    known = {each["name"]: each for each in warm}
    rows = [[f"`{each['name']}`", seconds(known[each["name"]]["pruner_s"]),
             seconds(each["pruner_s"]),
             f"{each['pruner_s'] / known[each['name']]['pruner_s']:.2f}", *best_cells(each)]
            for each in cold if each["name"] in known]
    print_rows(["operation", "pruner, warm", "pruner, cold", "cold / warm", "best peer, cold",
                "which", "ratio, cold"], rows)


def print_overview(words):
    rows = []
    for word in words:
        name, _, path = word.partition("=")
        ratios = {o["name"]: ratio(o) for o in timed(path)[1] if ratio(o)}
        worst = min(ratios, key=ratios.get)
        rows.append([name, str(len(ratios)), f"{geometric_mean(list(ratios.values())):.2f}",
                     f"`{worst}` {ratios[worst]:.2f}"])
    print_rows(["machine", "operations", "geometric mean of the ratio", "smallest ratio"], rows)


def timed(path):
    """Return a result, and its timed operations."""
    result = read(path)
    operations = [o for o in result["operators"] if "pruner_s" in o]
    if not operations:
        sys.exit(f"{path}: no operation was timed")
    return result, operations


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("result", nargs="?")
    what.add_argument("--overview", nargs="+", metavar="NAME=FILE", help="a row for each file")
    parser.add_argument("--cold", help="the same operations with cold caches")
    arguments = parser.parse_args()
    if arguments.overview:
        return print_overview(arguments.overview)
    result, operations = timed(arguments.result)
    sources = [origin(arguments.result, result)]
    if arguments.cold:
        result, cold = timed(arguments.cold)
        sources.append(origin(arguments.cold, result))
        print_cold(operations, cold)
        operations = cold
    else:
        print_operations(operations)
    print()
    print_means(operations)
    # Smaller differences are noise on all machines of the pages.
    print_mean({o["name"]: ratio(o) for o in operations if ratio(o)}, 0.95)
    print_origins(*sources)


if __name__ == "__main__":
    main()
