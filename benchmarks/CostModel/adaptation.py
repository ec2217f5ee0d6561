#===- adaptation.py - trials that weights of another machine save ----------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trains a model on the records of one machine, and replays the records of another one
with every adaptation of it (pruner-bench-adaptation): how many trials reach 0.99 of the
speed of the best record.

    python benchmarks/CostModel/adaptation.py --directory work --json adaptation.json \\
        --pair 'k80 to v100=k80.jsonl.gz:v100.jsonl.gz' --seeds 3 \\
        --replay='--first=128' --by moses --by fine-tune --by scratch --by random

A third of the task shapes, other ones for every seed, is left out of the training, and
only tasks of these shapes are replayed. Weights and replays that the directory has are
not computed again, so a stopped run can be continued. `--table FILE...` prints the tables
of results; with `--only` and `--columns`, a part of all of them as one table of Markdown.
"""

import argparse
import json
import os
import pathlib
import re
import shlex
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

from pruner_tools.results import (commit_of, median_range, print_rows, processor, read,
                                  timestamp, without_folders, write_result, write_whole)
from training import file_name, run, train

TARGETS = (0.9, 0.95, 0.99)  # As the tool prints them.


def run_into(path, command):
    """Runs a command and writes its standard output to the file, unless the file
    exists."""
    if not os.path.exists(path):
        write_whole(path, run(command))


def train_by(args, pair, sources, seed):
    """The weights that are trained on the source's records."""
    path = os.path.join(args.directory, file_name(pair, seed) + ".safetensors")
    return train(args.tools, path, args.model, json.loads(args.train), seed, sources)


def measure(args):
    os.makedirs(args.directory, exist_ok=True)
    runs = []
    for seed in range(args.seeds):
        for text in args.pair:
            pair, files = text.split("=", 1)
            sources, targets = (part.split(",") for part in files.split(":"))
            weights = train_by(args, pair, sources, seed)
            found = {}
            # One by one, so that more contenders cost only themselves.
            for contender in args.by:
                name = file_name(pair, seed, contender, *args.replay) + ".json"
                path = os.path.join(args.directory, name)
                run_into(path, [args.tools / "pruner-bench-adaptation",
                                f"--weights={weights}", f"--by={contender}",
                                f"--seed={seed}", *args.replay, *targets])
                result = read(path)
                if not found:
                    found = {**result, "pair": pair}
                for task, other in zip(found["tasks"], result["tasks"]):
                    task["by"].update(other["by"])
            runs.append(found)
    command = shlex.join(map(without_folders, sys.argv))
    data = {"benchmark": "adaptation", "time": timestamp(), "commit": commit_of(ROOT),
            "processor": processor(), "command": command,
            "targets": TARGETS, "runs": runs}
    write_result(args.json, data)


def trials_to(run, contender, target=0.99):
    """Mean over tasks; a task that did not reach the target counts with all of its
    trials."""
    at = TARGETS.index(target)
    return statistics.mean(
        each["reached"][at] or each["trials"] for each in
        (task["by"][contender] for task in run["tasks"]))


def reached(run, contender, target=0.99):
    at = TARGETS.index(target)
    return statistics.mean(
        task["by"][contender]["reached"][at] is not None for task in run["tasks"])


def speed_after(run, contender, batches):
    """Mean over tasks of the fastest recorded time over the best one so far."""
    return statistics.mean(
        after[min(batches, len(after)) - 1] for after in
        (task["by"][contender]["after"] for task in run["tasks"]))


def trials_made(run, contender):
    return statistics.mean(task["by"][contender]["trials"] for task in run["tasks"])


def cmat(run, contender, base="fine-tune", batches=2):
    """The measure of Moses, section 4.1: the gain of search efficiency (trials to 0.99)
    times the reduction of latency (here after two batches), minus 1, in percent."""
    efficiency = trials_to(run, base) / trials_to(run, contender)
    latency = statistics.mean(
        ours["after"][min(batches, len(ours["after"])) - 1] /
        theirs["after"][min(batches, len(theirs["after"])) - 1]
        for ours, theirs in ((task["by"][contender], task["by"][base])
                             for task in run["tasks"]))
    return 100 * (efficiency * latency - 1)


def rows_of(data):
    pairs = {}
    for run in data["runs"]:
        pairs.setdefault(run["pair"], []).append(run)
    for pair, runs in pairs.items():
        names = list(runs[0]["tasks"][0]["by"])
        tasks = "/".join(str(len(run["tasks"])) for run in runs)
        for name in sorted(names, key=lambda n: statistics.median(
                trials_to(run, n) for run in runs)):
            row = [f"{pair}, {tasks} tasks", name,
                   median_range([trials_to(run, name) for run in runs], ".1f"),
                   f"{statistics.median(reached(run, name) for run in runs):.0%}"]
            row += [f"{statistics.median(speed_after(run, name, n) for run in runs):.3f}"
                    for n in (1, 2, 4)]
            row.append(f"{statistics.median(trials_made(run, name) for run in runs):.1f}")
            scratch = next((n for n in names if n.startswith("scratch")), None)
            row.append(f"{statistics.median(trials_to(run, name) / trials_to(run, scratch) for run in runs):.2f}"
                       if scratch else "")
            base = next((n for n in names if n.split(":")[0] == "fine-tune"), None)
            row.append(median_range([cmat(run, name, base) for run in runs], "+.0f")
                       if base else "")
            yield row


HEADER = ["pair", "adaptation", "trials to 0.99", "reached", "batch 1", "batch 2",
          "batch 4", "trials made", "of scratch", "CMAT (%)"]


def print_table(path, markdown):
    data = read(path)
    print(f"{path}: {data['commit']}, {data['processor']}")
    print_rows(HEADER, list(rows_of(data)), markdown, left=2)


def print_part(paths, only, columns):
    """The rows of pairs whose name has a match."""
    chosen = [HEADER.index(column) for column in columns]
    rows = [[row[n] for n in chosen] for path in paths for row in rows_of(read(path))
            if re.search(only, row[0].rpartition(", ")[0])]
    print_rows(columns, rows, True, left=2)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", nargs="+", metavar="FILE")
    parser.add_argument("--markdown", action="store_true", help="print the tables as Markdown")
    parser.add_argument("--only", metavar="REGEX", help="print these pairs in one table of Markdown")
    parser.add_argument("--columns", default=",".join(HEADER), help="of that table")
    parser.add_argument("--tools", type=pathlib.Path, default=ROOT / "build/bin")
    parser.add_argument("--directory", help="for weights and single replays")
    parser.add_argument("--json", help="the result")
    parser.add_argument("--pair", action="append", default=[],
                        metavar="NAME=SOURCE,...:TARGET,...")
    parser.add_argument("--model", default="tensetmlp")
    parser.add_argument("--train", default="{}", metavar="JSON",
                        help="options of the model when it is trained")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--by", action="append", default=[], metavar="CONTENDER")
    parser.add_argument("--replay", action="append", default=[], metavar="OPTION",
                        help="of pruner-bench-adaptation, such as --replay=--trials=60")
    args = parser.parse_args()
    if args.table and args.only is not None:
        print_part(args.table, args.only, args.columns.split(","))
        return
    if args.table:
        for path in args.table:
            print_table(path, args.markdown)
        return
    if not (args.directory and args.json and args.pair and args.by):
        parser.error("expected --directory, --json, --pair and --by, or --table")
    measure(args)


if __name__ == "__main__":
    main()
