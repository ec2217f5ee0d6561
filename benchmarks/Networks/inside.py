#===- inside.py - kernels inside of networks and alone --------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times the kernels of a network inside of it and in isolation, interleaved.

    python benchmarks/Networks/inside.py net.mlir net.db --rounds 5

The network (the input of pruner-tune, with its constants declared) gets the schedules
of the database. It is profiled in this process. A worker times each kernel in
isolation, in the cache state that the tuner measures in, and with warm caches. Both run
on the same CPU, one after the other. Ideally isolated times equal those in the network;
the table shows the ratio of each kernel and of the sum.
"""

import argparse
import json
import os
import pathlib
import re
import statistics
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

import pruner
from pruner.random_inputs import random_inputs
from pruner.worker import Worker, artifact_of
from pruner_tools.contest import BUILD_SECONDS, RUN_SECONDS, TASK_SECONDS, distances_of
from pruner_tools.results import (commit_of, json_bytes, processor, text_table, timestamp,
                                  write_whole)
from pruner_tools.tools import run_tool

FUNCTION = re.compile(r"func\.func private @(\w+)\(.*?attributes \{(.*)\} \{$", re.M)


class Task:
    """A task with its schedule, built; `alone` and `warm` are seconds by round."""

    def __init__(self, name, key, text, schedule, state):
        self.name, self.key, self.text = name, key, text
        self.schedule, self.state = schedule, state
        self.alone, self.warm, self.inside = [], [], []
        self.built = None


def ask(worker, seconds, **request):
    """Return the reply, if its status is ok. Raises RuntimeError."""
    reply = worker.ask(request, seconds)
    if reply.get("status") != "ok":
        raise RuntimeError(f"the worker says: {reply}")
    return reply


def build(worker, task, threads):
    ask(worker, TASK_SECONDS, type="task", key=task.key, text=task.text)
    task.built = ask(worker, BUILD_SECONDS, type="build", task=task.key,
                     schedule=task.schedule, target="cpu", threads=threads)


def seconds_alone(worker, task, threads, state):
    return ask(worker, RUN_SECONDS, type="run", task=task.key, target="cpu",
               threads=threads, verify=False, reuse_distances=distances_of(state),
               **artifact_of(task.built))["median"]


def tasks_of(module, records):
    """Return the tasks of a module that have schedules, with the text and the cache
    state of the records."""
    texts, states = {}, {}
    for line in records.splitlines():
        entry = json.loads(line)
        known = entry["pruner"]
        if known["kind"] == "task":
            texts[known["key"]] = known["text"]
        else:
            schedule = entry["configuration"]["schedule"]
            states[known["task"], schedule] = known.get("cache_state", "")
    for name, attributes in FUNCTION.findall(module):
        key = re.search(r'key = "(\w+)"', attributes)
        schedule = re.search(r"pruner\.schedule = (#pruner\.schedule<.*?>)(, pruner|$)",
                             attributes)
        if key and schedule:
            yield Task(name, key[1], texts[key[1]], schedule[1],
                       states[key[1], schedule[1]])


def libraries(options, directory):
    """Compile the network. Return the library and the one that prepares its constants.
    """
    def tool(name, *arguments):
        return run_tool([options.tools / name, *arguments])

    apply = f"threads={options.threads} db={options.db}"
    scheduled, lowered = f"{directory}/scheduled.mlir", f"{directory}/lowered.mlir"
    tool("pruner-opt", options.network, f"--pruner-apply-best=lower=false {apply}",
         "-o", scheduled)
    tool("pruner-opt", options.network, f"--pruner-apply-best={apply}",
         "--pruner-hoist-constants", "-o", lowered)
    text = pathlib.Path(lowered).read_text()
    paths = []
    for entry in ["main", "main_prepare"]:
        if f"@{entry}(" in text:
            paths.append(f"{directory}/{entry}.so")
            tool("pruner-translate", lowered, "--to=library", f"--entry={entry}",
                 "-o", paths[-1])
    return pathlib.Path(scheduled).read_text(), paths


def interleave_network(options, net, tasks):
    """Time the network and its tasks. Return the calls of each task, and the seconds of
    the network by round."""
    calls, totals = {}, []
    with Worker(str(options.tools / "pruner-worker")) as worker:
        for task in tasks.values():
            build(worker, task, options.threads)
        for turn in range(options.rounds):
            net()
            net.reset_profile()
            for _ in range(options.runs):
                net()
            profile = net.profile()
            totals.append(profile.seconds)
            for row in profile:
                if row.key in tasks:
                    tasks[row.key].inside.append(row.seconds)
                    calls[row.key] = row.calls
            for task in tasks.values():
                task.alone.append(seconds_alone(worker, task, options.threads, task.state))
                task.warm.append(seconds_alone(worker, task, options.threads, ""))
            print(f"round {turn + 1} of {options.rounds}", file=sys.stderr)
    return calls, totals


def measure(options):
    records = run_tool([options.tools / "pruner", "db", "export", options.db]).stdout
    with tempfile.TemporaryDirectory() as directory:
        module, paths = libraries(options, directory)
        tasks = {task.key: task for task in tasks_of(module, records)}
        if not tasks:
            sys.exit(f"{options.db} has no schedule for a task of {options.network} here")
        # Only here, because the database treats a machine with fewer cores as another
        # machine.
        if options.threads == 1:
            os.sched_setaffinity(0, [max(os.sched_getaffinity(0))])
        net = pruner.load(paths[0], prepare=(paths + [None])[1], profile=True)
        net.threads = options.threads
        net = net.bind(**random_inputs(net.free_inputs, 0))
        return (tasks, *interleave_network(options, net, tasks))


def report(tasks, calls, totals):
    total = statistics.median(totals)
    rows, sums = [], {"alone": 0, "warm": 0, "inside": 0}
    for key, task in tasks.items():
        if key not in calls:  # Only the preparation of constants calls it.
            continue
        times = {name: statistics.median(getattr(task, name)) for name in sums}
        for name in sums:
            sums[name] += calls[key] * times[name]
        ratios = sorted(i / a for i, a in zip(task.inside, task.alone))
        rows.append({"task": task.name, "calls": calls[key], "state": task.state, **times,
                     "share": calls[key] * times["inside"] / total,
                     "ratio": statistics.median(ratios), "least": ratios[0],
                     "most": ratios[-1], "warm_ratio": times["inside"] / times["warm"]})
    rows.sort(key=lambda row: -row["share"])
    return {"network": total, "sum": sums["alone"], "warm_sum": sums["warm"],
            "inside_sum": sums["inside"], "tasks": rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network", help="as it was given to pruner-tune, with "
                        "pruner.constant on its weights")
    parser.add_argument("db", help="the tuning database")
    parser.add_argument("--tools", type=pathlib.Path, default=ROOT / "build" / "bin")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--runs", type=int, default=20, help="runs of the network per round")
    parser.add_argument("--json", help="also write the result to this file")
    options = parser.parse_args()
    result = report(*measure(options))
    table = [["task", "calls", "caches", "share", "alone us", "in it us", "ratio", "spread",
              "over warm"]]
    for row in result["tasks"]:
        table.append([row["task"], f"{row['calls']:g}", row["state"],
                      f"{100 * row['share']:.1f}%", f"{row['alone'] * 1e6:.1f}",
                      f"{row['inside'] * 1e6:.1f}", f"{row['ratio']:.2f}",
                      f"{row['least']:.2f}..{row['most']:.2f}", f"{row['warm_ratio']:.2f}"])
    print("\n".join(text_table(table)))
    print(f"the network takes {result['network'] * 1e3:.2f} ms, its tasks measured alone "
          f"{result['sum'] * 1e3:.2f} ms ({result['network'] / result['sum']:.3f}), "
          f"warm {result['warm_sum'] * 1e3:.2f} ms "
          f"({result['network'] / result['warm_sum']:.3f})")
    if options.json:
        write_whole(options.json, json_bytes({
            "file": os.path.basename(options.network), "threads": options.threads,
            "rounds": options.rounds, "runs": options.runs, "processor": processor(),
            "commit": commit_of(ROOT), "time": timestamp(), **result}))


if __name__ == "__main__":
    main()
