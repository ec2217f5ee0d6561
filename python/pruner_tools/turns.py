#===- turns.py - interleaved timing in Python -----------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Interleaved timing in Python, by batches of calls. The GPU kit times its batches by
the device's clock. benchmarks/Common has the same in C++.

Runs with Python 3.8 and the standard library alone, as the GPU kit does.
"""

import glob
import time
from typing import NamedTuple


# Seconds until the threads of the previous function, which spin while they wait for
# work, are asleep.
IDLE_SECONDS = 0.02


class Batch(NamedTuple):
    """Consecutive calls. `wall` and `cpu` (of the calling thread) are the seconds of
    all calls; `waited` those in which threads of this process were ready to run but
    had no CPU, -1 if unknown."""

    runs: int
    wall: float
    cpu: float
    waited: float

    @property
    def seconds(self):
        """The mean seconds of a call."""
        return self.wall / self.runs

    @property
    def clean(self):
        """Return whether other programs used the CPUs for at most 3 % of the time. If
        threads were watched, the calling thread may sleep while others work for it."""
        if self.waited >= 0:
            return self.waited <= 0.03 * self.wall
        return self.cpu >= 0.97 * self.wall


def seconds_waited():
    """The seconds that all threads of this process waited so far, or None."""
    total, known = 0, False
    for path in glob.glob("/proc/self/task/*/schedstat"):
        try:
            with open(path) as file:
                total += int(file.read().split()[1])
                known = True
        except (OSError, IndexError, ValueError):
            pass
    return total * 1e-9 if known else None


def calls_of(seconds, once, most=None, filled=False):
    """Return how many calls of `once` seconds each take about `seconds`, at least one
    and at most `most`. With `filled` they do not take less."""
    calls = max(1, int(seconds / once) + filled)
    return calls if most is None else min(most, calls)


def time_batches(run, seconds, batch_seconds, watch_threads, between=None):
    """Time batches of calls that take about `batch_seconds` each (at least one call),
    until `seconds` have passed (at least one batch), after one warm-up call.
    `watch_threads` sets Batch.waited, which work on several threads needs.
    `between`, if given, is called before each batch, which then is a single call; it
    is not timed, but counts for `seconds`."""
    clock, cpu = time.perf_counter, time.thread_time
    if watch_threads:
        time.sleep(IDLE_SECONDS)
    start = clock()
    run()
    once = max(clock() - start, 1e-9)
    runs = 1 if between else calls_of(batch_seconds, once)
    batches, total = [], 0.0
    while not batches or total < seconds:
        if between:
            begin = clock()
            between()
            total += clock() - begin
        delay = seconds_waited() if watch_threads else None
        c, w = cpu(), clock()
        for _ in range(runs):
            run()
        w, c = clock() - w, cpu() - c
        delay = -1 if delay is None else seconds_waited() - delay
        batches.append(Batch(runs, w, c, delay))
        total += w
    return batches


def time_batch(run, seconds, watch_threads=False):
    """Time one batch that takes about `seconds`, after one warm-up call."""
    return time_batches(run, 0, seconds, watch_threads)[0]


def interleave(samples, turns):
    """Return {name: [sample's results]} for {name: sample()}. Each turn begins with the
    next name, so that a drift of the machine affects all equally."""
    names, results = list(samples), {name: [] for name in samples}
    for turn in range(turns):
        for n in range(len(names)):
            name = names[(turn + n) % len(names)]
            results[name].append(samples[name]())
    return results


def interleave_batches(runs, turns, seconds):
    """Return {name: [Batch]} for {name: run()}, a batch in each turn."""
    return interleave({name: lambda run=run: time_batch(run, seconds)
                       for name, run in runs.items()}, turns)


def ratios(times, others):
    """Return the sorted ratios of `times` to `others` in the same turns. A turn counts
    if both have a time."""
    return sorted(mine / other for mine, other in zip(times, others) if mine and other)


def quartiles(ordered):
    """Return the first and the third quartile of sorted numbers."""
    return [ordered[len(ordered) // 4], ordered[3 * len(ordered) // 4]]
