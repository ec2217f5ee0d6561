#===- contest.py - interleaved timing of schedules ------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds schedules of a task with a `pruner-worker` and times them interleaved
(docs/reference/WorkerProtocol.md). Times of different runs of the tuner cannot be
compared directly."""

import os
import sys
from typing import NamedTuple

from pruner.worker import Worker, WorkerFailed, artifact_of

from .turns import interleave

# Deadlines of a worker's requests, in seconds.
BUILD_SECONDS, TASK_SECONDS, RUN_SECONDS = 120, 300, 120
UNITS = {"K": 1 << 10, "M": 1 << 20}


class Task(NamedTuple):
    """The task of a record; `caches` as in docs/design/Measuring.md."""

    key: str
    text: str
    target: str
    threads: int
    caches: str


def distances_of(caches):
    """Return a pair of bytes for each operand: `2M-0 128M` -> [[2097152, 0], [2 ** 27,
    2 ** 27]]."""
    def bytes_of(word):
        unit = UNITS.get(word[-1], 1)
        return int(word.rstrip("KM")) * unit

    pairs = []
    for word in caches.split():
        first, _, last = word.partition("-")
        pairs.append([bytes_of(first), bytes_of(last or first)])
    return pairs


class Contest:
    """One worker, and the tasks that were sent to it."""

    def __init__(self, program):
        self.worker = Worker(program)

    def close(self):
        self.worker.stop()

    def _ask(self, kind, seconds, **fields):
        return self.worker.ask({"type": kind, **fields}, seconds)

    def _build(self, task, schedule):
        """Return the request that runs the schedule, or None if it cannot be built."""
        built = self._ask("build", BUILD_SECONDS, task=task.key, schedule=schedule,
                          target=task.target, threads=task.threads)
        if built["status"] != "ok":
            return None
        return {"task": task.key, "target": task.target, "threads": task.threads,
                "reuse_distances": distances_of(task.caches), "min_samples": 2,
                **artifact_of(built)}

    def hold(self, task, schedules, turns):
        """Return the seconds in each of the `turns`, for each schedule that runs and is
        correct."""
        self._ask("task", TASK_SECONDS, key=task.key, text=task.text, reference=True)
        builds = {schedule: self._build(task, schedule) for schedule in schedules}
        runs = {schedule: run for schedule, run in builds.items()
                if run and self._run(run, verify=True)}
        return interleave({schedule: lambda run=run: self._run(run, verify=False)
                           for schedule, run in runs.items()}, turns)

    def _run(self, run, verify):
        """Return seconds, or None after a failure."""
        reply = self._ask("run", RUN_SECONDS, verify=verify, **run)
        return reply.get("median") if reply["status"] == "ok" else None


def hold_contest(program, task, schedules, turns):
    """Do the same with a new worker, on one core for one thread as in the tuner. If the
    worker dies, print a message and return nothing."""
    cores = os.sched_getaffinity(0)
    if task.threads == 1:
        os.sched_setaffinity(0, {max(cores)})
    contest = Contest(program)
    try:
        return contest.hold(task, schedules, turns)
    except WorkerFailed as failed:
        print(f"contest of task {task.key}: {failed}", file=sys.stderr)
        return {}
    finally:
        contest.close()
        os.sched_setaffinity(0, cores)
