#===- slot_worker.py - the worker of a slot -------------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The worker of a slot, which always has the same build. Uses the standard library
only."""

from ..worker import Worker, WorkerFailed

# The fields in which two workers of one build agree.
SAME_BUILD = ("protocol", "pruner", "generator")


def build_difference(greeting, first):
    """Return the first difference between the builds of two workers, or ""."""
    for field in SAME_BUILD:
        if greeting.get(field) != first.get(field):
            return f"{field} is '{greeting.get(field)}', not '{first.get(field)}'"
    return ""


class SlotWorker(Worker):
    """A guarded worker. A program that was replaced is reported when the worker starts
    again, because its results belong to another build. `memory` limits the address
    space in bytes; 0: no limit."""

    def __init__(self, program, arguments=(), memory=0):
        super().__init__(program, arguments)
        if memory:
            self.command = ["/bin/sh", "-c", 'ulimit -v "$1" && shift && exec "$@"',
                            "sh", str(memory >> 10), *self.command]
        self.greeting = None  # The greeting of the first worker.

    def ask(self, request, seconds):
        if self.process is None and self.greeting and request["type"] != "hello":
            self.greet()
        reply = super().ask(request, seconds)
        if request["type"] == "hello":
            self.greeting = self.greeting or reply
            difference = build_difference(reply, self.greeting)
            if difference:
                self.stop()
                raise WorkerFailed(
                    "lost", f"the worker has another build than before: {difference}")
        return reply
