#===- compiling.py - from a model to a network in one call ----------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles a model to a network that contains its weights.

    net = pruner.compile(model, (x,), trials=200, db="tuning.db")
    y = net(x)
    net.save("net.so")                         # later: pruner.load("net.so")

What depends on weights alone (layouts for the chosen schedules, scales of batch norms)
is computed once, when the network is compiled.
"""

from __future__ import annotations

import os
import pathlib
import tempfile
from typing import Any, Dict, Optional, Tuple, Union

import numpy

from .importing import Examples, import_model
from .module import Module
from .native import PrunerError
from .network import Network
from .progress import Observer
from .tracing import trace
from .tuning import TuneResult

_Weights = Dict[str, Tuple[str, numpy.ndarray]]


def compile(model: Any, /, example_inputs: Examples = None, *, trials: int = 0,
            db: Union[None, str, os.PathLike[str]] = None, threads: int = 0,
            target: str = "cpu", progress: Observer = "auto", **options: Any) -> Network:
    """Compile a model to a `Network`, a function of its inputs.

    `model` is an `nn.Module` or a function of NumPy arrays, with example inputs; an
    `ExportedProgram`; an ONNX `ModelProto`; the path of an .onnx, .pt2 or .mlir file;
    MLIR text; or a `Module`, which stays unchanged. Example inputs are one array or
    tensor, a sequence, or a dictionary by name.

    With `trials`, that many candidates are measured for `threads` threads (0: all
    cores), and stored in `db`; `net.tuning` is the `TuneResult`. Without, the best
    schedules of `db` are used, or the analytical model chooses. `progress` and
    `options` are those of `Module.tune`. If the callback ends the run, the best
    schedules so far are used.

    Raise `PrunerError`, and `ModelError` if the model cannot be imported."""
    if options and not trials:
        raise PrunerError(f"the option '{next(iter(options))}' needs trials")
    module, weights = _imported(model, example_inputs)
    tuning: Optional[TuneResult] = None
    if trials:
        tuning = module.tune(progress=progress, trials=trials, db=db, threads=threads,
                             target=target, **options)
        if not tuning and os.path.exists(tuning.path):
            module.apply_best(db=tuning.path, threads=threads, target=target)
    elif db:
        module.apply_best(db=db, threads=threads, target=target)
    else:
        module.draft(threads=threads, target=target)
    module.lower(target=target, threads=threads)
    net = finish(module, weights)
    net.tuning = tuning
    return net


def _imported(model, example_inputs) -> Tuple[Module, _Weights]:
    """Return a module and the values of its constant arguments."""
    if isinstance(model, Module):
        return model.clone(), {}
    if isinstance(model, (str, os.PathLike)):
        if isinstance(model, str) and "\n" in model:
            return Module.parse(model), {}
        if pathlib.Path(model).suffix in (".mlir", ".mlirbc"):
            return Module.open(model), {}
    elif callable(model) and not hasattr(model, "state_dict"):
        model = trace(model, example_inputs)
        return Module.parse(model.text, name=model.name), model.weights
    made = import_model(model, example_inputs)
    return Module.parse(made.text, name="model"), made.weights


def finish(module: Module, weights: _Weights) -> Network:
    """Compile a lowered module. Its constant arguments get their values from `weights`;
    those without a value stay inputs."""
    with tempfile.TemporaryDirectory(prefix="pruner-compile-") as directory:
        library = os.path.join(directory, "network.so")
        arrays = {name: array for name, (_, array) in weights.items()}
        if arrays:
            module.run("pruner-hoist-constants")
            arrays.update(_prepared(module, library, arrays))
        for name, array in arrays.items():
            _bind(module, name, numpy.ascontiguousarray(array))
        module.compile(library)
        with open(library, "rb") as file:
            return Network("network.so", data=file.read())


def _prepared(module, library, arrays):
    """Run the function that `pruner-hoist-constants` made, if any. Return its results by
    name."""
    if "@main_prepare" not in str(module):
        return {}
    module.compile(library, entry="main_prepare")
    with open(library, "rb") as file:
        prepare = Network("prepare.so", data=file.read())
    results = prepare(**{tensor.name: arrays[tensor.name] for tensor in prepare.inputs})
    if len(prepare.outputs) == 1:
        results = (results,)
    return {tensor.name: result for tensor, result in zip(prepare.outputs, results)}


def _bind(module, name, array):
    """Bind an argument, unless only prepared values depend on it."""
    try:
        module.bind(name, array)
    except PrunerError as error:
        if not str(error).startswith("no network has an argument"):
            raise
