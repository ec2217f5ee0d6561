#===- onnx_functions.py - functions of ONNX as others ---------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Expands operations of ONNX that torch-mlir lowers to other values than ONNX Runtime's:
those that lose NaN, that reject zero, or that have an inexact constant.

Each function appends nodes to `make`, an expander. `inputs` are the names of all inputs,
empty where one is left out.
"""

import numpy

from .lowering import ModelError
from .onnx_emitter import Emitter
from .onnx_sampling import expand_samples

# torch-mlir lowers comparisons of this version of ONNX.
_COMPARES = 13


def _attribute(node, name, default=0):
    """Return a whole number, or the default."""
    return next((each.i for each in node.attribute if each.name == name), default)


def _selected(make, comparison, value, bound, output):
    """Return `bound` where `value` compares with it, else `value`, also if it is NaN."""
    outside = make.add(comparison, [value, bound], make.name(output))
    return make.add("Where", [outside, bound, value], output)


def expand_clip(make, node, inputs):
    """A bound that is left out is the least or the largest finite number."""
    value, low, high = inputs[:3]
    if make.opset < _COMPARES:
        make.nodes.append(node)
        return
    limits = make.limits(node.output[0])
    if limits:
        low, high = (bound or make.constant(limit, value)
                     for bound, limit in zip((low, high), limits))
    elif not low and not high:
        make.add("Identity", [value], node.output[0])
    if low:
        value = _selected(make, "Less", value, low,
                          make.name(value) if high else node.output[0])
    if high:
        _selected(make, "Greater", value, high, node.output[0])


def expand_cumulative_sum(make, node, inputs):
    """A sum of the elements that a triangle selects. torch-mlir keeps prefix sums as an
    operation of its own."""
    value, axis = inputs[:2]
    shape, axis = make.shape_of(value), make.array(axis)
    if shape is None or axis is None or make.opset < _COMPARES:
        make.nodes.append(node)
        return
    axis = int(axis.reshape(())) % len(shape)
    own = {each.name: each.i for each in node.attribute}
    place = numpy.arange(shape[axis])
    before = place[:, None] - place[None, :]  # How far a term is before a sum.
    before = -before if own.get("reverse") else before
    taken = before > 0 if own.get("exclusive") else before >= 0
    # A new dimension after the axis has the terms of a sum.
    behind = len(shape) - axis - 1
    taken = make.constant(taken.reshape(*taken.shape, *[1] * behind).astype(numpy.int8), value)
    taken = make.add("Cast", [taken], make.name(value), to=make.onnx.TensorProto.BOOL)
    terms = make.add("Unsqueeze", [value, make.constant(numpy.array([axis]), value)],
                     make.name(value))
    zero = make.add("CastLike" if make.opset >= 15 else "Cast", [
        make.constant(numpy.array(0, numpy.float32), value),
        *([value] if make.opset >= 15 else [])], make.name(value),
        **({} if make.opset >= 15 else {"to": make.type_of(value)}))
    picked = make.add("Where", [taken, terms, zero], make.name(value))
    make.add("ReduceSum", [picked, make.constant(numpy.array([axis + 1]), value)],
             node.output[0], keepdims=0)


def expand_depth_to_space(make, node, inputs):
    """torch-mlir moves other elements if the mode is CRD."""
    shape = make.shape_of(inputs[0])
    own = {each.name: make.onnx.helper.get_attribute_value(each) for each in node.attribute}
    if shape is None and own.get("mode", b"DCR") == b"CRD":
        raise ModelError("DepthToSpace with mode CRD needs known sizes")
    if shape is None:
        make.nodes.append(node)
        return
    size, (batch, channels, height, width) = own["blocksize"], shape
    planes = channels // size ** 2
    if own.get("mode", b"DCR") == b"CRD":
        split, order = [batch, planes, size, size, height, width], [0, 1, 4, 2, 5, 3]
    else:
        split, order = [batch, size, size, planes, height, width], [0, 3, 4, 1, 5, 2]
    parts = make.reshaped(inputs[0], split)
    parts = make.add("Transpose", [parts], make.name(parts), perm=order)
    whole = make.constant(numpy.array([batch, planes, height * size, width * size]), parts)
    make.add("Reshape", [parts, whole], node.output[0])


def expand_space_to_depth(make, node, inputs):
    """torch-mlir knows only the mode DCR."""
    own = {each.name: make.onnx.helper.get_attribute_value(each) for each in node.attribute}
    if own.get("mode", b"DCR") != b"CRD":
        make.nodes.append(node)
        return
    shape, size = make.shape_of(inputs[0]), own["blocksize"]
    if shape is None:
        raise ModelError("SpaceToDepth with mode CRD needs known sizes")
    batch, planes, height, width = shape[0], shape[1], shape[2] // size, shape[3] // size
    parts = make.reshaped(inputs[0], [batch, planes, height, size, width, size])
    parts = make.add("Transpose", [parts], make.name(parts), perm=[0, 1, 3, 5, 2, 4])
    whole = make.constant(numpy.array([batch, planes * size ** 2, height, width]), parts)
    make.add("Reshape", [parts, whole], node.output[0])


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
    if any(each.name == "approximate" and each.s == b"tanh" for each in node.attribute):
        Emitter(make, node).tanh_gelu(inputs[0])
    else:
        make.nodes.append(node)


def expand_mod(make, node, inputs):
    """torch-mlir subtracts the product with a rounded quotient where the remainder has the
    sign of the dividend, and takes unsigned numbers for signed ones."""
    kind, (value, other), output = make.type_of(node.output[0]), inputs[:2], node.output[0]
    proto, apply = make.onnx.TensorProto, Emitter(make, node)
    if make.is_float(output):
        sizes = apply("Abs", value), apply("Abs", other)
        # Also next to infinite divisors.
        rest = apply("Where", apply("Less", *sizes), sizes[0], apply("Mod", *sizes))
        zero = apply.number(0, value)
        rest = apply("Where", apply("Less", value, zero), apply("Neg", rest), rest)
        if _attribute(node, "fmod"):
            make.add("Identity", [rest], output)
            return
        # The sign of the divisor.
        other_sign = apply("Xor", apply("Less", rest, zero), apply("Less", other, zero))
        moves = apply("And", other_sign, apply("Not", apply("Equal", rest, zero)))
        apply("Where", moves, apply("Add", rest, other), rest, output=output)
    elif kind in (proto.UINT8, proto.UINT16, proto.UINT32):
        wide = proto.INT64 if kind == proto.UINT32 else proto.INT32
        rest = apply("Mod", apply("Cast", value, to=wide), apply("Cast", other, to=wide))
        make.add("Cast", [rest], output, to=kind)
    else:
        make.nodes.append(node)


def expand_negative(make, node, inputs):
    """torch-mlir computes whole numbers as floats."""
    kind = make.type_of(node.output[0])
    if kind is None or make.is_float(node.output[0]):
        make.nodes.append(node)
        return
    dtype = make.onnx.helper.tensor_dtype_to_np_dtype(kind)
    zero = make.constant(numpy.array(0, dtype), inputs[0])
    make.add("Sub", [zero, inputs[0]], node.output[0])


def expand_power(make, node, inputs):
    """ONNX Runtime computes powers of whole numbers in f64. torch-mlir lowers those of
    floats only."""
    kind, output = make.type_of(inputs[0]), node.output[0]
    if kind is None or make.is_float(inputs[0]):
        make.nodes.append(node)
        return
    real = [make.add("Cast", [value], make.name(value), to=make.onnx.TensorProto.DOUBLE)
            for value in inputs[:2]]
    power = make.add("Pow", real, make.name(output))
    make.add("Cast", [power], output, to=kind)


def expand_places(make, node, inputs):
    """The places of the extrema of windows. ONNX counts from the beginning of the tensor, and
    torch-mlir from that of an image."""
    places, shape = node.output[1], make.shape_of(inputs[0])
    column_major = any(each.name == "storage_order" and each.i for each in node.attribute)
    if shape is None or column_major:
        raise ModelError("MaxPool with indices needs known sizes, and the storage order 0")
    planes = shape[0] * shape[1]
    first = numpy.arange(planes, dtype=numpy.int64) * int(numpy.prod(shape[2:]))
    first = make.constant(first.reshape(shape[0], shape[1], *[1] * (len(shape) - 2)), places)
    inner = make.name(places)
    make.nodes.append(make.onnx.helper.make_node(
        "MaxPool", [inputs[0]], [node.output[0], inner],
        **{each.name: make.onnx.helper.get_attribute_value(each) for each in node.attribute}))
    make.add("Add", [inner, first], places)


def expand_product(make, node, inputs):
    """torch-mlir does not lower the product of a batch of matrices with a vector."""
    a, b = (make.shape_of(value) for value in inputs[:2])
    if a is None or b is None or len(b) != 1 or len(a) < 3 or make.opset < _COMPARES:
        make.nodes.append(node)
        return
    last = make.constant(numpy.array([-1]), inputs[1])
    column = make.add("Unsqueeze", [inputs[1], last], make.name(inputs[1]))
    product = make.add("MatMul", [inputs[0], column], make.name(node.output[0]))
    make.add("Squeeze", [product, last], node.output[0])


def expand_reciprocal(make, node, inputs):
    make.add("Div", [Emitter(make, node).number(1, inputs[0]), inputs[0]], node.output[0])


def expand_shift(make, node, inputs):
    """Shifts by more than the bits of a number leave its sign, or nothing."""
    (value, distance), output = inputs[:2], node.output[0]
    if not make.type_of(value) or make.opset < 15:
        make.nodes.append(node)
        return
    kind = make.onnx.helper.tensor_dtype_to_np_dtype(make.type_of(value))
    apply = Emitter(make, node)
    rest = zero = apply.number(0, value)
    direction = next(each.s for each in node.attribute if each.name == "direction")
    if direction == b"RIGHT" and kind.kind == "i":
        rest = apply("Where", apply("Less", value, zero), apply.number(-1, value), zero)
    outside = apply("Or", apply("Less", distance, zero),
                    apply("GreaterOrEqual", distance, apply.number(8 * kind.itemsize, value)))
    shifted = apply("BitShift", value, apply("Where", outside, zero, distance),
                    direction=direction)
    apply("Where", outside, rest, shifted, output=output)


def expand_sign(make, node, inputs):
    """The sign of NaN is NaN."""
    value, output = inputs[0], node.output[0]
    if not make.is_float(output):
        make.nodes.append(node)
        return
    sign = make.add("Sign", [value], make.name(output))
    make.add("Where", [make.add("IsNaN", [value], make.name(output)), value, sign], output)


def expand_softsign(make, node, inputs):
    value = inputs[0]
    size = make.add("Abs", [value], make.name(value))
    size = make.add("Add", [size, Emitter(make, node).number(1, value)], make.name(value))
    make.add("Div", [value, size], node.output[0])


def expand_normalization(make, node, inputs):
    """torch-mlir divides by a norm that is zero."""
    value, axis, power = inputs[0], _attribute(node, "axis", -1), _attribute(node, "p", 2)
    shape = make.shape_of(value)
    if shape is None or make.opset < _COMPARES:
        make.nodes.append(node)
        return
    norm = Emitter(make, node).reduce(f"ReduceL{power}", value, [axis % len(shape)])
    zero = Emitter(make, node).number(0, value)
    empty = make.add("Equal", [norm, zero], make.name(value))
    ratio = make.add("Div", [value, norm], make.name(value))
    make.add("Where", [empty, zero, ratio], node.output[0])


def expand_loss(make, node, inputs):
    if inputs[2]:
        Emitter(make, node).refuse(f"its weights '{inputs[2]}' are not supported")
    make.nodes.append(node)


def expand_memory(make, node, inputs):
    if inputs[7]:
        Emitter(make, node).refuse(f"its peepholes '{inputs[7]}' are not supported")
    make.nodes.append(node)


def expand_resize(make, node, inputs):
    """torch-mlir takes the corners of the rounded size."""
    scales, shape = make.array(inputs[2]), make.shape_of(inputs[0])
    corners = any(each.s == b"align_corners" for each in node.attribute)
    if corners and inputs[2] and (scales is None or shape is None or (
            scales.size and numpy.any(numpy.array(shape) * scales % 1))):
        Emitter(make, node).refuse("with align_corners, scales that give sizes with fractions "
                                   "are not supported")
    make.nodes.append(node)


def expand_pad(make, node, inputs):
    """MLIR drops a padding that leaves the shape unchanged, such as 1 before and -1 after.
    Negative amounts become a slice."""
    emit, value = Emitter(make, node), inputs[0]
    pads, axes = make.array(inputs[1]), make.array(inputs[3])
    if inputs[1] and pads is not None:
        pads = [int(each) for each in pads.reshape(-1)]
    else:
        pads = emit.attributes.get("pads") or []
    if min(pads, default=0) >= 0:
        make.nodes.append(node)
        return
    if emit.attributes.get("mode", b"constant") != b"constant":
        emit.refuse("negative amounts are supported with the mode 'constant' only")
    count = len(pads) // 2
    axes = list(range(count)) if axes is None else [int(each) for each in axes.reshape(-1)]
    shape = emit.shape(value)
    begins = [max(-each, 0) for each in pads[:count]]
    ends = [shape[axis] - max(-each, 0) for axis, each in zip(axes, pads[count:])]
    part = emit("Slice", value, *map(emit.integers, (begins, ends, axes)))
    amounts = [[max(each, 0) for each in some] for some in (pads[:count], pads[count:])]
    whole = [[dict(zip([axis % len(shape) for axis in axes], some)).get(n, 0)
              for n in range(len(shape))] for some in amounts]
    fill = inputs[2] or emit.number(emit.attributes.get("value", 0), value)
    emit("Pad", part, emit.integers(whole[0] + whole[1]), fill, output=emit.output)


EXPANSIONS = {
    "BitShift": expand_shift,
    "Clip": expand_clip,
    "CumSum": expand_cumulative_sum,
    "DepthToSpace": expand_depth_to_space,
    "Gelu": expand_gelu,
    "GridSample": expand_samples,
    "LSTM": expand_memory,
    "LpNormalization": expand_normalization,
    "MatMul": expand_product,
    "Max": expand_extremum,
    "Min": expand_extremum,
    "Mod": expand_mod,
    "Neg": expand_negative,
    "Pad": expand_pad,
    "Pow": expand_power,
    "Reciprocal": expand_reciprocal,
    "Resize": expand_resize,
    "Sign": expand_sign,
    "SoftmaxCrossEntropyLoss": expand_loss,
    "Softsign": expand_softsign,
    "SpaceToDepth": expand_space_to_depth,
}
