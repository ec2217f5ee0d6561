#===- tables.py - compile times of candidates as tables -------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the JSON of pruner-bench-compile as a table in Markdown.

    tables.py compile-time-zen4.json [--target cpu]

Shows the second run if the file compares two (medians.py --before). Requires the
standard library only.
"""

import argparse
import pathlib
import sys

sys.path.insert(1, str(pathlib.Path(__file__).resolve().parents[2] / "python"))

from pruner_tools.results import filled_columns, origin, print_origins, print_rows, read

STAGES = ("tile", "lower", "translate", "optimize", "codegen", "facts", "rest", "load")


def milliseconds(value):
    return "-" if value is None else f"{value:.2f}" if value < 9.995 else f"{value:.0f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("result")
    parser.add_argument("--target", default="", help="only targets whose name starts with this")
    arguments = parser.parse_args()
    result = read(arguments.result)
    run = result.get("after", result)
    rows = []
    for group in run["summary"]:
        # "all" repeats the previous row if the suite has only products and
        # convolutions.
        if not group["target"].startswith(arguments.target) or (
                group["group"] == "all" and rows and rows[-1][2] == str(group["built"])):
            continue
        total, stages = group["total"], group["stages"]
        rows.append([group["target"], group["group"], str(group["built"]),
                     str(group["failed"] or ""),
                     *(milliseconds(stages.get(stage, {}).get("cpu_median_ms"))
                       for stage in STAGES),
                     *(milliseconds(total.get(key)) for key in
                       ("cpu_median_ms", "cpu_p90_ms", "cpu_p99_ms", "wall_p99_ms"))])
    header, *rows = filled_columns(["target", "operations", "built", "failed", *STAGES, "total",
                                    "p90", "p99", "p99, wall"], rows)
    print_rows(header, rows)
    print_origins(origin(arguments.result, run))


if __name__ == "__main__":
    main()
