#===- tools.py - programs of a build, run to their end ---------------------===#
#
# Part of the Pruner project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Programs run to their end, with what they said if they fail.

Runs with Python 3.8 and the standard library alone, as the GPU kit does.
"""

import subprocess


class ToolError(RuntimeError):
    """A program could not be run or failed; the text is its command and the end of
    what it said."""


def run_tool(command, **options):
    """The finished process with its output as text; `options` are those of
    subprocess.run. Raises ToolError, and TimeoutExpired with a `timeout`."""
    command = [str(word) for word in command]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, errors="replace", **options)
    except OSError as error:
        raise ToolError(f"{command[0]}: {error.strerror}") from None
    if done.returncode:
        raise ToolError(f"{' '.join(command)}:\n{done.stderr.strip()[-2000:]}")
    return done
