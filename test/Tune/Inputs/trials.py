"""Prints the trials of a tuning database in the order they were made: number,
round and schedule of each. Fails if a number of a target is missing or there
twice."""

import json
import subprocess
import sys

text = subprocess.run(["pruner", "db", "export", sys.argv[1]], check=True,
                      stdout=subprocess.PIPE, text=True).stdout
numbers = {}
for line in text.splitlines():
    entry = json.loads(line)
    about = entry["pruner"]
    if about["kind"] != "record" or about["trial"] < 0:
        continue
    numbers.setdefault(about["target"], []).append(about["trial"])
    print(about["trial"], about["round"], about["task"],
          entry["configuration"]["schedule"])
for found in numbers.values():
    if found != list(range(len(found))):
        sys.exit(f"trials are missing or double: {found}")
