"""Starts child processes so that they can be killed with all their descendants."""

import os
import signal
import subprocess
import sys


def start(command, session=False, **options):
    """Start a child in a process group of its own. With `session` all its descendants
    can be found and killed."""
    if session:
        options["start_new_session"] = True
    elif sys.version_info >= (3, 11):
        options["process_group"] = 0
    else:
        options["preexec_fn"] = os.setpgrp
    return subprocess.Popen(command, **options)


def end_session(leader):
    """Kill the remaining processes of the session of process `leader`."""
    for entry in os.listdir("/proc"):
        try:
            with open("/proc/%s/stat" % entry) as file:
                # The name, in parentheses, may contain any character.
                fields = file.read().rsplit(")", 1)[1].split()
            if int(fields[3]) == leader and int(entry) != os.getpid():
                os.kill(int(entry), signal.SIGKILL)
        except (OSError, ValueError, IndexError):
            continue


def end(process, grace=10.0):
    """Ask a child's group to stop, and kill it if it does not. A process in a hanging
    kernel is killed too; the driver then drops the kernel."""
    for signum, seconds in ((signal.SIGTERM, grace), (signal.SIGKILL, 10.0)):
        if process.poll() is not None:
            break
        try:
            os.killpg(process.pid, signum)
        except ProcessLookupError:
            pass
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            continue
    try:  # Kill the rest of its session.
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass
