#===- arrays.py - the inputs and results of networks -----------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays and tensors that compiled networks read and write. Requires NumPy only."""

from __future__ import annotations

import ctypes
import math
import sys
from typing import Any, Optional, Sequence

import numpy

from .device import torch_dtype

# Element types that NumPy lacks are passed as their bits. In MLIR `i8` to `i64` have no
# sign; `ui` and `si` types have one.
DTYPES = {
    "f64": numpy.float64,
    "f32": numpy.float32,
    "f16": numpy.float16,
    "bf16": numpy.uint16,
    "i64": numpy.int64,
    "index": numpy.int64,
    "i32": numpy.int32,
    "i16": numpy.int16,
    "i8": numpy.int8,
    "i1": numpy.bool_,
    **{f"{sign}i{bits}": numpy.dtype(f"{name}int{bits}").type
       for sign, name in (("u", "u"), ("s", "")) for bits in (8, 16, 32, 64)},
}


class NetworkError(Exception):
    """A library cannot be loaded, or a call is invalid or failed."""


class Tensor:
    """The description of an input or result. An extent that is a name is dynamic."""

    def __init__(self, entry):
        self.name = entry["name"]
        self.kind = entry.get("kind", "")
        self.element = entry["dtype"]
        self.shape = tuple(entry["shape"])
        if self.element not in DTYPES:
            raise NetworkError(f"'{self.name}' has the element type {self.element}, "
                               "which this loader does not support")
        self.dtype = numpy.dtype(DTYPES[self.element])

    def __repr__(self):
        return f"{self.name}: {self.element}[{', '.join(map(str, self.shape))}]"

    def accepts(self, shape):
        """Return whether an array of this shape is valid in a call of some size."""
        return len(shape) == len(self.shape) and all(
            isinstance(wanted, str) or extent == wanted
            for extent, wanted in zip(shape, self.shape))

    def sizes(self, shape):
        """Return the sizes that an array of this shape gives to dynamic dimensions, one
        for each occurrence."""
        return [extent for extent, wanted in zip(shape, self.shape)
                if isinstance(wanted, str)]

    def shape_for(self, size):
        return tuple(size if isinstance(extent, str) else extent
                     for extent in self.shape)


def empty(shape, dtype, alignment):
    """Return an uninitialized contiguous array with an aligned address."""
    dtype = numpy.dtype(dtype)
    memory = numpy.empty(math.prod(shape) * dtype.itemsize + alignment, numpy.uint8)
    return numpy.ndarray(shape, dtype, memory, -memory.ctypes.data % alignment)


def is_torch(value):
    """Whether it is a tensor of PyTorch, which is not imported here."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.Tensor)


def is_cuda(value):
    return is_torch(value) and value.device.type == "cuda"


def of_torch(tensor):
    """Return a tensor's memory as an array, bf16 as bits."""
    torch = sys.modules["torch"]
    if tensor.device.type != "cpu":
        raise NetworkError(f"a tensor is on {tensor.device}; this network runs on the CPU")
    tensor = tensor.detach().resolve_neg()
    if tensor.dtype == torch.bfloat16:
        return tensor.view(torch.int16).numpy().view(numpy.uint16)
    return tensor.numpy()


def truth(array):
    """Return bools whose bytes are 0 or 1, as libraries require. Those of masks that were
    viewed as bools are not; NumPy takes every byte but 0 as true."""
    bytes_ = array.view(numpy.uint8)
    return bytes_ != 0 if array.size and bytes_.max() > 1 else array


def to_torch(array, element):
    """Return an array as a tensor on the same memory."""
    torch = sys.modules["torch"]
    if element == "bf16":
        return torch.from_numpy(array.view(numpy.int16)).view(torch.bfloat16)
    return torch.from_numpy(array)


def addresses(values, alignment):
    """Return the addresses of arrays, or of what else has memory."""
    pointers = (ctypes.c_void_p * len(values))()
    for n, value in enumerate(values):
        if not isinstance(value, numpy.ndarray):
            pointers[n] = value.address
        elif value.size:
            pointers[n] = value.ctypes.data
        else:  # It has no address in NumPy, but the library requires an aligned one.
            pointers[n] = alignment
    return pointers


class InPlace:
    """Finds the addresses of inputs that a library can read in place. A call of a small
    network takes little longer than the checks of its inputs, so these are few."""

    def __init__(self, inputs: Sequence[Tensor], bound: dict, alignment: int):
        self._alignment = alignment
        self._free = [(n, tensor) for n, tensor in enumerate(inputs) if n not in bound]
        # Bools may be bytes other than 0 and 1.
        self._applies = all(tensor.element != "i1" and 0 not in tensor.shape
                            for _, tensor in self._free)
        self._bound = addresses([bound.get(n, numpy.empty(0)) for n in range(len(inputs))],
                                alignment)

    def addresses(self, values: Sequence[Any]) -> Optional[ctypes.Array]:
        """Return the addresses of all inputs; None if a value must be converted, or may
        be invalid."""
        if not self._applies or len(values) != len(self._free):
            return None
        torch = sys.modules.get("torch")
        pointers = type(self._bound).from_buffer_copy(self._bound)
        for value, (n, tensor) in zip(values, self._free):
            if type(value) is numpy.ndarray:
                if (value.dtype != tensor.dtype or value.shape != tensor.shape
                        or not value.flags.c_contiguous):
                    return None
                address = value.ctypes.data
            elif torch is not None and type(value) is torch.Tensor:
                if (value.dtype != torch_dtype(tensor) or value.shape != tensor.shape
                        or value.device.type != "cpu" or value.layout != torch.strided
                        or not value.is_contiguous() or value.is_neg()):
                    return None
                address = value.data_ptr()
            else:
                return None
            if address % self._alignment:
                return None
            pointers[n] = address
        return pointers
