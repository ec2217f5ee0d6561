#===- safetensors.py - safetensors files ----------------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads and writes safetensors files with NumPy.

The format: 8 bytes with the length of the header, little endian; the header, a JSON
object of names to dtype, shape and offsets; the bytes of the tensors.
"""

import json
import math

import numpy

from .writing import write_whole

DTYPES = {
    "F64": numpy.float64,
    "F32": numpy.float32,
    "F16": numpy.float16,
    "BF16": numpy.uint16,  # As bits.
    "I64": numpy.int64,
    "I32": numpy.int32,
    "I16": numpy.int16,
    "I8": numpy.int8,
    "U64": numpy.uint64,
    "U32": numpy.uint32,
    "U16": numpy.uint16,
    "U8": numpy.uint8,
    "BOOL": numpy.bool_,
}


def _are_sizes(values):
    return isinstance(values, list) and all(
        type(value) is int and 0 <= value < 1 << 63 for value in values)


def _header(data):
    """Raises ValueError."""
    try:
        header = json.loads(data)
    except RecursionError:
        raise ValueError("its header is nested too deep") from None
    if not isinstance(header, dict):
        raise ValueError("its header is not an object")
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        if not isinstance(entry, dict) or not _are_sizes(entry.get("shape")) or (
                not _are_sizes(entry.get("data_offsets"))
                or len(entry["data_offsets"]) != 2):
            raise ValueError(f"'{name}' has no dtype, shape and data_offsets")
        if not isinstance(entry.get("dtype"), str) or entry["dtype"] not in DTYPES:
            raise ValueError(f"'{name}' has dtype {entry.get('dtype')}")
    return header


def read_typed(path):
    """Return the type in the file and an array by name. The arrays are views of the mapped
    file. Raise ValueError if the file is invalid."""
    data = numpy.memmap(path, numpy.uint8, "r")
    length = int.from_bytes(data[:8].tobytes(), "little")
    if data.size < 8 or length > data.size - 8:
        raise ValueError(f"{path} is not a safetensors file")
    try:
        header = _header(data[8:8 + length].tobytes())
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    body = data[8 + length:]
    arrays = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        dtype = numpy.dtype(DTYPES[entry["dtype"]])
        begin, end = entry["data_offsets"]
        shape = tuple(entry["shape"])
        if not 0 <= begin <= end <= body.size or (
                end - begin != math.prod(shape) * dtype.itemsize):
            raise ValueError(f"{path}: '{name}' is outside of the file")
        raw = body[begin:end]
        if raw.ctypes.data % dtype.itemsize:
            raw = raw.copy()
        arrays[name] = entry["dtype"], raw.view(dtype).reshape(shape)
    return arrays


def read(path):
    """Return arrays by name, as read_typed does."""
    return {name: array for name, (_, array) in read_typed(path).items()}


def write(path, tensors):
    """Write contiguous arrays by name, each with its element type of MLIR, to a file."""
    names = {f"{kind.lower()}{bits}": f"{kind}{bits}" for kind in "FI" for bits in (8, 16, 32, 64)}
    names.update({"bf16": "BF16", "i1": "BOOL"},
                 **{f"ui{bits}": f"U{bits}" for bits in (8, 16, 32, 64)})
    header, offset = {}, 0
    # Larger elements first, so that all are aligned.
    order = sorted(tensors, key=lambda name: (-tensors[name][1].dtype.itemsize, name))
    for name in order:
        element, array = tensors[name]
        header[name] = {"dtype": names[element], "shape": list(array.shape),
                        "data_offsets": [offset, offset + array.nbytes]}
        offset += array.nbytes
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    write_whole(path, [len(text).to_bytes(8, "little") + text,
                       *(tensors[name][1].data for name in order if tensors[name][1].size)])
