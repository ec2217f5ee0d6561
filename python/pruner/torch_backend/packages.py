#===- packages.py - libraries of exported programs -------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles an exported program to one file, the counterpart of AOTInductor's package.

    exported = torch.export.export(model.eval(), (x,))
    aot_compile(exported, "model.so", options={"trials": 200})
    y = pruner.load("model.so")(x)

The file contains the weights. It needs neither PyTorch nor Pruner's tools to run, in
Python and in C (docs/guides/Deploying.md).
"""

import os

import torch

from .. import compiling
from ..cache import TUNED, Cache, default_directory
from .options import read_options


def aot_compile(exported, path, *, options=None, mode=None):
    """Compile an `ExportedProgram` with static shapes to a library in the file `path`, and
    return the path. `options` and `mode` are those of the backend; those that concern
    changed weights, sizes and the cache of libraries have no effect. Raise TypeError,
    ValueError, and PrunerError if the program cannot be compiled."""
    if not isinstance(exported, torch.export.ExportedProgram):
        raise TypeError("expected an ExportedProgram (torch.export.export), but got a "
                        f"{type(exported).__name__}")
    options = read_options(options, mode)
    database, more = options.db, {}
    if options.trials:
        more["time_limit"] = options.time_limit
        database = database or Cache(options.cache or default_directory()).path / TUNED
    net = compiling.compile(exported, trials=options.trials, db=database or None,
                            threads=options.threads or torch.get_num_threads(), **more)
    net.save(path)
    return os.fspath(path)
