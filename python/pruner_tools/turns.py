#===- turns.py - contenders timed in turns ---------------------------------===#
#
# Part of the Pruner project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Batches of calls, and contenders that take turns: what benchmarks/Common has
in C++, for what is called from Python.

Runs with Python 3.8 and the standard library alone, as the GPU kit does.
"""

import glob
import time
from typing import NamedTuple


# Until threads of the contender before, which spin for new work, have gone to sleep.
IDLE_SECONDS = 0.02


class Batch(NamedTuple):
    """Some calls in a row. `wall` and `cpu` (of the calling thread) are seconds of
    all; `waited` those that threads of this process were ready to run but had no
    CPU, -1 if unknown."""

    runs: int
    wall: float
    cpu: float
    waited: float

    @property
    def clean(self):
        """Whether nothing else ran on our CPUs for more than 3 % of the time. Where
        threads were watched, the calling one may sleep while others work for it."""
        if self.waited >= 0:
            return self.waited <= 0.03 * self.wall
        return self.cpu >= 0.97 * self.wall


def seconds_waited():
    """Of all threads of this process until now, or None."""
    total, known = 0, False
    for path in glob.glob("/proc/self/task/*/schedstat"):
        try:
            with open(path) as file:
                total += int(file.read().split()[1])
                known = True
        except (OSError, IndexError, ValueError):
            pass
    return total * 1e-9 if known else None


def time_batches(run, seconds, batch_seconds, watch_threads, between=None):
    """Batches of calls that take about `batch_seconds` each (one call at least),
    until `seconds` have passed (one batch at least), after a call that warms up.
    `watch_threads` asks for Batch.waited, which work on several threads needs.
    `between`, if given, is called before each batch, which is one call then; it is
    not timed, but `seconds` hold it."""
    clock, cpu = time.perf_counter, time.thread_time
    if watch_threads:
        time.sleep(IDLE_SECONDS)
    start = clock()
    run()
    once = max(clock() - start, 1e-9)
    runs = 1 if between else max(1, int(batch_seconds / once))
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


def interleave(samples, turns):
    """{name: sample()} -> {name: [sample's results]}; each turn begins with the
    next, so that a drift of the machine meets all."""
    names, results = list(samples), {name: [] for name in samples}
    for turn in range(turns):
        for n in range(len(names)):
            name = names[(turn + n) % len(names)]
            results[name].append(samples[name]())
    return results
