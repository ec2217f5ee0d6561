#===- programs.py - where Pruner's programs are ----------------------------===#
#
# Part of the Pruner project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Where programs are looked for, and those of the wheel run in place of this one.

The current directory is never searched. Standard library only: `pruner.farm` sends
this module to its nodes.
"""

import os
import pathlib
import shutil
import sys


def which(name):
    """The absolute path of a program, or None: the file itself where `name` has a
    slash, else the first one in the absolute directories of the PATH. An empty or
    relative entry there, which means the current directory, is passed over."""
    name = os.fspath(name)
    if os.sep in name:
        found = shutil.which(name)
    else:
        entries = os.environ.get("PATH", os.defpath).split(os.pathsep)
        found = shutil.which(name, path=os.pathsep.join(filter(os.path.isabs, entries)))
    return found and os.path.abspath(found)


def places():
    """The directories where this package has Pruner's programs: the wheel's own; that of
    the installation or the build that the package is of; and that of a wheel that this
    package stands before."""
    package = pathlib.Path(__file__).resolve().parent
    found = [package / "_native" / "bin"]
    if len(package.parents) > 3:
        found.append(package.parents[3] / "bin")  # <prefix>/share/pruner/python
    found.append(package.parents[1] / "build" / "bin")  # A source directory.
    return found + [pathlib.Path(entry) / "pruner" / "_native" / "bin"
                    for entry in sys.path if "site-packages" in entry]


def main():
    """Becomes the program of the name that this one was called by."""
    name = pathlib.Path(sys.argv[0]).name
    own = os.path.realpath(sys.argv[0])
    tried = [place / name for place in places()]
    for program in tried:
        if os.access(program, os.X_OK) and os.path.realpath(program) != own:
            try:
                os.execv(program, [str(program), *sys.argv[1:]])
            except OSError as error:
                sys.exit(f"{program}: {error.strerror}")
    sys.exit(f"{name} is not there: tried " + ", ".join(map(str, tried)))
