"""Prints the finals of a tuning database in the order they were held, and for
each its entrants from the fastest to the slowest: their median time there in
microseconds, their best as a trial, and their schedule."""

import json
import statistics
import subprocess
import sys

text = subprocess.run(["pruner-db", "export", sys.argv[1]], check=True,
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
for number, entrants in enumerate(finals.values()):
    print(f"final {number}: {len(entrants)} entrants")
    for median, turns, schedule in sorted(entrants):
        print(f"{median * 1e6:.9f} us in {turns} turns, "
              f"{trials[schedule] * 1e6:.9f} us as a trial: {schedule}")
