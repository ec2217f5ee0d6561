#===- onnx_quantized.py - quantized operations of ONNX as others ----------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Expands operations of ONNX on quantized tensors, such as QLinearConv and those that
ONNX Runtime adds, and the functions of `onnx_functions`.

An operation on quantized tensors dequantizes its inputs, applies an operation on floats,
and quantizes the result. The expansion writes these three steps, and Pruner's
normalization sums the products of the bytes again. A result differs from that of the
operation only next to a tie.
"""

import numpy

from . import onnx_functions, onnx_weight_only
from .lowering import ModelError, need

_MICROSOFT = "com.microsoft"

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


class _Expander:
    """Appends the nodes that replace others."""

    def __init__(self, model):
        self.onnx = need("onnx")
        self.model, self.graph = model, model.graph
        self.opset = max((each.version for each in model.opset_import if not each.domain),
                         default=1)
        self.constants = {each.name: each for each in model.graph.initializer}
        self.nodes, self.count = [], 0
        self.types = None

    def _known(self):
        """Return the types and shapes of the model's tensors, by name."""
        if self.types is None:
            try:
                graph = self.onnx.shape_inference.infer_shapes(self.model).graph
            except Exception:  # Models above 2 GB.
                graph = self.graph
            self.types = {}
            for each in (*graph.input, *graph.value_info, *graph.output):
                kind = each.type.tensor_type
                sizes = [d.dim_value or None for d in kind.shape.dim]
                self.types[each.name] = kind.elem_type, (
                    sizes if kind.HasField("shape") and None not in sizes else None)
            self.types.update((each.name, (each.data_type, list(each.dims)))
                              for each in graph.initializer)
        return self.types

    def type_of(self, name):
        """Return the type of the elements of a tensor of the model, or None."""
        return self._known().get(name, (None, None))[0] or None

    def shape_of(self, name):
        """Return the sizes of a tensor of the model, or None."""
        return self._known().get(name, (None, None))[1]

    def is_float(self, name):
        """Return whether a tensor of the model is known to have floats."""
        proto = self.onnx.TensorProto
        return self.type_of(name) in (proto.FLOAT, proto.DOUBLE, proto.FLOAT16,
                                      proto.BFLOAT16)

    def limits(self, name):
        """Return the least and the largest finite number of a tensor of floats, or None."""
        if not self.is_float(name):
            return None
        dtype = self.onnx.helper.tensor_dtype_to_np_dtype(self.type_of(name))
        largest = numpy.array(3.3895313892515355e38 if dtype.name == "bfloat16"
                              else numpy.finfo(dtype).max, dtype)
        return -largest, largest

    def name(self, base):
        self.count += 1
        return f"{base}/pruner_{self.count}"

    def add(self, operation, inputs, output, **attributes):
        self.nodes.append(self.onnx.helper.make_node(operation, inputs, [output],
                                                     **attributes))
        return output

    def constant(self, array, base):
        tensor = self.onnx.numpy_helper.from_array(array, self.name(base))
        self.graph.initializer.append(tensor)
        self.constants[tensor.name] = tensor
        return tensor.name

    def reshaped(self, value, shape):
        shape = self.constant(numpy.array(shape, numpy.int64), value)
        return self.add("Reshape", [value, shape], self.name(value))

    def sliced(self, value, axis, end):
        """Return the elements before `end` along `axis`."""
        limits = [self.constant(numpy.array([each], numpy.int64), value)
                  for each in (0, end, axis)]
        return self.add("Slice", [value, *limits], self.name(value))

    def array(self, name):
        """Return the elements of a constant, or None."""
        tensor = self.constants.get(name)
        return None if tensor is None else self.onnx.numpy_helper.to_array(tensor)

    def dequantized(self, value, scale, zero_point, axis=None):
        """`axis` is that of a scale with more than one element."""
        known = self.array(scale)
        attributes = {}
        if axis is not None and (known is None or known.size > 1):
            if known is None or self.opset < 13:
                raise ModelError(f"the scale '{scale}' of channels needs to be a constant, "
                                 "and the model a version of ONNX from 13")
            attributes["axis"] = axis
        elif known is not None and known.ndim:
            scale = self.constant(known.reshape(()), scale)
            points = self.array(zero_point)
            if points is not None:
                zero_point = self.constant(points.reshape(()), zero_point)
        inputs = [value, scale, *([zero_point] if zero_point else [])]
        return self.add("DequantizeLinear", inputs, self.name(value), **attributes)

    def quantized(self, value, scale, zero_point, output):
        inputs = [value, scale, *([zero_point] if zero_point else [])]
        self.add("QuantizeLinear", inputs, output)

    def bias(self, value, factor, scales):
        """The bias in 32 bits times the scales of both factors."""
        real = self.add("Cast", [value], self.name(value),
                        to=self.onnx.TensorProto.FLOAT)
        known = [self.array(scale) for scale in scales]
        if all(each is not None for each in known):
            both = (known[0].reshape(-1) * known[1].reshape(-1)
                    * numpy.float32(factor)).astype(numpy.float32)
            both = self.constant(both if both.size > 1 else both.reshape(()), value)
        else:
            both = self.add("Mul", scales, self.name(value))
            if factor != 1:
                number = self.constant(numpy.array(factor, numpy.float32), value)
                both = self.add("Mul", [both, number], self.name(value))
        return self.add("Mul", [real, both], self.name(value))


def _expand_pooling(make, node, inputs):
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


def _unsigned(graph, onnx):
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


def _expand_dequantization(make, node, inputs):
    """torch-mlir does not dequantize 32 bits, such as biases. Their zero point is 0."""
    value, scale, output = inputs[0], inputs[1], node.output[0]
    if make.type_of(value) != make.onnx.TensorProto.INT32:
        make.nodes.append(node)
        return
    shape, axis = make.shape_of(scale), _attributes(node, make.onnx).get("axis", 1)
    rank = len(make.shape_of(value) or [])
    if shape is None or rank == 0 and shape:
        raise ModelError("DequantizeLinear of 32 bits needs known sizes")
    if shape and rank > 1:
        scale = make.reshaped(scale, [-1 if n == axis % rank and shape != [1] else 1
                                      for n in range(rank)])
    real = make.add("Cast", [value], make.name(value), to=make.onnx.TensorProto.FLOAT)
    make.add("Mul", [real, scale], output)


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


_EXPANSIONS = {
    **{name: _expand_elementwise for name in _ELEMENTWISE},
    "Clip": onnx_functions.expand_clip,
    "CumSum": onnx_functions.expand_cumulative_sum,
    "ConvInteger": _expand_integer_convolution,
    "DepthToSpace": onnx_functions.expand_depth_to_space,
    "Gelu": onnx_functions.expand_gelu,
    "Max": onnx_functions.expand_extremum,
    "Min": onnx_functions.expand_extremum,
    "Mod": onnx_functions.expand_mod,
    "Neg": onnx_functions.expand_negative,
    "Pow": onnx_functions.expand_power,
    "DequantizeLinear": _expand_dequantization,
    "QuantizeLinear": _expand_quantization,
    "QLinearConv": _expand_convolution,
    "QGemm": _expand_gemm,
    "QLinearConcat": _expand_concat,
    "MatMulNBits": onnx_weight_only.expand_product,
    "Reciprocal": onnx_functions.expand_reciprocal,
    "Sign": onnx_functions.expand_sign,
    "Softsign": onnx_functions.expand_softsign,
}


def _sign_channels(make, nodes):
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


def _names_read(nodes):
    """Return the names of all tensors that `nodes` and their graphs read."""
    found = set()
    for node in nodes:
        found.update(node.input)
        for attribute in node.attribute:
            for graph in (attribute.g, *attribute.graphs):
                found |= _names_read(graph.node)
    return found


def expand(model):
    """Replace operations on quantized tensors of `model`, in place. Constants have to
    be initializers."""
    make = _Expander(model)
    unsigned, expanded = _unsigned(model.graph, make.onnx), False
    for node in model.graph.node:
        known = _EXPANSIONS.get(node.op_type)
        if node.op_type == "MaxPool" and len(node.output) > 1 and node.output[1]:
            known = onnx_functions.expand_places
        elif node.op_type == "MaxPool" and (
                node.input[0] in unsigned
                or make.type_of(node.input[0]) == make.onnx.TensorProto.UINT8):
            known = _expand_pooling
        if node.op_type == "DequantizeLinear" and onnx_weight_only.is_nibbles(
                make, node.input[0]):
            known = onnx_weight_only.expand_dequantization
        if not known or node.domain not in ("", "ai.onnx", _MICROSOFT):
            make.nodes.append(node)
            continue
        before = len(make.nodes)
        known(make, node, list(node.input) + [""] * (9 - len(node.input)))
        expanded |= not (len(make.nodes) == before + 1 and make.nodes[-1] is node)
    _sign_channels(make, make.nodes)
    if not expanded:
        return
    read = _names_read(make.nodes) | {each.name for each in model.graph.output}
    unread = {name for node in model.graph.node for name in node.input} - read
    nodes = [make.onnx.NodeProto.FromString(node.SerializeToString())
             for node in make.nodes]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    for field in (model.graph.initializer, model.graph.input):
        for n in reversed(range(len(field))):
            if field[n].name in unread and field[n].name in make.constants:
                del field[n]
    # Shapes of tensors between the nodes may be of quantized ones that are no more.
    del model.graph.value_info[:]
