"""Runs a command, interrupts its whole group like a terminal after its first
line, and prints the rest."""
import os
import signal
import subprocess
import sys

process = subprocess.Popen(sys.argv[1:], stderr=subprocess.PIPE, text=True,
                           start_new_session=True)
print(process.stderr.readline(), end="")
os.killpg(process.pid, signal.SIGINT)
print(process.stderr.read(), end="")
sys.exit(process.wait())
