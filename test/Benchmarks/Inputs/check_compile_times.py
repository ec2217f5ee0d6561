"""Checks every number of a compile-time result and prints its stages."""

import json
import sys

document = json.load(open(sys.argv[1]))
stages = {}
for task in document["tasks"]:
    assert task["failed"] == 0 and task["built"] == len(task["candidates"]), task
    assert task["parse"]["cpu_ms"] > 0 and task["parse"]["wall_ms"] > 0, task
    for candidate in task["candidates"]:
        # One clock may be read slightly before the other.
        total = {"wall_ms": 0, "cpu_ms": 0}
        for name, time in candidate["stages"].items():
            assert time["cpu_ms"] > 0 and time["wall_ms"] > 0, (name, time)
            stages.setdefault(task["target"], set()).add(name)
            for clock in total:
                total[clock] += time[clock]
        for clock in total:
            assert abs(total[clock] - candidate["total"][clock]) < 1e-6, candidate
        assert candidate["artifact_bytes"] > 0, candidate
        assert "pruner-tile" in candidate["passes"], candidate
        for clock in total:
            passes = sum(time[clock] for time in candidate["passes"].values())
            both = candidate["stages"]["tile"], candidate["stages"]["lower"]
            assert 0 < passes <= sum(time[clock] for time in both), candidate
        assert task["target"] != "cpu" or candidate["code"]["code"]["instructions"] > 0
for group in document["summary"]:
    assert group["built"] > 0, group
    assert group["total"]["cpu_median_ms"] <= group["total"]["cpu_p99_ms"], group
    assert group["total"]["cpu_median_ms"] > 0, group
order = "clone tile lower translate optimize codegen facts ptxas rest load".split()
for target, names in stages.items():
    print(target + ":", *sorted(names, key=order.index))
print(*sorted(key for key in ("command", "commit", "toolchain", "machine") if document[key]))
