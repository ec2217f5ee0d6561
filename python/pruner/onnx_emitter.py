#===- onnx_emitter.py - nodes that replace an ONNX operation ---------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the nodes by which an expander replaces an operation."""

import math

import numpy

from .lowering import ModelError


class Emitter:
    """Appends nodes for `node`. Results without a name get one."""

    def __init__(self, make, node):
        self.make, self.node, self.output = make, node, node.output[0]
        self.attributes = {each.name: make.onnx.helper.get_attribute_value(each)
                           for each in node.attribute}

    def __call__(self, operation, *operands, output=None, **attributes):
        return self.make.add(operation, operands, output or self.make.name(self.output),
                             **attributes)

    def integers(self, values):
        return self.make.constant(numpy.array(values, numpy.int64), self.output)

    def reduce(self, operation, value, axes):
        """Return a reduction that keeps its dimensions."""
        if self.make.opset < 18 and operation != "ReduceSum":
            return self(operation, value, axes=axes, keepdims=1)
        return self(operation, value, self.integers(axes), keepdims=1)

    def number(self, value, like):
        """Return a constant of the type of the tensor `like`."""
        constant = self.make.constant(numpy.array(value, numpy.float64), self.output)
        if self.make.opset < 15:  # There is no CastLike; narrow models are newer.
            return self("Cast", constant, to=self.make.onnx.TensorProto.FLOAT)
        return self("CastLike", constant, like)

    def tanh_gelu(self, value):
        """Write the approximation of GELU by a hyperbolic tangent."""
        cube = self("Mul", self("Mul", value, value), value)
        inner = self("Add", value, self("Mul", cube, self.number(0.044715, value)))
        inner = self("Tanh", self("Mul", inner, self.number(math.sqrt(2 / math.pi), value)))
        factor = self("Add", inner, self.number(1.0, value))
        self("Mul", self("Mul", value, self.number(0.5, value)), factor, output=self.output)

    def refuse(self, reason):
        raise ModelError(f"the operation {self.node.op_type} "
                         f"'{self.node.name or self.output}': {reason}")

    def shape(self, name):
        shape = self.make.shape_of(name)
        if shape is None:
            self.refuse(f"the shape of '{name}' is not known")
        return shape

    def sliced(self, value, axis, begin, end):
        return self("Slice", value, *(self.integers([each]) for each in (begin, end, axis)))

    def split(self, value, shape, attribute):
        """Return a tensor [batch, length, heads, size] and its shape. `attribute` is the
        number of heads."""
        count = self.attributes.get(attribute)
        if len(shape) != 3 or not count or shape[2] % count:
            self.refuse(f"'{value}' has the shape {'x'.join(map(str, shape))}, expected four "
                        f"dimensions, or three and a divisor of the last one as {attribute}")
        parts = [shape[0], shape[1], count, shape[2] // count]
        return self("Reshape", value, self.integers(parts)), parts
