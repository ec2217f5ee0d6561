#===- onnx_quantized.py - quantized operations of ONNX as others ----------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Expands operations of ONNX on quantized tensors, such as QLinearConv and those that
ONNX Runtime adds. Each function appends nodes to `make`, an expander.

An operation on quantized tensors dequantizes its inputs, applies an operation on floats,
and quantizes the result. The expansion writes these three steps, and Pruner's
normalization sums the products of the bytes again. A result differs from that of the
operation only next to a tie.
"""

import numpy

from .lowering import ModelError

# By operation: that on floats, and the number of inputs, each with a scale and a zero
# point. Then come the scale and the zero point of the result.
_ELEMENTWISE = {
    "QLinearAdd": ("Add", 2),
    "QLinearMul": ("Mul", 2),
    "QLinearMatMul": ("MatMul", 2),
    "QLinearSigmoid": ("Sigmoid", 1),
    "QLinearLeakyRelu": ("LeakyRelu", 1),
    "QLinearSoftmax": ("Softmax", 1),
    "QLinearAveragePool": ("AveragePool", 1),
    "QLinearGlobalAveragePool": ("GlobalAveragePool", 1),
    "QLinearReduceMean": ("ReduceMean", 1),
}
# Attributes of ONNX Runtime's operations that ONNX's do not have.
_ADDED = {"channels_last", "opset"}


# Operations whose result has the elements of their first input.
_MOVING = {"Flatten", "Identity", "MaxPool", "Reshape", "Squeeze", "Transpose", "Unsqueeze"}


def expand_pooling(make, node, inputs):
    """torch-mlir compares unsigned bytes as signed ones. Floats hold them exactly."""
    one = make.constant(numpy.array(1, numpy.float32), node.output[0])
    zero = make.constant(numpy.array(0, numpy.uint8), node.output[0])
    result = make.add("MaxPool", [make.dequantized(inputs[0], one, zero)],
                      make.name(node.output[0]), **_attributes(node, make.onnx))
    make.quantized(result, one, zero, node.output[0])


def _zero_point(node):
    """Return the name of the zero point of a quantized result, and whether there is
    such a result."""
    inputs = list(node.input) + [""] * (9 - len(node.input))
    if node.op_type in _ELEMENTWISE:
        return inputs[3 * _ELEMENTWISE[node.op_type][1] + 1], True
    place = {"QuantizeLinear": 2, "QLinearConv": 7, "QGemm": 8, "QLinearConcat": 1}
    known = node.op_type in place and (node.op_type != "QGemm" or bool(inputs[7]))
    return inputs[place[node.op_type]] if known else "", known


def unsigned(graph, onnx):
    """Return the names of quantized tensors of unsigned bytes."""
    types = {each.name: each.data_type for each in graph.initializer}
    found = set()
    for node in graph.node:
        zero_point, quantizes = _zero_point(node)
        if quantizes and types.get(zero_point, onnx.TensorProto.UINT8) == onnx.TensorProto.UINT8:
            found.add(node.output[0])
        elif node.op_type == "DynamicQuantizeLinear" or (
                node.op_type in _MOVING and node.input[0] in found):
            found.add(node.output[0])
    return found


def _attributes(node, onnx):
    return {each.name: onnx.helper.get_attribute_value(each) for each in node.attribute
            if each.name not in _ADDED}


def _expand_elementwise(make, node, inputs):
    operation, count = _ELEMENTWISE[node.op_type]
    own = _attributes(node, make.onnx)
    if any(each.name == "channels_last" and each.i for each in node.attribute):
        raise ModelError(f"{node.op_type} with channels_last is not supported")
    reals = []
    for n in range(count):
        value, scale, zero_point = inputs[3 * n:3 * n + 3]
        # A matrix may have one scale for each column.
        axis = 1 if node.op_type == "QLinearMatMul" and n == 1 else None
        reals.append(make.dequantized(value, scale, zero_point, axis))
    result = make.add(operation, reals, make.name(node.output[0]), **own)
    make.quantized(result, inputs[3 * count], inputs[3 * count + 1], node.output[0])


def _expand_convolution(make, node, inputs):
    x, x_scale, x_zero, w, w_scale, w_zero, scale, zero, bias = inputs[:9]
    reals = [make.dequantized(x, x_scale, x_zero), make.dequantized(w, w_scale, w_zero, 0)]
    if bias:
        reals.append(make.bias(bias, 1, [x_scale, w_scale]))
    result = make.add("Conv", reals, make.name(node.output[0]),
                      **_attributes(node, make.onnx))
    make.quantized(result, scale, zero, node.output[0])


def _expand_gemm(make, node, inputs):
    a, a_scale, a_zero, b, b_scale, b_zero, bias, scale, zero = inputs[:9]
    own = _attributes(node, make.onnx)
    column = 0 if own.get("transB") else 1
    reals = [make.dequantized(a, a_scale, a_zero),
             make.dequantized(b, b_scale, b_zero, column)]
    if bias:
        reals.append(make.bias(bias, own.get("alpha", 1), [a_scale, b_scale]))
    result = make.name(node.output[0]) if scale else node.output[0]
    make.add("Gemm", reals, result, **own)
    if scale:
        make.quantized(result, scale, zero, node.output[0])


def _expand_concat(make, node, inputs):
    scale, zero, *parts = inputs
    reals = [make.dequantized(*parts[n:n + 3])
             for n in range(0, len(node.input) - 2, 3)]
    result = make.add("Concat", reals, make.name(node.output[0]),
                      **_attributes(node, make.onnx))
    make.quantized(result, scale, zero, node.output[0])


def _dequantize(make, node, value, scale, zero_point):
    """(value - zero point) * scale by operations on floats."""
    shape, axis = make.shape_of(scale), _attributes(node, make.onnx).get("axis", 1)
    rank, kind = len(make.shape_of(value) or []), make.type_of(scale)
    if shape is None or rank == 0 and shape:
        raise ModelError(f"DequantizeLinear of '{value}' needs known sizes")

    def spread(each):
        if not shape or rank < 2:
            return each
        return make.reshaped(each, [-1 if n == axis % rank and shape != [1] else 1
                                    for n in range(rank)])

    real = make.add("Cast", [value], make.name(value), to=kind)
    if zero_point:
        zero_point = make.add("Cast", [zero_point], make.name(value), to=kind)
        real = make.add("Sub", [real, spread(zero_point)], make.name(value))
    make.add("Mul", [real, spread(scale)], node.output[0])


def _expand_dequantization(make, node, inputs):
    """torch-mlir does not dequantize 32 bits, such as biases (their zero point is 0), and
    channels without zero points. It takes unsigned zero points of channels for signed ones;
    those of constants are made signed (`sign_channels`)."""
    value, scale, zero_point = inputs[:3]
    kind, proto = make.type_of(value), make.onnx.TensorProto
    if kind == proto.INT32:
        _dequantize(make, node, value, scale, "")
        return
    shape, own = make.shape_of(scale), _attributes(node, make.onnx)
    rank = len(make.shape_of(value) or [])
    if (kind not in (proto.INT8, proto.UINT8) or shape is None or not rank
            or own.get("block_size")):
        make.nodes.append(node)
        return

    def scalar(each):
        known = make.array(each)
        return (make.reshaped(each, []) if known is None
                else make.constant(known.reshape(()), each))

    known = [each in make.constants for each in (value, scale, zero_point) if each]
    if shape == [1]:
        scale, zero_point = scalar(scale), zero_point and scalar(zero_point)
        shape = []
    elif shape and (not all(known[1:]) or kind == proto.UINT8 and not known[0]):
        _dequantize(make, node, value, scale, zero_point)
        return
    if not zero_point:
        zeros = numpy.zeros(shape, numpy.int8 if kind == proto.INT8 else numpy.uint8)
        zero_point = make.constant(zeros, value)
    own = {"axis": own.get("axis", 1) % rank} if shape else {}
    make.add("DequantizeLinear", [value, scale, zero_point], node.output[0], **own)


def _expand_quantization(make, node, inputs):
    """A zero point that is left out is 0, of unsigned bytes."""
    shape = make.shape_of(inputs[1])
    if inputs[2] or shape is None or node.attribute and any(
            each.name in ("output_dtype", "block_size") and each.i for each in node.attribute):
        make.nodes.append(node)
        return
    zero = make.constant(numpy.zeros(shape, numpy.uint8), inputs[1])
    make.add("QuantizeLinear", [*inputs[:2], zero], node.output[0],
             **_attributes(node, make.onnx))


def _expand_integer_convolution(make, node, inputs):
    """Write a convolution over one dimension as one over two, which torch-mlir lowers."""
    x, weights, *zero_points = inputs[:4]
    if (weights not in make.constants or len(make.constants[weights].dims) != 3
            or make.opset < 13):
        make.nodes.append(node)
        return
    axis = make.constant(numpy.array([2], numpy.int64), x)
    own = _attributes(node, make.onnx)
    for name, first in (("dilations", [1]), ("strides", [1]), ("kernel_shape", [1])):
        if name in own:
            own[name] = [*first, *own[name]]
    if "pads" in own:
        own["pads"] = [0, own["pads"][0], 0, own["pads"][1]]
    wide = [make.add("Unsqueeze", [value, axis], make.name(value))
            for value in (x, weights)]
    while zero_points and not zero_points[-1]:
        zero_points.pop()
    result = make.add("ConvInteger", [*wide, *zero_points], make.name(node.output[0]), **own)
    make.add("Squeeze", [result, axis], node.output[0])


EXPANSIONS = {
    **{name: _expand_elementwise for name in _ELEMENTWISE},
    "ConvInteger": _expand_integer_convolution,
    "DequantizeLinear": _expand_dequantization,
    "QuantizeLinear": _expand_quantization,
    "QLinearConv": _expand_convolution,
    "QGemm": _expand_gemm,
    "QLinearConcat": _expand_concat,
}




def sign_channels(make, nodes):
    """Make signed bytes of constants whose unsigned zero points differ by channel, in
    place. torch-mlir extends such zero points as signed ones. Without 128, the bytes
    stand for the same numbers."""
    onnx, signed, readers = make.onnx, {}, {}
    for node in nodes:
        for name in node.input:
            readers[name] = readers.get(name, 0) + 1

    def without_sign(name):
        if name not in signed:
            array = (make.array(name).astype(numpy.int16) - 128).astype(numpy.int8)
            if readers[name] == 1:
                make.constants[name].CopyFrom(onnx.numpy_helper.from_array(array, name))
                signed[name] = name
            else:
                signed[name] = make.constant(array, name)
        return signed[name]

    for node in nodes:
        if node.op_type != "DequantizeLinear" or len(node.input) < 3:
            continue
        value, zero_points = node.input[0], make.constants.get(node.input[2])
        if (zero_points is None or zero_points.data_type != onnx.TensorProto.UINT8
                or numpy.prod(zero_points.dims) == 1):
            continue
        if value not in make.constants:
            raise ModelError(f"'{value}' has unsigned zero points of channels; expected "
                             "a constant")
        node.input[0], node.input[2] = without_sign(value), without_sign(node.input[2])
