"""Speaks the worker protocol and answers every run with a time that depends on
the code alone, so that a tuning run has the same measurements every time.

  --log FILE     append a line for each answered run
  --delay S      seconds before a run is answered
  --default S    the time of the untuned default
  --slow TEXT    code whose entry contains TEXT takes ten times as long
  --luck         the first run of some code takes 3 us less what it really takes:
                 what seems fastest is slowest
  --events FILE  append a line "hello", "run N" for each request before it is
                 answered; a greeting takes 30 ms then
  --late DIR     the first run of some code is not answered for a minute; which
                 code had its first run is kept in DIR, beyond this process
"""

import argparse
import hashlib
import json
import os
import sys
import time

parser = argparse.ArgumentParser()
parser.add_argument("--log")
parser.add_argument("--delay", type=float, default=0)
parser.add_argument("--default", type=float, default=1e-3)
parser.add_argument("--slow")
parser.add_argument("--luck", action="store_true")
parser.add_argument("--late")
parser.add_argument("--events")
args = parser.parse_args()
met = set()


def reply(fields):
    print(json.dumps(fields), flush=True)


def happens(event):
    if args.events:
        with open(args.events, "a") as file:
            file.write(event + "\n")


for line in sys.stdin:
    request = json.loads(line)
    kind, number = request["type"], request.get("id", -1)
    if kind == "hello":
        happens("hello")
        time.sleep(0.03 if args.events else 0)
        reply({"type": "hello", "id": number, "protocol": 2, "pruner": "fake",
               "llvm": "fake", "host": "fake", "cpu": "fake", "pid": 1})
    elif kind == "task":
        reply({"type": "task", "id": number, "status": "ok", "reason": "",
               "exact": True, "seconds": 0.0})
    elif kind == "run":
        happens(f"run {number}")
        time.sleep(args.delay)
        digest = hashlib.sha256(request["artifact"].encode()).digest()
        median = 1e-6 * (1 + int.from_bytes(digest[:4], "big") / 2**32)
        tuned = request["entry"].endswith("_kernel")
        if not tuned:
            median = args.default
        if args.slow and args.slow in request["entry"]:
            median *= 10
        if args.luck and tuned and digest not in met:
            median = 3e-6 - median
        met.add(digest)
        if args.late and tuned and (digest[4] % 2 or not os.listdir(args.late)):
            mark = os.path.join(args.late, digest.hex())
            if not os.path.exists(mark):
                open(mark, "w").close()
                time.sleep(60)
        if args.log:
            with open(args.log, "a") as log:
                log.write(f"{number}\n")
        reply({"type": "run", "id": number, "status": "ok", "reason": "",
               "retire": False, "median": median, "minimum": median,
               "p90": median, "spread": 1.0, "samples": 5,
               "runs_per_sample": 1, "repeats": 1, "censored": False,
               "noisy": False, "verified": True, "exact": True,
               "error_over_bound": 0.0})
    elif kind == "quit":
        break
    else:
        reply({"type": "error", "id": number, "reason": "a runner only runs"})
