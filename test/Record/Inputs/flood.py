"""Multiplies records: flood.py EXPORT.jsonl COUNT > MANY.jsonl.

Repeats the records of the export as other runs, slower by up to a half, on
other days. The repeated records are as plausible as the originals.
"""

import datetime
import hashlib
import json
import random
import sys

path, count = sys.argv[1], int(sys.argv[2])
draw = random.Random(1)
records = []
with open(path) as file:
    for line in file:
        entry = json.loads(line)
        entry["pruner"].pop("check", None)
        if entry["pruner"]["kind"] == "record":
            records.append(entry)
        else:
            print(json.dumps(entry))
begin = datetime.datetime(2026, 1, 1)
for n in range(count):
    turn, entry = n // len(records), records[n % len(records)]
    about = entry["pruner"]
    slower = 1 + draw.random() / 2
    copy = dict(entry, timestamp=(begin + datetime.timedelta(
        seconds=turn * 60 % 20_000_000)).strftime("%Y-%m-%dT%H:%M:%SZ"))
    copy["pruner"] = dict(
        about, run=hashlib.md5(f"{about['run']} {turn}".encode()).hexdigest(),
        times=[time * slower for time in about["times"]])
    copy.pop("times", None)
    print(json.dumps(copy))
