"""Copies an exported database without the comparisons in the network, and with
invented times: 30 us for chains, 10 us for other tasks, twice that for schedules that
were not compared at the end, and 1 ms for untuned code."""

import json
import sys

lines = [json.loads(line) for line in sys.stdin]
names = {}
compared = set()
for entry in lines:
    known = entry["pruner"]
    if known["kind"] == "task":
        names[known["key"]] = known["name"]
    elif known["strategy"] == "final":
        compared.add((known["task"], entry["configuration"]["schedule"]))
for entry in lines:
    known = entry["pruner"]
    if known["kind"] != "task":
        if known["strategy"] == "network-final":
            continue
        schedule = entry["configuration"]["schedule"]
        microseconds = 30 if "chain" in names[known["task"]] else 10
        if schedule == "default":
            microseconds = 1000
        elif (known["task"], schedule) not in compared:
            microseconds *= 2
        if known["status"] == "ok":
            del known["check"]
            known["times"] = [microseconds * 1e-6] * len(known["times"])
            entry["times"]["runtimes"] = [microseconds * 1e-3] * len(known["times"])
            for measurement in entry["measurements"]:
                if measurement["name"] == "time":
                    measurement["value"] = microseconds * 1e-3
    print(json.dumps(entry))
