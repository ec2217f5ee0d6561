"""Removes the marks of tasks from the functions of datasets, normalizes and extracts
them, and counts keys that equal those of the datasets. Skips contractions of images,
because normalization joins dimensions that their schedules tile."""
import gzip
import json
import re
import subprocess
import sys

keys, same = 0, 0
for path in sys.argv[1:]:
    for line in map(json.loads, gzip.open(path, "rt")):
        if "task" not in line or line["name"].startswith("contract"):
            continue
        key = re.search(r'key = "(\w+)"', line["text"]).group(1)
        text = re.sub(r" attributes \{pruner.task = \{.*?\}\}", "", line["text"])
        passes = ["--pruner-normalize", "--pruner-extract-tasks=min-elements=1"]
        out = subprocess.run(["pruner-opt"] + passes, input=text,
                             capture_output=True, text=True, check=True).stdout
        keys += 1
        same += f'key = "{key}"' in out
print(f"{keys} tasks, {same} with the key that extraction gives them")
