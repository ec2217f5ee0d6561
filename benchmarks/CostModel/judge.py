#===- judge.py - models that need no training, on whole datasets -----------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Evaluates models that need no training, such as the forms of the analytical model, on
datasets (`pruner model evaluate`), and keeps the figures of every task.

    python benchmarks/CostModel/judge.py --json analytical.json.gz --model psa,random \\
        --evaluate=--legal --data 'AVX-512, Zen 4=survey-avx512-zen4.jsonl.gz'
    python benchmarks/CostModel/judge.py --table analytical.json.gz \\
        --figures correlation,top-1,top-10
    python benchmarks/CostModel/judge.py --table analytical.json.gz --by model \\
        --only ': products' --figures correlation,top-1

A dataset is NAME=FILE,...; `--model` and `--evaluate` are options of pruner model. A
table has the means over tasks, as Markdown: a row for each dataset and kind of operation
with a column for each figure, or, with `--by model`, a row for each model with a column
for each dataset. `--only` selects rows, or tasks, by a regular expression on `NAME: KIND`.
"""

import argparse
import collections
import json
import pathlib
import re
import shlex
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

from pruner_tools.datasets import family_of
from pruner_tools.results import (commit_of, print_rows, processor, read, timestamp,
                                  without_folders, write_result)
from training import run


def figures_of(model):
    """Figures by name, with five digits."""
    figures = {"correlation": model["rank_correlation"], "pairs": model["pairs"],
               **{f"top-{count}": best for count, best in model["top"].items()}}
    return {name: float(f"{figure:.5g}") for name, figure in figures.items()}


def judge(args, files):
    found = json.loads(run([args.tools / "pruner", "model", "evaluate", "--json",
                            f"--model={args.model}", *args.evaluate, *files]))
    return [{"task": task["name"], "kind": group["kind"], "schedules": task["schedules"],
             "models": {name: figures_of(each) for name, each in task["models"].items()}}
            for group in found["groups"] for task in group["tasks"]]


def measure(args):
    datasets = [text.split("=", 1) for text in args.data]
    write_result(args.json, {
        "benchmark": "judge", "time": timestamp(), "commit": commit_of(ROOT),
        "processor": processor(), "command": shlex.join(map(without_folders, sys.argv)),
        "runs": [{"data": data, "tasks": judge(args, files.split(","))}
                 for data, files in datasets]})


def cell(tasks, models, figure):
    """The means over the tasks that have the figure, model by model. The correlation of
    a random choice is left out."""
    means = []
    for model in models:
        known = [task["models"][model][figure] for task in tasks
                 if figure in task["models"][model]]
        if known and (model, figure) != ("random", "correlation"):
            means.append(f"{statistics.mean(known):.2f}")
    return " / ".join(means)


def by_family(tasks):
    """The tasks of each kind of operation, and all of them."""
    families = collections.defaultdict(list)
    for task in tasks:
        families[family_of(task["kind"])].append(task)
    families = dict(sorted(families.items()))
    return {**families, "all": tasks} if len(families) > 1 else families


def kind_rows(runs, models, figures, only):
    for each in runs:
        for family, tasks in by_family(each["tasks"]).items():
            if re.search(only, f"{each['data']}: {family}"):
                yield [each["data"], family, str(len(tasks)),
                       f"{sum(task['schedules'] for task in tasks):,}",
                       *(cell(tasks, models, figure) for figure in figures)]


def print_by_model(runs, models, figures, only):
    chosen = {each["data"]: [task for task in each["tasks"]
                             if re.search(only, f"{each['data']}: {family_of(task['kind'])}")]
              for each in runs}
    chosen = {data: tasks for data, tasks in chosen.items() if tasks}
    rows = [[model, *(" / ".join(cell(tasks, [model], figure) or "-" for figure in figures)
                      for tasks in chosen.values())] for model in models]
    print_rows(["model", *(f"{data}, {len(tasks)} tasks" for data, tasks in chosen.items())],
               rows, True, left=1)


def print_table(path, args):
    runs = read(path)["runs"]
    known = list(runs[0]["tasks"][0]["models"])
    models = args.model.split(",") if args.model else known
    figures = args.figures.split(",")
    if args.by == "model":
        print_by_model(runs, models, figures, args.only)
    else:
        print_rows(["data", "kind", "tasks", "schedules", *figures],
                   list(kind_rows(runs, models, figures, args.only)), True, left=2)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--table", metavar="FILE", help="print a table of a result")
    add("--figures", default="correlation,top-1,top-10", help="columns of the table")
    add("--by", choices=["kind", "model"], default="kind", help="whether a row is a kind or a model")
    add("--only", default="", metavar="REGEX", help="select rows of the table by their 'NAME: KIND'")
    add("--model", default="", metavar="NAME,...", help="models of the run, or of the table")
    add("--tools", type=pathlib.Path, default=ROOT / "build/bin")
    add("--json", help="the result")
    add("--data", action="append", default=[], metavar="NAME=FILE,...")
    add("--evaluate", action="append", default=[], metavar="OPTION",
        help="of pruner model evaluate, such as --evaluate=--legal")
    args = parser.parse_args()
    if args.table:
        print_table(args.table, args)
        return
    if not (args.json and args.data and args.model):
        parser.error("expected --json, --data and --model, or --table")
    measure(args)


if __name__ == "__main__":
    main()
