"""Runs a command as somebody who may not write a new directory.

  read_only.py DIRECTORY COMMAND...
"""

import os
import subprocess
import sys

directory, command = sys.argv[1], sys.argv[2:]
os.makedirs(directory, exist_ok=True)
os.chmod(directory, 0o555)
# Root may write everywhere; without its capabilities it is like others.
user = 65534 if os.geteuid() == 0 else None
result = subprocess.run(command, user=user, stdout=subprocess.DEVNULL)
os.chmod(directory, 0o755)
print(f"exit code {result.returncode}")
