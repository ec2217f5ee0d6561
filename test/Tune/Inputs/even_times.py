"""Copies an exported database without the comparisons in the network, and with
invented times: 31 us for chains and 10 us for other tasks, 0.1 us more for each further
schedule of the comparison of a task, twice that for schedules that were not compared,
and 1 ms for untuned code."""

import json
import sys

lines = [json.loads(line) for line in sys.stdin]
names = {}
ranks = {}
for entry in lines:
    known = entry["pruner"]
    if known["kind"] == "task":
        names[known["key"]] = known["name"]
    elif known["strategy"] == "final":
        schedules = ranks.setdefault(known["task"], [])
        schedules.append(entry["configuration"]["schedule"])
for entry in lines:
    known = entry["pruner"]
    if known["kind"] != "task":
        if known["strategy"] == "network-final":
            continue
        schedule = entry["configuration"]["schedule"]
        microseconds = 31 if "chain" in names[known["task"]] else 10
        if schedule == "default":
            microseconds = 1000
        elif schedule in ranks[known["task"]]:
            microseconds += 0.1 * ranks[known["task"]].index(schedule)
        else:
            microseconds *= 2
        if known["status"] == "ok":
            del known["check"]
            known["times"] = [microseconds * 1e-6] * len(known["times"])
            entry["times"]["runtimes"] = [microseconds * 1e-3] * len(known["times"])
            for measurement in entry["measurements"]:
                if measurement["name"] == "time":
                    measurement["value"] = microseconds * 1e-3
    print(json.dumps(entry))
