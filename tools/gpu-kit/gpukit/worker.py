"""A client of `pruner-worker` (docs/reference/WorkerProtocol.md)."""

import collections
import json
import select
import subprocess
import threading
import time

from . import kit, process


class Died(Exception):
    """The worker died or hung; the message says how."""

    def __init__(self, text, hung=False):
        super().__init__(text)
        self.hung = hung


class Worker:
    """One process, started on demand and again after it died."""

    def __init__(self, environment, arguments=()):
        self.environment, self.arguments = environment, list(arguments)
        self.process, self.tasks = None, set()
        self.next = 0

    def _begin(self):
        self.process = process.start(
            [kit.tool("pruner-worker")] + self.arguments,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=self.environment)
        self.tasks, self.buffer = set(), b""
        self.last_words = collections.deque(maxlen=20)
        threading.Thread(target=self._listen, args=(self.process.stderr,),
                         daemon=True).start()

    def _listen(self, stream):
        for line in stream:
            self.last_words.append(line.decode(errors="replace").rstrip())

    def kill(self):
        if self.process:
            process.end(self.process, 0.2)
            for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
                try:
                    stream.close()
                except OSError:
                    pass
            self.process = None

    def close(self):
        if self.process and self.process.poll() is None:
            try:
                self.process.stdin.write(b'{"type":"quit"}\n')
                self.process.stdin.close()
                self.process.wait(3)
            except (OSError, ValueError, subprocess.TimeoutExpired):
                pass
        self.kill()

    def _read(self, deadline):
        while b"\n" not in self.buffer:
            left = deadline - time.monotonic()
            if left <= 0:
                raise Died("deadline exceeded", hung=True)
            ready, _, _ = select.select([self.process.stdout], [], [], min(left, 1.0))
            if not ready:
                continue
            data = self.process.stdout.read1(1 << 16)
            if not data:
                code = self.process.wait()
                words = "; ".join(list(self.last_words)[-1:])
                raise Died("worker ended with %d%s" % (code, ": " + words if words else ""))
            self.buffer += data
        line, self.buffer = self.buffer.split(b"\n", 1)
        return json.loads(line)

    def ask(self, request, seconds):
        """Return the reply to `request`. Raises Died after the process has ended."""
        if not self.process or self.process.poll() is not None:
            self.kill()
            self._begin()
        self.next += 1
        request = dict(request, id=self.next)
        try:
            self.process.stdin.write(json.dumps(request).encode() + b"\n")
            self.process.stdin.flush()
            reply = self._read(time.monotonic() + seconds)
        except (OSError, ValueError) as error:
            self.kill()
            raise Died(str(error))
        except Died:
            self.kill()
            raise
        if reply.get("id") != self.next:
            self.kill()
            raise Died("the reply is to another request")
        return reply

    def _know(self, key, text, seconds, reference):
        """Register a task, once per process. Raises Died, or ValueError with the reason
        if the task is rejected."""
        if self.process and self.process.poll() is None and (key, reference) in self.tasks:
            return
        reply = self.ask({"type": "task", "key": key, "text": text,
                          "reference": reference}, seconds)
        if reply.get("status") != "ok":
            raise ValueError(reply.get("reason", "no reason given"))
        self.tasks.add((key, reference))

    def _attempt(self, step, key, text, request, seconds, known_in, reference):
        """Return the reply, or one that describes the worker's failure."""
        try:
            self._know(key, text, known_in, reference)
            return self.ask(dict(request, type=step, task=key), seconds)
        except Died as death:
            status, reason = "timeout" if death.hung else "crash", death
        except ValueError as refused:
            status, reason = "error", refused
        return {"status": step + "-" + status, "reason": str(reason)}

    def build(self, key, text, schedule, target, seconds):
        """Compile a schedule of the task `text`. Does not raise."""
        return self._attempt("build", key, text, {"schedule": schedule, "target": target},
                             seconds, 120, False)

    def run(self, key, text, target, built, seconds, **limits):
        """Measure a reply of `build`. Does not raise."""
        request = {name: built[name] for name in ("format", "artifact", "entry", "facts")
                   if name in built}
        return self._attempt("run", key, text, dict(request, target=target, **limits),
                             seconds, 300, True)
