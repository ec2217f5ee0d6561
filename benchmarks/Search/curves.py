#===- curves.py - tuners by trials and by time -----------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tunes operations with several tuners on the same cores, and records the speed that
each tuner had reached after each trial and second.

    python benchmarks/Search/curves.py --suite benchmarks/Operators/products.suite \\
        --only 'mm_512' --trials 64 --seeds 3 --json curves.json \\
        --tuner draft='model=none' --tuner metaschedule='trials=192 seeds=1'

A tuner is a name and options of pruner-tune, or `metaschedule`, TVM's from PyPI. The
latter does not support all operations; unsupported ones are reported. A tuner may have
its own `trials` and `seeds` among its options. All tune for one thread with warm caches.
The times that tuners report depend on how they measure and are not compared. At the end,
this process times the best programs of all tuners interleaved, and scales their curves to
these times.

`--network NET.mlir` tunes whole networks instead, with Pruner's tuners only, and with the
caches in the state that the network leaves. The time of a network is then the sum of the
best times of its tasks, weighted by their calls, as the tuner measured them.
"""

import argparse
import collections
import itertools
import json
import os
import pathlib
import re
import statistics
import sys
import tempfile
import time
from datetime import datetime, timezone

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

import pruner
from pruner_tools.results import (commit_of, json_bytes, processor, text_table,
                                  timestamp, without_folders, write_whole)
from pruner_tools.tools import ToolError, run_tool, which
from pruner_tools.turns import interleave_batches
from tables import race_rows


class Operator:
    """A line of a suite: a name, a kind and its numbers."""

    def __init__(self, line):
        self.name, self.kind, *words = line.split("#")[0].split()
        self.numbers = dict(word.split("=", 1) for word in words)

    def number(self, name, default=None):
        if default is None:
            return int(self.numbers[name])
        return int(self.numbers.get(name, default))

    @property
    def shape(self):
        return [int(extent) for extent in self.numbers["shape"].split("x")]


def read_suite(path, pattern):
    lines = pathlib.Path(path).read_text().splitlines()
    found = [Operator(line) for line in lines if line.split("#")[0].strip()]
    return [each for each in found if re.search(pattern, each.name)]


class Run:
    """A tuner with one seed: its `curve` of (trials, seconds since its start, best
    seconds of a run as the tuner measured it), and a function that runs its best
    program."""

    def __init__(self, curve, trials, failed, wall, run, read):
        self.curve, self.trials, self.failed, self.wall = curve, trials, failed, wall
        self.run, self.read = run, read
        self.seconds = None  # As measured here.


class Tuner:
    """The options of a tuner for this program, and the others."""

    def __init__(self, options, arguments):
        own = {"trials": arguments.trials, "seeds": arguments.seeds}
        others = []
        for word in options.split():
            key, _, value = word.partition("=")
            if key in own:
                own[key] = int(value)
            else:
                others.append(word)
        self.trials, self.seeds = own["trials"], own["seeds"]
        self.options, self.arguments = " ".join(others), arguments
        self.tools = pathlib.Path(arguments.bin)


class PrunerTuner(Tuner):
    """pruner-tune with options."""

    def search(self, module, seed, directory, options):
        """(directory with the tuned module, seconds, the database's lines)."""
        base = pathlib.Path(tempfile.mkdtemp(dir=directory))
        start = time.time()
        run_tool([self.tools / "pruner-opt", module, "-o", base / "tuned.mlir",
                  f"--pruner-tune=threads=1 trials={self.trials} seed={seed} "
                  f"db={base / 'tuning.db'} {options} {self.options}"])
        wall = time.time() - start
        exported = run_tool([self.tools / "pruner", "db", "export", base / "tuning.db"]).stdout
        return base, start, wall, [json.loads(line) for line in exported.splitlines()]

    def tune(self, operator, seed, arrays, directory):
        module = directory / f"{operator.name}.mlir"
        if not module.exists():
            run_tool([self.tools / "pruner-bench-operators", "--suite", self.arguments.suite,
                      "--emit-modules", directory, "--only", f"^{operator.name}$"])
        base, start, wall, lines = self.search(module, seed, directory, "caches=warm")
        library = base / "tuned.so"
        run_tool([self.tools / "pruner-translate", base / "tuned.mlir", "--to=library",
                  "-o", library])
        bound = pruner.load(str(library)).bind(
            **{f"arg{n}": array for n, array in enumerate(arrays)})
        result = []

        def run():
            result[:] = [bound()]

        curve, trials, failed = curve_of(lines, start, {None: 1})
        return Run(curve, trials, failed, wall, run, lambda: result[0])

    def tune_network(self, module, seed, weights, directory):
        _, start, wall, lines = self.search(module, seed, directory, "finals=false")
        curve, trials, failed = curve_of(lines, start, weights)
        run = Run(curve, trials, failed, wall, None, None)
        run.seconds = curve[-1][2]
        return run


def curve_of(lines, start, weights):
    """(curve, trials, failed) of a database's lines. The curve begins when each task
    has a time. `weights` has the number of runs of each task."""
    curve, trials, failed = [], 0, 0
    best = collections.defaultdict(lambda: float("inf"))
    for line in lines:
        record = line.get("pruner", {})
        if record.get("kind") != "record" or record["trial"] < 0:
            continue  # A task, a default or a final.
        trials += 1
        failed += record["status"] != "ok"
        task = record["task"] if None not in weights else None
        if record["status"] == "ok":
            best[task] = min(best[task], statistics.median(record["times"]))
        total = sum(weight * best[task] for task, weight in weights.items())
        when = datetime.strptime(line["timestamp"], "%Y-%m-%dT%H:%M:%SZ")
        if total < float("inf"):
            curve.append((trials, when.replace(tzinfo=timezone.utc).timestamp() - start,
                          total))
    return curve, trials, failed


class MetaScheduleTuner(Tuner):
    """TVM's."""

    def __init__(self, options, arguments):
        super().__init__(options, arguments)
        import metaschedule
        self.library = metaschedule

    def tune(self, operator, seed, arrays, directory):
        cores = len(os.sched_getaffinity(0))
        start = time.time()
        found = self.library.tune(operator, self.trials,
                                  self.arguments.metaschedule_batch, seed, cores)
        wall = time.time() - start
        run, read = found.runner(arrays)
        return Run(found.curve, found.trials, found.failed, wall, run, read)


def operands(operator):
    """Random operands in the order of the operation's arguments."""
    n = operator.number
    random = numpy.random.default_rng(1)
    shapes = {
        "mm": lambda: [(n("m"), n("k")), (n("k"), n("n"))],
        "bmm": lambda: [(n("b"), n("m"), n("k")), (n("b"), n("k"), n("n"))],
        "conv": lambda: [(1, n("c"), n("h"), n("h")),
                         (n("f"), n("c") // n("g", 1), n("k"), n("k"))],
        "softmax": lambda: [tuple(operator.shape)],
    }
    if operator.kind not in shapes or operator.number("bias", 0):
        raise KeyError(operator.kind)
    return [random.standard_normal(shape, dtype=numpy.float32)
            for shape in shapes[operator.kind]()]


def runs_of(tuners):
    """(name, tuner, seed) of all runs, with the tuners interleaved."""
    most = max(tuner.seeds for tuner in tuners.values())
    return [(name, tuner, seed) for seed, (name, tuner)
            in itertools.product(range(most), tuners.items()) if seed < tuner.seeds]


def compare(operator, tuners, options, directory):
    """{tuner: [Run for each seed]}, all measured interleaved."""
    arrays = operands(operator)
    found = {name: [] for name in tuners}
    for name, tuner, seed in runs_of(tuners):
        try:
            found[name].append(tuner.tune(operator, seed, arrays, directory))
        except (KeyError, ToolError) as error:
            print(f"{operator.name}: {name}: {error}", file=sys.stderr)
    contenders = {(name, n): run for name, runs in found.items()
                  for n, run in enumerate(runs)}
    expected = None
    for (name, _), run in contenders.items():
        run.run()
        result = numpy.asarray(run.read())
        expected = result if expected is None else expected
        worst = numpy.abs(result - expected).max() / numpy.abs(expected).max()
        if not worst < 1e-4:
            raise SystemExit(f"error: {operator.name}: {name} differs by {worst:.1e}")
    everything = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(everything)[:1])
    batches = interleave_batches({key: run.run for key, run in contenders.items()},
                                 options.rounds, options.seconds)
    os.sched_setaffinity(0, everything)
    for key, run in contenders.items():
        clean = [batch.seconds for batch in batches[key] if batch.clean]
        run.seconds = statistics.median(clean or [batch.seconds for batch in batches[key]])
    return found


def reached(run, trials):
    """The best time after this number of trials, scaled such that the last one is the
    time that was measured here. Infinity before the first trial."""
    own = [best for done, _, best in run.curve if done <= trials]
    return own[-1] / run.curve[-1][2] * run.seconds if own else float("inf")


def compare_networks(module, tuners, options, directory):
    """{tuner: [Run for each seed]} of a network."""
    tasks = run_tool([pathlib.Path(options.bin) / "pruner-opt", "--pruner-normalize",
                      "--pruner-move-channels-last", "--pruner-simplify-model",
                      "--pruner-extract-tasks", module]).stdout
    weights = {}
    for attributes in re.findall(r"pruner\.task = \{([^}]*)\}", tasks):
        values = dict(re.findall(r'(\w+) = "?(\w+)', attributes))
        weights[values["key"]] = int(values["weight"])
    found = collections.defaultdict(list)
    for name, tuner, seed in runs_of(tuners):
        found[name].append(tuner.tune_network(module, seed, weights, directory))
    return found


def print_races(document):
    rows = [["operation", "tuner", "as fast as", "after trials", "of", "after s", "of",
             "runs that were"], *race_rows(document)]
    print(*text_table(rows), sep="\n")


def print_table(document):
    marks = document["marks"]
    rows = [["operation", "tuner", "trials", "failed", "wall s", "us"] +
            [f"after {mark}" for mark in marks]]
    for operation, runs in document["operations"].items():
        best = min(run["seconds"] for each in runs.values() for run in each)
        for tuner, each in runs.items():
            median = lambda key: statistics.median(run[key] for run in each)
            rows.append([operation, tuner, f"{median('trials'):.0f}",
                         f"{median('failed'):.0f}", f"{median('wall'):.0f}",
                         f"{median('seconds') * 1e6:.1f}"] +
                        [f"{best / statistics.median(run['reached'][n] for run in each):.2f}"
                         for n in range(len(marks))])
    print(*text_table(rows), sep="\n")
    print("medians over seeds; after a number of trials: the time of the fastest program of "
          "all tuners over the best time of the tuner")


def programs():
    found = which("pruner-opt")
    return str(pathlib.Path(found).parent if found else ROOT / "build" / "bin")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--suite", metavar="FILE", help="operations; see docs/guides/Benchmarking.md")
    what.add_argument("--network", action="append", metavar="FILE",
                      help="a network instead of operations; repeatable")
    what.add_argument("--show", metavar="FILE", help="print the tables of a result")
    add("--only", default="", metavar="REGEX", help="only operations or networks whose name matches")
    add("--tuner", action="append", default=[], metavar="NAME=OPTIONS",
        help="options of pruner-tune, or of 'metaschedule'; repeatable")
    add("--bin", default=programs(), metavar="DIR",
        help="directory of Pruner's programs (default: that of pruner-opt on PATH, or build/bin)")
    add("--trials", type=int, default=64, help="of each tuner (default %(default)s)")
    add("--metaschedule-batch", type=int, default=16, help="trials of a round of MetaSchedule")
    add("--seeds", type=int, default=1, help="runs of each tuner")
    add("--marks", default="5,10,32,64", help="numbers of trials in the table")
    add("--rounds", type=int, default=12, help="rounds of the final comparison")
    add("--seconds", type=float, default=0.1, help="seconds of a program in a round")
    add("--json", metavar="FILE", help="write the result here, after every operation")
    options = parser.parse_args()
    tuners = {}
    for text in options.tuner:
        name, _, words = text.partition("=")
        kind = MetaScheduleTuner if name == "metaschedule" else PrunerTuner
        tuners[name] = kind(words, options)
    if options.show:
        document = json.loads(pathlib.Path(options.show).read_text())
        print_table(document)
        print_races(document)
        return 0
    if not tuners:
        parser.error("expected --tuner")
    if options.network:
        if "metaschedule" in tuners:
            parser.error("metaschedule tunes operations, not networks")
        subjects = [pathlib.Path(file) for file in options.network]
        subjects = [each for each in subjects if re.search(options.only, each.stem)]
    else:
        subjects = read_suite(options.suite, options.only)
    if not subjects:
        parser.error("no network has that name" if options.network else
                     "no operation of the suite has that name")
    document = {"benchmark": "curves", "commit": commit_of(str(ROOT)),
                "processor": processor(), "time": timestamp(),
                "cores": len(os.sched_getaffinity(0)), "trials": options.trials,
                "tuners": [without_folders(text) for text in options.tuner],
                "load_average": os.getloadavg(),
                "marks": [int(mark) for mark in options.marks.split(",")],
                "operations": {}}
    with tempfile.TemporaryDirectory() as directory:
        for subject in subjects:
            run_all = compare_networks if options.network else compare
            found = run_all(subject, tuners, options, pathlib.Path(directory))
            if not any(found.values()):
                continue
            name = subject.stem if options.network else subject.name
            document["operations"][name] = {
                name: [{"trials": run.trials, "failed": run.failed, "wall": run.wall,
                        "seconds": run.seconds, "curve": run.curve,
                        "reached": [reached(run, mark) for mark in document["marks"]]}
                       for run in runs] for name, runs in found.items() if runs}
            if options.json:
                write_whole(options.json, json_bytes(document))
    print_table(document)
    print_races(document)
    return 0


if __name__ == "__main__":
    sys.exit(main())
