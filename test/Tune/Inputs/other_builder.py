"""other_builder.py NAME=VALUE...: pruner-worker, with these fields in its greeting in
the place of its own; an empty value leaves the field out."""

import json
import subprocess
import sys

fields = dict(each.split("=", 1) for each in sys.argv[1:] if "=" in each)
worker = subprocess.Popen(["pruner-worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True)
for line in sys.stdin:
    worker.stdin.write(line)
    worker.stdin.flush()
    reply = worker.stdout.readline()
    if not reply:
        break
    if json.loads(line)["type"] == "hello":
        greeting = {**json.loads(reply), **fields}
        reply = json.dumps({name: value for name, value in greeting.items()
                            if value != ""}) + "\n"
    sys.stdout.write(reply)
    sys.stdout.flush()
worker.stdin.close()
sys.exit(worker.wait())
