"""The tuner's proposals for an operation, and workers that compile them."""

import concurrent.futures
import gzip
import json
import os
import re
import statistics
import threading

from pruner_tools.tools import run_tool

from . import kit
from .program import parse_calls
from .worker import KitWorker

TASK = re.compile(r"func\.func private @(\w+)\(.*?pruner\.task = \{[^}]*key = \"(\w+)\"")


def _tuned(environment, operation, target, count, work, database):
    """Return the text of the tuned module; its candidates are in the database."""
    tuned = os.path.join(work, operation.name + ".mlir")
    kernels = 1
    while True:
        run_tool(
            [kit.tool("pruner-opt"), "-", "-o", tuned,
             "--pruner-tune=target=%s strategy=draft-only model=none trials=%d batch=%d "
             "emulate=0 lower=false db=%s" % (target, count * kernels, count, database)],
            input=operation.module(), env=environment, timeout=900)
        with open(tuned) as file:
            text = file.read()
        found = len(dict(TASK.findall(text)))
        if found <= kernels:
            return text
        kernels = found  # The number of trials per task; existing records are kept.


def _exported(here, path):
    """Return a database, or the export that the command `tune` leaves, as lines of
    JSON."""
    if path.endswith(".jsonl.gz"):
        with gzip.open(path, "rt") as file:
            return file.read()
    return here.exported(path)


def drafts(here, operation, target, count, work, databases=()):
    """Return ({task key: (task line, schedules, best first)}, {function: key}, calls).
    Measured schedules come before drafts."""
    database = os.path.join(work, operation.name + ".db")
    # The device is hidden from the tuner. Candidates are ranked and compiled there, and
    # measured here, with PyTorch as reference instead of loops on the CPU.
    environment = dict(here.environment, CUDA_VISIBLE_DEVICES="")
    text = _tuned(environment, operation, target, count, work, database)
    tasks = {}
    for path in [database] + list(databases):
        for entry in _exported(here, path).splitlines():
            line = json.loads(entry)
            pruner = line["pruner"]
            if pruner["kind"] == "task":
                if path == database:
                    tasks[pruner["key"]] = (pruner, [])
            elif pruner["task"] in tasks and pruner["status"] in ("ok", "unmeasured"):
                times = pruner.get("times") or []
                rank = ((0, statistics.median(times)) if times and pruner["verified"]
                        else (1, pruner.get("psa_latency") or 1e9))
                tasks[pruner["task"]][1].append(
                    (rank, line["configuration"]["schedule"]))
    # A schedule with two records counts once, at its better rank.
    result = {key: (task, list(dict.fromkeys(schedule for _, schedule in sorted(ranked))))
              for key, (task, ranked) in tasks.items()}
    return result, dict(TASK.findall(text)), parse_calls(text)


class Builders:
    """Workers that compile, one per core."""

    def __init__(self, here, count):
        self.local, self.here, self.all = threading.local(), here, []
        self.pool = concurrent.futures.ThreadPoolExecutor(count)

    def _build(self, key, text, schedule, target):
        if not hasattr(self.local, "worker"):
            self.local.worker = KitWorker(self.here.environment)
            self.all.append(self.local.worker)
        return self.local.worker.build(key, text, schedule, target, 60)

    def build(self, task, schedules, target):
        return list(self.pool.map(
            lambda s: self._build(task["key"], task["text"], s, target), schedules))

    def close(self):
        self.pool.shutdown(wait=True)
        for worker in self.all:
            worker.close()
