#===- tables.py - committed tables of mathematical functions, joined -------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints tables that pruner-check-math printed, in a shorter form.

    tables.py summary math-all-f32.md math-drawn.md ...   # a row for each file and type
    tables.py errors math-all-f32.md                      # a row for each function
    tables.py times "Zen 4=math-times-zen4.md" ...        # columns of all files, by function

Needs the standard library only.
"""

import argparse
import pathlib
import sys

sys.path.insert(1, str(pathlib.Path(__file__).resolve().parents[2] / "python"))

from pruner_tools.results import filled_columns, origin, print_origins, print_rows


def read_rows(path):
    """The rows of a Markdown table as dictionaries."""
    lines = [[cell.strip() for cell in line.strip().strip("|").split("|")]
             for line in pathlib.Path(path).read_text().splitlines() if line.startswith("|")]
    header, _, *rows = lines
    return [dict(zip(header, row)) for row in rows]


def print_summary(paths):
    rows = []
    for path in paths:
        types = {}
        for row in read_rows(path):
            types.setdefault(row["type"], []).append(row)
        for name, group in types.items():
            counts = [int(row["arguments"]) for row in group]
            arguments = dict.fromkeys(f"{count:,}" for count in (min(counts), max(counts)))
            worst = max(group, key=lambda row: float(row["worst ulp"]))
            wrong = [f"{row['function']} {row['wrong specials']}" for row in group
                     if row["wrong specials"] != "0"]
            rows.append([origin(path, {}), name, str(len(group)),
                         " to ".join(arguments),
                         f"{worst['worst ulp']} ({worst['function']})",
                         str(sum(int(row["more off"]) for row in group)), "; ".join(wrong) or "0"])
    print_rows(["table", "type", "functions", "arguments of each", "worst ulp",
                "more than one off", "wrong special values"], rows)


def print_errors(paths):
    header = ["function", "type", "worst ulp", "at", "one off", "CPU"]
    print_rows(header, [[row.get(key, "") for key in header]
                        for path in paths for row in read_rows(path)])


def print_times(words):
    header, rows = ["function", "arguments"], {}
    for word in words:
        name, _, path = word.partition("=")
        table = read_rows(path)
        start = len(header)
        columns = [key for key in table[0] if key not in ("function", "arguments")]
        header += [f"{name}: {column}" for column in columns]
        for row in table:
            line = rows.setdefault(row["function"], [row["function"], row["arguments"]])
            line += [""] * (start - len(line)) + [row[column] for column in columns]
    lines = [line + [""] * (len(header) - len(line)) for line in rows.values()]
    header, *lines = filled_columns(header, lines)
    print_rows(header, lines)
    print_origins(*(origin(word.partition("=")[2], {}) for word in words))


KINDS = {"summary": print_summary, "errors": print_errors, "times": print_times}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("tables", nargs="+", metavar="FILE")
    arguments = parser.parse_args()
    KINDS[arguments.kind](arguments.tables)


if __name__ == "__main__":
    main()
