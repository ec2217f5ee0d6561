#===- survey.py - datasets of networks' tasks ------------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures schedules of the tasks of networks and writes a dataset for each network.

    python benchmarks/Search/survey.py resnet50.mlir vit.mlir --directory survey \\
        --tasks 7 --trials 64

The heaviest tasks of each network by arithmetic are chosen: one of every kind before a
second one of any kind, and no task of an earlier network. All tasks get their first batch
before one gets its second. The same command continues a stopped run, or adds trials if
--trials is larger. New networks must follow the others on the command line.

A network NAME.mlir leaves NAME.db, the database, and NAME.jsonl.gz, the dataset.

The records of a database are valid for one code generator. Measurements of another one
can be continued as a dataset:

    python benchmarks/Search/survey.py resnet50.mlir vit.mlir --directory more \\
        --tasks 7 --trials 400 --continue survey.jsonl.gz

measures only the trials that the tasks lack to have 400, in whole batches. The seed
depends on the number of parts that the dataset has of a network. The new parts are
written after the old ones.
"""

import argparse
import collections
import itertools
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

from pruner_tools.datasets import parts
from pruner_tools.tools import ToolError, run_tool

TASK = re.compile(r"func\.func .*@(\w+)\(.*pruner\.task = \{([^}]*)\}")


class Earlier:
    """The contents of a dataset: the number of parts of each network, and of records of
    each task."""

    def __init__(self, dataset):
        self.parts = collections.Counter()
        self.trials = collections.Counter()
        for begin, records in parts(dataset) if dataset else ():
            self.parts[begin["source"]] += 1
            self.trials.update(task["name"] for task, _ in records)


class Network:
    """The tasks to measure, with their trials, seed and directory."""

    def __init__(self, module, directory, seed):
        self.module = pathlib.Path(module)
        self.database = directory / (self.module.stem + ".db")
        self.dataset = directory / (self.module.stem + ".jsonl.gz")
        self.seed = seed
        # Tasks by the number of trials that they lack. A run of the tuner is continued
        # only with the same tasks, so each number has its own runs.
        self.lacking = {}

    def lacks(self, task, trials, batch):
        if trials > 0:
            whole = -(-trials // batch) * batch
            self.lacking.setdefault(whole, []).append(task)


def tasks_of(module, tools, target):
    """(operations of all calls, name, key) of each task, as the tuner extracts them for
    a target."""
    text = run_tool([tools / "pruner-opt", "--pruner-normalize",
                     f"--pruner-move-channels-last=targets={target}",
                     "--pruner-simplify-model", "--pruner-extract-tasks", module]).stdout
    found = []
    for name, attributes in TASK.findall(text):
        values = dict(re.findall(r'(\w+) = "?(\w+)', attributes))
        found.append((int(values["flops"]) * int(values["weight"]), name, values["key"]))
    return found


def kind_of(name):
    """The name without its extents and the hash."""
    return re.sub(r"_\d+(x\d+)*", "", name.rsplit("_", 1)[0])


def choose(tasks, count, taken):
    kinds = {}
    for flops, name, key in sorted(tasks, key=lambda task: (-task[0], task[1])):
        if key not in taken:
            kinds.setdefault(kind_of(name), []).append((name, key))
    turns = itertools.chain.from_iterable(itertools.zip_longest(*kinds.values()))
    chosen = [task for task in turns if task][:count]
    taken.update(key for _, key in chosen)
    return [name for name, _ in chosen]


def measure(network, tasks, trials, arguments):
    options = (f"strategy=survey finals=false trials-per-task={trials} "
               f"trials={trials * len(tasks)} batch={arguments.batch} "
               f"threads={arguments.threads} target={arguments.target} seed={network.seed} "
               f"db={network.database} only=^({'|'.join(tasks)})$ "
               f"{arguments.tune_options}")
    run_tool([arguments.bin / "pruner-opt", network.module, "-o", os.devnull,
              f"--pruner-tune={options}"])


def write_dataset(network, arguments):
    exported = network.dataset.with_suffix(".tmp")
    run_tool([arguments.bin / "pruner", "db", "export", network.database, "-o", exported])
    run_tool([arguments.bin / "pruner", "dataset", "import", "--from=pruner",
              f"--machine={arguments.target}", f"--source={network.module.stem}", exported,
              "-o", network.dataset])
    exported.unlink()


def survey(networks, arguments):
    batch = arguments.batch
    most = max((trials for network in networks for trials in network.lacking), default=0)
    for trials in range(batch, most + batch, batch):
        for network in networks:
            pending = [tasks for lacking, tasks in network.lacking.items()
                       if lacking >= trials]
            for tasks in pending:
                measure(network, tasks, trials, arguments)
            if pending:
                write_dataset(network, arguments)
                print(f"{network.module.stem}: {trials} trials of {sum(map(len, pending))} "
                      "tasks", file=sys.stderr)


def append(networks, dataset):
    """Writes the dataset atomically: readers find either the old one or all parts."""
    joined = dataset.with_name(dataset.name + ".tmp")
    with open(joined, "wb") as out:
        out.write(dataset.read_bytes())
        for network in networks:
            if network.lacking:
                out.write(network.dataset.read_bytes())
    os.replace(joined, dataset)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    add = parser.add_argument
    add("modules", nargs="+", type=pathlib.Path, metavar="NETWORK.mlir")
    add("--directory", required=True, type=pathlib.Path)
    add("--tasks", type=int, default=7, help="number for each network")
    add("--trials", type=int, default=64, help="number for each task")
    add("--continue", dest="earlier", type=pathlib.Path, metavar="DATASET",
        help="count the trials of this dataset, and write new parts after its parts")
    add("--batch", type=int, default=32)
    add("--threads", type=int, default=1)
    add("--target", default="cpu", help="a target of pruner-tune: this CPU, or a machine file such as file:less.json")
    add("--tune-options", default="", help="further options of pruner-tune")
    add("--bin", type=pathlib.Path, default=ROOT / "build/bin")
    arguments = parser.parse_args()
    arguments.directory.mkdir(parents=True, exist_ok=True)
    earlier = Earlier(arguments.earlier)
    taken = set()
    networks = [Network(module, arguments.directory, earlier.parts[module.stem])
                for module in arguments.modules]
    for network in networks:
        tasks = choose(tasks_of(network.module, arguments.bin, arguments.target),
                       arguments.tasks, taken)
        for task in tasks:
            network.lacks(task, arguments.trials - earlier.trials[task], arguments.batch)
        print(f"{network.module.stem}: {' '.join(tasks)}", file=sys.stderr)
    survey(networks, arguments)
    if arguments.earlier:
        append(networks, arguments.earlier)


if __name__ == "__main__":
    try:
        main()
    except ToolError as error:
        sys.exit(f"error: {error}")
