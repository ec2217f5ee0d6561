"""Runs the most valuable parts of the kit within a number of minutes: calibration and
tests, then times compared with other software, tuning, and a dataset.

Each step is a process with its own deadline, and its results are on disk when it ends
or is killed. This command may be interrupted at any time."""

import argparse
import math
import sys
import time

from . import kit, process, run as runner
from .kit import say

# The steps: name, share of the time, options. With all of them, the results are as many
# files as the folder may have.
STEPS = [
    ("calibrate", 0.10, ["--one-file"]),
    ("tests", 0.25, ["--count=1000000000"]),
    ("bench", 0.30, ["--one-file"]),
    ("tune", 0.20, []),
    ("dataset", 0.25, ["--no-database"]),
]
# Steps that need at most this number of minutes.
MOST = {"calibrate": 2.0}
LEAST = 0.5  # Minutes of a step.
GRACE = 12.0  # Seconds that a step has to terminate.


def plan(minutes, steps):
    """Return [(step, minutes, options)]. Steps that would get less than half a minute are
    dropped: those with bounded time, then the last ones."""
    bounded = {name: min(most, minutes * share) for name, share, _ in steps
               for most in [MOST.get(name)] if most and len(steps) > 1}
    bounded = {name: time for name, time in bounded.items() if time >= LEAST}
    others = [step for step in steps if step[0] not in MOST or len(steps) == 1]
    rest = minutes - sum(bounded.values())
    while len(others) > 1:
        total = sum(share for _, share, _ in others)
        if min(rest * share / total for _, share, _ in others) >= LEAST:
            break
        others.pop()
    total = sum(share for _, share, _ in others)
    times = dict(bounded, **{name: rest * share / total for name, share, _ in others})
    return [(name, times[name], extra) for name, _, extra in steps if name in times]


def run(options):
    stop = kit.Stop()
    output = kit.Output(options.output)
    here = kit.Kit(options.python, learned=False)
    clock = kit.Clock(options.minutes)
    summary = {"environment": here.describe(), "minutes": options.minutes, "steps": {},
               "complete": False}

    def save():
        summary["seconds"] = round(clock.spent(), 1)
        output.write_json("summary.json", summary)

    try:
        here.find_device()
    except kit.NoGpu as reason:
        summary["no_gpu"] = str(reason)
        save()
        raise
    summary["environment"] = here.describe()
    wanted = [step for step in STEPS if step[0] in options.steps]
    steps = plan(options.minutes, wanted)
    dropped = {s[0] for s in wanted} - {s[0] for s in steps}
    summary["not_planned"] = sorted(dropped)
    save()
    worst = kit.RIGHT
    for index, (name, minutes, extra) in enumerate(steps):
        # The remaining steps share the time that earlier steps left.
        rest = sum(m for _, m, _ in steps[index:])
        seconds = (clock.left() - GRACE) * minutes / rest
        seconds = min(seconds, 60 * MOST.get(name, math.inf))
        if stop.asked or seconds < 10:
            summary["steps"][name] = {"status": "not started"}
            continue
        say("=== %s: %.1f minutes" % (name, seconds / 60))
        summary["steps"][name] = {"status": "running", "minutes": round(seconds / 60, 2)}
        save()
        begun = time.monotonic()
        command = [sys.executable, runner.PATH, name, "--output", output.path,
                   "--minutes", "%.3f" % (seconds / 60)] + extra
        if options.python:
            command += ["--python", options.python]
        child = process.start(command, session=True)
        asked = False
        while child.poll() is None:
            time.sleep(0.2)
            over = time.monotonic() - begun - seconds
            if (stop.asked or over > GRACE / 3) and not asked:
                child.terminate()
                asked = True
            if over > GRACE or (stop.asked and clock.left() < -GRACE):
                break
            if stop.asked and asked and time.monotonic() - begun > seconds + GRACE:
                break
        process.end(child, 1.0)
        process.end_session(child.pid)
        code = child.returncode
        status = {kit.RIGHT: "right", kit.WRONG: "wrong", kit.NO_GPU: "no GPU"}.get(
            code, "cut off" if asked else "ended with %d" % code)
        summary["steps"][name] = {"status": status, "exit": code,
                                  "seconds": round(time.monotonic() - begun, 1)}
        save()
        if status not in ("right", "cut off"):
            worst = kit.WRONG
        if code == kit.NO_GPU:
            summary["no_gpu"] = "lost during " + name
            break
    summary["complete"] = not stop.asked
    save()
    for name, step in summary["steps"].items():
        say("%-9s %s" % (name, step["status"]))
    say("results: " + output.path)
    return worst


def step_names(text):
    names = text.split(",")
    known = [name for name, _, _ in STEPS]
    for name in names:
        if name not in known:
            raise argparse.ArgumentTypeError(
                "unknown step '%s'; expected one of %s" % (name, ", ".join(known)))
    return names


def add_options(parser):
    parser.add_argument("minutes", type=float)
    parser.add_argument("--steps", type=step_names, default="calibrate,tests,bench,tune,dataset",
                        help="steps to run, of %(default)s, in this order")
