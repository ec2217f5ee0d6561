"""A relay (docs/reference/WorkerProtocol.md) before fake_runner.py, or another worker.

  --fail WHAT@ID      reports this failure of the run ID, or of all (*), every time
  --once WHAT@ID      the first time only, which FILE remembers; WHAT may be `die`:
                      the relay exits
  --one WHAT          every run of the process that is started first, likewise
  --file FILE
  --worker COMMAND    the other worker
  --say NAME=VALUE    in the greeting
  --log FILE          append a line "task", "run N" for each request, with its deadline

A new worker does not have the tasks of the previous one: a run without its task is an
error.
"""

import argparse
import json
import os
import shlex
import subprocess
import sys

parser = argparse.ArgumentParser()
parser.add_argument("--fail", action="append", default=[])
parser.add_argument("--once", action="append", default=[])
parser.add_argument("--one")
parser.add_argument("--file")
parser.add_argument("--worker")
parser.add_argument("--say", action="append", default=[])
parser.add_argument("--log")
args = parser.parse_args()
always = {number: what for what, number in (each.split("@") for each in args.fail)}
once = {int(number): what for what, number in (each.split("@") for each in args.once)}
told = False
runner = subprocess.Popen(
    shlex.split(args.worker or f"{sys.executable} {os.path.dirname(__file__)}/fake_runner.py"),
    stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def is_first(number):
    try:
        open(f"{args.file}.{number}", "x").close()
    except FileExistsError:
        return False
    return True


if args.one and is_first("process"):
    always["*"] = args.one


def answer(line):
    global told
    request = json.loads(line)
    kind, number = request["type"], request.get("id")
    if args.log and kind != "hello":
        with open(args.log, "a") as log:
            log.write(f"{kind} {number if kind == 'run' else ''} {request['deadline']}\n")
    if kind == "run":
        what = always.get(str(number), always.get("*"))
        if number in once and is_first(number):
            what = once[number]
        if what == "die":
            os._exit(3)
        if what:
            told = False
            return {"type": "failed", "id": number, "failure": what, "reason": "so it is"}
        if not told:
            return {"type": "run", "id": number, "status": "run-error",
                    "reason": "the task was not told again"}
    told = told or kind == "task"
    runner.stdin.write(line)
    runner.stdin.flush()
    reply = json.loads(runner.stdout.readline())
    if kind == "hello":
        reply.update({"relay": True, "machine": request["machine"],
                      **dict(each.split("=", 1) for each in args.say)})
    if kind == "run":
        reply["place"] = "the only one"
    return reply


for line in sys.stdin:
    print(json.dumps(answer(line)), flush=True)
