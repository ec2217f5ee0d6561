#===- pictures.py - pictures of committed results -------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pictures of committed results. Each picture holds the hash of the result that it
shows. Drawing requires matplotlib (benchmarks/requirements.txt), checking the
standard library only.
"""

import argparse
import hashlib
import os
import sys

from .results import read

# Text stays text, and output is deterministic.
STYLE = {"svg.fonttype": "none", "svg.hashsalt": "pruner", "font.family": "sans-serif",
         "font.size": 7}


def source(path):
    """Return the mark of a result in its pictures."""
    with open(path, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    return f"{os.path.basename(path)} sha256:{digest}"


def main(description, draw):
    """The command line `[--check] RESULT PICTURE`: draws RESULT by `draw(read(RESULT),
    pyplot)`, which returns a figure. With --check, exits with 1 if the picture shows
    another result."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("result")
    parser.add_argument("picture")
    arguments = parser.parse_args()
    if arguments.check:
        with open(arguments.picture, encoding="utf-8") as file:
            if source(arguments.result) not in file.read():
                sys.exit(f"{arguments.picture} was not drawn of {arguments.result}; run\n"
                         f"    {sys.argv[0]} {arguments.result} {arguments.picture}")
        return
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update(STYLE)
    from matplotlib import pyplot

    draw(read(arguments.result), pyplot).savefig(
        arguments.picture,
        metadata={"Source": source(arguments.result), "Date": None, "Creator": None})
