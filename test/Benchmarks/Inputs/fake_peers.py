#!/usr/bin/env python3
"""Imitates a Python with packages: replies like peers/serve.py.

Its peers take fixed times, and some fail in different ways. `crash` kills the process
the first time that it is built.
"""

import json
import os
import sys

SECONDS = {"steady": 2e-3, "packed": 1e-3, "wrong": 1e-9, "refused": 1e-9,
           "crash": 1e-9, "last": 4e-3}

for line in sys.stdin:
    request = json.loads(line)
    op, peer = request["op"], request.get("peer")
    reply = {}
    if op == "hello":
        threads = sys.argv[sys.argv.index("--threads") + 1]
        version = "1.0, %s threads on %d CPUs" % (threads, len(os.sched_getaffinity(0)))
        reply = {"packages": ["fake"], "versions": {"fake": version}}
    elif op == "prepare":
        for tensor in request["inputs"] + [request["result"]]:
            count = 8 if tensor is request["result"] else 4
            for extent in tensor["shape"]:
                count *= extent
            assert os.path.getsize(tensor["file"]) == count
        reply = {"peers": [{"name": name, "packed": name == "packed"}
                           for name in SECONDS]}
    elif op == "build" and peer == "crash":
        sys.exit("out of luck")
    elif op == "build" and peer == "refused":
        reply = {"error": "not for this operation"}
    elif op == "build":
        reply = {"detail": "of " + request["peer"], "seconds": 0.5}
    elif op == "verify" and peer == "wrong":
        reply = {"error": "wrong result"}
    elif op == "time":
        batch = [2, 2 * SECONDS[peer], 2 * SECONDS[peer], -1]
        reply = {"batches": [batch] * 5}
    print(json.dumps(reply), flush=True)
