#!/usr/bin/env python3
#===- tables.py - tables of the results of the search ----------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the tables of docs/results/Search.md.

    tables.py curves data/results/curves-zen4.json
    tables.py means data/results/ablation-zen4.json
    tables.py races data/results/curves-zen4.json --tuner draft --other ansor
    tables.py first-trials data/results/first-trials-zen4.json.gz --only 'model$'

The first three read a result of curves.py, the last one a result of first_trials.py, or
several of them by name. `--only` selects operations or results by a regular expression.
Requires the standard library only, so that the pages can be checked without NumPy.
"""

import argparse
import collections
import itertools
import pathlib
import re
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

from pruner_tools.datasets import family_of
from pruner_tools.results import geometric_mean, print_rows, read

# --- curves.py ----------------------------------------------------------------


def until(run, seconds):
    """(trials, seconds) that a run needed to be as fast, or (None, None)."""
    scale = run["seconds"] / run["curve"][-1][2]
    for trials, wall, best in run["curve"]:
        if best * scale <= seconds * (1 + 1e-9):
            return trials, wall
    return None, None


def race(runs, others):
    """The trials and seconds of each run that became as fast as the median of the
    other tuner at its end."""
    target = statistics.median(run["seconds"] for run in others)
    found = [until(run, target) for run in runs]
    return [pair for pair in found if pair[0]]


def race_rows(document, tuner="", other=""):
    """The trials and seconds that each tuner needed to be as fast as each other one at
    its end."""
    for operation, runs in document["operations"].items():
        for (name, each), (rival, others) in itertools.permutations(runs.items(), 2):
            if name != (tuner or name) or rival != (other or rival):
                continue
            there = race(each, others)
            median = lambda key: statistics.median(run[key] for run in others)
            yield [operation, name, rival] + (
                [f"{statistics.median(t for t, _ in there):.0f}", f"{median('trials'):.0f}",
                 f"{max(0, statistics.median(s for _, s in there)):.0f}",
                 f"{median('wall'):.0f}"]
                if there else ["never", f"{median('trials'):.0f}", "",
                               f"{median('wall'):.0f}"]) + [f"{len(there)} of {len(each)}"]


def quality(document):
    """For each operation and tuner, after each mark, the time of the fastest program of
    all tuners over the best time of the tuner: medians over its seeds, None before its
    first program and after its last trial."""
    result = {}
    for operation, runs in document["operations"].items():
        best = min(run["seconds"] for each in runs.values() for run in each)
        for tuner, each in runs.items():
            trials = statistics.median(run["trials"] for run in each)
            result[operation, tuner] = [
                best / statistics.median(run["reached"][n] for run in each) or None
                if mark <= trials else None for n, mark in enumerate(document["marks"])]
    return result


def shown(values):
    return ["" if each is None else f"{each:.2f}" for each in values]


def wall(document, operation, tuner):
    return statistics.median(run["wall"]
                             for run in document["operations"][operation][tuner])


def curve_rows(document):
    for (operation, tuner), shares in quality(document).items():
        yield [operation, tuner, *shown(shares), f"{wall(document, operation, tuner):.0f}"]


def mean_rows(document):
    """Geometric means over the operations, of tuners that have all of them."""
    shares = quality(document)
    operations = document["operations"]
    for tuner in dict.fromkeys(tuner for _, tuner in shares):
        if any(tuner not in runs for runs in operations.values()):
            continue
        columns = zip(*(shares[operation, tuner] for operation in operations))
        seconds = geometric_mean([wall(document, each, tuner) for each in operations])
        yield [tuner, *shown(None if None in column else geometric_mean(column)
                             for column in columns), f"{seconds:.0f}"]


# --- first_trials.py ----------------------------------------------------------


def times_of(task):
    """Median seconds of each schedule that did not fail in the comparison."""
    return {schedule: statistics.median(turns)
            for schedule, turns in task["turns"].items() if all(turns)}


def shares(tasks):
    """The speed of the best of the first trials, by tasks and marks."""
    result = {}
    for name, task in tasks.items():
        times = times_of(task)
        known = min(times.values(), default=0)
        result[name] = [known / times[best] if best in times else 0 for best in task["best"]]
    return result


def share_of_time(tasks):
    """For each mark, the sum of the best known times of the tasks over the sum of the
    best times of the run; None if a task has no time."""
    known, held = 0, [0] * len(next(iter(tasks.values()))["best"])
    for task in tasks.values():
        times = times_of(task)
        known += min(times.values(), default=0)
        held = [sum_ + times.get(best, float("inf"))
                for sum_, best in zip(held, task["best"])]
    return [known / each for each in held]


def first_trial_rows(tasks):
    """By kind of operation, and over all tasks: the number of tasks, and the geometric
    means of the speed of the best of the first trials."""
    families = collections.defaultdict(list)
    for name, share in shares(tasks).items():
        families[family_of(name[len("task_"):])].append(share)
        families["all"].append(share)
    for family in sorted(families, key=lambda each: (each == "all", each)):
        each = families[family]
        yield [family, str(len(each))] + [
            f"{geometric_mean(column):.3f}" if min(column) > 0 else "0"
            for column in zip(*each)]


def print_first_trials(result, only, marks):
    named = {"": result} if "tasks" in result else result
    rows = []
    for name, each in named.items():
        if not re.search(only, name):
            continue
        label = name.split(",")[0]
        rows += [[label, *row] for row in first_trial_rows(each["tasks"])]
        rows.append([label, "all, by time", str(len(each["tasks"]))] +
                    [f"{share:.3f}" for share in share_of_time(each["tasks"])])
    print_rows(["machine", "kind", "tasks", *(f"after {mark}" for mark in marks)], rows,
               True, 2)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("table", choices=["curves", "means", "races", "first-trials"])
    add("result", metavar="FILE")
    add("--only", default="", metavar="REGEX")
    add("--tuner", default="", help="races: only of this tuner")
    add("--other", default="", help="races: only with the end of this tuner")
    add("--marks", default="1,2,5,10", help="first-trials: the marks of the run")
    options = parser.parse_args()
    result = read(options.result)
    if options.table == "first-trials":
        print_first_trials(result, options.only, options.marks.split(","))
        return
    result["operations"] = {name: runs for name, runs in result["operations"].items()
                            if re.search(options.only, name)}
    marks = [f"after {mark}" for mark in result["marks"]]
    if options.table == "races":
        header = ["operation", "tuner", "as fast as", "after trials", "of", "after s", "of",
                  "seeds"]
        print_rows(header, race_rows(result, options.tuner, options.other), True, 3)
    elif options.table == "means":
        print_rows(["tuner", *marks, "seconds"], mean_rows(result), True, 1)
    else:
        print_rows(["operation", "tuner", *marks, "seconds"], curve_rows(result), True, 2)


if __name__ == "__main__":
    main()
