#===- problem.py - one operator and its operands ---------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An operator of the benchmark, with its operands in memory."""

import os

import numpy


def aligned(shape, dtype=numpy.float32):
    """Return an empty array with an alignment of 64 bytes."""
    dtype = numpy.dtype(dtype)
    size = int(numpy.prod(shape, dtype=numpy.int64)) * dtype.itemsize
    memory = numpy.empty(size + 64, numpy.uint8)
    start = -memory.ctypes.data % 64
    return memory[start:start + size].view(dtype).reshape(shape)


def read(tensor, dtype):
    """Return the array of {"file":, "shape":}, raw elements."""
    array = aligned(tensor["shape"], dtype)
    size = os.path.getsize(tensor["file"])
    if size != array.nbytes:
        raise ValueError("%s has %d bytes instead of %d"
                         % (tensor["file"], size, array.nbytes))
    array[...] = numpy.fromfile(tensor["file"], dtype).reshape(array.shape)
    return array


# NumPy types of operands and of results that may be compared. NumPy has no bf16: its
# operands are bits.
TYPES = {"f32": numpy.float32, "bf16": numpy.uint16, "f16": numpy.float16,
         "u8": numpy.uint8, "s8": numpy.int8}


class Problem:
    """`types` is "f32", "bf16", "f16", or the integer types of both factors: "u8s8".
    `inputs` are all operands in order; `constant[i]` states whether the i-th is a
    weight, which is known ahead of time. Parameters are attributes: problem.stride,
    or None."""

    def __init__(self, request, threads):
        self.kind = request["kind"]
        self.parameters = request["parameters"]
        self.types = request.get("types", "f32")
        self.integers = self.types in ("u8s8", "s8s8")
        names = ([self.types[:2], self.types[2:]] if self.integers else
                 [self.types] * len(request["inputs"]))
        self.inputs = [read(t, TYPES[name])
                       for t, name in zip(request["inputs"], names)]
        self.constant = [bool(t.get("constant")) for t in request["inputs"]]
        self.expected = read(request["result"], numpy.float64)
        self.tolerance = request["tolerance"]
        self.programs = {p["layout"]: p for p in request.get("programs", [])}
        self.threads = threads
        # The scale of the error that the tolerance limits.
        self.scale = float(numpy.sqrt((self.expected ** 2).mean())) or 1.0

    def get(self, name, default=1):
        """Return a parameter with one number."""
        value = self.parameters.get(name)
        return default if value is None else value[0]

    @property
    def weights(self):
        return [v for v, c in zip(self.inputs, self.constant) if c]

    @property
    def activations(self):
        return [v for v, c in zip(self.inputs, self.constant) if not c]

    @property
    def shape(self):
        return self.expected.shape

    @property
    def image(self):
        """Return whether activations are N x C x H x W."""
        return len(self.shape) == 4

    def error(self, result):
        """Return the largest difference, relative to the result's root mean square."""
        result = numpy.asarray(result)
        if result.size != self.expected.size:
            raise ValueError("%s elements instead of %s"
                             % (result.shape, self.shape))
        difference = numpy.abs(result.reshape(self.shape) - self.expected).max()
        return float(difference) / self.scale


class Peer:
    """One way to compute the operator. run() computes, result() returns the array of
    the last run in the operator's layout. `types` lists what it can compute."""

    name, types = "", ("f32",)

    def __init__(self, problem):
        self.problem = problem
        self.build(problem)

    def build(self, problem):
        """Prepare run() for `problem`."""
        raise NotImplementedError

    @staticmethod
    def applies(problem):
        return True

    @staticmethod
    def packed(problem):
        """Return whether weights are known ahead of time."""
        return False

    def detail(self):
        return ""
