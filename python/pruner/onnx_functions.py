#===- onnx_functions.py - functions of ONNX as others ---------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Expands operations of ONNX that torch-mlir lowers to other values than ONNX Runtime's:
those that lose NaN, that reject zero, or that have an inexact constant.

Each function appends nodes to `make`, an expander. `inputs` are the names of all inputs,
empty where one is left out.
"""

import math

import numpy

# torch-mlir lowers comparisons of this version of ONNX.
_COMPARES = 13


def _number(make, value, like):
    """Return a constant of the type of the tensor `like`."""
    constant = make.constant(numpy.array(value, numpy.float64), like)
    if make.opset < 15:  # There is no CastLike; narrow models are newer.
        return make.add("Cast", [constant], make.name(like), to=make.onnx.TensorProto.FLOAT)
    return make.add("CastLike", [constant, like], make.name(like))


def _selected(make, comparison, value, bound, output):
    """Return `bound` where `value` compares with it, else `value`, also if it is NaN."""
    outside = make.add(comparison, [value, bound], make.name(output))
    return make.add("Where", [outside, bound, value], output)


def expand_clip(make, node, inputs):
    value, low, high = inputs[:3]
    if make.opset < _COMPARES:
        make.nodes.append(node)
        return
    if not low and not high:
        make.add("Identity", [value], node.output[0])
    if low:
        value = _selected(make, "Less", value, low,
                          make.name(value) if high else node.output[0])
    if high:
        _selected(make, "Greater", value, high, node.output[0])


def expand_extremum(make, node, inputs):
    """Max or Min of any number of floats. Integers cannot be NaN, but have no IsNaN."""
    del inputs
    if (len(node.input) < 2 or make.opset < _COMPARES
            or not make.is_float(node.output[0])):
        make.nodes.append(node)
        return
    comparison = {"Max": "Greater", "Min": "Less"}[node.op_type]
    value, *others = node.input
    for other in others:
        taken = make.add("Or", [make.add(comparison, [value, other], make.name(value)),
                                make.add("IsNaN", [value], make.name(value))],
                         make.name(value))
        last = other is others[-1]
        value = make.add("Where", [taken, value, other],
                         node.output[0] if last else make.name(value))


def expand_gelu(make, node, inputs):
    value, output = inputs[0], node.output[0]
    if not any(each.name == "approximate" and each.s == b"tanh" for each in node.attribute):
        make.nodes.append(node)
        return

    def apply(operation, *operands):
        return make.add(operation, operands, make.name(output))

    def number(constant):
        return _number(make, constant, value)

    cube = apply("Mul", apply("Mul", value, value), value)
    inner = apply("Add", value, apply("Mul", cube, number(0.044715)))
    inner = apply("Mul", inner, number(math.sqrt(2 / math.pi)))
    factor = apply("Add", apply("Tanh", inner), number(1))
    make.add("Mul", [apply("Mul", value, number(0.5)), factor], output)


def expand_reciprocal(make, node, inputs):
    make.add("Div", [_number(make, 1, inputs[0]), inputs[0]], node.output[0])


def expand_softsign(make, node, inputs):
    value = inputs[0]
    size = make.add("Abs", [value], make.name(value))
    size = make.add("Add", [size, _number(make, 1, value)], make.name(value))
    make.add("Div", [value, size], node.output[0])
