"""Puts text nested a hundred thousand deep where records of a run have their
schedules, and continues the run: it must end without a signal.

  deep_record.py MODULE DIRECTORY
"""

import json
import os
import shutil
import subprocess
import sys

here = os.path.dirname(os.path.abspath(__file__))
module, directory = sys.argv[1:]
shutil.rmtree(directory, ignore_errors=True)
os.makedirs(directory)


def tune(database, trials):
    runner = f"exec:{sys.executable} {here}/fake_runner.py"
    return subprocess.run(
        ["pruner-opt", module, "-o", os.devnull,
         f"--pruner-tune=strategy=random trials={trials} batch=2 threads=1 "
         f'lower=false db={database} runner="{runner}"'],
        stderr=subprocess.PIPE, text=True)


first = os.path.join(directory, "first.db")
if tune(first, 4).returncode:
    sys.exit("the first run failed")
text = subprocess.run(["pruner", "db", "export", first], check=True,
                      stdout=subprocess.PIPE, text=True).stdout
many = 100000
DEEP = ["[" * many, "#pruner.schedule<cpu_tile, tiles = " + "[" * many,
        "affine_map<(d0) -> (" + "-" * many + "d0)>",
        "#pruner.schedule<" * many]
for number, deep in enumerate(DEEP):
    lines = []
    for line in text.splitlines():
        entry = json.loads(line)
        if entry["pruner"]["kind"] == "record" and entry["pruner"]["trial"] == 0:
            entry["configuration"]["schedule"] = deep
            del entry["pruner"]["check"]
        lines.append(json.dumps(entry))
    file = os.path.join(directory, f"{number}.jsonl")
    with open(file, "w") as out:
        out.write("\n".join(lines) + "\n")
    database = os.path.join(directory, f"{number}.db")
    commands = [["pruner", "db", "import", database, file],
                ["pruner", "db", "list", database],
                ["pruner-opt", module, "-o", os.devnull,
                 f"--pruner-apply-best=threads=1 lower=false db={database}"]]
    for command in commands:
        done = subprocess.run(command, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True)
        if done.returncode not in (0, 1):
            sys.exit(f"{command[0]}: exit code {done.returncode}")
    again = tune(database, 6)
    if again.returncode:
        sys.exit(f"exit code {again.returncode}: {again.stderr[-2000:]}")
print(f"{len(DEEP)} deep schedules: every run continued")
