"""Tunes with a runner that fails in nine of ten requests, in as many ways, and
checks that the tuner lives, that every fault is recorded as what it was, and
that the good tenth is still good. Prints the figures.

  many_faults.py MODULE DATABASE TRIALS
"""

import collections
import json
import subprocess
import sys
import time

module, database, trials = sys.argv[1], sys.argv[2], int(sys.argv[3])
# Request 0 is the untuned default. The rare ones come first: the first entry
# that fits a request counts.
rare = {11: "hang", 22: "fork", 33: "sleep"}
usual = {1: "crash", 2: "illegal", 3: "abort", 4: "exit", 5: "overflow",
         6: "garbage", 7: "wrong-id", 8: "wrong-result", 9: "write-after"}
status = {"hang": "run-timeout", "fork": "run-timeout", "sleep": "run-timeout",
          "wrong-result": "wrong-result"}
plan = ",".join([f"{fault}@run:{at}%500" for at, fault in rare.items()] +
                [f"{fault}@run:{at}%10" for at, fault in usual.items()])
start = time.time()
result = subprocess.run(
    ["pruner-opt", module, "-o", "/dev/null",
     f"--pruner-tune=strategy=random trials={trials} batch=50 threads=1 "
     f'lower=false db={database} runner="exec:exec pruner-worker --inject={plan}"'],
    stderr=subprocess.PIPE, text=True)
seconds = time.time() - start
if result.returncode:
    sys.exit(f"exit code {result.returncode}: {result.stderr}")

expected, found = collections.Counter(), collections.Counter()
for number in range(trials):
    request = number + 1
    fault = rare.get(request % 500) or usual.get(request % 10)
    expected[status.get(fault, "run-crash") if fault else "ok"] += 1
text = subprocess.run(["pruner", "db", "export", database], check=True,
                      stdout=subprocess.PIPE, text=True).stdout
for line in text.splitlines():
    about = json.loads(line)["pruner"]
    if about["kind"] == "record" and about["trial"] >= 0:
        found[about["status"]] += 1
faults = trials - expected["ok"]
print(f"{faults} faults in {trials} trials, {seconds:.0f} s: {dict(found)}")
if found != expected:
    sys.exit(f"expected {dict(expected)}")
