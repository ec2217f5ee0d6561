"""Runs a command, interrupts it after its first line, and prints the rest."""
import signal
import subprocess
import sys

process = subprocess.Popen(sys.argv[1:], stderr=subprocess.PIPE, text=True)
print(process.stderr.readline(), end="")
process.send_signal(signal.SIGINT)
print(process.stderr.read(), end="")
sys.exit(process.wait())
