"""Rewrites exported records (stdin): CPU records get the machine whose key is in the
file argv[1]."""
import json
import sys

key = open(sys.argv[1]).read().strip()
for line in map(json.loads, sys.stdin):
    if line["pruner"].get("machine", "").startswith("cpu:"):
        line["pruner"]["machine"] = key
    print(json.dumps(line))
