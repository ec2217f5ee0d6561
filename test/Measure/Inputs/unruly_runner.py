"""Speaks the worker protocol and misbehaves in a way that is drawn for every
request. Before each fault it appends a line "<stage> <id> <what>" to LOG.

  unruly_runner.py LOG SEED [WHAT]    WHAT: the fault of every run
"""

import json
import os
import random
import signal
import sys
import time

log, seed = sys.argv[1], sys.argv[2]
only = sys.argv[3] if len(sys.argv) > 3 else None
draw = random.Random(f"{seed} {os.getpid()} {time.time_ns()}")
out = sys.stdout.buffer


def say(data):
    out.write(data)
    out.flush()


def encoded(fields):
    return json.dumps(fields).encode() + b"\n"


def reply(fields):
    say(encoded(fields))


def note(stage, number, what):
    with open(log, "a") as file:
        file.write(f"{stage} {number} {what}\n")


def run_reply(number, **changes):
    fields = {"type": "run", "id": number, "status": "ok", "reason": "",
              "retire": False, "median": 2e-5, "minimum": 2e-5, "p90": 2e-5,
              "spread": 1.0, "samples": 5, "runs_per_sample": 1, "repeats": 1,
              "censored": False, "noisy": False, "verified": True, "exact": True,
              "error_over_bound": 0.0}
    fields.update(changes)
    return fields


def sleep():
    while True:
        time.sleep(100)


def daemonise():
    """A grandchild in its own session that holds all pipes."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
                signal.signal(number, signal.SIG_IGN)
            sleep()
        os._exit(0)
    os.wait()


def flood(fd, data):
    while True:
        os.write(fd, data)


def ignore_and_sleep():
    for number in range(1, 32):
        if number not in (signal.SIGKILL, signal.SIGSTOP, signal.SIGCHLD):
            signal.signal(number, signal.SIG_IGN)
    sleep()


def close_input():
    os.close(0)
    sleep()


def close_output():
    os.close(1)
    sleep()


def fork_many():
    for _ in range(20):
        if os.fork() == 0:
            sleep()
    sleep()


# Each answers request `n` in its own way. Those of the first table lead to a
# record with status ok.
GOOD = {
    "good": lambda n: reply(run_reply(n)),
    "unknown-fields": lambda n: reply(run_reply(n, novelty={"a": [1, 2, {}]})),
    "twice": lambda n: [reply(run_reply(n)) for _ in range(2)],
    "often": lambda n: [reply(run_reply(n)) for _ in range(200)],
    # In one write, because a line that arrives with the next reply is its failure.
    "nonsense-after": lambda n: say(encoded(run_reply(n)) + b"and then\n\xff\xfe\n"),
    "retire": lambda n: reply(run_reply(n, retire=True)),
    "daemon": lambda n: (daemonise(), reply(run_reply(n))),
    "times": lambda n: reply(run_reply(n, median=-1, times=[3e-05, 1e-05, 2e-05])),
    "dies-after": lambda n: (reply(run_reply(n)), os._exit(0)),
}
BAD = {
    "negative": lambda n: reply(run_reply(n, median=-1e-5)),
    "zero": lambda n: reply(run_reply(n, median=0)),
    "infinite": lambda n: say(json.dumps(run_reply(n)).replace(
        '"median": 2e-05', '"median": 1e999').encode() + b"\n"),
    "nan": lambda n: reply(run_reply(n, median=float("nan"))),
    "huge-time": lambda n: reply(run_reply(n, median=1e301)),
    "tiny-time": lambda n: reply(run_reply(n, median=1e-300)),
    "beyond-peak": lambda n: reply(run_reply(n, median=1e-11)),
    "text-time": lambda n: reply(run_reply(n, median="fast")),
    "no-time": lambda n: reply({"type": "run", "id": n, "status": "ok",
                                "reason": ""}),
    "bad-time-of-many": lambda n: reply(run_reply(n, times=[2e-05, 0, 2e-05])),
    "many-times": lambda n: reply(run_reply(n, times=[2e-05] * 100001)),
    "text-times": lambda n: reply(run_reply(n, times=["fast"])),
    "negative-spread": lambda n: reply(run_reply(n, spread=-1)),
    "verified-error": lambda n: reply(run_reply(n, status="run-error",
                                                reason="no", verified=True)),
    "no-reason": lambda n: reply(run_reply(n, status="run-error", reason="")),
    "foreign-status": lambda n: reply(run_reply(n, status="build-timeout")),
    "no-status": lambda n: reply(run_reply(n, status="splendid")),
    "wrong-id": lambda n: reply(run_reply(n + 1)),
    "wrong-type": lambda n: reply({"type": "build", "id": n, "status": "ok",
                                   "reason": ""}),
    "huge-id": lambda n: reply(run_reply(10 ** 30)),
    "error": lambda n: reply({"type": "error", "reason": "no", "id": n}),
    "nonsense": lambda n: say(b"Segmentation fault (not really)\n"),
    "empty": lambda n: say(b"\n"),
    "array": lambda n: say(b"[1, 2]\n"),
    "null": lambda n: say(b"null\n"),
    "zeros": lambda n: say(b"\0" * 1000 + b"\n"),
    "not-utf8": lambda n: say(b'{"type": "run", "reason": "\xff\xc0"}\n'),
    "deep": lambda n: say(b"[" * 300000 + b"\n"),
    "deep-field": lambda n: say(b'{"type": "run", "id": %d, "x": %s%s}\n' % (
        n, b'{"a":' * 100000, b"1" + b"}" * 100000)),
    "wide": lambda n: say(b"[" + b"[]," * 1200000 + b"[]]\n"),
    "huge-line": lambda n: say(b"x" * (65 << 20) + b"\n"),
    "huge-reason": lambda n: reply(run_reply(n, status="run-error",
                                             reason="\u20ac\0\x1b[2J" * 300000)),
    "half": lambda n: (say(b'{"type": "run", "id": '), os._exit(0)),
    "exit": lambda n: os._exit(0),
    "exit-3": lambda n: os._exit(3),
    "out-of-memory": lambda n: os._exit(77),
    "crash": lambda n: os.kill(os.getpid(), signal.SIGSEGV),
    "kills-group": lambda n: os.killpg(0, signal.SIGKILL),
    "kills-guard": lambda n: (os.kill(os.getppid(), signal.SIGKILL), sleep()),
    "daemon-and-exit": lambda n: (daemonise(), os._exit(0)),
    "close-output": lambda n: close_output(),
    "flood": lambda n: flood(1, b"flood " * 1000),
    "flood-lines": lambda n: flood(1, b"flood\n" * 1000),
}
SLOW = {  # These end at a deadline.
    "silent": lambda n: sleep(),
    "close-input": lambda n: close_input(),
    "ignore-signals": lambda n: ignore_and_sleep(),
    "stop": lambda n: (os.kill(os.getpid(), signal.SIGSTOP), sleep()),
    "flood-stderr": lambda n: flood(2, b"flood\n" * 1000),
    "fork": lambda n: fork_many(),
    "daemon-and-sleep": lambda n: (daemonise(), sleep()),
}
EVERY = {**GOOD, **BAD, **SLOW}


def misbehave_early(stage, number):
    """Sometimes, before the first run."""
    what = draw.choice(["exit", "crash", "nonsense", "deep", "half", "zeros"])
    note(stage, number, what)
    BAD[what](number)
    os._exit(1)


if __name__ == "__main__":
    for line in sys.stdin:
        request = json.loads(line)
        kind, number = request["type"], request.get("id", -1)
        if kind == "hello":
            if only is None and draw.random() < 0.1:
                misbehave_early(kind, number)
            reply({"type": "hello", "id": number, "protocol": 2, "pruner": "x",
                   "llvm": "x", "host": "x", "cpu": "x", "pid": 1})
        elif kind == "task":
            if only is None and draw.random() < 0.02:
                misbehave_early(kind, number)
            reply({"type": "task", "id": number, "status": "ok", "reason": "",
                   "exact": True, "seconds": 0.0})
        elif kind == "run":
            table = draw.choices([GOOD, BAD, SLOW], [1, 8, 1])[0]
            what = only or draw.choice(sorted(table))
            # Before any time is known, deadlines are ten times as long.
            what = "good" if number == 0 and only is None else what
            note(kind, number, what)
            EVERY[what](number)
        elif kind == "quit":
            break
