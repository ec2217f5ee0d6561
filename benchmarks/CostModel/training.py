#===- training.py - models trained without a third of the tasks ------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Common parts of the evaluations of models: training on a part of the data, once."""

import json
import os
import re
import shlex
import subprocess
import sys


def file_name(*parts):
    return re.sub(r"[^A-Za-z0-9.]+", "-", "-".join(map(str, parts)))


def run(command):
    """Prints the command, runs it, and returns its standard output."""
    print(shlex.join(map(str, command)), file=sys.stderr, flush=True)
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    if done.returncode:
        raise SystemExit(f"{os.path.basename(sys.argv[0])}: {command[0]} failed")
    return done.stdout


def made(path, command):
    """Runs a command that writes a file by `-o`, unless the file exists. Returns the path."""
    if not os.path.exists(path):
        run([*command, "-o", path + ".part"])
        os.replace(path + ".part", path)
    return path


def train(tools, path, model, options, seed, files, *more, weights=None):
    """Trains weights into the file `path`, unless it exists, on `files` without a third
    of the task shapes. `more` are options of `pruner model train`. With `weights`, the
    training starts from the weights in that file."""
    begin = ["adapt", f"--weights={weights}"] if weights else ["train", f"--model={model}"]
    return made(path, [
        tools / "pruner", "model", *begin, f"--options={json.dumps({**options, 'seed': seed})}",
        "--hold-out=0.33", f"--seed={seed}", *more, *files])
