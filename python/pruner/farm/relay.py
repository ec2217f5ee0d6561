#===- relay.py - the tuner's requests, and what becomes of them ------------===#
#
# Part of the Pruner project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Answers the tuner's requests with what a worker on a leased place says.

It tells its failures by `failed` and lives on (docs/reference/WorkerProtocol.md, Relays): the
tuner tells the task again, and where the place was lost another is leased then.
"""

import collections
import hashlib
import json
import time

import ray

from .lease import NoPlace, first_line
from .worker import HELLO_SECONDS, SAME_BUILD

# Fields that cross by content hash, from so many bytes on.
LARGE_FIELDS = {"task": "text", "run": "artifact"}
LARGE_BYTES = 4096
# Of objects that the store holds for this relay, bytes.
STORED_BYTES = 256 << 20
# How much longer than a worker's deadline its place is waited for, seconds; less
# than the tuner waits for a relay.
PLACE_SECONDS = 5
# How long the relay waits for a place when it has lost one: the tuner may have
# others, which wait for this one.
RETRY_SECONDS = 5


class Lost(Exception):
    """The place is gone, or does not answer."""


class Objects:
    """What is in the object store, by content hash; the oldest are dropped."""

    def __init__(self):
        self.stored = collections.OrderedDict()

    def put(self, content):
        """(its hash, a list with its object). The list keeps Ray from sending the
        object to whoever is told of it."""
        digest = hashlib.sha256(content.encode()).hexdigest()
        if digest not in self.stored:
            self.stored[digest] = (ray.put(content), len(content))
            size = sum(size for _, size in self.stored.values())
            while size > STORED_BYTES and len(self.stored) > 1:
                size -= self.stored.popitem(last=False)[1][1]
        self.stored.move_to_end(digest)
        return digest, [self.stored[digest][0]]


class Relay:
    """One place at a time, for one tuner. `report` is told in words what the tuner
    does not need to know."""

    def __init__(self, leaser, lease_seconds, report):
        self.leaser = leaser
        self.lease_seconds = lease_seconds
        self.report = report
        self.objects = Objects()
        self.machine = ""  # The target's key, of the tuner's greeting.
        self.greeting = None  # What the tuner was told of the first worker.
        self.actor = self.place = None

    def serve(self, requests, replies):
        """Until `quit` or the end of `requests`, a binary file."""
        for line in requests:
            try:
                request = json.loads(line)
            except (ValueError, RecursionError):
                request = None
            if not isinstance(request, dict) or not isinstance(request.get("type"), str):
                reply = {"type": "error", "reason": "not a request"}
            elif request["type"] == "quit":
                break
            else:
                reply = self.answer(request)
            replies.write(json.dumps(reply).encode() + b"\n")
            replies.flush()
        self.give_back()

    def answer(self, request):
        start = time.monotonic()
        try:
            if request["type"] == "hello":
                return self.greet(request)
            seconds = float(request.get("deadline", 3600))
            if not self.actor:
                if request["type"] != "task":
                    raise Lost("there is no place yet; tell the task first")
                self.lease(min(self.lease_seconds, RETRY_SECONDS))
                seconds -= time.monotonic() - start
            reply = self.ask(request, seconds)
            if request["type"] == "run" and reply["type"] == "run":
                reply["place"] = self.name()
            return reply
        except (Lost, NoPlace) as error:
            return {"type": "failed", "id": request.get("id"),
                    "failure": "lost" if isinstance(error, Lost) else "no-worker",
                    "reason": str(error)}

    def greet(self, request):
        self.machine = request.get("machine", "")
        self.give_back()
        self.greeting = None
        self.lease(self.lease_seconds)
        return {**self.greeting, "id": request.get("id"), "host": self.place["host"],
                "machine": self.place["machine"], "relay": True}

    def name(self):
        return f"node {self.place['node'][:8]} on {self.place['host']}"

    def lease(self, seconds):
        """A place with a worker of the build that the tuner was greeted by."""
        self.actor, self.place = self.leaser.lease(self.machine, seconds)
        said = self.ask({"type": "hello", "id": -1}, HELLO_SECONDS)
        if said["type"] != "hello":
            self.lose(f"its worker did not greet: {said.get('reason')}")
        if self.greeting is None:
            self.greeting = said
        for field in SAME_BUILD:
            if said.get(field) != self.greeting.get(field):
                self.lose(f"its worker is of another build: {field} is "
                          f"'{said.get(field)}', not '{self.greeting.get(field)}'")

    def give_back(self):
        if self.actor:
            ray.kill(self.actor)
        self.actor = self.place = None

    def lose(self, reason):
        """Gives up the place and, for a while, its node. Raises Lost."""
        lost = f"{self.name()} is lost: {reason}"
        self.leaser.suspect(self.place["node"])
        self.give_back()
        self.report(lost)
        raise Lost(lost)

    def ask(self, request, seconds):
        request = {name: value for name, value in request.items() if name != "deadline"}
        parts = {}
        field = LARGE_FIELDS.get(request["type"])
        content = request.get(field)
        if isinstance(content, str) and len(content) >= LARGE_BYTES:
            del request[field]
            parts[field] = self.objects.put(content)
        try:
            reply = ray.get(self.actor.ask.remote(request, parts, seconds),
                            timeout=seconds + PLACE_SECONDS)
        except ray.exceptions.GetTimeoutError:
            self.lose("it does not answer")
        except ray.exceptions.RayError as error:
            self.lose(first_line(error))
        if reply["type"] == "failed" and reply["failure"] == "lost":
            self.lose(reply["reason"])
        return reply
