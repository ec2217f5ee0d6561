#===- unknown_machine.py - models on a machine that is described wrongly ---===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares learned models on a wrong machine description with the analytical model on a
calibrated one.

    python benchmarks/CostModel/unknown_machine.py --directory work --json unknown.json \\
        --data data/survey-avx512-zen4.jsonl.gz --learn data/trials-networks-zen4.jsonl.gz \\
        --other data/survey-avx512-zen5.jsonl.gz --seeds 3
    python benchmarks/CostModel/unknown_machine.py --table unknown.json

The description in the dataset is replaced by wrong ones: caches, bandwidths, ports and
latencies are all halved, all doubled, or each halved or doubled at random. The models are
then trained on the trials of one tuned network, with the wrong description, and choose
among the schedules of a survey of other networks' tasks. Models whose names begin with
`other=` start from weights that were trained on the other dataset, of another machine,
without the task shapes of the evaluation.

The table has first picks: the fastest time of a task over the time of the schedule that a
model ranks first. They are means over tasks and cases: of the analytical model with the
right and with the wrong description, and of each model with the wrong one.
"""

import argparse
import collections
import gzip
import json
import os
import pathlib
import random
import shlex
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

from pruner_tools.results import (commit_of, print_rows, processor, read, timestamp,
                                  without_folders, write_result)
from training import file_name, made, run

FIELDS = ("l1Bytes", "l2Bytes", "l3Bytes", "memoryBandwidth", "peakFlops")
CORE_FIELDS = ("copyCycles", "divideCost", "fmaLatency", "functionCost", "l2BytesPerCycle",
               "l3Bandwidth", "lineMissCycles", "loadsPerCycle", "loopOverhead",
               "paddedRowCycles", "restartCycles", "rowCycles", "storesPerCycle")
DESCRIPTIONS = {"halved": (0.5,), "doubled": (2,), "mixed": (0.5, 2)}
TREES = {"prior": 3, "rounds": 60, "depth": 4}
LEARNERS = {"trees": ("xgboost", {}), "trees, prior": ("xgboost", TREES),
            "four trees, prior": ("xgboost", {**TREES, "members": 4}), "pacm": ("pacm", {}),
            "pacm, prior": ("pacm", {"prior": 1}), "nearest": ("nearest", {}),
            "linear": ("linear", {})}
UNSEEDED = ("nearest", "linear")


def describe_wrongly(source, target, choices, seed):
    """Copies a dataset with other numbers in its machine descriptions. All parts get the
    same numbers, each multiplied by one of the choices."""
    if os.path.exists(target):
        return target
    chance = random.Random(seed)
    factors = {name: chance.choice(choices) for name in FIELDS + CORE_FIELDS}
    with gzip.open(source, "rt", encoding="utf-8") as lines, \
         gzip.open(target + ".part", "wt", encoding="utf-8", compresslevel=1) as copy:
        for line in lines:
            if line.startswith('{"dataset"'):
                part = json.loads(line)
                machine = part["machine"]
                for fields, names in ((machine, FIELDS), (machine["core"], CORE_FIELDS)):
                    for name in names:
                        scaled = fields[name] * factors[name]
                        fields[name] = (int(scaled) if isinstance(fields[name], int) and
                                        scaled == int(scaled) else scaled)
                line = json.dumps(part) + "\n"
            copy.write(line)
    os.replace(target + ".part", target)
    return target


def sources_of(path):
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return list(dict.fromkeys(json.loads(line)["source"] for line in lines
                                  if line.startswith('{"dataset"')))


class Case:
    """A wrong description, the network that was tuned, and a seed."""

    def __init__(self, args, description, network, seed):
        self.args, self.seed, self.network = args, seed, network
        self.label = file_name(description, network, seed)
        name = description if description != "mixed" else f"mixed-{seed}"
        self.data, self.trials = (
            describe_wrongly(path, os.path.join(args.directory, f"{name}-{use}.jsonl.gz"),
                             DESCRIPTIONS[description], seed)
            for path, use in ((args.data, "judged"), (args.learn, "learned")))
        others = [each for each in sources_of(args.learn) if each != network]
        self.learned = [f"--without={','.join(others)}"]
        self.pruner = args.tools / "pruner"

    def path(self, name):
        return os.path.join(self.args.directory,
                            file_name(self.label, name) + ".safetensors")

    def trained(self, name, kind, options):
        seed = {} if kind in UNSEEDED else {"seed": self.seed}
        options = json.dumps({**options, **seed})
        return made(self.path(name), [
            self.pruner, "model", "train", f"--model={kind}", f"--options={options}",
            *self.learned, self.trials])

    def other(self):
        """Weights of the other machine, trained without the task shapes of the
        evaluation."""
        return made(os.path.join(self.args.directory, f"other-{self.seed}.safetensors"), [
            self.pruner, "model", "train", "--model=xgboost",
            '--options={"rounds": 100, "depth": 4, "prior": 3, "members": 4}',
            "--hold-out=0.33", f"--seed={self.seed}", self.args.other])

    def adapted(self):
        return made(self.path("adapted"), [
            self.pruner, "model", "adapt", f"--weights={self.other()}",
            "--adapt=fine-tune", *self.learned, self.trials])

    def judge(self):
        """First picks by task: {model: {task: Top-1}}."""
        models = {"wrong": "psa", "other, as it is": self.other(),
                  "other, adapted": self.adapted()}
        for name, (kind, options) in LEARNERS.items():
            models[name] = self.trained(name, kind, options)
        paths = ",".join(models.values())
        found = collections.defaultdict(dict)
        for data, chosen in ((self.data, models), (self.args.data, {"right": "psa"})):
            # The second call judges the same tasks, because the same weights are named.
            judged = json.loads(run([self.pruner, "model", "evaluate", "--unseen", "--json",
                                     f"--model={paths}", data]))
            for group in judged["groups"]:
                for task in group["tasks"]:
                    for name, path in chosen.items():
                        found[name][task["name"]] = (
                            task["models"][pathlib.Path(path).stem]["top"]["1"])
        return found


def measure(args):
    os.makedirs(args.directory, exist_ok=True)
    cases = []
    for description in DESCRIPTIONS:
        for seed in range(args.seeds):
            for network in args.network:
                found = Case(args, description, network, seed).judge()
                cases.append({"description": description, "seed": seed, "network": network,
                              "tasks": len(found["right"]),
                              "first": {name: statistics.mean(tops.values())
                                        for name, tops in found.items()}})
    write_result(args.json, {
        "benchmark": "unknown-machine", "time": timestamp(), "commit": commit_of(ROOT),
        "processor": processor(), "command": shlex.join(map(without_folders, sys.argv)),
        "data": os.path.basename(args.data),
        "learn": os.path.basename(args.learn), "other": os.path.basename(args.other),
        "cases": cases})


def table(paths):
    rows = []
    for path in paths:
        result = read(path)
        groups = collections.defaultdict(list)
        for case in result["cases"]:
            groups[case["description"]].append(case)
        groups["all"] = result["cases"]
        learners = [name for name in result["cases"][0]["first"]
                    if name not in ("right", "wrong")]
        for description, cases in groups.items():
            picks = (f"{statistics.mean(case['first'][name] for case in cases):.3f}"
                     for name in ("right", "wrong", *learners))
            rows.append([result["data"].removesuffix(".jsonl.gz"), description, *picks])
    print_rows(["data", "description", "right", "wrong", *learners], rows, True, left=2)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--table", nargs="+", metavar="FILE", help="print the tables of results")
    add("--tools", type=pathlib.Path, default=ROOT / "build/bin")
    add("--directory", help="for weights and datasets")
    add("--json", help="the result")
    add("--data", help="survey of the machine, for the evaluation")
    add("--learn", help="trials of tuned networks of the machine")
    add("--other", help="dataset of another machine")
    add("--network", action="append", help="networks that are tuned first")
    add("--seeds", type=int, default=3)
    args = parser.parse_args()
    if args.table:
        table(args.table)
        return
    if not (args.directory and args.json and args.data and args.learn and args.other):
        parser.error("expected --directory, --json, --data, --learn and --other, or --table")
    args.network = args.network or ["resnet50", "bert_base"]
    measure(args)


if __name__ == "__main__":
    main()
