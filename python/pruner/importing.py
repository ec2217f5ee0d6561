#===- importing.py - models as linalg programs ----------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Imports models of PyTorch and ONNX as linalg on tensors, with the names of their
inputs and results.

    python -m pruner.importing model.onnx -o model.mlir
    python -m pruner.importing model.pt2 -o model.mlir --weights model.safetensors

The function is @main. Its arguments and results have their names in the model as
`pruner.name`. Weights are constants of the program. With --weights they are arguments
after the inputs, marked `pruner.constant`, and a safetensors file has their values
under the same names.

Importing this module imports none of its requirements: torch-mlir, and onnx or torch.
"""

from __future__ import annotations

import dataclasses
import os
import pathlib
import sys
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy

from . import safetensors
from .arguments import ArgumentParser
from .lowering import (ModelError, brief, inline_constants, lower, need, set_names, text)

Examples = Union[None, Any, Sequence[Any], Mapping[str, Any]]


@dataclasses.dataclass
class Imported:
    """A program and its weights. The arguments of @main are the inputs, then the
    weights in order. `weights` has their element types of MLIR and their elements, as
    bits where NumPy lacks the type."""

    text: str
    inputs: List[str]
    outputs: List[str]
    weights: Dict[str, Tuple[str, numpy.ndarray]]


def import_model(model: Any, example_inputs: Examples = None, *, inline: bool = False,
                 shapes: Optional[Mapping[str, Sequence[int]]] = None) -> Imported:
    """Import a model: an `nn.Module` with example inputs, an `ExportedProgram`, an ONNX
    `ModelProto`, or the path of an .onnx or .pt2 file.

    `example_inputs` are a tensor, a sequence of tensors, or tensors by name. ONNX needs
    them, or `shapes` by name, only for inputs with dynamic dimensions. With `inline`,
    weights are constants of the program. Raise `ModelError`."""
    if isinstance(model, (str, os.PathLike)):
        suffix = pathlib.Path(model).suffix
        if suffix == ".onnx":
            return from_onnx(model, example_inputs, inline, shapes)
        if suffix != ".pt2":
            raise ModelError(f"'{model}' has an unknown format; expected .onnx or .pt2")
        model = _load_exported(model)
    kind = type(model)
    if kind.__name__ == "ModelProto":
        return from_onnx(model, example_inputs, inline, shapes)
    if shapes:
        raise ModelError("shapes are for ONNX; a model of PyTorch takes example inputs")
    if kind.__name__ == "ExportedProgram":
        return from_exported(model, inline)
    torch = sys.modules.get("torch")
    if torch is None or not isinstance(model, torch.nn.Module):
        raise ModelError(f"a {kind.__name__} is not a model; expected an nn.Module, an "
                         "ExportedProgram, a ModelProto, or the path of a file")
    return from_module(model, example_inputs, inline)


def from_onnx(model: Any, example_inputs: Examples = None, inline: bool = False,
              shapes: Optional[Mapping[str, Sequence[int]]] = None) -> Imported:
    """Import an ONNX model. See `import_model`."""
    from . import onnx_model

    model = onnx_model.read(model)
    names = [value.name for value in onnx_model.inputs(model)]
    known = {name: numpy.shape(value) for name, value in
             _by_name(example_inputs, names).items()}
    onnx_model.fix_shapes(model, {**known, **(shapes or {})})
    outputs = [value.name for value in model.graph.output]
    onnx_model.prepare(model)
    whole = onnx_model.read(model)
    weights = onnx_model.take_weights(model)
    try:
        module = lower(onnx_model.to_torch(model))
    except ModelError:
        # Some operations are lowered only if their operands are constants.
        weights = {}
        module = lower(onnx_model.to_torch(whole))
    return _finish(module, names, outputs, weights, inline)


def from_module(module: Any, example_inputs: Examples, inline: bool = False) -> Imported:
    """Import an `nn.Module`, as after `module.eval()`. See `import_model`."""
    torch = need("torch")
    program = _exporter()
    from pruner_tools.export import networks

    if example_inputs is None:
        raise ModelError("an nn.Module needs example inputs")
    if isinstance(example_inputs, Mapping):
        inputs = {name: torch.as_tensor(value) for name, value in example_inputs.items()}
    else:
        inputs = tuple(torch.as_tensor(value) for value in _sequence(example_inputs))
    training = [part for part in module.modules() if part.training]
    try:
        networks.evaluate(module)
        return _from_torch(lambda: program.trace(
            networks.Network(module, inputs, None)), inline)
    finally:
        for part in training:
            part.training = True


def from_exported(exported: Any, inline: bool = False) -> Imported:
    """Import an `ExportedProgram` of static shapes. See `import_model`."""
    program = _exporter()
    return _from_torch(lambda: program.trace_exported(exported), inline)


def _exporter():
    need("torch")
    need("torch_mlir")
    try:
        from pruner_tools.export import program
    except ImportError:
        raise ModelError("the package pruner_tools is missing; the wheel with tools "
                         "contains it") from None
    return program


def _load_exported(path):
    torch = need("torch")
    _exporter()
    from pruner_tools.export import quantized

    quantized.register()
    try:
        return torch.export.load(os.fspath(path))
    except OSError as error:
        raise ModelError(f"cannot open '{path}': {error.strerror or error}") from error
    except Exception as error:  # The content may be anything.
        raise ModelError(f"'{path}' is not an exported program: {brief(error)}") from error


def _from_torch(trace, inline):
    """Import what `trace()` of the exporter returns."""
    from pruner_tools.export import ExportError
    from pruner_tools.export.element_types import element_type

    try:
        module, arguments, results = trace()
    except ExportError as error:
        raise ModelError(str(error)) from error
    torch = need("torch")
    weights, inputs = {}, []
    for argument in arguments:
        if argument.kind == "input":
            inputs.append(argument.name)
            continue
        tensor = argument.tensor.detach().cpu().contiguous()
        element = element_type(tensor.dtype)
        if element == "bf16":
            tensor = tensor.view(torch.int16)
        array = tensor.numpy()
        weights[_unused(argument.name, [*inputs, *weights])] = (
            element, array.view(numpy.uint16) if element == "bf16" else array)
    return _finish(module, inputs, [name for name, _ in results], weights, inline)


def _unused(name, names):
    while name in names:
        name += "_"
    return name


def _finish(module, inputs, outputs, weights, inline):
    if inline:
        first = len(inputs)
        inline_constants(module, {first + n: array for n, (_, array)
                                  in enumerate(weights.values())})
        weights = {}
    set_names(module, [*inputs, *weights], outputs, set(weights))
    return Imported(text(module), inputs, outputs, weights)


def _sequence(values):
    return values if isinstance(values, (tuple, list)) else [values]


def _by_name(values, names):
    if values is None:
        return {}
    if isinstance(values, Mapping):
        return dict(values)
    values = _sequence(values)
    if len(values) > len(names):
        raise ModelError(f"{len(values)} example inputs for {len(names)} inputs")
    return dict(zip(names, values))


def _parse_shape(given):
    name, equals, sizes = given.rpartition("=")
    try:
        if not equals:
            raise ValueError
        return name, [int(size) for size in sizes.split("x")]
    except ValueError:
        raise ModelError(f"--shape {given}: expected NAME=SIZES, such as x=1x3x224x224"
                         ) from None


def main() -> int:
    parser = ArgumentParser(
        prog="python -m pruner.importing",
        description="Import a model of ONNX or torch.export as linalg on tensors.")
    add = parser.add_argument
    add("model", metavar="FILE", help="an .onnx file, or a .pt2 file of torch.export.save")
    add("-o", "--output", required=True, metavar="OUT.mlir", help="the program")
    add("--weights", metavar="OUT.safetensors",
        help="make the weights arguments of the program, and write them to this file")
    add("--shape", action="append", default=[], metavar="NAME=SIZES",
        help="the shape of an ONNX input with dynamic dimensions, such as "
        "x=1x3x224x224; repeat for each input")
    args = parser.parse_args()
    try:
        made = import_model(args.model, inline=not args.weights,
                            shapes=dict(map(_parse_shape, args.shape)))
        if args.weights:
            safetensors.write(args.weights, made.weights)
        with open(args.output, "w", encoding="utf-8") as file:
            file.write(made.text)
    except (ModelError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
