#===- weights.py - the cross-validation in files of weights ----------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the results of `pruner model train --cross-validate` in a file of weights, as
a table of Markdown.

    python benchmarks/CostModel/weights.py lib/CostModel/Pretrained/cpu.safetensors

The file has means over the tasks of each machine and kind of operation. A row of the
table joins kinds, weighted by their numbers of tasks. Kinds without a figure, because
their tasks have too few schedules, are left out. `pruner model describe` prints the
figures of single kinds.
"""

import collections
import json
import pathlib
import re
import struct
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

from pruner_tools.datasets import family_of
from pruner_tools.results import print_rows

FIGURES = ("pairs", "top-1", "top-5", "top-10")
NAMES = {"psa": "analytical", "xgboost": "trees"}


def metadata(path):
    """The metadata of a safetensors file."""
    with open(path, "rb") as file:
        length, = struct.unpack("<Q", file.read(8))
        return json.loads(file.read(length))["__metadata__"]


def validations(notes):
    """(machine, kind, tasks, {model: {figure: mean}}) of each line."""
    for key, text in sorted(notes.items()):
        named = re.fullmatch(r"validated\.(.+)\.(\w+)", key)
        if not named:
            continue
        count, *models = text.split("; ")
        figures = {}
        for each in models:
            name, _, words = each.partition(": ")
            figures[name] = {word.rsplit(" ", 1)[0]: float(word.rsplit(" ", 1)[1])
                             for word in words.split(", ")}
        yield named[1], named[2], int(count.split()[0]), figures


def cell(lines, figure):
    """The means, model by model."""
    means = []
    for model in lines[0][1]:
        known = [(tasks, models[model][figure]) for tasks, models in lines
                 if figure in models[model]]
        if known:
            total = sum(tasks for tasks, _ in known)
            means.append(f"{sum(tasks * value for tasks, value in known) / total:.2f}")
    return " / ".join(means)


def rows_of(notes):
    groups = collections.defaultdict(list)
    for machine, kind, tasks, models in validations(notes):
        for family in (family_of(kind), "all"):
            groups[machine, family].append((tasks, models))
    for machine, family in sorted(groups, key=lambda key: (key[0], key[1] == "all", key)):
        lines = groups[machine, family]
        yield [machine, family, str(sum(tasks for tasks, _ in lines)),
               *(cell(lines, figure) for figure in FIGURES)]


def main():
    notes = metadata(sys.argv[1])
    models = next(validations(notes))[3]
    names = " / ".join(NAMES.get(name, name) for name in models)
    print_rows(["machine", "kind", "tasks", *(f"{each}: {names}" if n == 0 else each
                                              for n, each in enumerate(FIGURES))],
               list(rows_of(notes)), True, left=2)


if __name__ == "__main__":
    main()
