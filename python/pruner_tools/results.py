#===- results.py - files and tables of results ----------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes and prints results of measurements, for the benchmarks and the GPU kit.

Runs with Python 3.8 and the standard library alone, as the GPU kit does.
"""

import gzip
import json
import math
import os
import platform
import re
import statistics
import textwrap
import time

from .tools import ToolError, run_tool


def read(path):
    """Return the JSON of a file, which may be gzip'd."""
    with (gzip.open if path.endswith(".gz") else open)(path, "rt") as file:
        return json.load(file)


def write_whole(path, data):
    """Write bytes atomically: the old file remains until the new one is on the disk."""
    if os.path.exists(path) and not os.path.isfile(path):
        with open(path, "wb") as file:  # A device or a pipe.
            file.write(data)
        return
    directory, name = os.path.split(path)
    part = os.path.join(directory, "." + name + ".part")
    with open(part, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, path)


def json_bytes(value, sort_keys=False):
    return (json.dumps(value, indent=1, sort_keys=sort_keys) + "\n").encode()


def write_result(path, value):
    """Write JSON, compressed if the name ends in .gz. Without a time stamp, so that
    equal results give equal files."""
    encoded = json_bytes(value)
    write_whole(path, gzip.compress(encoded, mtime=0) if path.endswith(".gz") else encoded)


# --- origin of results --------------------------------------------------------


def timestamp():
    """Return the current time in UTC."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def commit_of(source):
    """Return git's name of the state of a source tree: "5f3a1c2", or with changes
    "5f3a1c2-dirty"; "unknown" without git."""
    try:
        return run_tool(["git", "-C", source, "describe", "--always", "--dirty"]).stdout.strip()
    except ToolError:
        return "unknown"


def processor():
    """Return the name of the CPU."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            found = re.search(r"model name\s*: (.*)", file.read())
    except OSError:
        found = None
    return found.group(1) if found else platform.processor()


def without_folders(text):
    """Remove directories from a command or its words, because they are private."""
    return re.sub(r"[^=,:\s]*/", "", text)


def origin(path, result):
    """Return a line of Markdown with the origin of a result in data/results: a
    link to the file, relative to docs/results, and its dates and commits, without
    repetitions."""
    days, commits = {}, {}

    def collect(value):
        if isinstance(value, list):
            for each in value:
                collect(each)
        elif isinstance(value, dict):
            for key, each in value.items():
                if key == "commit":
                    commits[each] = None
                elif key in ("time", "date", "timestamp", "started") and isinstance(each, str):
                    days[each[:10]] = None
                else:
                    collect(each)

    collect(result)
    name = os.path.basename(path)
    words = [f"[`{name}`](../../data/results/{name})", *sorted(days)]
    if commits:
        words.append(("commits " if len(commits) > 1 else "commit ") + ", ".join(commits))
    return ", ".join(words)


def print_paragraph(text):
    """Print a paragraph after a table, with the line length of the pages."""
    print("", *textwrap.wrap(text, 120, break_long_words=False, break_on_hyphens=False), sep="\n")


def print_origins(*origins):
    print_paragraph(f"Data: {'; '.join(origins)}.")


# --- comparisons --------------------------------------------------------------


def against_best(ours, peers):
    """Return (name of the fastest peer, its time / ours: above 1 Pruner is faster), or
    None if one of them is missing. `peers` are seconds by name."""
    known = {name: seconds for name, seconds in peers.items() if seconds}
    if not ours or not known:
        return None
    best = min(known, key=known.get)
    return best, known[best] / ours


def geometric_mean(ratios):
    """Return the geometric mean of positive numbers, at least one."""
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def mean_cells(ratios):
    """Return the cells of a table about ratios, where above 1 is good: how many, their
    geometric mean, and how many are faster, within 10 %, and slower."""
    faster, slower = sum(r > 1.1 for r in ratios), sum(r < 1 / 1.1 for r in ratios)
    return [str(len(ratios)), f"{geometric_mean(ratios):.2f}", str(faster),
            str(len(ratios) - faster - slower), str(slower)]


def median_range(values, form):
    """Return the median, and in parentheses the minimum and maximum of several values.
    """
    text = format(statistics.median(values), form)
    if len(values) > 1:
        text += f" ({format(min(values), form)} to {format(max(values), form)})"
    return text


def print_mean(ratios, bound):
    """Print a paragraph about ratios by name, where above 1 is good: their geometric
    mean, and the ratios below a bound, the smallest first."""
    below = sorted((ratio, name) for name, ratio in ratios.items() if round(ratio, 2) < bound)
    named = ", ".join(f"`{name}` {ratio:.2f}" for ratio, name in below) or "none"
    mean = geometric_mean(list(ratios.values()))
    print_paragraph(f"Geometric mean of {len(ratios)}: {mean:.2f}. Below {bound:.2f}: {named}.")


# --- tables -------------------------------------------------------------------


def seconds(value):
    """Return a time with three significant digits and a unit."""
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


def filled_columns(header, rows):
    """Return the table without columns that are empty in all rows."""
    kept = [n for n in range(len(header)) if any(row[n] not in ("", "-") for row in rows)]
    return [[row[n] for n in kept] for row in (header, *rows)]


def text_table(rows, left=1):
    """Return lines of cells in columns, of which the first `left` are left-aligned."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    return ["  ".join(cell.ljust(width) if n < left else cell.rjust(width)
                      for n, (cell, width) in enumerate(zip(row, widths))).rstrip()
            for row in rows]


def markdown_row(cells):
    return "| " + " | ".join(cells) + " |"


def markdown_head(columns):
    return markdown_row(columns) + "\n|" + "---|" * len(columns)


def print_rows(header, rows, markdown=True, left=1):
    """Print a table in Markdown, or like `text_table`."""
    lines = ([markdown_head(header), *map(markdown_row, rows)] if markdown
             else text_table([header, *rows], left))
    print(*lines, sep="\n")
