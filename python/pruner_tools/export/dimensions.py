#===- dimensions.py - dynamic dimensions ----------------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Dynamic dimensions of inputs.

    --dynamic n=x:0:1..64              dimension 0 of the input x, 1 to 64
    --dynamic s=*:1:1..128             dimension 1 of every input
    --dynamic n=x:0:1,8,32             these sizes only

torch.export traces the model with symbols for these dimensions. The exported program
states their sizes (`pruner.range`, docs/guides/DynamicShapes.md).
"""

import dataclasses
import re

from . import ExportError


@dataclasses.dataclass
class Dynamic:
    """Dimension `dim` of `input` ("*": all inputs) has the name `name` and one of
    `sizes`, or, if that is empty, a size from `least` to `greatest`."""

    name: str
    input: str
    dim: int
    least: int
    greatest: int
    sizes: list

    def range(self):
        """Return the text of the attribute."""
        sizes = str(self.sizes) if self.sizes else f"{self.least} to {self.greatest}"
        return f"#pruner.range<{self.name}, {sizes}>"


def parse(text):
    """Parse `NAME=INPUT:DIM:MIN..MAX` or `NAME=INPUT:DIM:SIZE,SIZE,...`."""
    match = re.fullmatch(
        r"(\w+)=([^:]+):(\d+):(?:(\d+)\.\.(\d+)|(\d+(?:,\d+)*))", text)
    if not match:
        raise ExportError(
            f"--dynamic {text}: expected NAME=INPUT:DIM:MIN..MAX or "
            "NAME=INPUT:DIM:SIZE,SIZE, such as n=x:0:1..64")
    name, given, dim, least, greatest, listed = match.groups()
    sizes = sorted({int(size) for size in listed.split(",")}) if listed else []
    least = sizes[0] if sizes else int(least)
    greatest = sizes[-1] if sizes else int(greatest)
    if not 1 <= least <= greatest:
        raise ExportError(f"--dynamic {text}: {least} to {greatest} is not a valid range of sizes")
    return Dynamic(name, given, int(dim), least, greatest, sizes)


def parse_all(texts):
    """Parse the `Dynamic` dimensions of texts. Dimensions with the same name must have
    the same sizes."""
    ranges, parsed = {}, [parse(text) for text in texts]
    for text, entry in zip(texts, parsed):
        if ranges.setdefault(entry.name, entry.range()) != entry.range():
            raise ExportError(f"--dynamic {text}: '{entry.name}' has other sizes elsewhere")
    return parsed


def torch_spec(dynamic, names, tensors):
    """Return `dynamic_shapes` of torch.export for the inputs `names`; None if there are
    none."""
    from .networks import need

    if not dynamic:
        return None
    torch = need("torch")
    symbols, spec = {}, [{} for _ in names]
    for entry in dynamic:
        if entry.input != "*" and entry.input not in names:
            raise ExportError(f"--dynamic: the model has no input '{entry.input}', "
                              f"but {', '.join(names)}")
        symbol = symbols.setdefault(
            entry.name, torch.export.Dim(entry.name, min=entry.least, max=entry.greatest))
        for name, tensor, dims in zip(names, tensors, spec):
            if entry.input not in ("*", name):
                continue
            if entry.dim >= tensor.dim():
                raise ExportError(f"--dynamic: '{name}' has no dimension {entry.dim}")
            size = tensor.shape[entry.dim]
            # Torch treats an example extent of 1 as static.
            if size < 2 or size > entry.greatest:
                raise ExportError(
                    f"--dynamic: dimension {entry.dim} of the example input '{name}' "
                    f"is {size}; it must be from 2 to {entry.greatest} (--batch, "
                    "--sequence, --input)")
            dims[entry.dim] = symbol
    return tuple(dims or None for dims in spec)


def _extents(kind):
    """Return the extents of a tensor type's text; None for dynamic ones."""
    inner = re.fullmatch(r"tensor<(.*)>", kind).group(1)
    *extents, _ = inner.split("x")
    return [None if extent == "?" else int(extent) for extent in extents]


def annotate(text, dynamic, arguments, results):
    """Return the text with `pruner.range` on its inputs, and the remaining fields of a
    `Program`."""
    start = text.index("func.func @main(")
    end = text.index("{\n", start)
    signature = text[start:end]
    inputs, outputs = signature.split("->")
    kinds = re.findall(r"%arg\d+: (tensor<[^>]*>)", inputs)
    shapes = []
    for position, (argument, kind) in enumerate(zip(arguments, kinds)):
        shape = _extents(kind)
        ranges = []
        for dim, extent in enumerate(shape):
            entries = [entry for entry in dynamic if argument.kind == "input"
                       and entry.dim == dim and entry.input in ("*", argument.name)]
            if extent is not None and entries:
                raise ExportError(f"the model fixes dimension {dim} of '{argument.name}' "
                                  f"to {extent}")
            if extent is None:
                shape[dim] = entries[0].name
                ranges.append(entries[0].range())
        if ranges:
            inputs = inputs.replace(
                f"%arg{position}: {kind}",
                f"%arg{position}: {kind} {{pruner.range = [{', '.join(ranges)}]}}", 1)
        shapes.append(shape)
    names = {entry.name for entry in dynamic}
    made = []
    for kind in re.findall(r"tensor<[^>]*>", outputs):
        shape = _extents(kind)
        if None in shape and len(names) > 1:
            raise ExportError("results of several dynamic dimensions have no names")
        made.append([next(iter(names)) if extent is None else extent for extent in shape])
    text = text[:start] + inputs + "->" + outputs + text[end:]
    return text, arguments, results, (shapes, made)
