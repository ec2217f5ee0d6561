#===- worker.py - a pruner-worker and its deadlines ------------------------===#
#
# Part of the Pruner project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""A `pruner-worker` that is asked and ended; standard library only."""

import json
import os
import selectors
import signal
import subprocess
import time

# The longest line that either side of the protocol accepts, bytes.
MAX_LINE = 64 << 20
# With which a worker ends that ran into its address space limit.
OUT_OF_MEMORY_EXIT = 77
# Of what a worker says on stderr, bytes.
LAST_WORDS = 4096
# What two workers of one build agree in, and how long one may take to say it, seconds.
SAME_BUILD = ("protocol", "pruner", "generator")
HELLO_SECONDS = 20


class WorkerFailed(Exception):
    """What became of a request without a reply; `failure` is a name of the
    protocol's `failed`."""

    def __init__(self, failure, reason):
        super().__init__(reason)
        self.failure = failure


def exit_text(code):
    if code >= 0:
        return f"exit code {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"


class Worker:
    """Starts `program` under its guard when it is asked, and again after it died,
    hung or answered nonsense. A file that was replaced meanwhile is noticed then: what
    the next one would do belongs to another build. Of one thread only: its guard ends
    when that does. `memory` limits its address space, bytes; 0: no limit."""

    def __init__(self, program, arguments=(), memory=0):
        self.command = [program, "--guarded", *arguments]
        if memory:
            self.command = ["/bin/sh", "-c", 'ulimit -v "$1" && shift && exec "$@"',
                            "sh", str(memory >> 10), *self.command]
        self.process = None
        self.greeting = None  # What the first one said of itself.

    def start(self):
        if self.process:
            return
        try:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, bufsize=0)
        except OSError as error:
            raise WorkerFailed(
                "lost", f"cannot start {self.command[0]}: {error.strerror}") from None
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            os.set_blocking(pipe.fileno(), False)
        self.said = b""  # On stdout, beyond the replies so far.
        self.words = b""  # On stderr, at last.

    def stop(self):
        """Ends it and all that it started: the guard does so when it is told."""
        if not self.process:
            return
        self.process.terminate()
        try:
            self.process.wait(2)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            pipe.close()
        self.process = None

    def ask(self, request, seconds):
        """The reply to `request`, a dictionary. Raises WorkerFailed, and then the
        worker has ended."""
        if self.process is None:
            self.start()
            if self.greeting and request["type"] != "hello":
                self.ask({"type": "hello", "id": -1}, HELLO_SECONDS)
        try:
            line = self._exchange(json.dumps(request).encode() + b"\n", seconds)
            try:
                reply = json.loads(line)
            except (ValueError, RecursionError):
                reply = None
            if not isinstance(reply, dict):
                raise WorkerFailed("bad-reply", "the worker answered "
                                   f"{ascii(line[:80].decode(errors='replace'))}, "
                                   "which is not a reply")
            if reply.get("type") == "error":
                raise WorkerFailed("bad-reply", "the worker rejected the request: "
                                   f"{reply.get('reason')}")
            if (reply.get("type") != request["type"]
                    or reply.get("id", -1) != request.get("id", -1)):
                raise WorkerFailed("bad-reply",
                                   "the worker answered a request that was not made")
            if request["type"] == "hello":
                self._check_build(reply)
            return reply
        except WorkerFailed:
            self.stop()
            raise

    def _check_build(self, said):
        """Raises WorkerFailed for a worker of another build than the first one."""
        self.greeting = self.greeting or said
        for field in SAME_BUILD:
            if said.get(field) != self.greeting.get(field):
                raise WorkerFailed("lost", f"the worker is of another build now: {field} is "
                                   f"'{said.get(field)}', not '{self.greeting.get(field)}'")

    def _forget_extra(self):
        """Leaves out what it said since its last reply."""
        self.said = b""
        try:
            while os.read(self.process.stdout.fileno(), 1 << 20):
                pass
        except BlockingIOError:
            pass

    def _exchange(self, line, seconds):
        self._forget_extra()
        process, deadline = self.process, time.monotonic() + seconds
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdin, selectors.EVENT_WRITE)
            selector.register(process.stdout, selectors.EVENT_READ)
            selector.register(process.stderr, selectors.EVENT_READ)
            while b"\n" not in self.said:
                if len(self.said) > MAX_LINE:
                    raise WorkerFailed("bad-reply", "the worker's reply is longer than "
                                       f"{MAX_LINE >> 20} MiB")
                ready = selector.select(max(0, deadline - time.monotonic()))
                if time.monotonic() >= deadline:
                    raise WorkerFailed("timeout", f"deadline of {seconds:.1f} s exceeded")
                for key, _ in ready:
                    if key.fileobj is process.stdin:
                        line = self._write(selector, line)
                    elif not self._read(selector, key.fileobj):
                        raise self._end()
        reply, self.said = self.said.split(b"\n", 1)
        return reply

    def _write(self, selector, line):
        try:
            line = line[os.write(self.process.stdin.fileno(), line[:1 << 20]):]
        except BlockingIOError:
            return line
        except OSError:
            line = b""  # It died or is about to; reading tells how.
        if not line:
            selector.unregister(self.process.stdin)
        return line

    def _read(self, selector, pipe):
        """False at the end of stdout."""
        try:
            some = os.read(pipe.fileno(), 1 << 20)
        except BlockingIOError:
            return True
        if pipe is self.process.stdout:
            self.said += some
            return bool(some)
        self.words = (self.words + some)[-LAST_WORDS:]
        if not some:
            selector.unregister(pipe)
        return True

    def _end(self):
        """What became of a worker that closed its stdout."""
        try:
            code = self.process.wait(1)
        except subprocess.TimeoutExpired:
            return WorkerFailed("bad-reply", "the worker closed its output")
        try:
            self.words += os.read(self.process.stderr.fileno(), LAST_WORDS)
        except OSError:
            pass
        if code == OUT_OF_MEMORY_EXIT:
            return WorkerFailed("out-of-memory", "out of memory")
        words = self.words.decode(errors="replace").strip().rpartition("\n")[2][:300]
        return WorkerFailed("died", exit_text(code) + (f": {words}" if words else ""))
