"""Samples schedules of many tasks and measures them, as training data of learned
models.

One process measures, while all cores build a bounded number of programs ahead. Results
are appended to a log at once, which becomes a database at the end. The same command
continues an interrupted run. A program that crashes, hangs or is wrong is recorded with
its reason, as by the tuner."""

import gzip
import json
import os
import queue
import random
import shutil
import subprocess
import tempfile
import threading
import time
import zlib

from pruner_tools.results import timestamp
from pruner_tools.tools import ToolError, run_tool

from . import kit, operators
from .kit import say
from .worker import KitWorker


def sample(here, module, target, count, seed, work):
    """Return [(task line, [schedules])] of the tasks in an MLIR module."""
    out = os.path.join(work, "sample.jsonl")
    run_tool([kit.tool("pruner-opt"), "-", "-o", os.devnull,
              "--pruner-sample=target=%s count=%d seed=%d out=%s" % (target, count, seed, out)],
             input=module, env=here.environment, timeout=600)
    tasks = []
    with open(out) as file:
        for text in file:
            line = json.loads(text)
            if "pruner" in line:
                tasks.append((line, []))
            else:
                tasks[-1][1].append(line["schedule"])
    return tasks


class Log:
    """Lines of JSON in a file of gzip members, each with a few seconds of work. An
    incomplete last member of an interrupted run is dropped."""

    EVERY = 2.0  # Seconds.

    def __init__(self, path):
        self.path, self.done, self.known = path, set(), set()
        good = 0
        if os.path.exists(path):
            with open(path, "rb") as file:
                rest = file.read()
            while rest:
                member = zlib.decompressobj(31)
                try:
                    text = member.decompress(rest)
                    lines = [json.loads(line) for line in text.splitlines()]
                except (zlib.error, ValueError):
                    break
                if not member.eof:
                    break
                for line in lines:
                    self._note(line)
                good += len(rest) - len(member.unused_data)
                rest = member.unused_data
            with open(path, "r+b") as file:
                file.truncate(good)
        self.file = open(path, "ab")
        self.waiting, self.flushed = [], time.monotonic()

    def _note(self, line):
        pruner = line["pruner"]
        if pruner["kind"] == "task":
            self.known.add(pruner["key"])
        else:
            self.done.add((pruner["task"], line["configuration"]["schedule"]))

    def append(self, line):
        self._note(line)
        self.waiting.append(json.dumps(line, sort_keys=True).encode() + b"\n")
        if time.monotonic() - self.flushed > self.EVERY:
            self.flush()

    def flush(self):
        if self.waiting:
            self.file.write(gzip.compress(b"".join(self.waiting), 6))
            self.file.flush()
        self.waiting, self.flushed = [], time.monotonic()


def record(environment, key, schedule, seed, trial, status, reason, **more):
    """Return a line in the format of `pruner db import`."""
    pruner = {
        "format": 1, "kind": "record", "task": key, "run": "%032x" % seed,
        "trial": trial, "strategy": "random", "seed": seed, "round": 0,
        "status": status, "reason": reason, "times": [], "verified": False,
        "build_seconds": 0.0, "run_seconds": 0.0, "facts": {},
    }
    pruner.update(environment)
    pruner.update(more)
    return {"timestamp": timestamp(), "configuration": {"schedule": schedule}, "pruner": pruner}


def details(reply):
    """Return the fields of a record, other than times, from a successful reply."""
    names = ["runs_per_sample", "repeats", "censored", "noisy"]
    if reply.get("verified"):
        names += ["exact", "error_over_bound"]
    return {name: reply[name] for name in names if name in reply}


class Pipeline:
    """Builders, a bounded queue, and the process that measures."""

    def __init__(self, here, options, log, references):
        self.here, self.options, self.log = here, options, log
        self.references = references
        self.todo = queue.Queue(maxsize=4 * options.builders)
        self.built = queue.Queue(maxsize=4 * options.builders)
        self.measured = self.failed = self.trial = 0
        self.reasons = {}
        self.stopping = threading.Event()

    def put(self, where, item):
        while not self.stopping.is_set():
            try:
                where.put(item, timeout=0.2)
                return True
            except queue.Full:
                continue
        return False

    def build_loop(self):
        worker = KitWorker(self.here.environment)
        while not self.stopping.is_set():
            try:
                item = self.todo.get(timeout=0.2)
            except queue.Empty:
                continue
            if item is None:
                break
            task, schedule = item
            pruner = task["pruner"]
            begun = time.monotonic()
            reply = worker.build(pruner["key"], pruner["text"], schedule,
                                 pruner["environment"]["target"], self.options.build_seconds)
            self.put(self.built, (task, schedule, reply, time.monotonic() - begun))
        worker.close()

    def run_loop(self, finished):
        """Run until `finished` is set and nothing is left, or until it is stopped."""
        # Later workers find the references of earlier ones.
        worker = KitWorker(self.here.environment, ["--reference-cache=" + self.references])
        while not self.stopping.is_set():
            try:
                task, schedule, built, seconds = self.built.get(timeout=0.1)
            except queue.Empty:
                if finished():
                    break
                continue
            self.measure(worker, task, schedule, built, seconds)
        worker.close()

    def measure(self, worker, task, schedule, built, build_seconds):
        pruner, o = task["pruner"], self.options
        key, environment = pruner["key"], pruner["environment"]
        begun = time.monotonic()
        reply, verified = built, False
        if built["status"] == "ok":
            reply = worker.run(
                key, pruner["text"], environment["target"], built, o.run_seconds,
                verify=not o.no_verify, min_seconds=2e-3, min_samples=5,
                censor_above=0, max_seconds=o.run_seconds / 2)
            verified = bool(reply.get("verified"))
            if reply.get("retire"):
                worker.stop()
        if reply["status"] == "unmeasured":
            raise kit.NoGpu(reply.get("reason", ""))
        ok = reply["status"] == "ok"
        facts = dict(built.get("facts", {}), stages=built.get("stages", {}))
        if key not in self.log.known:
            stored = dict(pruner)
            del stored["environment"]
            self.log.append({"pruner": stored})
        self.log.append(record(
            environment, key, schedule, o.seed, self.trial, reply["status"],
            "" if ok else str(reply.get("reason", ""))[:1000], verified=verified,
            verification=str(reply.get("method", "")) if verified else "",
            times=(reply.get("times") or [reply["median"]]) if ok else [],
            build_seconds=build_seconds, run_seconds=time.monotonic() - begun,
            facts=facts, **(details(reply) if ok else {})))
        self.trial += 1
        if ok:
            self.measured += 1
        else:
            self.failed += 1
            self.reasons[reply["status"]] = self.reasons.get(reply["status"], 0) + 1


def modules(options):
    """Yield (name, text) of the modules to sample from: files, or the suite's
    operations."""
    if options.module:
        for path in options.module:
            with open(path) as file:
                yield os.path.basename(path), file.read()
        return
    for operation in operators.dataset_suite():
        yield operation.name, operation.module()


def run(options):
    stop = kit.Stop()
    here = kit.Kit(options.python, learned=False)
    output = kit.Output(options.output)
    here.find_device()
    options.builders = options.builders or max(1, kit.cores() - 1)
    work = tempfile.mkdtemp(prefix="pruner-dataset-")
    target = here.target(work)
    clock = kit.Clock(options.minutes)
    log = Log(output.file("dataset.jsonl.gz"))
    pipeline = Pipeline(here, options, log, work)
    skipped = {}

    def feed():
        drawn = []
        for name, text in modules(options):
            if pipeline.stopping.is_set():
                return
            try:
                for task, schedules in sample(here, text, target, options.count,
                                              options.seed, work):
                    drawn += [(task, schedules[n:n + 20])
                              for n in range(0, len(schedules), 20)]
            except (ToolError, OSError, subprocess.SubprocessError) as error:
                skipped[name] = str(error)
        # In random order all tasks occur early. A task's reference is loaded a limited
        # number of times.
        random.Random(options.seed).shuffle(drawn)
        for task, schedules in drawn:
            for schedule in schedules:
                if (task["pruner"]["key"], schedule) in log.done:
                    continue
                if not pipeline.put(pipeline.todo, (task, schedule)):
                    return
        for _ in builders:
            pipeline.put(pipeline.todo, None)

    builders = [threading.Thread(target=pipeline.build_loop, daemon=True)
                for _ in range(options.builders)]
    feeder = threading.Thread(target=feed, daemon=True)
    feeder.start()
    for thread in builders:
        thread.start()
    problem = []

    def measure():
        try:
            pipeline.run_loop(lambda: not any(b.is_alive() for b in builders))
        except Exception as error:  # Ends the command, with the results so far.
            problem.append(error)

    measurer = threading.Thread(target=measure, daemon=True)
    begun = time.monotonic()
    measurer.start()
    said = begun

    def summary(complete):
        seconds = time.monotonic() - begun
        total = pipeline.measured + pipeline.failed
        result = {
            "environment": here.describe(), "complete": complete,
            "measured": pipeline.measured, "failed": pipeline.failed,
            "failed_because": pipeline.reasons, "tasks": len(log.known),
            "records": len(log.done), "seconds": round(seconds, 1),
            "programs_per_second": round(total / seconds, 2) if seconds else 0,
            "builders": options.builders, "skipped": skipped,
        }
        output.write_json("dataset.json", result)
        return result

    while measurer.is_alive():
        measurer.join(0.2)
        if stop.asked or clock.left() < min(5, 0.05 * clock.seconds):
            break
        # The log must stay small enough to be copied back.
        if log.file.tell() > kit.MAX_FILE_BYTES - (1 << 20):
            say("the log is full: it has %d records" % len(log.done))
            break
        if time.monotonic() - said > 10:
            r = summary(False)
            say("%d measured, %d failed, %.1f programs/s" % (
                r["measured"], r["failed"], r["programs_per_second"]))
            said = time.monotonic()
    complete = not measurer.is_alive() and not problem
    pipeline.stopping.set()
    for thread in builders + [measurer, feeder]:
        thread.join(options.run_seconds + 5)
    log.flush()
    result = summary(complete)
    shutil.rmtree(work, ignore_errors=True)
    if not options.no_database:
        database(here, log.path, os.path.join(output.path, "dataset.db"), output)
    say("%d measured, %d failed %s, %d tasks, %.1f programs/s" % (
        result["measured"], result["failed"], json.dumps(result["failed_because"]),
        result["tasks"], result["programs_per_second"]))
    if problem:
        raise problem[0]
    wrong = result["failed_because"].get("wrong-result", 0)
    nothing = result["failed"] and not result["measured"]
    return kit.WRONG if wrong or nothing or not result["records"] else kit.RIGHT


def database(here, log, path, output):
    """Return the log as a database, if it is small enough to be copied back."""
    with tempfile.TemporaryDirectory() as work:
        made = os.path.join(work, "dataset.db")
        try:
            with gzip.open(log, "rt") as file:
                here.import_lines(made, file.read())
        except ToolError as error:
            say(str(error))
            return
        if os.path.getsize(made) <= kit.MAX_FILE_BYTES:
            output.copy(made, os.path.basename(path))


def add_options(parser):
    parser.add_argument("module", nargs="*", help="MLIR files (the kit's operations)")
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--count", type=int, default=200, help="schedules per task")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--builders", type=int, default=0, help="(all cores but one)")
    parser.add_argument("--build-seconds", type=float, default=20)
    parser.add_argument("--run-seconds", type=float, default=10,
                        help="time limit of a program")
    parser.add_argument("--no-verify", action="store_true",
                        help="measure without comparing results")
    parser.add_argument("--no-database", action="store_true",
                        help="keep the records as lines of JSON")
