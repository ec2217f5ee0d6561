"""Applies the schedules of datasets to their tasks and runs pruner-tile, which rejects
illegal ones."""
import gzip
import json
import subprocess
import sys

records, tiled = 0, 0
for path in sys.argv[1:]:
    tasks = {}
    for line in map(json.loads, gzip.open(path, "rt")):
        if "task" in line:
            tasks[line["task"]] = line["text"]
        elif "record" in line:
            text = tasks[line["record"]].replace(
                "attributes {", f"attributes {{pruner.schedule = {line['schedule']}, ", 1)
            run = subprocess.run(["pruner-opt", "--pruner-tile=target=nvidia:sm_70"],
                                 input=text, capture_output=True, text=True)
            records += 1
            tiled += run.returncode == 0 and "pruner.band" in run.stdout
            sys.stderr.write(run.stderr)
print(f"{records} records, {tiled} tiled")
