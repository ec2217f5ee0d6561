#===- first_trials.py - the tuner's first trials beside a dataset ----------===#
#
# Part of the Pruner project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""How good the first trials of tasks are, beside the best that is known of them.

    python benchmarks/Search/first_trials.py survey.jsonl.gz resnet50.mlir vit.mlir \\
        --trials 10 --tune-options 'model=none' --json first.json

tunes those tasks of each network that the dataset has of it, and prints by kind of
operation the geometric mean of how fast the best of the first 1, 2, 5, ... trials is.
Best known is the fastest of the dataset and of all trials, by medians of repetitions,
which favours it: of hundreds the fastest was lucky, too.
"""

import argparse
import collections
import json
import os
import pathlib
import re
import statistics
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

from pruner_tools.datasets import parts
from pruner_tools.results import (commit_of, geometric_mean, json_bytes, processor,
                                  text_table, timestamp, write_whole)
from pruner_tools.tools import ToolError, run_tool

FAMILIES = (("depthwise", "depthwise"), ("conv", "convolutions"), ("pool", "pooling"),
            ("reduce", "sums"), ("matmul", "products"), ("batch_matmul", "products"),
            ("matvec", "products"), ("contract", "products"))


def family_of(name):
    kind = name[len("task_"):]
    return next((family for prefix, family in FAMILIES if kind.startswith(prefix)),
                re.match(r"[a-z]+", kind).group())


def fastest_of(dataset):
    """Of each network the tasks' fastest times, seconds."""
    networks = collections.defaultdict(dict)
    for begin, records in parts(dataset):
        network = networks[begin["source"]]
        for task, record in records:
            if record.get("seconds"):
                seconds = statistics.median(record["seconds"])
                network[task["name"]] = min(seconds, network.get(task["name"], seconds))
    return networks


def trials_of(module, tasks, directory, arguments):
    """Seconds of each task's trials in order, without the untuned default; what failed
    is None."""
    database = pathlib.Path(directory) / (module.stem + ".db")
    options = (f"finals=false trials-per-task={arguments.trials} "
               f"trials={arguments.trials * len(tasks)} threads=1 target={arguments.target} "
               f"db={database} only=^({'|'.join(tasks)})$ {arguments.tune_options}")
    run_tool([arguments.bin / "pruner-opt", module, "-o", os.devnull,
              f"--pruner-tune={options}"])
    exported = run_tool([arguments.bin / "pruner-db", "export", database]).stdout
    names, trials = {}, collections.defaultdict(list)
    for line in exported.splitlines():
        record = json.loads(line)
        about = record["pruner"]
        if about["kind"] == "task":
            names[about["key"]] = about["name"]
        elif about["trial"] >= 0:
            times = [each["value"] * 1e-3 for each in record["measurements"]
                     if each["name"] == "time"]
            trials[names[about["task"]]].append((about["trial"], times[0] if times else None))
    return {name: [seconds for _, seconds in sorted(each, key=lambda trial: trial[0])]
            for name, each in trials.items()}


def shares(tasks, marks):
    """How fast the best of the first trials is, by tasks and marks."""
    result = {}
    for name, task in tasks.items():
        known = min([task["known"]] + [s for s in task["trials"] if s])
        bests = [min((s for s in task["trials"][:mark] if s), default=None) for mark in marks]
        result[name] = [known / best if best else 0 for best in bests]
    return result


def report(result, marks):
    families = collections.defaultdict(list)
    for name, share in shares(result["tasks"], marks).items():
        families[family_of(name)].append(share)
        families["all"].append(share)
    rows = [["kind", "tasks"] + [f"after {mark}" for mark in marks]]
    for family in sorted(families, key=lambda each: (each == "all", each)):
        each = families[family]
        rows.append([family, str(len(each))] +
                    [f"{geometric_mean(column):.3f}" if min(column) > 0 else "0"
                     for column in zip(*each)])
    return "\n".join(text_table(rows))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    add = parser.add_argument
    add("dataset", type=pathlib.Path)
    add("modules", nargs="+", type=pathlib.Path, metavar="NETWORK.mlir")
    add("--trials", type=int, default=10, help="of each task")
    add("--marks", default="1,2,5,10", help="after how many trials")
    add("--target", default="cpu", help="as pruner-tune has it")
    add("--tune-options", default="", help="further options of pruner-tune")
    add("--json", type=pathlib.Path)
    add("--bin", type=pathlib.Path, default=ROOT / "build/bin")
    arguments = parser.parse_args()
    marks = [int(mark) for mark in arguments.marks.split(",")]
    result = {"time": timestamp(), "commit": commit_of(str(ROOT)), "cpu": processor(),
              "command": sys.argv[1:], "tasks": {}}
    fastest = fastest_of(arguments.dataset)
    with tempfile.TemporaryDirectory() as directory:
        for module in arguments.modules:
            known = fastest.get(module.stem)
            if not known:
                raise ToolError(f"'{arguments.dataset}' has no part of {module.stem}")
            for name, trials in trials_of(module, known, directory, arguments).items():
                result["tasks"][name] = {"known": known[name], "trials": trials}
            print(f"{module.stem}: {len(known)} tasks", file=sys.stderr)
    print(report(result, marks))
    if arguments.json:
        write_whole(str(arguments.json), json_bytes(result))


if __name__ == "__main__":
    try:
        main()
    except ToolError as error:
        sys.exit(f"error: {error}")
