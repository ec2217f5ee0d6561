"""The state of this process before and after Pruner works in it."""
import ctypes
import locale
import os
import pathlib
import resource
import signal
import sys
import threading
import time

import numpy

libc = ctypes.CDLL(None)
libc.setlocale.restype = ctypes.c_char_p
# The C library handles signals 32 and 33 itself once there are threads.
LIBRARYS_SIGNALS = 3 << 31


def environment():
    """The variables of C, which os.environ does not show."""
    entries = ctypes.POINTER(ctypes.c_char_p).in_dll(libc, "environ")
    found = []
    while entries[len(found)] is not None:
        found.append(entries[len(found)])
    return sorted(found)


def threads():
    for _ in range(100):  # Threads that ended disappear a little later.
        count = len(os.listdir("/proc/self/task"))
        if count == before.get("threads", count):
            break
        time.sleep(0.05)
    return count


def state():
    status = dict(line.split(":\t", 1) for line in
                  pathlib.Path("/proc/self/status").read_text().splitlines())
    umask = os.umask(0)
    os.umask(umask)
    smallest = numpy.float32(1e-45)  # Not 0, unless denormal numbers are flushed.
    return {
        "signals": [signal.getsignal(number) for number in sorted(signal.valid_signals())],
        "signals of C": [hex(int(status[name], 16) & ~LIBRARYS_SIGNALS)
                         for name in ("SigBlk", "SigIgn", "SigCgt")],
        "environment": environment(),
        "os.environ": dict(os.environ),
        "threads": threads(),
        "files": sorted(os.readlink(f"/proc/self/fd/{name}") for name in
                        os.listdir("/proc/self/fd")
                        if os.path.exists(f"/proc/self/fd/{name}")),
        "flags of the streams": [libc.fcntl(number, 3) for number in range(3)],
        "directory": os.getcwd(),
        "umask": umask,
        "locale": libc.setlocale(locale.LC_ALL, None),
        "limits": [resource.getrlimit(number) for number in range(10)],
        "rounding": libc.fegetround(),
        "denormal numbers": float(smallest + numpy.float32(0)),
        "time zone": time.tzname,
        "children": pathlib.Path(f"/proc/self/task/{os.getpid()}/children").read_text(),
        "Python's hooks": [sys.excepthook, sys.unraisablehook, threading.excepthook,
                           sys.gettrace(), sys.getswitchinterval()],
        "nice": os.getpriority(os.PRIO_PROCESS, 0),
        "CPUs": os.sched_getaffinity(0),
    }


before = {}


def check(what):
    now = state()
    changed = sorted(name for name in now if now[name] != before[name])
    print(f"{what}:", *changed or ["unchanged"])
    for name in changed:
        print(name, "was", before[name], "and is", now[name], file=sys.stderr)


directory, *models = sys.argv[1:]
before = state()
import pruner

from product import TEXT

module = pruner.Module.parse(TEXT)
check("opened")
for model in models:
    module.tune(trials=4, batch=2, threads=1, model=model, db=f"{directory}/{model}.db")
    check(f"tuned with {model}")
try:
    module.tune(trials=1, model="no-such-model")
except pruner.PrunerError:
    check("failed")
module.lower(threads=1)
module.compile(f"{directory}/net.so")
check("compiled")
