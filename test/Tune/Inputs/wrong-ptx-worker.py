#!/usr/bin/env python3
"""A pruner-worker whose builds leave out a term of a sum: in their PTX the first fused
multiply-add is a copy."""

import base64
import json
import re
import subprocess
import sys
import threading

worker = subprocess.Popen(["pruner-worker"] + [a for a in sys.argv[1:] if a != "--guarded"],
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def forward():
    for line in sys.stdin.buffer:
        worker.stdin.write(line)
        worker.stdin.flush()
    worker.stdin.close()


def spoil(text):
    return re.sub(r"fma\.rn\.f32\s+(%\w+), %\w+, %\w+, (%\w+);", r"mov.b32 \1, \2;", text, count=1)


threading.Thread(target=forward, daemon=True).start()
for line in worker.stdout:
    reply = json.loads(line)
    if reply.get("type") == "build" and reply.get("ptx"):
        reply["ptx"] = spoil(reply["ptx"])
    elif reply.get("type") == "build" and reply.get("format") == "ptx":
        text = base64.b64decode(reply["artifact"]).decode()
        reply["artifact"] = base64.b64encode(spoil(text).encode()).decode()
    sys.stdout.buffer.write(json.dumps(reply).encode() + b"\n")
    sys.stdout.flush()
sys.exit(worker.wait())
