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
from typing import TYPE_CHECKING, Any, Dict, Optional, Sequence, Tuple, Union

import numpy

from .module import Module
from .native import PrunerError
from .network import Network
from .progress import Observer
from .tracing import Trace, trace
from .tuning import TuneResult

if TYPE_CHECKING:
    from .importing import Examples

_Weights = Dict[str, Tuple[str, numpy.ndarray]]


def compile(model: Any, /, example_inputs: Examples = None, *, trials: int = 0,
            db: Union[None, str, os.PathLike[str]] = None, threads: int = 0,
            target: str = "cpu", accuracy: Union[str, Sequence[str]] = (),
            progress: Observer = "auto", **options: Any) -> Network:
    """Compile a model to a `Network`, a function of its inputs.

    `model` is an `nn.Module` or a function of NumPy arrays, with example inputs; an
    `ExportedProgram`; an ONNX `ModelProto`; the path of an .onnx, .pt2 or .mlir file;
    MLIR text; or a `Module`, which stays unchanged. Example inputs are one array or
    tensor, a sequence, or a dictionary by name.

    With `trials`, that many candidates are measured for `threads` threads (0: all
    cores), and stored in `db`; `net.tuning` is the `TuneResult`. Without, the best
    schedules of `db` are used, or those of the module, or the analytical model chooses,
    as it does for tasks without a record in `db`.
    `accuracy` names the relaxations of accuracy that results may have, apart from the
    order of sums: "wide-sums", "bf16-products", or a list of them. `progress` and `options` are those of
    `Module.tune`. If the callback ends the run, the best schedules so far are used.

    Raise `PrunerError`, and `ModelError` if the model cannot be imported."""
    if options and not trials:
        raise PrunerError(f"the option '{next(iter(options))}' needs trials")
    module, weights = _imported(model, example_inputs)
    module.lift_constants()
    for name, (_, array) in weights.items():
        module.set_constant(name, array)
    tuning: Optional[TuneResult] = None
    place = {"threads": threads, "target": target, "accuracy": accuracy or None}
    if trials:
        tuning = module.tune(progress=progress, trials=trials, db=db, **place, **options)
        if not tuning and os.path.exists(tuning.path):
            module.apply_best(db=tuning.path, draft=True, **place)
    elif db:
        module.apply_best(db=db, draft=True, **place)
    elif accuracy or "#pruner.schedule<" not in str(module):
        module.draft(**place)
    module.lower(target=target, threads=threads).embed_constants()
    with tempfile.TemporaryDirectory(prefix="pruner-compile-") as directory:
        library = module.compile(os.path.join(directory, "network.so"))
        with open(library, "rb") as file:
            net = Network("network.so", data=file.read())
    net.tuning = tuning
    return net


def _imported(model, example_inputs) -> Tuple[Module, _Weights]:
    """Return a module and the values of its constant arguments."""
    if isinstance(model, Module):
        return model.clone(), {}
    if isinstance(model, Trace):
        return Module.parse(model.text, name=model.name), model.weights
    if isinstance(model, (str, os.PathLike)):
        if isinstance(model, str) and "\n" in model:
            return Module.parse(model), {}
        if pathlib.Path(model).suffix in (".mlir", ".mlirbc"):
            return Module.open(model), {}
    elif callable(model) and not hasattr(model, "state_dict"):
        return _imported(trace(model, example_inputs), None)
    # Not above, because `python -m pruner.importing` warns of a module that is imported.
    from .importing import import_model

    made = import_model(model, example_inputs)
    return Module.parse(made.text, name="model"), made.weights
