#===- programs.py - the tools of the wheel ---------------------------------===#
#
# Part of the Pruner project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""The programs that the wheel with tools holds, run in place of this one."""

import os
import pathlib
import sys


def main():
    """Becomes the program of the name that this one was called by."""
    name = pathlib.Path(sys.argv[0]).name
    program = pathlib.Path(__file__).resolve().parent / "_native" / "bin" / name
    try:
        os.execv(program, [str(program), *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"{program}: {error.strerror}")
