"""Stops a tuning run by a signal after a number of measurements, runs the same
command again, and compares what both did with a run that nobody disturbed.

  stop_and_continue.py SIGNAL DIRECTORY MODULE OPTIONS
"""

import os
import signal
import subprocess
import sys
import time

here = os.path.dirname(os.path.abspath(__file__))
name, directory, module, options = sys.argv[1:]
number = getattr(signal, name)
os.makedirs(directory, exist_ok=True)


def path(*parts):
    return os.path.join(directory, *parts)


def command(database, log):
    runner = f"exec:{sys.executable} {here}/fake_runner.py --delay 0.03 --log {log}"
    return ["pruner-opt", module, "-o", path("out.mlir"),
            f'--pruner-tune={options} threads=1 db={database} runner="{runner}"']


def trials(database):
    return subprocess.run([sys.executable, os.path.join(here, "trials.py"), database],
                          check=True, stdout=subprocess.PIPE, text=True).stdout


def defaults(database):
    text = subprocess.run(["pruner", "db", "export", database], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    return text.count('"schedule":"default"')


def count(log):
    return len(open(log).readlines()) if os.path.exists(log) else 0


def check(condition, message):
    if not condition:
        sys.exit(f"stop_and_continue: {message}")


subprocess.run(command(path("whole.db"), path("whole.log")), check=True,
               stderr=subprocess.DEVNULL)
whole = trials(path("whole.db"))
check(whole, "the undisturbed run did nothing")

# Within the first batch, at the edge of two batches, later.
for point in (2, 5, 8):
    database, log = path(f"{point}.db"), path(f"{point}.log")
    process = subprocess.Popen(command(database, log), stderr=subprocess.PIPE,
                               text=True)
    while count(log) < point and process.poll() is None:
        time.sleep(0.002)
    process.send_signal(number)
    message = process.communicate()[1]
    check(process.returncode != 0, f"exit code 0 after {name}")
    if number == signal.SIGKILL:
        time.sleep(0.2)
    else:
        check("interrupted; the same command continues" in message,
              f"it does not say how to continue: {message}")
    stored = trials(database)
    check(whole.startswith(stored), f"other trials:\n{stored}instead of\n{whole}")
    check(len(stored) < len(whole), f"{name} came too late to show anything")
    measured = count(log) - defaults(database)
    if number != signal.SIGKILL:
        check(len(stored.splitlines()) == measured,
              f"{measured} were measured, {len(stored.splitlines())} stored")
    again = subprocess.run(command(database, log), stderr=subprocess.PIPE,
                           text=True)
    check(again.returncode == 0, f"the second run failed: {again.stderr}")
    if stored:
        check(f"continuing after {len(stored.splitlines())} recorded trials"
              in again.stderr, f"it does not say that it continues: {again.stderr}")
    check(trials(database) == whole, f"stopped at {point}, the trials are\n"
          f"{trials(database)}instead of\n{whole}")
print(f"{name}: nothing lost, nothing twice")
