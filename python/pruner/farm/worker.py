#===- worker.py - a pruner-worker and its deadlines ------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A `pruner-worker` process with deadlines. Uses the standard library only."""

import json
import os
import selectors
import signal
import subprocess
import time

# The longest line that either side of the protocol accepts, in bytes.
MAX_LINE = 64 << 20
# The exit code of a worker that exceeded its address space limit.
OUT_OF_MEMORY_EXIT = 77
# The part of a worker's stderr that is kept, in bytes.
LAST_WORDS = 4096
# The fields in which two workers of one build agree, and the seconds within which a
# worker must send them.
SAME_BUILD = ("protocol", "pruner", "generator")
HELLO_SECONDS = 20


class WorkerFailed(Exception):
    """The failure of a request without a reply; `failure` is one of the protocol's
    names for `failed`."""

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
    """Runs `program` under its guard. It starts with the first request, and again after
    it died, hung or sent an invalid reply. A replaced program is then reported,
    because its results belong to another build. Use it from one thread only: the
    guard ends with that thread. `memory` limits the address space in bytes; 0: no
    limit."""

    def __init__(self, program, arguments=(), memory=0):
        self.command = [program, "--guarded", *arguments]
        if memory:
            self.command = ["/bin/sh", "-c", 'ulimit -v "$1" && shift && exec "$@"',
                            "sh", str(memory >> 10), *self.command]
        self.process = None
        self.greeting = None  # The greeting of the first worker.

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
        self.said = b""  # Data on stdout after the last reply.
        self.words = b""  # The end of stderr.

    def stop(self):
        """End the worker and its child processes, through the guard."""
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
        """Return the reply to `request`, a dictionary. Raise WorkerFailed after the
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
                raise WorkerFailed("bad-reply", "the worker replied "
                                   f"{ascii(line[:80].decode(errors='replace'))}, "
                                   "which is not a reply")
            if reply.get("type") == "error":
                raise WorkerFailed("bad-reply", "the worker rejected the request: "
                                   f"{reply.get('reason')}")
            if (reply.get("type") != request["type"]
                    or reply.get("id", -1) != request.get("id", -1)):
                raise WorkerFailed("bad-reply",
                                   "the worker replied to a request that was not sent")
            if request["type"] == "hello":
                self._check_build(reply)
            return reply
        except WorkerFailed:
            self.stop()
            raise

    def _check_build(self, said):
        """Raise WorkerFailed if the worker has another build than the first one."""
        self.greeting = self.greeting or said
        for field in SAME_BUILD:
            if said.get(field) != self.greeting.get(field):
                raise WorkerFailed("lost", f"the worker has another build than before: {field} is "
                                   f"'{said.get(field)}', not '{self.greeting.get(field)}'")

    def _forget_extra(self):
        """Discard output since the last reply."""
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
            line = b""  # The process died or is about to; reading shows how.
        if not line:
            selector.unregister(self.process.stdin)
        return line

    def _read(self, selector, pipe):
        """Return False at the end of stdout."""
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
        """Return the failure of a worker that closed its stdout."""
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
