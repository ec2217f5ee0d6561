"""Fails if the first command takes more than a number of times the CPU time of
the second, both taken as the best of several runs.

  startup.py FACTOR COMMAND COMMAND
"""

import resource
import shlex
import subprocess
import sys


def seconds(command):
    def used():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    times = []
    for _ in range(7):
        start = used()
        subprocess.run(shlex.split(command), check=True,
                       stdout=subprocess.DEVNULL)
        times.append(used() - start)
    return min(times)


factor, first, second = float(sys.argv[1]), sys.argv[2], sys.argv[3]
a, b = seconds(first), seconds(second)
print(f"{first}: {a * 1e3:.1f} ms, {second}: {b * 1e3:.1f} ms")
if a > factor * b:
    sys.exit("too slow")
