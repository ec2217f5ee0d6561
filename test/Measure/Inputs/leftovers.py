"""What a tuner may not leave behind: processes, directories, files."""

import os
import time


def marked(name):
    """Processes whose environment has the variable `name`, but not this one."""
    found = []
    for entry in os.listdir("/proc"):
        if not entry.isdigit() or int(entry) == os.getpid():
            continue
        try:
            with open(f"/proc/{entry}/environ", "rb") as file:
                if any(item.startswith(name.encode() + b"=")
                       for item in file.read().split(b"\0")):
                    with open(f"/proc/{entry}/stat") as stat:
                        state = stat.read().rsplit(")", 1)[1].split()[0]
                    if state not in "ZX":
                        found.append(int(entry))
        except OSError:
            pass
    return found


def wait_for_none(look, seconds):
    """What `look` still finds after so long; empty as soon as it is."""
    end = time.time() + seconds
    while (found := look()) and time.time() < end:
        time.sleep(0.02)
    return found
