#===- onnx_sampling.py - GridSample of ONNX as other operations -----------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Expands GridSample. torch-mlir's form of it reads other pixels at the edge of an
image, and has only linear and nearest samples of two dimensions.

A sample is a sum over taps: the pixels around its place, each with a weight for every
dimension of the image. The padding decides which pixel a tap outside of the image reads.
"""

import itertools
from typing import NamedTuple

import numpy

from .onnx_emitter import Emitter

# No image is larger, and f32 has every whole number up to here.
_FAR = 2.0**24
# The coefficient of the cubic function, as in ONNX's specification.
_CUBIC = -0.75


class _Tap(NamedTuple):
    """What a sample reads along one dimension; names of tensors [batch, samples]."""
    pixel: str   # i64, in the image
    inside: str  # Whether the tap is in the image; empty if padding replaces it.
    weight: str  # Empty: 1


def _cubic_weights(emit, distance):
    """Return the weights of the pixels -1, 0, 1 and 2 for a place behind pixel 0."""
    def number(value):
        return emit.number(value, distance)

    def polynomial(x, *coefficients):
        total = number(coefficients[0])
        for each in coefficients[1:]:
            total = emit("Add", emit("Mul", total, x), number(each))
        return total

    ahead = emit("Sub", number(1.0), distance)
    near = (_CUBIC + 2, -_CUBIC - 3, 0.0, 1.0)
    far = (_CUBIC, -5 * _CUBIC, 8 * _CUBIC, -4 * _CUBIC)
    return [polynomial(emit("Add", distance, number(1.0)), *far), polynomial(distance, *near),
            polynomial(ahead, *near), polynomial(emit("Add", ahead, number(1.0)), *far)]


def _reflected(emit, pixel, extent, corners):
    """Return the pixel after reflections at the outermost pixels, or half of one beyond."""
    if extent == 1:
        return emit("Mul", pixel, emit.integers(0))
    period = 2 * (extent - 1 if corners else extent)
    pixel = emit("Mod", pixel, emit.integers(period))  # The sign is that of the period.
    mirrored = emit("Sub", emit.integers(period if corners else period - 1), pixel)
    return emit("Min", pixel, mirrored)


class _Sampler:
    """The nodes of one operation."""

    def __init__(self, emit):
        self.emit = emit
        attributes = emit.attributes
        self.mode = attributes.get("mode", b"linear").decode()
        self.padding = attributes.get("padding_mode", b"zeros").decode()
        self.corners = attributes.get("align_corners", 0)

    def tap(self, pixel, extent, weight):
        emit = self.emit
        clipped = emit("Max", emit("Min", pixel, emit.integers(extent - 1)), emit.integers(0))
        if self.padding == "reflection":
            return _Tap(_reflected(emit, pixel, extent, self.corners), "", weight)
        inside = emit("Equal", pixel, clipped) if self.padding == "zeros" else ""
        return _Tap(clipped, inside, weight)

    def taps(self, place, extent):
        """Return the taps of samples at `place`, from -1 to 1 along this dimension."""
        emit = self.emit
        def number(value):
            return emit.number(value, place)

        scale = (extent - 1 if self.corners else extent) / 2
        place = emit("Add", emit("Mul", place, number(scale)), number((extent - 1) / 2))
        # A place that is not a number is far outside.
        place = emit("Where", emit("IsNaN", place), number(-_FAR), place)
        place = emit("Max", emit("Min", place, number(_FAR)), number(-_FAR))
        whole = emit("Round" if self.mode == "nearest" else "Floor", place)
        pixel = emit("Cast", whole, to=emit.make.onnx.TensorProto.INT64)
        if self.mode == "nearest":
            return [self.tap(pixel, extent, "")]
        distance = emit("Sub", place, whole)
        if self.mode in ("linear", "bilinear"):
            first, weights = 0, [emit("Sub", number(1.0), distance), distance]
        else:
            first, weights = -1, _cubic_weights(emit, distance)
        return [self.tap(emit("Add", pixel, emit.integers(first + n)), extent, weight)
                for n, weight in enumerate(weights)]

    def joined(self, operation, values):
        """Combine the values whose name is not empty by the operation. Return an empty name
        if there is no such value."""
        total = ""
        for each in filter(None, values):
            total = self.emit(operation, total, each) if total else each
        return total


def expand_samples(make, node, inputs):
    emit = Emitter(make, node)
    sampler = _Sampler(emit)
    image, grid = inputs[:2]
    shape, places = emit.shape(image), emit.shape(grid)
    extents, samples = shape[2:], int(numpy.prod(places[1:-1]))
    if sampler.mode in ("cubic", "bicubic") and len(extents) != 2:
        emit.refuse(f"cubic samples need two dimensions, found {len(extents)}")
    if sampler.mode != "nearest" and not make.is_float(image):
        emit.refuse(f"{sampler.mode} samples need an image of floats, but '{image}' has integers")
    points = emit("Reshape", grid, emit.integers([places[0], samples, len(extents)]))
    dimensions = []
    for n, extent in enumerate(extents):
        last = len(extents) - 1 - n  # Points have the last dimension first.
        place = emit("Reshape", emit.sliced(points, 2, last, last + 1),
                     emit.integers([places[0], samples]))
        dimensions.append(sampler.taps(place, extent))

    pixels = emit("Reshape", image, emit.integers([*shape[:2], int(numpy.prod(extents))]))
    strides = [int(numpy.prod(extents[n + 1:])) for n in range(len(extents))]
    one = emit.integers([1])
    terms = []
    for taps in itertools.product(*dimensions):
        position = sampler.joined("Add", [emit("Mul", tap.pixel, emit.integers(stride))
                                          for tap, stride in zip(taps, strides)])
        position = emit("Expand", emit("Unsqueeze", position, one),
                        emit.integers([*shape[:2], samples]))
        value = emit("GatherElements", pixels, position, axis=2)
        inside = sampler.joined("And", [tap.inside for tap in taps])
        if inside:
            value = emit("Where", emit("Unsqueeze", inside, one), value, emit.number(0, value))
        weight = sampler.joined("Mul", [tap.weight for tap in taps])
        if weight:
            weight = emit("CastLike", emit("Unsqueeze", weight, one), value)
            value = emit("Mul", value, weight)
        terms.append(value)
    emit("Reshape", sampler.joined("Add", terms), emit.integers([*shape[:2], *places[1:-1]]),
         output=node.output[0])
