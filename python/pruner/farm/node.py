#===- node.py - code that runs on the nodes -------------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The code that runs on the nodes, which need only Ray and Pruner's programs. Ray sends
this module, `slot_worker`, `pruner.worker` and `pruner.programs` to the nodes."""

import collections
import os
import socket
import subprocess

import ray

from ..programs import which
from ..worker import WorkerFailed
from .slot_worker import SlotWorker

# Limit for the contents that a slot keeps, bytes.
KEPT_BYTES = 256 << 20


def find_program(worker):
    """Return the path of the node's `pruner-worker`; `worker` may be empty. Raise
    ValueError."""
    found = which(worker or "pruner-worker")
    if not found:
        where = "no such program" if worker else "it is not on the PATH"
        raise ValueError(f"{worker or 'pruner-worker'}: {where}")
    return os.path.realpath(found)


def machine_key(worker, gpu):
    """Return the machine key of this node's CPU, or of the first CUDA device that this
    process may use. Raise ValueError with the reason if it is unknown."""
    program = os.path.join(os.path.dirname(find_program(worker)), "pruner-machine")
    command = [program, "--key", "--cuda-device=0" if gpu else "cpu"]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, errors="replace", timeout=60)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ValueError(f"{program}: {error}") from None
    if done.returncode:
        raise ValueError(f"{program}: {done.stderr.strip()[-300:]}")
    return done.stdout.strip()


def describe(worker, gpu):
    """Return (key, "") of this node, or ("", the reason why there is none)."""
    try:
        return machine_key(worker, gpu), ""
    except ValueError as error:
        return "", str(error)


class Place:
    """A worker and the contents it received, by hash. Ray runs all methods in one
    thread."""

    def __init__(self, worker, arguments, memory, gpu):
        self.key = machine_key(worker, gpu)
        self.worker = SlotWorker(find_program(worker), arguments, memory)
        self.contents = collections.OrderedDict()

    def describe(self):
        """Return the slot's node, host and machine."""
        return {"node": ray.get_runtime_context().get_node_id(),
                "host": socket.gethostname(), "machine": self.key}

    def ask(self, request, parts, seconds):
        """Return the worker's reply, or its failure (`failed`). `parts` are large
        fields that `request` omits: the hash of each, and a list with its object,
        which is fetched if the hash is unknown here."""
        for field, (digest, reference) in parts.items():
            request[field] = self.content(digest, reference)
        try:
            reply = self.worker.ask(request, seconds)
            if reply.get("retire"):
                self.worker.stop()
            return reply
        except WorkerFailed as failed:
            return {"type": "failed", "id": request.get("id"),
                    "failure": failed.failure, "reason": str(failed)}

    def content(self, digest, reference):
        if digest not in self.contents:
            self.contents[digest] = ray.get(reference[0])
            kept = sum(map(len, self.contents.values()))
            while kept > KEPT_BYTES and len(self.contents) > 1:
                kept -= len(self.contents.popitem(last=False)[1])
        self.contents.move_to_end(digest)
        return self.contents[digest]

