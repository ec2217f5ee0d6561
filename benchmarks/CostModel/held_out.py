#===- held_out.py - models on tasks that were not in their training --------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trains models on a part of each dataset and measures how well they choose among the
other tasks, compared with the analytical model and with a random choice, over several
seeds.

    python benchmarks/CostModel/held_out.py --directory work --json held-out.json.gz \\
        --data v100=v100.jsonl.gz --data 'AVX-512=survey-avx512-zen4.jsonl.gz' \\
        --model pacm --model tensetmlp --model 'trees=xgboost {"prior": 3}' --seeds 5
    python benchmarks/CostModel/held_out.py --table held-out.json.gz --markdown
    python benchmarks/CostModel/held_out.py --table held-out.json.gz --part overall

A dataset is NAME=FILE,...; a model is a value of `pruner model train --model`, or a name
for one (NAME=MODEL), optionally followed by its options as JSON. A third of the task
shapes is left out of the training: other ones for each seed, but the same ones for all
models. Models are evaluated on tasks of these shapes only: on their first 128 schedules
(`--first`), on which a search had little influence, and on all of them. Weights that the
directory has are not trained again, so a stopped run can be continued. Up to `--jobs`
trainings run at a time, on one thread each. With `--weights NAME=FILE` the training of a
model starts from a file of weights; {data} in the file's name stands for the dataset,
{seed} for the seed. `--train-data NAME=FILE,...` trains on other files than those of the
evaluation, such as a part of the same logs.

The first table has pairs in the right order, and the fastest time of a task over the best
time among the first 1 and 5 schedules by score (Top-1, Top-5), as medians over the seeds
of means over tasks, with the lowest and the highest Top-1 of all seeds. The second one
has, by kind of operation, the share of the distance between a random first pick and 1
that a model closes, and how much better its first pick is than that of the first model.
The third one compares the models over all kinds. `--only` selects models of the tables by
a regular expression, `--part` prints one of the three as Markdown, without a heading.
"""

import argparse
import collections
import concurrent.futures
import itertools
import json
import os
import pathlib
import re
import shlex
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

from pruner_tools.datasets import family_of
from pruner_tools.results import (commit_of, median_range, print_rows, processor, read,
                                  timestamp, without_folders, write_result)
from training import file_name, run, train

FAMILIES = ("products", "convolutions", "depthwise", "others", "all")
UNTRAINED = {"analytical": "psa", "random": "random"}


class Model:
    """NAME=MODEL OPTIONS, or MODEL OPTIONS."""

    def __init__(self, text):
        words, brace, options = text.partition("{")
        name, _, kind = words.strip().rpartition("=")
        self.kind, self.options = kind, json.loads(brace + options or "{}")
        self.name = name or kind


def train_by(args, data, files, model, seed):
    """The path of the weights."""
    path = os.path.join(args.directory,
                        file_name(data, model.name, seed) + ".safetensors")
    begin = dict(text.split("=", 1) for text in args.weights).get(model.name)
    other = dict(text.split("=", 1) for text in args.train_data).get(data)
    files = other.split(",") if other else files
    return train(args.tools, path, model.kind, model.options, seed, files, *args.train,
                 weights=begin and begin.format(data=data, seed=seed))


def judge(args, files, weights, *more):
    """The kind of each task whose shape was not in the training, and for each model
    [pairs, Top-1, Top-5]; None where there are too few schedules. `weights` are paths
    by model, `more` are further options of `pruner model evaluate`."""
    models = {**weights, **UNTRAINED}
    found = json.loads(run([args.tools / "pruner", "model", "evaluate", "--unseen", "--json",
                            f"--model={','.join(models.values())}", *args.evaluate, *more,
                            *files]))
    # The tool calls a model by its file's name.
    names = {name: pathlib.Path(path).stem for name, path in models.items()}

    def figures(each):
        return [each["pairs"], each["top"].get("1"), each["top"].get("5")]

    return [{"task": task["name"], "kind": group["kind"],
             "models": {name: figures(task["models"][key]) for name, key in names.items()}}
            for group in found["groups"] for task in group["tasks"]]


def judgements_of(args, files, trained):
    """The entry of a run in the result: figures of the tasks, and with `--first` also
    figures on their first schedules."""
    weights = {name: path.result() for name, path in trained.items()}
    found = {"tasks": judge(args, files, weights)}
    if args.first:
        found["first"] = {"trials": args.first,
                          "tasks": judge(args, files, weights, f"--first={args.first}")}
    return found


def measure(args):
    os.makedirs(args.directory, exist_ok=True)
    models = [Model(text) for text in args.model]
    datasets = [text.split("=", 1) for text in args.data]
    runs = [(data, files.split(","), seed)
            for seed in range(args.seeds) for data, files in datasets]
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        trained = [{model.name: pool.submit(train_by, args, data, files, model, seed)
                    for model in models} for data, files, seed in runs]
        judged = [pool.submit(judgements_of, args, files, paths)
                  for (_, files, _), paths in zip(runs, trained)]
        found = [each.result() for each in judged]
    write_result(args.json, {
        "benchmark": "held-out", "time": timestamp(), "commit": commit_of(ROOT),
        "processor": processor(),
        "command": shlex.join(map(without_folders, sys.argv)),
        "runs": [{"data": data, "seed": seed, **each}
                 for (data, _, seed), each in zip(runs, found)]})


class Judgements:
    """The figures of one dataset: by model and family, for each seed, the means over
    its tasks of pairs, Top-1 and Top-5; None without tasks. `runs` has the tasks of
    each seed; `trials` names the schedules of the evaluation."""

    def __init__(self, runs, only, trials):
        self.trials = trials
        self.figures = collections.defaultdict(list)
        self.tasks = collections.defaultdict(list)
        for each in runs:
            found = collections.defaultdict(lambda: ([], [], []))
            tasks = collections.Counter()
            for task in each:
                family = family_of(task["kind"])
                family = family if family in FAMILIES else "others"
                tasks.update((family, "all"))
                for (model, figures), name in itertools.product(task["models"].items(),
                                                                (family, "all")):
                    for column, figure in zip(found[model, name], figures):
                        if figure is not None:
                            column.append(figure)
            for key, columns in found.items():
                self.figures[key].append([statistics.mean(column) if column else None
                                          for column in columns])
            for family, count in tasks.items():
                self.tasks[family].append(count)
        known = dict.fromkeys(model for model, _ in self.figures)
        self.models = [model for model in known if re.search(only, model)]

    def medians(self, model, family):
        """[pairs, Top-1, Top-5], None without a task in any seed."""
        columns = zip(*self.figures.get((model, family), []))
        known = [[each for each in column if each is not None] for column in columns]
        return [statistics.median(column) if column else None for column in known]

    def first_picks(self, model, family="all"):
        return [top for _, top, _ in self.figures.get((model, family), [])
                if top is not None]


def cell(figures):
    return " / ".join("" if each is None else f"{each:.2f}" for each in figures)


def quality_row(judgements, model):
    row = [cell(judgements.medians(model, each)) for each in FAMILIES]
    picks = judgements.first_picks(model)
    if len(picks) > 1:
        row[-1] += f" ({min(picks):.2f} to {max(picks):.2f})"
    return row


def distance_row(judgements, model):
    """The share of a random first pick's distance to 1, and the ratio to the first
    model."""
    first = judgements.models[0]
    row = []
    for family in FAMILIES:
        closed = [(pick - chance) / (1 - chance) for pick, chance in
                  zip(judgements.first_picks(model, family),
                      judgements.first_picks("random", family))]
        row.append(f"{statistics.median(closed):.2f}" if closed else "")
    ahead = [ours - theirs for ours, theirs in
             zip(judgements.first_picks(model), judgements.first_picks(first))]
    return row + [median_range(ahead, "+.2f") if model != first else ""]


PARTS = ("quality", "distance", "overall")


def tables_of(judgements):
    """(header, rows) of each part. `judgements` are lists by dataset. If some are on
    first schedules, a column names the schedules."""
    known = [each for of in judgements.values() for each in of]
    models = known[0].models
    several = any(each.trials != "all" for each in known)

    def row(each, *cells):
        return [*cells[:-1], *([each.trials] if several else []), *cells[-1]]

    rows = {"quality": [row(each, data, model, quality_row(each, model))
                        for data, of in judgements.items() for model in models
                        for each in of],
            "distance": [row(each, data, model, distance_row(each, model))
                         for data, of in judgements.items() for model in models
                         if model != "random" for each in of],
            "overall": [row(each, data, [cell(each.medians(model, "all"))
                                         for model in models])
                        for data, of in judgements.items() for each in of]}
    trials = ["trials"] if several else []
    headers = (["data", "model", *trials, *FAMILIES],
               ["data", "model", *trials, *FAMILIES, "ahead of " + models[0]],
               ["data", *trials, *models])
    return {part: (header, rows[part]) for part, header in zip(PARTS, headers)}


def judgements_by(runs, only):
    """The figures of one dataset: on first schedules, if there are any, and on
    all."""
    found = [Judgements([each["tasks"] for each in runs], only, "all")]
    if "first" in runs[0]:
        found.insert(0, Judgements([each["first"]["tasks"] for each in runs], only,
                                   f"first {runs[0]['first']['trials']}"))
    return found


def print_tables(path, only, markdown, part):
    result = read(path)
    datasets = collections.defaultdict(list)
    for each in result["runs"]:
        datasets[each["data"]].append(each)
    judgements = {data: judgements_by(runs, only) for data, runs in datasets.items()}
    tables = tables_of(judgements)
    if part:
        print_rows(*tables[part], True, left=2)
        return
    print(f"{path}: {result['commit']}, {result['processor']}")
    for data, of in judgements.items():
        counts = (f"{min(each.tasks[family])} to {max(each.tasks[family])} {family}"
                  for each in of[-1:] for family in FAMILIES if each.tasks[family])
        print(f"{data}: {len(datasets[data])} seeds; tasks: {', '.join(counts)}")
    for header, rows in tables.values():
        print()
        print_rows(header, rows, markdown, left=2)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--table", nargs="+", metavar="FILE", help="print the tables of results")
    add("--markdown", action="store_true", help="print the tables as Markdown")
    add("--part", choices=PARTS, help="print only this table, as Markdown")
    add("--only", default="", metavar="REGEX", help="models in the tables")
    add("--tools", type=pathlib.Path, default=ROOT / "build/bin")
    add("--directory", help="for weights")
    add("--json", help="the result")
    add("--data", action="append", default=[], metavar="NAME=FILE,...")
    add("--model", action="append", default=[], metavar="[NAME=]MODEL [JSON]")
    add("--weights", action="append", default=[], metavar="NAME=FILE",
        help="weights from which the training of a model starts")
    add("--train-data", action="append", default=[], metavar="NAME=FILE,...",
        help="train on other data than that of the evaluation")
    add("--first", type=int, default=128,
        help="also evaluate on this number of first schedules of each task "
             "(default %(default)s); 0: do not")
    add("--seeds", type=int, default=5)
    add("--jobs", type=int, default=1)
    add("--train", action="append", default=[], metavar="OPTION",
        help="of pruner model train, such as --train=--first=200")
    add("--evaluate", action="append", default=[], metavar="OPTION",
        help="of pruner model evaluate, such as --evaluate=--legal")
    args = parser.parse_args()
    if args.table:
        for path in args.table:
            print_tables(path, args.only, args.markdown, args.part)
        return
    if not (args.directory and args.json and args.data and args.model):
        parser.error("expected --directory, --json, --data and --model, or --table")
    measure(args)


if __name__ == "__main__":
    main()
