"""Child processes, begun so that they can be ended with all that they began."""

import os
import signal
import subprocess
import sys


def start(command, session=False, **options):
    """A child in a process group of its own, so that it can be ended whole. With
    `session` everything that it starts in turn can be found and ended, too."""
    if session:
        options["start_new_session"] = True
    elif sys.version_info >= (3, 11):
        options["process_group"] = 0
    else:
        options["preexec_fn"] = os.setpgrp
    return subprocess.Popen(command, **options)


def end_session(leader):
    """Kills what is left of the session that process `leader` began."""
    for entry in os.listdir("/proc"):
        try:
            with open("/proc/%s/stat" % entry) as file:
                # The name, in parentheses, may hold anything.
                fields = file.read().rsplit(")", 1)[1].split()
            if int(fields[3]) == leader and int(entry) != os.getpid():
                os.kill(int(entry), signal.SIGKILL)
        except (OSError, ValueError, IndexError):
            continue


def end(process, grace=10.0):
    """Asks a child's group to stop, and kills it if it does not. A process that
    a hanging kernel holds is killed; the driver then drops the kernel."""
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
    try:  # What its leader left behind.
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass
