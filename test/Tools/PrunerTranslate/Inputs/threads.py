"""Calls a library with a parallel kernel from few and many threads."""

import os
import sys
import threading

import numpy as np

import pruner

net = pruner.load(sys.argv[1])
x = np.random.default_rng(0).integers(-9, 9, (40, 101)).astype(np.float32)
expected = 2 * x.sum(0)
cores = len(os.sched_getaffinity(0))
assert net.threads == min(cores, 101), net.threads


def check():
    assert (net(x) == expected).all()


for threads in (1, 2, 3, 8, 5, 40, 2, 0):
    net.threads = threads
    for _ in range(5):
        check()
assert net.threads == min(cores, 101)

# Regions of several callers: one at a time gets the workers.
net.threads = 4
failures = []


def work():
    try:
        for _ in range(50):
            check()
    except BaseException as error:
        failures.append(error)


callers = [threading.Thread(target=work) for _ in range(4)]
for caller in callers:
    caller.start()
for caller in callers:
    caller.join()
assert not failures, failures

# A forked child has none of the workers and makes its own.
child = os.fork()
if child == 0:
    try:
        check()
    except BaseException:
        os._exit(1)
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
check()
