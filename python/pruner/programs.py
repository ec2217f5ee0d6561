#===- programs.py - locations of Pruner's programs ------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds Pruner's programs, and starts those of the wheel.

Never searches the current directory. Uses the standard library only, because
`pruner.farm` sends this module to its nodes.
"""

import os
import pathlib
import shutil
import sys


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


def _own_places():
    """Return where the programs are in the wheel or installation of this package."""
    package = pathlib.Path(__file__).resolve().parent
    found = [package / "_native" / "bin"]
    if len(package.parents) > 3:
        found.append(package.parents[3] / "bin")  # <prefix>/share/pruner/python
    return found


def _shadowed_places():
    """Return where the programs of wheels are that this package shadows."""
    return [pathlib.Path(entry) / "pruner" / "_native" / "bin"
            for entry in sys.path if "site-packages" in entry]


def places():
    """Return the directories of Pruner's programs: the wheel's own, that of the
    installation or build that contains this package, and that of a wheel that this
    package shadows."""
    source = pathlib.Path(__file__).resolve().parents[2]
    return [*_own_places(), source / "build" / "bin", *_shadowed_places()]


def find(name):
    """Return the absolute path of one of Pruner's programs, or None: the file itself if
    `name` contains a slash; else that of this package's wheel or installation, the first
    on the PATH, or that of a wheel that this package shadows."""
    name = os.fspath(name)
    if os.sep in name:
        return which(name)

    def first(directories):
        return next((str(place / name) for place in directories
                     if os.access(place / name, os.X_OK)), None)

    return first(_own_places()) or which(name) or first(_shadowed_places())


# Earlier names of commands of `pruner`: the program runs the command of its own name.
EARLIER_NAMES = ("pruner-db", "pruner-model", "pruner-explain", "pruner-dataset")


def main():
    """Execute the program with the name of this script. Commands of it that are written
    in Python use the same interpreter."""
    os.environ.setdefault("PRUNER_PYTHON", sys.executable)
    name = pathlib.Path(sys.argv[0]).name
    own = os.path.realpath(sys.argv[0])
    tried = [place / ("pruner" if name in EARLIER_NAMES else name) for place in places()]
    for program in tried:
        if os.access(program, os.X_OK) and os.path.realpath(program) != own:
            try:
                os.execv(program, [str(program.with_name(name)), *sys.argv[1:]])
            except OSError as error:
                sys.exit(f"{program}: {error.strerror}")
    sys.exit(f"{name} was not found: tried " + ", ".join(map(str, tried)))
