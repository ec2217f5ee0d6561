#===- tools.py - running programs -----------------------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs programs. Errors contain the end of their output.

Runs with Python 3.8 and the standard library alone, as the GPU kit does.
"""

import errno
import os
import shutil
import subprocess


class ToolError(RuntimeError):
    """A program could not be run or failed. The message has its command and the end of
    its output."""


def which(name):
    """Return the absolute path of a program, or None: the file itself if `name`
    contains a slash, else the first match in the absolute directories of PATH.
    Ignores empty and relative entries, which refer to the current directory."""
    name = os.fspath(name)
    if os.sep in name:
        found = shutil.which(name)
    else:
        entries = os.environ.get("PATH", os.defpath).split(os.pathsep)
        found = shutil.which(name, path=os.pathsep.join(filter(os.path.isabs, entries)))
    return found and os.path.abspath(found)


def run_tool(command, **options):
    """Run a program and return the finished process with its output as text; `options`
    are those of subprocess.run. Raises ToolError, and TimeoutExpired with a
    `timeout`."""
    command = [str(word) for word in command]
    if os.sep not in command[0]:
        found = which(command[0])
        if not found:
            raise ToolError(f"{command[0]}: {os.strerror(errno.ENOENT)}, on the PATH")
        command[0] = found
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, errors="replace", **options)
    except OSError as error:
        raise ToolError(f"{command[0]}: {error.strerror}") from None
    if done.returncode:
        raise ToolError(f"{' '.join(command)}:\n{done.stderr.strip()[-2000:]}")
    return done
