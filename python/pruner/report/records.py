#===- records.py - tasks and trials of a database -------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the output of `pruner db export`, grouped by tasks.

A file may hold runs on several machines, with different options or cache states.
`environments` returns one `Environment` for each machine, target and set of options.
Times within an environment are comparable.
"""

import datetime
import errno
import json
import os
import re
import statistics
import subprocess
from typing import NamedTuple, Optional

from ..programs import find

DEFAULT = "default"


class ReportError(RuntimeError):
    """The reason why there is no report."""


class Trial(NamedTuple):
    """A measured candidate."""

    run: str
    number: int  # Position in its run, over all tasks.
    when: datetime.datetime  # Has a resolution of one second.
    schedule: str
    status: str  # As printed by `pruner db list`, such as "ok".
    reason: str
    seconds: Optional[float]  # Median time of one call; None for a failure.
    verified: bool
    predicted: Optional[float]  # Prediction of the analytical model, in seconds.
    score: Optional[float]  # Score of the learned model; larger is faster.


def is_number(value):
    """Whether it can be added and compared."""
    return type(value) in (int, float) and abs(value) < 1e300


def _number(value):
    """Raise TypeError if it is not one."""
    if not is_number(value):
        raise TypeError(f"{value!r} is not a number")
    return value


class Task:
    """A task with all its data in one environment. Times are seconds of one call; None
    if unknown."""

    def __init__(self, key, name, flops, nbytes):
        self.key, self.name, self.flops, self.bytes = key, name, flops, nbytes
        self.trials = []  # In the order of measurement.
        self.default = self.final = self.network = None
        self.spread = None  # Of the best trial's samples: (maximum - minimum) / median.
        self.schedule = None  # Schedule of the best trial.
        self.calls = None  # Calls per run of the network, from a profile.

    @property
    def kind(self):
        """The operation, without sizes and hash."""
        name = re.sub(r"^task_|_[0-9a-f]{8}$", "", self.name)
        return re.sub(r"_?\d+(x\d+)*(_.*)?$", "", name) or name

    @property
    def short_name(self):
        return re.sub(r"^task_|_[0-9a-f]{8}$", "", self.name)

    @property
    def best(self):
        """Seconds in the network if measured, else of the head-to-head comparison, else
        of the fastest verified trial."""
        return self.network or self.final or min(
            (t.seconds for t in self.trials if t.verified and t.seconds), default=None)

    @property
    def failed(self):
        return [trial for trial in self.trials if trial.status != "ok"]

    def progress(self):
        """Return (trials so far, best seconds so far) at each improvement and at the
        end."""
        points, best = [], None
        for count, trial in enumerate(self.trials, 1):
            if trial.verified and trial.seconds and (best is None or trial.seconds < best):
                best = trial.seconds
                points.append((count, best))
        if best is not None and points[-1][0] < len(self.trials):
            points.append((len(self.trials), best))
        return points


class Environment:
    """The machine and the options of measurements."""

    def __init__(self, host, machine, target, options):
        self.host, self.machine, self.target, self.options = host, machine, target, options
        self.tasks, self.toolchains, self.strategies = {}, set(), {}
        self.first = self.last = None

    @property
    def threads(self):
        found = re.search(r"threads=(\d+)", self.options)
        return int(found.group(1)) if found else 1

    @property
    def untuned(self):
        """What the default code of a task is, by the builder that made it."""
        if any("iree" in toolchain for toolchain in self.toolchains):
            return "IREE's own code"
        return "plain loops through LLVM -O3" if self.target == "cpu" else "plain loops"

    @property
    def title(self):
        where = self.target if self.target != "cpu" else self.host
        return f"{where}, {self.options}" if self.options else where

    def trials(self):
        """Return all trials of all tasks in order of measurement, as (task, trial)."""
        pairs = [(task, trial) for task in self.tasks.values() for trial in task.trials]
        return sorted(pairs, key=lambda pair: (pair[1].when, pair[1].number))

    def add(self, task, entry):
        record = entry["pruner"]
        when = datetime.datetime.strptime(entry["timestamp"], "%Y-%m-%dT%H:%M:%SZ")
        self.first = min(self.first or when, when)
        self.last = max(self.last or when, when)
        self.toolchains.add(record["toolchain"])
        own = self.tasks.setdefault(task["key"], None) or Task(
            task["key"], str(task["name"]), _number(task["flops"]),
            _number(task["bytes"]))
        self.tasks[own.key] = own
        times = [_number(time) for time in record["times"]]
        seconds = statistics.median(times) if record["status"] == "ok" and times else None
        schedule = entry["configuration"]["schedule"]
        strategy = record["strategy"]
        if strategy in ("final", "network-final"):
            self._add_final(own, strategy, seconds, times, schedule)
        elif schedule == DEFAULT:
            own.default = seconds
        else:
            self.strategies[strategy] = self.strategies.get(strategy, 0) + 1
            value = {each["name"]: _number(each["value"]) for each in entry["measurements"]}
            own.trials.append(Trial(
                record["run"], _number(record["trial"]), when, schedule, record["status"],
                record["reason"], seconds, record["verified"], value.get("psa_latency"),
                value.get("predicted_score")))

    @staticmethod
    def _add_final(task, strategy, seconds, times, schedule):
        if seconds is None:
            return
        name = "network" if strategy == "network-final" else "final"
        known = getattr(task, name)
        if known is None or seconds < known:
            setattr(task, name, seconds)
            if name == "network" or task.network is None:
                task.schedule = schedule
                task.spread = (max(times) - min(times)) / seconds


def environments(lines):
    """Return the environments of exported lines, the most recently used first."""
    tasks, found = {}, {}
    for number, line in enumerate(lines, 1):
        try:
            entry = json.loads(line)
            part = entry["pruner"]
            if part["kind"] == "task":
                tasks[part["key"]] = part
                continue
            key = (part["host"], part["machine"], part["target"], part["pipeline_options"])
            found.setdefault(key, Environment(*key)).add(tasks[part["task"]], entry)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise ReportError(f"line {number} is not a record: {error}") from None
    for environment in found.values():
        for task in environment.tasks.values():
            task.trials.sort(key=lambda trial: (trial.when, trial.number))
    return sorted(found.values(), key=lambda each: each.last, reverse=True)


def located(tool):
    """Return the path of a program of Pruner. Raises ReportError."""
    found = find(tool)
    if not found:
        raise ReportError(f"{tool}: {os.strerror(errno.ENOENT)}, in this installation or on the "
                          "PATH; --tool names the program 'pruner'")
    return found


def exported(database, tool="pruner"):
    """Return the lines of a database, and warnings about damaged rows."""
    found = located(tool)
    try:
        done = subprocess.run([found, "db", "export", str(database)], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    except OSError as error:
        raise ReportError(f"{tool}: {error.strerror}") from None
    # A damaged file is exported as far as it is valid.
    if done.returncode and not done.stdout:
        raise ReportError(done.stderr.strip() or f"{tool} failed")
    return done.stdout.splitlines(), done.stderr.strip().splitlines()


def read_profile(path, environment):
    """Enters what `python -m pruner.profile --json` measured inside the network;
    returns seconds of a run, and of what lies between the tasks."""
    try:
        with open(path, encoding="utf-8") as file:
            profile = json.load(file)
        rest = run = _number(profile["seconds"])
        for row in profile["rows"]:
            task = environment.tasks.get(row["key"])
            if task is None or not row["seconds"]:
                continue
            task.calls, task.network = _number(row["calls"]), _number(row["seconds"])
            rest -= task.calls * task.network
        return run, rest
    except (KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ReportError(f"{path} is not a profile: {error}") from None


def read_peers(path):
    """Return {name: seconds of a run of the network}: of an object with such numbers, or
    of a result of benchmarks/Networks/networks.py with a single network. Raises
    ReportError, OSError and ValueError."""
    with open(path, encoding="utf-8") as file:
        try:
            document = json.load(file)
        except RecursionError:
            raise ReportError(f"{path} is nested too deep") from None
    try:
        networks = document.get("networks")
        if networks is None:
            found = {str(name): _number(seconds) for name, seconds in document.items()}
        elif len(networks) != 1:
            raise ReportError(f"{path} has {len(networks)} networks; expected one")
        else:
            entry, = networks.values()
            found = {name: _number(each["median_s"])
                     for name, each in entry["contenders"].items() if name != "pruner"}
    except (KeyError, TypeError, AttributeError) as error:
        raise ReportError(f"{path} has no times of peers: {error}") from None
    if not all(seconds > 0 for seconds in found.values()):
        raise ReportError(f"{path}: a time is not positive")
    return found


COLUMNS = ("machine", "target", "options", "task", "key", "run", "trial", "time stamp",
           "schedule", "status", "reason", "verified", "seconds", "predicted seconds", "score",
           "untuned seconds")


def rows(found):
    """Yield the trials of these environments as rows of COLUMNS; what is unknown is
    None."""
    for environment in found:
        for task, trial in environment.trials():
            yield (environment.host, environment.target, environment.options, task.name, task.key,
                   trial.run, trial.number, trial.when.isoformat() + "Z", trial.schedule,
                   trial.status, trial.reason, int(bool(trial.verified)), trial.seconds,
                   trial.predicted, trial.score, task.default)
