"""Calls a library of shapes.test and compares with NumPy.

  shapes.py NETWORK LIBRARY
"""

import sys

import numpy as np

import pruner

name, path = sys.argv[1:]
net = pruner.load(path)
random = np.random.default_rng(7)


def inputs():
    """Small integers, so that sums are exact in any order."""
    return [random.integers(-4, 5, tensor.shape).astype(np.float32)
            for tensor in net.inputs]


def empty(a, b, c, x):
    return c, c, a, np.full((2, 3), 2.5, np.float32), c


def chain(x, w, s, v, y):
    return (np.empty((1, 5, 0, 6), np.float32), np.full(4, -np.inf, np.float32),
            s, y, y)


def part(x, y, init, square):
    first = init.copy()
    first[:, ::2] = -x
    second = first.copy()
    second[:, 1::2] = x
    diagonal = square.copy()
    np.fill_diagonal(diagonal, y)
    column = np.full(init.shape, 3, np.float32)
    column[:, 7] += x[:, 3]
    return first, second, diagonal, column


def loop(x, w):
    return x @ w @ w @ w, x + 6 * (x @ w)


def swap(a, b, c):
    for _ in range(5):
        a, b, c = a + b, a, b.flatten()
    return a, b, c


def while_(x):
    a = b = x
    while a[0] < 100:
        a, b = a + a, a
    return a, b


def branch(x, y):
    return (x + y, x) if x[0] < 0 else (y, y)


for attempt in range(4):
    given = inputs()
    if name == "while":
        given[0][0] = (3, 100, 7, 99)[attempt]
    if name == "branch":
        given[0][0] = (-1, 0, 1, -2)[attempt]
    kept = [array.copy() for array in given]
    wanted = {"while": while_}.get(name, globals().get(name))(*given)
    for number, (got, want) in enumerate(zip(net(*given), wanted, strict=True)):
        assert got.shape == want.shape, (number, got.shape, want.shape)
        assert (got == want).all(), (attempt, number, got, want)
    for array, copy in zip(given, kept):
        assert (array == copy).all(), "an input was written"
