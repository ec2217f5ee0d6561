#===- relay.py - forwarding of the tuner's requests -----------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Forwards the tuner's requests to a worker on a leased slot, and its replies to the
tuner.

After a failure the relay replies `failed` and keeps running
(docs/reference/WorkerProtocol.md, Relays). The tuner then sends the task again. If the
slot was lost, the relay leases another one.
"""

import collections
import hashlib
import json
import time

import ray

from ..worker import HELLO_SECONDS
from .lease import NoPlace, first_line
from .slot_worker import build_difference

# Fields of at least this many bytes are sent by content hash.
LARGE_FIELDS = {"task": "text", "run": "artifact"}
LARGE_BYTES = 4096
# Limit for the objects that the store holds for this relay, bytes.
STORED_BYTES = 256 << 20
# Seconds to wait for a slot beyond the worker's deadline; less than the tuner waits for
# a relay.
PLACE_SECONDS = 5
# Seconds to wait for a new slot after one was lost. Short, because other relays of the
# tuner may wait for this one.
RETRY_SECONDS = 5


# Beyond any deadline.
MOST_SECONDS = 1e9


class Lost(Exception):
    """The slot is gone or does not respond."""


class Objects:
    """The contents of the object store by hash. The oldest are dropped."""

    def __init__(self):
        self.stored = collections.OrderedDict()

    def put(self, content):
        """(its hash, a list with its object). A list, because Ray
        would send the object itself to each receiver of a reference."""
        # JSON may have halves of surrogate pairs.
        digest = hashlib.sha256(content.encode(errors="surrogatepass")).hexdigest()
        if digest not in self.stored:
            self.stored[digest] = (ray.put(content), len(content))
            size = sum(size for _, size in self.stored.values())
            while size > STORED_BYTES and len(self.stored) > 1:
                size -= self.stored.popitem(last=False)[1][1]
        self.stored.move_to_end(digest)
        return digest, [self.stored[digest][0]]


def deadline_of(request):
    """Seconds; None if it is not a number."""
    seconds = request.get("deadline", 3600)
    return float(seconds) if (type(seconds) in (int, float)
                              and abs(seconds) < MOST_SECONDS) else None


class Relay:
    """One slot at a time, for one tuner. `report` is called with messages for the user.
    """

    def __init__(self, leaser, lease_seconds, report):
        self.leaser = leaser
        self.lease_seconds = lease_seconds
        self.report = report
        self.objects = Objects()
        self.machine = ""  # The key of the target, from the greeting of the tuner.
        self.greeting = None  # The greeting of the first worker.
        self.actor = self.place = None

    def serve(self, requests, replies):
        """Serve requests until `quit` or the end of `requests`, a binary file."""
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
            seconds = deadline_of(request)
            if seconds is None:
                return {"type": "error", "id": request.get("id"),
                        "reason": "the deadline is not a number"}
            if not self.actor:
                if request["type"] != "task":
                    raise Lost("no slot was leased yet; send the task first")
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
        """Lease a slot whose worker has the build that greeted the tuner."""
        self.actor, self.place = self.leaser.lease(self.machine, seconds)
        said = self.ask({"type": "hello", "id": -1}, HELLO_SECONDS)
        if said["type"] != "hello":
            self.lose(f"its worker did not greet: {said.get('reason')}")
        if self.greeting is None:
            self.greeting = said
        difference = build_difference(said, self.greeting)
        if difference:
            self.lose(f"its worker has another build: {difference}")

    def give_back(self):
        if self.actor:
            ray.kill(self.actor)
        self.actor = self.place = None

    def lose(self, reason):
        """Give up the slot and suspend its node. Raises Lost."""
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
            self.lose("it does not respond")
        except ray.exceptions.RayError as error:
            self.lose(first_line(error))
        if reply["type"] == "failed" and reply["failure"] == "lost":
            self.lose(reply["reason"])
        return reply
