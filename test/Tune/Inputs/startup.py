"""Fails if the first command takes more than a number of times the CPU time of
the second, both taken as the best of several runs.

  startup.py FACTOR COMMAND COMMAND
"""

import resource
import shlex
import subprocess
import sys


def used():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def once(command):
    start = used()
    subprocess.run(shlex.split(command), check=True, stdout=subprocess.DEVNULL)
    return used() - start


factor, first, second = float(sys.argv[1]), sys.argv[2], sys.argv[3]
# Interleaved, so that a slow moment of the machine affects both.
a, b = map(min, zip(*[(once(first), once(second)) for _ in range(7)]))
print(f"{first}: {a * 1e3:.1f} ms, {second}: {b * 1e3:.1f} ms")
if a > factor * b:
    sys.exit("too slow")
