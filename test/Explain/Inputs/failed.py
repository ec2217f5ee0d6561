"""Prints --why-not with the schedule of the last failed record of a database."""

import json
import shlex
import subprocess
import sys

text = subprocess.run(["pruner", "db", "export", sys.argv[1]], check=True,
                      stdout=subprocess.PIPE, text=True).stdout
failed = [entry for entry in map(json.loads, text.splitlines())
          if entry["pruner"].get("status", "ok") != "ok"]
print(shlex.quote("--why-not=" + failed[-1]["configuration"]["schedule"]))
