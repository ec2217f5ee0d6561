"""Kills tuners and their processes, at random and at chosen moments. Checks
after each kill that no visible record is lost, that nothing is left behind, and
that a killed run continues with the same trials as an undisturbed one. Prints
counts, and the progress to stderr.

  kills.py MODULE DIRECTORY COUNT [SEED [JOBS]]

JOBS share the count, each with its own directory and random numbers, because a
kill mostly waits. (Tuners of one job may clean up after those of another.)
SIGINT ends the run and prints the counts so far. The moments: anywhere; inside a
commit (the journal of the database exists); while a runner greets; in the
head-to-head comparison; while the database is created. The victims: the tuner
(by SIGKILL, SIGHUP, SIGTERM), one process below it, or all of them at once.
"""

import collections
import json
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "../../Measure/Inputs"))
from leftovers import marked, wait_for_none

module, directory, count = sys.argv[1], os.path.abspath(sys.argv[2]), int(sys.argv[3])
seed = sys.argv[4] if len(sys.argv) > 4 else "0"
jobs = int(sys.argv[5]) if len(sys.argv) > 5 else 1
draw = random.Random(seed)
shutil.rmtree(directory, ignore_errors=True)
temporary = os.path.join(directory, "tmp")
os.makedirs(temporary)
mark = f"PRUNER_KILLS_{os.getpid()}"
environment = {**os.environ, "TMPDIR": temporary, mark: "1"}
fake = os.path.join(here, "../../Tune/Inputs/fake_runner.py")
# Several rounds, each a commit; what a kill can hit does not depend on their size.
TRIALS, BATCH = 6, 2
PATIENCE = 600  # Seconds; the machine may be busy.
MOMENTS = ["anywhere"] * 4 + ["commit", "greeting", "finals", "schema"]
VICTIMS = ["tuner"] * 4 + ["one", "all"]
# The kinds of kills, with counts.
runs, acknowledged, number, done = 0, 0, 0, collections.Counter()
begin = time.time()


def report(file):
    print(f"{sum(done.values())} kills in {runs} runs, {time.time() - begin:.0f} s: "
          f"0 of {acknowledged} records lost, {number} sequences the same, nothing left",
          file=file, flush=True)


def report_kinds():
    for what in sorted(done):
        print(f"  {done[what]:4} {what}")


def share():
    """Starts the jobs and sums the numbers that they print."""
    global runs, acknowledged, number
    parts = [count // jobs + (job < count % jobs) for job in range(jobs)]
    started = [subprocess.Popen(
        [sys.executable, __file__, module, os.path.join(directory, str(job)), str(part),
         f"{seed}/{job}"], stdout=subprocess.PIPE, text=True, start_new_session=True)
        for job, part in enumerate(parts)]
    signal.signal(signal.SIGINT, lambda *_: [one.send_signal(signal.SIGINT)
                                             for one in started])
    for process in started:
        first, *kinds = process.communicate()[0].splitlines() or [""]
        if process.returncode:
            sys.exit(process.returncode)  # It printed why.
        found = [int(text) for text in re.findall(r"\d+", first)]
        runs, acknowledged, number = (runs + found[1], acknowledged + found[4],
                                      number + found[5])
        for line in kinds:
            times, what = line.split(maxsplit=1)
            done[what] += int(times)
    report(sys.stdout)
    report_kinds()


def check(condition, message):
    if not condition:
        sys.exit(f"kills: {message}")


def command(database, events):
    runner = f"exec:exec {sys.executable} {fake} --events {events}"
    return ["pruner-opt", module, "-o", os.path.join(directory, "out.mlir"),
            f"--pruner-tune=strategy=draft-only trials={TRIALS} batch={BATCH} threads=1 "
            f'lower=false db={database} runner="{runner}"']


def start(database, events):
    return subprocess.Popen(command(database, events), env=environment,
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                            text=True)


def trials(database):
    """Number and schedule of each trial, in the order of the numbers."""
    export = subprocess.run(["pruner", "db", "export", database], text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if "the database is empty" in export.stderr:
        return []  # Killed before its tables were created, which was rolled back.
    sys.stderr.write(export.stderr)
    export.check_returncode()
    found = []
    for line in export.stdout.splitlines():
        entry = json.loads(line)
        about = entry["pruner"]
        if about["kind"] == "record" and about["trial"] >= 0:
            found.append((about["trial"], entry["configuration"]["schedule"]))
    return found


def events_of(file):
    return open(file).read() if os.path.exists(file) else ""


class Watcher(threading.Thread):
    """Reads the database continuously; records that it saw were acknowledged."""

    def __init__(self, database):
        super().__init__(daemon=True)
        self.database, self.seen, self.stop = database, set(), False

    def look(self):
        try:
            connection = sqlite3.connect(f"file:{self.database}?mode=ro", uri=True,
                                         timeout=0.5)
            try:
                self.seen |= {row[0] for row in connection.execute(
                    "SELECT measurement FROM records")}
            finally:
                connection.close()
        except sqlite3.Error:
            pass

    def run(self):
        while not self.stop:
            self.look()
            time.sleep(0.01)


def size_of(file):
    """Size of a file that may be removed at any time; -1 if there is none."""
    try:
        return os.path.getsize(file)
    except FileNotFoundError:
        return -1


def wait_for(moment, process, database, events, span):
    """Returns at the moment, or when the process has ended."""
    limit = time.time() + 30
    delay = draw.random() * span

    def until(condition):
        while process.poll() is None and time.time() < limit and not condition():
            time.sleep(0.0005)

    if moment == "anywhere":
        end = time.time() + delay
        until(lambda: time.time() >= end)
    elif moment == "commit":
        skip = draw.randrange(4)
        names = [database + "-journal", database + "-wal"]
        had = [0, None]

        def inside():
            now = [size_of(n) for n in names]
            if now != had[1]:
                had[0] += 1
                had[1] = now
            return had[0] > skip + 1
        until(inside)
    elif moment == "greeting":
        before = events_of(events).count("hello")
        until(lambda: events_of(events).count("hello") > before)
        time.sleep(draw.random() * 0.03)
    elif moment == "finals":
        until(lambda: any(line.startswith("run ") and int(line[4:]) > TRIALS
                          for line in events_of(events).splitlines()[:-1]))
        time.sleep(draw.random() * 0.01)
    else:
        until(lambda: os.path.exists(database))
        time.sleep(draw.random() * 0.004)


def kill(victim, process):
    """Kills, and returns the name of the kill."""
    below = [pid for pid in marked(mark) if pid != process.pid]
    if victim == "one" and below:
        try:
            os.kill(draw.choice(below), signal.SIGKILL)
            return "one below SIGKILL"
        except ProcessLookupError:
            pass  # It has just ended; kill the tuner instead.
    if victim == "all":
        process.kill()
        for pid in draw.sample(below, len(below)):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        return "all SIGKILL"
    name = draw.choice(["SIGKILL", "SIGKILL", "SIGHUP", "SIGTERM"])
    process.send_signal(getattr(signal, name))
    return f"tuner {name}"


if jobs > 1:
    share()
    sys.exit()
whole = os.path.join(directory, "whole.db")
process = start(whole, os.path.join(directory, "whole.events"))
error = process.communicate()[1]
span = time.time() - begin
check(process.returncode == 0, f"the undisturbed run failed: {error[-2000:]}")
reference = trials(whole)
check(len(reference) == TRIALS, f"the undisturbed run made {len(reference)} trials")

def one_sequence(number):
    """Tunes a new database, with kills, until it is complete."""
    global runs, acknowledged
    place = os.path.join(directory, str(number))
    os.makedirs(place)
    database, events = os.path.join(place, "t.db"), os.path.join(place, "..", "e")
    if os.path.exists(events):
        os.remove(events)
    excused = set()
    # Limit of kills; afterwards the run is not disturbed.
    for cut in range(draw.randint(1, 4) + 1):
        process = start(database, events)
        runs += 1
        watcher = Watcher(database)
        watcher.start()
        what = None
        if cut < 4 and sum(done.values()) < count:
            moment = draw.choice(MOMENTS)
            wait_for(moment, process, database, events, span)
            if process.poll() is None:
                what = kill(draw.choice(VICTIMS), process)
        try:
            error = process.communicate(timeout=PATIENCE)[1]
        except subprocess.TimeoutExpired:
            sys.exit(f"kills: the tuner hangs after {what} ({moment})")
        watcher.stop = True
        watcher.join()
        if what:
            done[f"{moment}: {what}"] += 1
        # A keeper or a guard that was killed cannot clean up; the next run
        # does it, unless it is killed before.
        def leftovers():
            return [one for one in marked(mark) + os.listdir(temporary)
                    if one not in excused]
        if what in ("all SIGKILL", "one below SIGKILL"):
            excused |= set(wait_for_none(leftovers, 2))
        else:
            left = wait_for_none(leftovers, 30)
            check(not left, f"left after {what} ({moment}): {left}")
        other = {name for name in os.listdir(place)
                 if not name.startswith("t.db")}
        check(not other, f"files are left next to the database: {other}")
        if not os.path.exists(database) or os.path.getsize(database) == 0:
            check(not watcher.seen, f"the database is gone after {what}")
            continue
        stored = Watcher(database)
        stored.look()
        lost = watcher.seen - stored.seen
        check(not lost, f"{len(lost)} records are lost after {what} ({moment})")
        acknowledged += len(stored.seen)
        found = trials(database)
        check(found == reference[:len(found)],
              f"other trials after {what} ({moment}): {found}")
        if process.returncode == 0:
            break
        check(what and (what != "one below SIGKILL" or "error" in error),
              f"the tuner failed after {what}: {error[-2000:]}")
    else:
        process = start(database, events)
        error = process.communicate(timeout=PATIENCE)[1]
        runs += 1
        check(process.returncode == 0, f"cannot be continued: {error[-2000:]}")
    check(trials(database) == reference, f"other trials at the end of {number}")
    check(sqlite3.connect(database).execute("PRAGMA integrity_check").fetchone()
          == ("ok",), f"the database {number} is damaged")
    left = wait_for_none(lambda: marked(mark), 30)
    check(not left, f"processes are left at the end: {left}")
    left = wait_for_none(lambda: os.listdir(temporary), 30)
    check(not left, f"files are left at the end: {left}")
    shutil.rmtree(place)


reported = time.time()
try:
    while sum(done.values()) < count:
        one_sequence(number + 1)
        number += 1
        if time.time() - reported > 30:
            reported = time.time()
            report(sys.stderr)
except KeyboardInterrupt:
    pass
report(sys.stdout)
report_kinds()
