#===- census.py - tasks of networks as a table ----------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a table of networks with their tasks and the share of each network that is in
tasks.

    python -m pruner_tools.census models/*.mlir

pruner-opt normalizes every network and cuts it into tasks. Its list of tasks becomes
one row of a Markdown table: the number of distinct products and convolutions, and of
their calls; their FLOP; distinct tasks; the shares of arithmetic and of bytes moved
that are in tasks; the ops outside of tasks, by reason. With --remarks, those ops are
then listed one by one, with the remarks of pruner-opt. Exits with 1 if a network cannot
be read.
"""

import argparse
import os
import re
import sys

from .results import markdown_head, markdown_row
from .tools import ToolError, run_tool

PASSES = ["--pruner-normalize", "--pruner-extract-tasks", "--pruner-list-tasks"]
TASKS = re.compile(r"^(\d+) distinct tasks, (\d+) calls", re.M)
HEAVY = re.compile(
    r"^products and convolutions: (\d+) distinct in \d+ tasks, (\d+) calls, ([\d.]+) GFLOP",
    re.M,
)
SHARES = re.compile(r"^in tasks: ([\d.]+)% of [\d.]+ GFLOP, ([\d.]+)% of [\d.]+ MB", re.M)
OUTSIDE = re.compile(r"^outside tasks: (\d+) x (\S+) \((.*)\)$", re.M)
REMARK = re.compile(r"remark: ('.*' stays outside the tasks: .*)$", re.M)

COLUMNS = [
    "network",
    "products and convolutions",
    "calls",
    "GFLOP",
    "tasks",
    "calls of tasks",
    "FLOPs in tasks",
    "bytes in tasks",
    "outside",
]


def census(path, options):
    """Return the row of one network and the remarks of pruner-opt; None after an error.
    """
    try:
        text = run_tool([options.pruner_opt, path, *PASSES, "-o", os.devnull]).stderr
    except ToolError as error:
        print(f"error: {error}", file=sys.stderr)
        return None
    found = [pattern.search(text) for pattern in (TASKS, HEAVY, SHARES)]
    if None in found:
        print(f"error: {options.pruner_opt} printed unexpected output for {path}:\n{text.strip()}",
              file=sys.stderr)
        return None
    tasks, heavy, shares = (match.groups() for match in found)
    outside = {}
    for number, _, reason in OUTSIDE.findall(text):
        outside[reason] = outside.get(reason, 0) + int(number)
    row = [
        os.path.splitext(os.path.basename(path))[0],
        *heavy[:2],
        f"{float(heavy[2]):.2f}",
        *tasks,
        *(f"{share} %" for share in shares),
        ", ".join(f"{number} {reason}" for reason, number in sorted(outside.items())),
    ]
    return row, REMARK.findall(text)


def main():
    parser = argparse.ArgumentParser(
        prog="python -m pruner_tools.census", description=__doc__.splitlines()[0]
    )
    parser.add_argument("networks", nargs="+", metavar="NETWORK.mlir")
    parser.add_argument(
        "--pruner-opt", default="pruner-opt", metavar="PATH"
    )
    parser.add_argument(
        "--remarks", action="store_true", help="list every op outside of tasks with the reason"
    )
    options = parser.parse_args()
    print(markdown_head(COLUMNS))
    failed, remarks = False, []
    for path in options.networks:
        result = census(path, options)
        failed |= result is None
        if result:
            print(markdown_row(result[0]), flush=True)
            remarks.append((result[0][0], result[1]))
    if options.remarks:
        for name, texts in remarks:
            print(f"\n{name}:\n")
            for text in dict.fromkeys(texts):
                print(f"* {texts.count(text)} x {text}")
    return failed


if __name__ == "__main__":
    sys.exit(main())
