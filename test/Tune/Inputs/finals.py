"""Prints the head-to-head comparisons of a tuning database in order, each with its
finalists from the fastest to the slowest: the median time in microseconds, the best
time as a trial, and the schedule."""

import json
import statistics
import subprocess
import sys

text = subprocess.run(["pruner", "db", "export", sys.argv[1]], check=True,
                      stdout=subprocess.PIPE, text=True).stdout
finals, trials = {}, {}
for line in text.splitlines():
    entry = json.loads(line)
    about = entry["pruner"]
    if about["kind"] != "record":
        continue
    schedule = entry["configuration"]["schedule"]
    times = about["times"]
    if about["strategy"] == "final":
        finals.setdefault(about["run"], []).append(
            (statistics.median(times), len(times), schedule))
    elif times:
        trials[schedule] = min(trials.get(schedule, 1e9), times[0])
for number, finalists in enumerate(finals.values()):
    print(f"final {number}: {len(finalists)} finalists")
    for median, turns, schedule in sorted(finalists):
        print(f"{median * 1e6:.9f} us in {turns} turns, "
              f"{trials[schedule] * 1e6:.9f} us as a trial: {schedule}")
