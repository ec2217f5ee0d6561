"""Writes exported records (stdin) anew as if those of CPUs were of the machine whose
key the file argv[1] has."""
import json
import sys

key = open(sys.argv[1]).read().strip()
for line in map(json.loads, sys.stdin):
    if line["pruner"].get("machine", "").startswith("cpu:"):
        line["pruner"]["machine"] = key
    print(json.dumps(line))
