"""Tunes with runners that misbehave in every way, and checks that the tuner
survives, that every candidate has a status, that exactly the candidates with a
valid reply are recorded as ok, and that nothing is left behind. Prints counts.

  unruly.py MODULE DIRECTORY TRIALS [SEED [WHAT]]
"""

import collections
import json
import os
import shutil
import subprocess
import sys
import time

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, here)
from leftovers import marked, wait_for_none
from unruly_runner import GOOD

module, directory, trials = sys.argv[1], os.path.abspath(sys.argv[2]), int(sys.argv[3])
seed = sys.argv[4] if len(sys.argv) > 4 else "0"
what = " ".join(sys.argv[5:6])
shutil.rmtree(directory, ignore_errors=True)
temporary = os.path.join(directory, "tmp")
os.makedirs(temporary)
log, database = os.path.join(directory, "log"), os.path.join(directory, "t.db")
mark = f"PRUNER_UNRULY_{os.getpid()}"
start = time.time()
result = subprocess.run(
    ["pruner-opt", module, "-o", "/dev/null",
     f"--pruner-tune=strategy=random trials={trials} batch=50 threads=1 lower=false "
     f"seed={seed} db={database} "
     f'runner="exec:exec {sys.executable} {here}/unruly_runner.py {log} {seed} {what}"'],
    env={**os.environ, "TMPDIR": temporary, mark: "1"},
    stderr=subprocess.PIPE, text=True, errors="replace")
seconds = time.time() - start
if result.returncode:
    sys.exit(f"exit code {result.returncode}: {result.stderr[-2000:]}")
# The process that removes directories outlives the tuner, longer on a busy
# machine.
left = wait_for_none(lambda: marked(mark), 30)
if left:
    sys.exit(f"processes are left: {left}")
if os.listdir(temporary):
    sys.exit(f"files are left: {os.listdir(temporary)}")

# If a request was repeated, the second reply counts.
last, early = {}, 0
for line in open(log):
    stage, number, deed = line.split()
    early += stage != "run"
    if stage == "run":
        last[int(number)] = deed
text = subprocess.run(["pruner", "db", "export", database], check=True,
                      stdout=subprocess.PIPE, text=True).stdout
found = collections.Counter()
default = None
for line in text.splitlines():
    about = json.loads(line)["pruner"]
    if about["kind"] != "record" or about["strategy"] == "final":
        continue
    if about["trial"] >= 0:
        found[about["status"]] += 1
    elif json.loads(line)["configuration"]["schedule"] == "default":
        default = about["status"]
if sum(found.values()) != trials:
    sys.exit(f"{sum(found.values())} trials are recorded, not {trials}")
# The default and the comparison of eight turns have ids after the trials.
# If no worker was available, a trial had more than one id.
finals = sum(1 for line in text.splitlines()
             if json.loads(line)["pruner"].get("strategy") == "final")
good = sum(last[n] in GOOD for n in last if n < trials)
if max(last) <= trials + 8 * finals and found["ok"] != good:
    sys.exit(f"{good} answered well, {found['ok']} are recorded as ok")
if found["ok"] > sum(deed in GOOD for deed in last.values()):
    sys.exit(f"{found['ok']} are recorded as ok, but fewer answered well")
deeds = collections.Counter(last.values())
unruly = sum(deeds.values()) - deeds["good"] + early
print(f"{unruly} misdeeds of {len(deeds)} kinds in {trials} trials, {early} of them "
      f"before the first run, {seconds:.0f} s: {dict(sorted(found.items()))}")
