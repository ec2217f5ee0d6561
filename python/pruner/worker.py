#===- worker.py - client of the worker protocol ---------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A client of the worker protocol (docs/reference/WorkerProtocol.md).

    with Worker("/usr/bin/pruner-worker") as worker:
        worker.ask({"type": "task", "key": "mm", "text": text}, 20)

Runs with Python 3.8 and the standard library alone: `pruner.farm` sends this module to
its nodes, and the GPU kit contains it.
"""

import json
import os
import selectors
import signal
import subprocess
import time

# The longest line that either side of the protocol accepts, in bytes.
MAX_LINE = 64 << 20
# The exit code of a worker whose allocation failed.
OUT_OF_MEMORY_EXIT = 77
# The part of a worker's stderr that is kept, in bytes.
STDERR_BYTES = 4096
# Seconds within which a worker must answer `hello`, and within which it must end after
# `quit`.
HELLO_SECONDS, QUIT_SECONDS = 20, 3
# The fields of a reply to `build` that `run` needs.
ARTIFACT_FIELDS = ("format", "artifact", "entry", "facts")


class WorkerFailed(Exception):
    """The failure of a request without a reply; `failure` is one of the protocol's
    names for `failed`."""

    def __init__(self, failure, reason):
        super().__init__(reason)
        self.failure = failure


def artifact_of(built):
    """Return the fields of a reply to `build` that belong in the request to run it."""
    return {name: built[name] for name in ARTIFACT_FIELDS if name in built}


def exit_text(code):
    if code >= 0:
        return f"exit code {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"


class Worker:
    """A process that runs `program`. It starts with the first request, and again with
    the next one after it died, hung or sent an invalid reply; then it knows no task.

    A `guarded` worker is one of Pruner's. Its guard ends it and all its descendants
    when it is stopped, and when the thread that started it ends, so use it from one
    thread only. Of another program, a subclass must end the descendants."""

    def __init__(self, program, arguments=(), guarded=True, environment=None):
        self.command = [program, *(["--guarded"] if guarded else []), *arguments]
        self.environment = environment
        self.process = None
        self.last_id = 0

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()

    def start(self):
        if self.process:
            return
        try:
            self.process = self._spawn(
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                bufsize=0, env=self.environment)
        except OSError as error:
            raise WorkerFailed(
                "lost", f"cannot start {self.command[0]}: {error.strerror}") from None
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            os.set_blocking(pipe.fileno(), False)
        self.output = bytearray()  # Data on stdout after the last reply.
        self.errors = b""  # The end of stderr.

    def stop(self):
        """End the worker and its descendants at once."""
        if not self.process:
            return
        self._end_process()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            pipe.close()
        self.process = None

    def close(self):
        """Ask the worker to end, and stop it if it does not."""
        if self.process and self.process.poll() is None:
            try:
                self.process.stdin.write(b'{"type":"quit"}\n')
                self.process.stdin.close()
                self.process.wait(QUIT_SECONDS)
            except (OSError, subprocess.TimeoutExpired):
                pass
        self.stop()

    def _spawn(self, **options):
        """Start the process; `options` are those of subprocess.Popen."""
        return subprocess.Popen(self.command, **options)

    def _end_process(self):
        self.process.terminate()
        try:
            self.process.wait(2)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def greet(self):
        """Return the reply to `hello`."""
        return self.ask({"type": "hello", "id": -1}, HELLO_SECONDS)

    def ask(self, request, seconds):
        """Return the reply to `request`, a dictionary, which gets an `id` if it has
        none. Raise WorkerFailed after the worker has ended."""
        if "id" not in request:
            self.last_id += 1
            request = {**request, "id": self.last_id}
        self.start()
        try:
            line = self._exchange(json.dumps(request).encode() + b"\n", seconds)
            return self._parse(line, request)
        except WorkerFailed:
            self.stop()
            raise

    @staticmethod
    def _parse(line, request):
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
                or reply.get("id", -1) != request["id"]):
            raise WorkerFailed("bad-reply",
                               "the worker replied to a request that was not sent")
        return reply

    def _discard_output(self, deadline):
        """Discard output since the last reply."""
        self.output.clear()
        try:
            while (os.read(self.process.stdout.fileno(), 1 << 20)
                   and time.monotonic() < deadline):
                pass
        except BlockingIOError:
            pass

    def _exchange(self, line, seconds):
        """Send a line, and return the next one from the worker."""
        process, deadline = self.process, time.monotonic() + seconds
        self._discard_output(deadline)
        # Lines are long: no byte is copied or searched again with each piece.
        line, end = memoryview(line), -1
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdin, selectors.EVENT_WRITE)
            selector.register(process.stdout, selectors.EVENT_READ)
            selector.register(process.stderr, selectors.EVENT_READ)
            while end < 0:
                searched = len(self.output)
                if searched > MAX_LINE:
                    raise WorkerFailed("bad-reply", "the worker's reply is longer than "
                                       f"{MAX_LINE >> 20} MiB")
                ready = selector.select(max(0, deadline - time.monotonic()))
                if time.monotonic() >= deadline:
                    raise WorkerFailed("timeout", f"deadline of {seconds:.1f} s exceeded")
                for key, _ in ready:
                    if key.fileobj is process.stdin:
                        line = self._write(selector, line)
                    elif not self._read(selector, key.fileobj):
                        raise self._failure_of_end()
                end = self.output.find(b"\n", searched)
        reply = bytes(self.output[:end])
        del self.output[:end + 1]
        return reply

    def _write(self, selector, line):
        try:
            line = line[os.write(self.process.stdin.fileno(), line[:1 << 20]):]
        except BlockingIOError:
            return line
        except OSError:
            line = line[:0]  # The process died or is about to; reading shows how.
        if not line:
            selector.unregister(self.process.stdin)
        return line

    def _read(self, selector, pipe):
        """Return False at the end of stdout."""
        try:
            data = os.read(pipe.fileno(), 1 << 20)
        except BlockingIOError:
            return True
        if pipe is self.process.stdout:
            self.output += data
            return bool(data)
        self.errors = (self.errors + data)[-STDERR_BYTES:]
        if not data:
            selector.unregister(pipe)
        return True

    def _failure_of_end(self):
        """Return the failure of a worker that closed its stdout."""
        try:
            code = self.process.wait(1)
        except subprocess.TimeoutExpired:
            return WorkerFailed("bad-reply", "the worker closed its output")
        try:
            self.errors += os.read(self.process.stderr.fileno(), STDERR_BYTES)
        except OSError:
            pass
        if code == OUT_OF_MEMORY_EXIT:
            return WorkerFailed("out-of-memory", "out of memory")
        last = self.errors.decode(errors="replace").strip().rpartition("\n")[2][:300]
        return WorkerFailed("died", exit_text(code) + (f": {last}" if last else ""))
