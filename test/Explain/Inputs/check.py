"""Holds what `pruner explain --json` says to the exported records: what decided,
ranks and counts are computed here again.

    check.py explained.json records.jsonl
"""

import json
import statistics
import sys

from pruner.report.page import model_ranks, rank_correlation
from pruner.report.records import environments

with open(sys.argv[1]) as file:
    tasks = json.load(file)["tasks"]
with open(sys.argv[2]) as file:
    text = file.read().splitlines()
lines = [json.loads(line) for line in text]
reported, = environments(text)


def same(a, b):
    assert (a is None) == (b is None), (a, b)
    assert a is None or abs(a - b) <= 1e-9 * max(abs(a), abs(b)), (a, b)


def median(line):
    times = line["pruner"]["times"]
    return statistics.median(times) if times else None


assert tasks
for task in tasks:
    records = [each for each in lines if each["pruner"].get("task") == task["key"]]
    assert task["records"] == len(records), (task["records"], len(records))
    final = [each for each in records if "final" in each["pruner"]["strategy"]]
    trials = [each for each in records if each not in final
              and each["configuration"]["schedule"] != "default"]
    good = [each for each in trials if each["pruner"]["status"] == "ok"]
    sure = task["certainty"]
    assert (sure["trials"], sure["failed"]) == (len(trials), len(trials) - len(good))
    value = [({m["name"]: m["value"] for m in each["measurements"]}, median(each))
             for each in good]
    drafts = [(v["psa_latency"], t) for v, t in value if v.get("psa_latency")]
    scores = [(-v["predicted_score"], t) for v, t in value if v.get("predicted_score")]
    same(sure["draft_rank_correlation"], rank_correlation(drafts))
    same(sure["score_rank_correlation"], rank_correlation(scores))
    assert sure["draft_pairs"] == len(drafts) and sure["score_pairs"] == len(scores)

    for mine, theirs in zip((sure["draft_rank_correlation"], sure["score_rank_correlation"]),
                            model_ranks(reported.tasks[task["key"]])):
        same(mine, theirs)

    best = task["best"]
    compared = [each for each in final
                if each["configuration"]["schedule"] != "default"] or good
    fastest = min(map(median, compared))
    # Of those that are as fast, such as schedules of the same code, any is right.
    times = {each["configuration"]["schedule"]: median(each) for each in compared}
    same(times[best["schedule"]], fastest)
    same(task["seconds"], fastest)
    total = sum(each["seconds"] for each in best["statements"])
    same(best["predicted_seconds"], total)

    near = task["neighbours"]
    predicted = [each["predicted_seconds"] for each in near["shown"]]
    assert predicted == sorted(predicted)
    faster = [p for p in predicted if p < best["predicted_seconds"]]
    assert len(faster) <= near["predicted_faster"] <= near["legal"]
    assert bool(faster) == (near["predicted_faster"] > 0)
    tried = {each["configuration"]["schedule"] for each in trials}
    for each in near["shown"]:
        assert each["schedule"] != best["schedule"] and each["change"]
        assert (each["schedule"] in tried) == (each["measured"]["trials"] > 0)
    runner = task["runner_up"]
    others = [time for schedule, time in times.items() if schedule != best["schedule"]]
    if others:
        same(times[runner["schedule"]], min(others))
        same(sure["lead"], min(others) / fastest)
    for each in runner["symbols_that_differ"] + runner["facts_that_differ"]:
        assert each["best"] != each["other"], each
print(len(tasks), "tasks agree")
