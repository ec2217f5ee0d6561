#===- random_inputs.py - random inputs of networks ------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random inputs for the comparison of builds and for profiles.

Reals of rank 0 and 1 (biases, scales, variances) are uniform in 0.5..1.5. Those of
higher rank are normal with variance 1 / (elements of a row), so that values keep their
magnitude from layer to layer. Integers are 0 or 1, which are valid token ids, masks and
token types.
"""

import math

import numpy

from .network import NetworkError


def parse_ranges(texts):
    """Parse INPUT=LOW:HIGH into {input: (low, high)}; the input is a name or a
    position."""
    ranges = {}
    for text in texts:
        key, equals, bounds = text.rpartition("=")
        low, colon, high = bounds.partition(":")
        try:
            ranges[key] = (float(low), float(high))
        except ValueError:
            equals = ""
        if not equals or not colon:
            raise NetworkError(f"--range {text}: expected INPUT=LOW:HIGH")
    return ranges


def random_input(tensor, generator, bounds):
    """Return an array for an input. `bounds` are low and high (exclusive), or None."""
    if tensor.element == "bf16":
        like = type(tensor).__new__(type(tensor))
        like.shape, like.element, like.dtype = tensor.shape, "f32", numpy.dtype("f4")
        bits = random_input(like, generator, bounds).view(numpy.uint32)
        return (bits >> 16).astype(numpy.uint16)
    if tensor.dtype.kind != "f":
        low, high = (int(b) for b in bounds or (0, 2))
        return generator.integers(low, high, tensor.shape).astype(tensor.dtype)
    if bounds:
        values = generator.uniform(*bounds, tensor.shape)
    elif len(tensor.shape) < 2:
        values = generator.uniform(0.5, 1.5, tensor.shape)
    else:
        row = math.prod(tensor.shape[1:])
        values = generator.standard_normal(tensor.shape) / math.sqrt(max(row, 1))
    return numpy.asarray(values).astype(tensor.dtype)


def random_inputs(tensors, seed, ranges=None):
    """Return arrays by name for `tensors`, inputs of a network. `ranges` holds bounds
    by name or position."""
    generator = numpy.random.default_rng(seed)
    ranges = dict(ranges or {})
    arrays = {}
    for n, tensor in enumerate(tensors):
        keys = {tensor.name, str(n)} & set(ranges)
        bounds = ranges.pop(keys.pop()) if keys else None
        arrays[tensor.name] = random_input(tensor, generator, bounds)
    if ranges:
        raise NetworkError(f"--range: unknown input {sorted(ranges)[0]}")
    return arrays
