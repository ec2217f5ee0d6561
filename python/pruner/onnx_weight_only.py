#===- onnx_weight_only.py - products with packed weights of ONNX ----------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Expands operations of ONNX on weights of 4 and 8 bits whose groups have scales:
ONNX Runtime's MatMulNBits, and DequantizeLinear on INT4 and UINT4.

    real = (integer - zero point of its group) * scale of its group

The bytes with two integers stay the weights of the program. Shifts unpack them to a new
last dimension, the low half first, which is the form that Pruner's normalization moves
into the products.
"""

import numpy

from .lowering import ModelError

# By element type of ONNX: whether integers of 4 bits have a sign.
_SIGNED = {21: False, 22: True}


def _unpacked(packed, count):
    """Return the integers of 4 bits in the bytes of `packed` along its last dimension,
    which has `count` of them."""
    return numpy.stack([packed & 15, packed >> 4], -1).reshape(
        *packed.shape[:-1], -1)[..., :count]


def _unpack(make, packed, shape, base):
    """Return a tensor of unsigned bytes of the given shape with the halves of `packed`,
    bytes of unsigned integers."""
    four = make.constant(numpy.array(4, numpy.uint8), base)
    bytes_ = make.constant(packed, base)

    def shifted(value, direction):
        return make.add("BitShift", [value, four], make.name(base), direction=direction)

    halves = [shifted(shifted(bytes_, "LEFT"), "RIGHT"), shifted(bytes_, "RIGHT")]
    halves = [make.reshaped(half, [*packed.shape, 1]) for half in halves]
    stacked = make.add("Concat", halves, make.name(base), axis=packed.ndim)
    return make.reshaped(stacked, shape)


def _dequantized(make, integers, scales, zero_points, kind, base):
    """Return (integers - zero points) * scales in the type `kind` of the scales. The
    zero points are a constant array, or the name of a tensor of that type."""
    real = make.add("Cast", [integers], make.name(base), to=kind)
    if isinstance(zero_points, numpy.ndarray):
        zero_points = make.add("Cast", [make.constant(zero_points, base)],
                               make.name(base), to=kind)
    real = make.add("Sub", [real, zero_points], make.name(base))
    return make.add("Mul", [real, scales], make.name(base))


def expand_product(make, node, inputs):
    """Expand MatMulNBits: the product of a matrix and the transposed one of groups of
    integers."""
    known = {each.name: make.onnx.helper.get_attribute_value(each)
             for each in node.attribute}
    rows, terms, group = known["N"], known["K"], known["block_size"]
    bits, groups = known.get("bits", 4), -(-known["K"] // known["block_size"])
    x, weights, scales, zero_points, order, bias = inputs[:6]
    base = node.output[0]
    if bits not in (4, 8):
        raise ModelError(f"MatMulNBits '{base}' has {bits} bits; expected 4 or 8")
    if order:
        raise ModelError(f"MatMulNBits '{base}' has the input g_idx, which is not supported")
    packed = make.array(weights)
    if packed is None or scales not in make.constants:
        raise ModelError(f"the weights of MatMulNBits '{base}' need to be constants")
    kind = make.constants[scales].data_type

    shape = [rows, groups, group]
    packed = packed.reshape(rows, groups, -1)
    if bits == 4:
        integers = _unpack(make, packed.reshape(rows, -1), shape, weights)
    else:
        integers = make.constant(packed, weights)
    scales = make.constant(make.array(scales).reshape(rows, groups, 1), scales)
    points = make.array(zero_points) if zero_points else None
    if zero_points and points is None:
        raise ModelError(f"the zero points of MatMulNBits '{base}' need to be constants")
    if points is None:
        points = numpy.full((1, 1, 1), 1 << (bits - 1), numpy.uint8)
    elif points.dtype == numpy.uint8:
        points = points.reshape(rows, -1)
        points = (_unpacked(points, groups) if bits == 4 else points).reshape(
            rows, groups, 1)
    else:
        points = make.constant(points.reshape(rows, groups, 1), zero_points)
    real = _dequantized(make, integers, scales, points, kind, weights)
    real = make.reshaped(real, [rows, groups * group])
    if groups * group != terms:
        if make.opset < 13:
            raise ModelError(f"MatMulNBits '{base}' has {terms} terms in blocks of {group}, "
                             "which needs a version of ONNX from 13")
        real = make.sliced(real, 1, terms)
    real = make.add("Transpose", [real], make.name(weights), perm=[1, 0])
    product = base if not bias else make.name(base)
    make.add("MatMul", [x, real], product)
    if bias:
        make.add("Add", [product, bias], base)


def is_nibbles(make, name):
    """Whether a constant has integers of 4 bits."""
    tensor = make.constants.get(name)
    return tensor is not None and tensor.data_type in _SIGNED


def _nibbles(make, name):
    """Return the bytes of a constant with integers of 4 bits, as unsigned integers in
    the order of its elements, and by how much these are larger."""
    tensor = make.constants[name]
    signed = _SIGNED[tensor.data_type]
    data = (numpy.frombuffer(tensor.raw_data, numpy.uint8) if tensor.HasField("raw_data")
            else numpy.array(tensor.int32_data, numpy.int64).astype(numpy.uint8))
    return (data ^ 0x88 if signed else data), 8 if signed else 0


def expand_dequantization(make, node, inputs):
    """Expand DequantizeLinear of a constant of 4 bits."""
    weights, scales, zero_points = inputs[:3]
    base = node.output[0]
    known = {each.name: each.i for each in node.attribute}
    shape = list(make.constants[weights].dims)
    axis, group = known.get("axis", 1) % max(len(shape), 1), known.get("block_size", 0)
    scale = make.array(scales)
    if scale is None or not shape or shape[-1] % 2 or (group and shape[axis] % group):
        raise ModelError(f"DequantizeLinear '{base}' of 4 bits needs constant scales, rows "
                         "with an even number of elements, and whole blocks")
    packed, above = _nibbles(make, weights)
    points = numpy.zeros(scale.shape, numpy.uint8)
    if zero_points:
        packed_points, _ = _nibbles(make, zero_points)
        points = _unpacked(packed_points, points.size).reshape(scale.shape)
    elif above:
        points = points + numpy.uint8(above)
    if group:
        parts = [*shape[:axis], shape[axis] // group, group, *shape[axis + 1:]]
        scale, points = (numpy.expand_dims(each, axis + 1) for each in (scale, points))
    else:
        parts = shape
        if scale.ndim:
            along = [-1 if n == axis else 1 for n in range(len(shape))]
            scale, points = scale.reshape(along), points.reshape(along)
    integers = _unpack(make, packed.reshape(*shape[:-1], -1), parts, weights)
    kind = make.constants[scales].data_type
    real = _dequantized(make, integers, make.constant(scale, scales), points, kind, weights)
    shape = make.constant(numpy.array(shape, numpy.int64), weights)
    make.add("Reshape", [real, shape], base)
