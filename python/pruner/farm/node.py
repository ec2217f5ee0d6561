#===- node.py - what runs on the nodes of a farm ---------------------------===#
#
# Part of the Pruner project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""What runs on the nodes, which need Ray and Pruner's programs: this module, `worker`
and `pruner.programs` travel there with the code of the tuner's side."""

import collections
import os
import socket
import subprocess

import ray

from ..programs import which
from .worker import Worker, WorkerFailed

# Of contents that a place keeps, bytes.
KEPT_BYTES = 256 << 20


def find_program(worker):
    """The path of the node's `pruner-worker`; `worker` may be empty. Raises
    ValueError."""
    found = which(worker or "pruner-worker")
    if not found:
        where = "there is no such program" if worker else "it is not on the PATH"
        raise ValueError(f"{worker or 'pruner-worker'}: {where}")
    return os.path.realpath(found)


def machine_key(worker, gpu):
    """The key of what measures here: of the CPU, or of the first CUDA device that
    this process may use. Raises ValueError with the reason why it is not known."""
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
    """(key, "") of this node, or ("", why there is none)."""
    try:
        return machine_key(worker, gpu), ""
    except ValueError as error:
        return "", str(error)


class Place:
    """A worker, and what it was sent by content hash. Ray runs all of it in one
    thread."""

    def __init__(self, worker, arguments, memory, gpu):
        self.key = machine_key(worker, gpu)
        self.worker = Worker(find_program(worker), arguments, memory)
        self.contents = collections.OrderedDict()

    def describe(self):
        """The place's node, host and machine."""
        return {"node": ray.get_runtime_context().get_node_id(),
                "host": socket.gethostname(), "machine": self.key}

    def ask(self, request, parts, seconds):
        """The worker's reply, or what became of it (`failed`). `parts` are fields of
        the request that are left out of it: the hash of each, and a list with its
        object, which is fetched where the hash is not known here."""
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

