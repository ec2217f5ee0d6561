"""Tests of pruner.worker."""

import os
import shutil
import stat
import sys
import tempfile
import time
import unittest

from pruner.worker import MAX_LINE, Worker, WorkerFailed, artifact_of

# A worker that answers a request as the request's `do` says.
PROGRAM = """#!%s
import json, os, signal, sys, time
for line in sys.stdin:
    request = json.loads(line)
    do = request.get("do")
    if request["type"] == "quit":
        sys.exit(0)
    reply = {"type": request["type"], "id": request["id"], "length": len(line)}
    if do == "exit":
        print("first\\nlast", file=sys.stderr)
        sys.exit(3)
    elif do == "memory":
        sys.exit(77)
    elif do == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    elif do == "hang":
        time.sleep(60)
    elif do == "mute":
        os.close(1)
        time.sleep(60)
    elif do == "garbage":
        print("no JSON")
    elif do == "list":
        print([1])
    elif do == "error":
        print(json.dumps({"type": "error", "reason": "missing value", "id": request["id"]}))
    elif do == "other":
        print(json.dumps({**reply, "id": 1000}))
    elif do == "flood":
        while True:
            os.write(1, b"x" * (1 << 20))
    elif do == "noise":  # More than a pipe holds.
        sys.stderr.write("x" * (1 << 20))
        print(json.dumps(reply))
    elif do == "twice":
        os.write(1, 2 * (json.dumps(reply) + "\\n").encode())
    elif do == "no id":
        del reply["id"]
        print(json.dumps(reply))
    elif do == "environment":
        print(json.dumps({**reply, "value": os.environ.get("OF_WORKER"), "words": sys.argv[1:]}))
    elif do == "large":
        print(json.dumps({**reply, "text": "y" * (1 << 22)}))
    else:
        print(json.dumps(reply))
    sys.stdout.flush()
""" % sys.executable


class ClientTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.program = os.path.join(directory.name, "worker")
        with open(self.program, "w") as file:
            file.write(PROGRAM)
        os.chmod(self.program, stat.S_IRWXU)
        self.worker = Worker(self.program, guarded=False)
        self.addCleanup(self.worker.stop)

    def ask(self, do="", seconds=20, **fields):
        return self.worker.ask({"type": "run", "do": do, **fields}, seconds)

    def failure(self, do, seconds=20, **fields):
        with self.assertRaises(WorkerFailed) as caught:
            self.ask(do, seconds, **fields)
        self.assertIsNone(self.worker.process)
        return caught.exception.failure, str(caught.exception)

    def test_ids(self):
        self.assertEqual([self.ask()["id"] for _ in range(3)], [1, 2, 3])
        self.assertEqual(self.ask(id=17)["id"], 17)
        self.assertEqual(self.ask()["id"], 4)

    def test_greeting_may_omit_its_id(self):
        self.assertEqual(self.worker.greet()["id"], -1)
        self.assertEqual(self.worker.ask({"type": "hello", "id": -1, "do": "no id"}, 20)["type"],
                         "hello")
        self.assertEqual(self.failure("no id")[0], "bad-reply")

    def test_failures(self):
        for do, wanted in {
                "exit": ("died", "exit code 3: last"),
                "kill": ("died", "SIGKILL"),
                "memory": ("out-of-memory", "out of memory"),
                "mute": ("bad-reply", "the worker closed its output"),
                "garbage": ("bad-reply", "the worker replied 'no JSON', which is not a reply"),
                "list": ("bad-reply", "the worker replied '[1]', which is not a reply"),
                "error": ("bad-reply", "the worker rejected the request: missing value"),
                "other": ("bad-reply", "the worker replied to a request that was not sent"),
                "flood": ("bad-reply", "the worker's reply is longer than 64 MiB")}.items():
            with self.subTest(do):
                self.assertEqual(self.failure(do), wanted)
                self.assertEqual(self.ask()["type"], "run")  # Another process.

    def test_deadline(self):
        start = time.monotonic()
        self.assertEqual(self.failure("hang", 0.3), ("timeout", "deadline of 0.3 s exceeded"))
        self.assertLess(time.monotonic() - start, 5)

    def test_no_program(self):
        self.worker = Worker("/nonexistent/worker")
        self.assertEqual(self.failure(""), (
            "lost", "cannot start /nonexistent/worker: No such file or directory"))

    def test_large_lines(self):
        self.assertGreater(self.ask(text="x" * (1 << 22))["length"], 1 << 22)
        self.assertEqual(len(self.ask("large")["text"]), 1 << 22)
        self.assertEqual(self.ask("noise")["type"], "run")
        self.assertEqual(MAX_LINE, 1 << 26)

    def test_extra_lines_are_ignored(self):
        self.ask("twice")
        self.assertEqual(self.ask()["id"], 2)

    def test_start(self):
        self.worker = Worker(self.program, ["a", "b"], environment={"OF_WORKER": "yes"})
        self.addCleanup(self.worker.stop)
        reply = self.ask("environment")
        self.assertEqual((reply["value"], reply["words"]), ("yes", ["--guarded", "a", "b"]))

    def test_close(self):
        with self.worker as worker:
            self.ask()
            process = worker.process
        self.assertEqual(process.returncode, 0)
        self.assertIsNone(worker.process)
        worker.close()
        self.ask()
        process = worker.process
        worker.stop()
        self.assertEqual(process.returncode, -15)

    def test_artifact(self):
        self.assertEqual(artifact_of({"status": "ok", "artifact": "x", "entry": "f"}),
                         {"artifact": "x", "entry": "f"})


class PrunerWorkerTest(unittest.TestCase):
    """A guarded pruner-worker that fails at the requests of these ids."""

    def test_failures(self):
        task = {"type": "task", "key": "t", "text": "func.func @t(%x: tensor<4xf32>) -> "
                "tensor<4xf32> {\n  return %x : tensor<4xf32>\n}"}
        with Worker(shutil.which("pruner-worker"),
                    ["--inject=crash@task:2,sleep@task:3,fork@task:4"]) as worker:
            self.assertEqual(worker.greet()["protocol"], 2)
            self.assertEqual(worker.ask(task, 20)["id"], 1)
            for failure, reason in (("died", "^SIGSEGV"), ("timeout", "^deadline of 0.5 s"),
                                    ("timeout", "^deadline of 0.5 s")):
                with self.assertRaisesRegex(WorkerFailed, reason) as caught:
                    worker.ask(task, 5 if failure == "died" else 0.5)
                self.assertEqual(caught.exception.failure, failure)
            self.assertEqual(worker.ask(task, 20)["id"], 5)


if __name__ == "__main__":
    unittest.main()
