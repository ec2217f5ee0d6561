#===- files.py - files of an export ---------------------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a captured program as text, list of arguments, and tensors."""

import importlib.metadata
import json
import os

from ..results import write_whole
from .element_types import element_type
from .networks import need

FORMAT = 1


def _describe(name, tensor, shape=None, **more):
    return {
        "name": name,
        **more,
        "shape": list(tensor.shape) if shape is None else shape,
        "dtype": element_type(tensor.dtype),
    }


def description(program, provenance):
    """Return the content of NAME.args.json."""
    packages = ("torch", "torchvision", "transformers", "torch-mlir")
    versions = {}
    for package in packages:
        try:
            versions[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            pass
    arguments, results = program.shapes or (
        [None] * len(program.arguments), [None] * len(program.results))
    return {
        "format": FORMAT,
        "function": "main",
        "arguments": [
            _describe(argument.name, argument.tensor, shape, kind=argument.kind)
            for argument, shape in zip(program.arguments, arguments)
        ],
        "results": [_describe(name, tensor, shape)
                    for (name, tensor), shape in zip(program.results, results)],
        "provenance": {**provenance, "versions": versions},
    }


def _dump(document):
    """Return JSON with one argument per line, so that it can be compared and searched
    by line."""
    lines = []
    for key, value in document.items():
        if isinstance(value, list):
            items = ",\n".join("    " + json.dumps(item) for item in value)
            text = f"[\n{items}\n  ]" if value else "[]"
        else:
            text = json.dumps(value)
        lines.append(f"  {json.dumps(key)}: {text}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _save(tensors, path):
    """Save tensors by name."""
    torch = need("torch")
    from pruner import safetensors
    from pruner.arrays import of_torch

    stored = {}
    for name, tensor in tensors.items():
        element = "ui8" if tensor.dtype == torch.uint8 else element_type(tensor.dtype)
        stored[name] = element, of_torch(tensor.cpu().contiguous())
    safetensors.write(path, stored)


def write(program, directory, name, provenance, reference):
    """Write the files of `program` into `directory` and return their paths."""
    os.makedirs(directory, exist_ok=True)
    base = os.path.join(directory, name)
    text = program.text.rstrip("\n") + "\n"
    write_whole(base + ".mlir", text.encode())
    described = _dump(description(program, provenance))
    write_whole(base + ".args.json", described.encode())
    weights = {
        argument.name: argument.tensor
        for argument in program.arguments
        if argument.kind != "input"
    }
    _save(weights, base + ".safetensors")
    written = [base + ".mlir", base + ".args.json", base + ".safetensors"]
    if reference:
        tensors = {
            "inputs/" + argument.name: argument.tensor
            for argument in program.arguments
            if argument.kind == "input"
        }
        tensors |= {"results/" + name: tensor for name, tensor in program.results}
        _save(tensors, base + ".reference.safetensors")
        written.append(base + ".reference.safetensors")
    return written
