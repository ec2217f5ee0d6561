"""Restarts the benchmark in another process: with the Python that has PyTorch, and
after an operation that crashes."""

import json
import os
import re
import sys
import threading
import time

from pruner_tools.tools import which

from . import run as runner
from .kit import say

# Errors after which the process cannot use the device any more (700 to 719).
LOST = re.compile(r"CUDA error 7[01][0-9]|CUDA error: (an illegal|misaligned|unspecified launch)")


def _replace(python, arguments):
    os.execv(python, [python, runner.PATH] + arguments)


def become(python):
    """Restart with the Python that has PyTorch, if it is another one."""
    found = which(python) if python else None
    if not found or os.environ.get("PRUNER_GPU_KIT_BENCH") == found:
        return
    if os.path.abspath(found) != os.path.abspath(sys.executable):
        os.environ["PRUNER_GPU_KIT_BENCH"] = found
        _replace(found, sys.argv[1:])


class Restart:
    """A kernel that hangs or breaks the device's context ends the process. The results
    are written, and the command restarts after that operation."""

    def __init__(self, options, clock, output, result):
        self.options, self.clock = options, clock
        self.output, self.result = output, result
        self.name, self.since, self.lock = None, 0.0, threading.Lock()
        threading.Thread(target=self._watch, daemon=True).start()

    def begin(self, name):
        with self.lock:
            self.name, self.since = name, time.monotonic()

    def done(self):
        with self.lock:
            self.name = None

    def _watch(self):
        while True:
            time.sleep(1)
            with self.lock:
                name, since = self.name, self.since
            if name and time.monotonic() - since > self.options.operation_seconds:
                self.now(name, "took over %d s; killed" % self.options.operation_seconds)

    def now(self, name, reason):
        self.result["failed"][name] = reason
        say("%s: %s; restarting after it" % (name, reason))
        self.output.write_json("bench.json", self.result)
        arguments = [a for a in sys.argv[1:] if a != "--resume"]
        minutes = max(0.0, self.clock.left() / 60)
        _replace(sys.executable, arguments + ["--resume", "--minutes", "%.3f" % minutes])


def resumed(output, result):
    """Take over the rows and failures of an earlier run."""
    try:
        with open(os.path.join(output.path, "bench.json")) as file:
            former = json.load(file)
    except (OSError, ValueError):
        return
    result["rows"] += former.get("rows", [])
    result["failed"].update(former.get("failed", {}))
