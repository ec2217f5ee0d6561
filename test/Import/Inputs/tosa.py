#===- tosa.py - the layers of tosa.mlir in NumPy ---------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares a library of tosa.mlir with NumPy, on integers: every sum is exact.

    tosa.py LIBRARY
"""
import sys

import numpy
import pruner

random = numpy.random.default_rng(0)


def draw(*shape):
    return random.integers(-2, 3, shape).astype("f4")


x, w, b, m = draw(1, 6, 7, 4), draw(5, 3, 3, 4), draw(5), draw(1, 5, 8)
padded = numpy.pad(x[0], ((1, 1), (1, 1), (0, 0)))
windows = numpy.lib.stride_tricks.sliding_window_view(padded, (3, 3), (0, 1))
layer = numpy.einsum("yxcuv,fuvc->yxf", windows, w) + b
want = numpy.clip(layer, 0, 6).reshape(1, 42, 5) @ m
got = pruner.load(sys.argv[1])(x, w, b, m)
print("equal:", numpy.array_equal(want, got), "of", int(numpy.count_nonzero(want)), "not zero")
