"""Runs a command as somebody who may not write a new directory.

  read_only.py DIRECTORY COMMAND...
"""

import ctypes
import os
import subprocess
import sys

directory, command = sys.argv[1], sys.argv[2:]
os.makedirs(directory, exist_ok=True)
os.chmod(directory, 0o555)


def obey_modes():
    """Root may write everywhere; without this capability it is like others.

    Another user would not do: it may not reach the command at all.
    """
    PR_CAPBSET_DROP, CAP_DAC_OVERRIDE = 24, 1
    ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0)


result = subprocess.run(
    command,
    preexec_fn=obey_modes if os.geteuid() == 0 else None,
    stdout=subprocess.DEVNULL,
)
os.chmod(directory, 0o755)
print(f"exit code {result.returncode}")
