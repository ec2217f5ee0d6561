"""Tunes one database with several tuners at once, repeatedly, and checks that
none fails, that every trial of each is stored once, and that the database is
sound. Prints counts.

  crowd.py MODULE DIRECTORY TUNERS ROUNDS
"""

import collections
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time

here = os.path.dirname(os.path.abspath(__file__))
module, directory = sys.argv[1], os.path.abspath(sys.argv[2])
tuners, rounds = int(sys.argv[3]), int(sys.argv[4])
shutil.rmtree(directory, ignore_errors=True)
os.makedirs(directory)
fake = os.path.join(here, "../../Tune/Inputs/fake_runner.py")
TRIALS = 6
begin = time.time()
for number in range(rounds):
    database = os.path.join(directory, f"{number}.db")
    crowd = [subprocess.Popen(
        ["pruner-opt", module, "-o", os.devnull,
         f"--pruner-tune=strategy=random trials={TRIALS} batch=2 threads=1 "
         f"seed={seed} lower=false db={database} "
         f'runner="exec:exec {sys.executable} {fake}"'],
        stderr=subprocess.PIPE, text=True) for seed in range(tuners)]
    for seed, process in enumerate(crowd):
        error = process.communicate(timeout=300)[1]
        if process.returncode:
            sys.exit(f"tuner {seed} failed: {error[-2000:]}")
    if sqlite3.connect(database).execute(
            "PRAGMA integrity_check").fetchone() != ("ok",):
        sys.exit(f"round {number}: the database is damaged")
    text = subprocess.run(["pruner", "db", "export", database], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    found = collections.defaultdict(list)
    for line in text.splitlines():
        about = json.loads(line)["pruner"]
        if about["kind"] == "record" and about["trial"] >= 0:
            found[about["seed"]].append(about["trial"])
    for seed in range(tuners):
        if sorted(found[seed]) != list(range(TRIALS)):
            sys.exit(f"round {number}: trials of tuner {seed}: {found[seed]}")
print(f"{tuners} tuners on one database, {rounds} times, "
      f"{time.time() - begin:.0f} s: none torn, none failed")
