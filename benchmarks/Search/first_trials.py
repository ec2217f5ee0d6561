#===- first_trials.py - the tuner's first trials and a dataset --------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the first trials of tasks with the best known schedules.

    python benchmarks/Search/first_trials.py survey.jsonl.gz resnet50.mlir vit.mlir \\
        --trials 10 --tune-options 'model=none' --json first.json

tunes the tasks of each network that the dataset has, and prints by kind of operation the
geometric mean of the speed of the best of the first 1, 2, 5, ... trials, relative to the
best known schedule. For this, the best schedules of the run after each of these numbers
are timed again, interleaved with the fastest schedules of the dataset, by the same
worker. Times of the dataset are from another day, and the fastest of hundreds of times is
partly luck. The best known schedule is the fastest one of this comparison.
"""

import argparse
import collections
import json
import os
import pathlib
import statistics
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

from pruner_tools.contest import Task, hold_contest
from pruner_tools.datasets import parts
from pruner_tools.results import (commit_of, json_bytes, processor, text_table,
                                  timestamp, write_whole)
from pruner_tools.tools import ToolError, run_tool
from tables import first_trial_rows

def fastest_of(dataset, count):
    """The fastest schedules of the tasks of each network."""
    networks = collections.defaultdict(lambda: collections.defaultdict(dict))
    for begin, records in parts(dataset):
        network = networks[begin["source"]]
        for task, record in records:
            if record.get("seconds"):
                seconds = statistics.median(record["seconds"])
                times = network[task["name"]]
                schedule = record["schedule"]
                times[schedule] = min(seconds, times.get(schedule, seconds))
    return {network: {name: sorted(times, key=times.get)[:count]
                      for name, times in tasks.items()}
            for network, tasks in networks.items()}


def trials_of(module, tasks, directory, arguments):
    """By name of the task, the facts that a worker needs, and (schedule, seconds) of its
    trials in order, without the untuned default; seconds is None for a failed trial."""
    database = pathlib.Path(directory) / (module.stem + ".db")
    options = (f"finals=false trials-per-task={arguments.trials} "
               f"trials={arguments.trials * len(tasks)} threads=1 target={arguments.target} "
               f"db={database} only=^({'|'.join(tasks)})$ {arguments.tune_options}")
    run_tool([arguments.bin / "pruner-opt", module, "-o", os.devnull,
              f"--pruner-tune={options}"])
    exported = run_tool([arguments.bin / "pruner", "db", "export", database]).stdout
    stored, tasks, trials = {}, {}, collections.defaultdict(list)
    for line in exported.splitlines():
        record = json.loads(line)
        about = record["pruner"]
        if about["kind"] == "task":
            stored[about["key"]] = about
        elif about["trial"] >= 0:
            key = about["task"]
            times = [each["value"] * 1e-3 for each in record["measurements"]
                     if each["name"] == "time"]
            trials[key].append((about["trial"], record["configuration"]["schedule"],
                                times[0] if times else None))
            tasks[key] = Task(key, stored[key]["text"], about["target"], 1,
                              about.get("cache_state", ""))
    return {stored[key]["name"]: (tasks[key], [trial[1:] for trial in sorted(each)])
            for key, each in trials.items()}


def held_best(trials, marks):
    """For each mark, the fastest schedule after this number of trials; None if none was
    measured."""
    result = []
    for mark in marks:
        measured = [(seconds, schedule) for schedule, seconds in trials[:mark] if seconds]
        result.append(min(measured)[1] if measured else None)
    return result


def report(result, marks):
    rows = [["kind", "tasks"] + [f"after {mark}" for mark in marks],
            *first_trial_rows(result["tasks"])]
    return "\n".join(text_table(rows))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    add = parser.add_argument
    add("dataset", type=pathlib.Path)
    add("modules", nargs="+", type=pathlib.Path, metavar="NETWORK.mlir")
    add("--trials", type=int, default=10, help="number for each task")
    add("--marks", default="1,2,5,10", help="numbers of trials in the table")
    add("--rivals", type=int, default=5, help="number of the dataset's fastest schedules in the comparison")
    add("--turns", type=int, default=8)
    add("--target", default="cpu", help="a target of pruner-tune")
    add("--tune-options", default="", help="further options of pruner-tune")
    add("--json", type=pathlib.Path)
    add("--bin", type=pathlib.Path, default=ROOT / "build/bin")
    arguments = parser.parse_args()
    marks = [int(mark) for mark in arguments.marks.split(",")]
    result = {"time": timestamp(), "commit": commit_of(str(ROOT)), "cpu": processor(),
              "command": sys.argv[1:], "tasks": {}}
    fastest = fastest_of(arguments.dataset, arguments.rivals)
    with tempfile.TemporaryDirectory() as directory:
        for module in arguments.modules:
            known = fastest.get(module.stem)
            if not known:
                raise ToolError(f"'{arguments.dataset}' has no part of {module.stem}")
            found = trials_of(module, known, directory, arguments)
            for name, (task, trials) in found.items():
                best = held_best(trials, marks)
                rivals = dict.fromkeys(known[name] + [each for each in best if each])
                result["tasks"][name] = {
                    "best": best, "trials": [seconds for _, seconds in trials],
                    "turns": hold_contest(arguments.bin / "pruner-worker", task,
                                          list(rivals), arguments.turns)}
            print(f"{module.stem}: {len(known)} tasks", file=sys.stderr)
    print(report(result, marks))
    if arguments.json:
        write_whole(str(arguments.json), json_bytes(result))


if __name__ == "__main__":
    try:
        main()
    except ToolError as error:
        sys.exit(f"error: {error}")
