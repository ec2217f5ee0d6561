#===- onnx_expander.py - operations of ONNX as others ---------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Replaces operations of ONNX by others that torch-mlir lowers to the same values:

    onnx_attention.py    attention
    onnx_emitter.py      what these files write nodes with
    onnx_fused.py        operations that ONNX Runtime's optimizer fuses
    onnx_functions.py    functions that torch-mlir lowers to other values, or not at all
    onnx_quantized.py    operations on quantized tensors
    onnx_runtime.py      operations of ONNX Runtime for language models
    onnx_transformers.py functions of language models that torch-mlir does not lower
    onnx_weight_only.py  products with weights of 4 and 8 bits
"""

import numpy

from . import (onnx_attention, onnx_functions, onnx_fused, onnx_quantized, onnx_runtime,
               onnx_transformers, onnx_weight_only)
from .lowering import ModelError, need

_MICROSOFT = "com.microsoft"
# Images in blocks of channels.
_BLOCKED = "com.microsoft.nchwc"

# Initializers of more elements are not needed to infer shapes.
_SMALL = 1024

# Operations of ONNX. In Microsoft's domain some names mean others.
_STANDARD = {**onnx_attention.EXPANSIONS, **onnx_transformers.EXPANSIONS}

# Operations of ONNX and of Microsoft's domain.
_EXPANSIONS = {
    **onnx_functions.EXPANSIONS, **onnx_quantized.EXPANSIONS,
    "MatMulNBits": onnx_weight_only.expand_product,
}


class Expander:
    """Appends the nodes that replace others."""

    def __init__(self, model):
        self.onnx = need("onnx")
        self.model, self.graph = model, model.graph
        self.opset = max((each.version for each in model.opset_import if not each.domain),
                         default=1)
        self.constants = {each.name: each for each in model.graph.initializer}
        self.nodes, self.count = [], 0
        self.types = None

    def _inferred(self):
        """Return the graph with the shapes that ONNX infers. Large initializers become
        inputs of a copy, because inference is limited to 2 GB."""
        graph = self.onnx.GraphProto(name="g")
        graph.node.extend(self.graph.node)
        graph.value_info.extend(self.graph.value_info)
        graph.output.extend(self.graph.output)
        graph.input.extend(self.graph.input)
        given = {each.name for each in self.graph.input}
        for each in self.graph.initializer:
            if numpy.prod(each.dims) <= _SMALL:
                graph.initializer.append(each)
            elif each.name not in given:
                graph.input.append(self.onnx.helper.make_tensor_value_info(
                    each.name, each.data_type, list(each.dims)))
        model = self.onnx.ModelProto(ir_version=self.model.ir_version, graph=graph,
                                     opset_import=self.model.opset_import,
                                     functions=self.model.functions)
        try:
            return self.onnx.shape_inference.infer_shapes(model, data_prop=True).graph
        except Exception:  # protobuf's errors have no common class.
            return self.graph

    def _known(self):
        """Return the types and shapes of the model's tensors, by name."""
        if self.types is None:
            graph = self._inferred()
            self.types = {}
            for each in (*graph.input, *graph.value_info, *graph.output):
                kind = each.type.tensor_type
                sizes = [d.dim_value if d.HasField("dim_value") else None
                         for d in kind.shape.dim]
                self.types[each.name] = kind.elem_type, (
                    sizes if kind.HasField("shape") and None not in sizes else None)
            self.types.update((each.name, (each.data_type, list(each.dims)))
                              for each in self.graph.initializer)
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


def _names_read(nodes):
    """Return the names of all tensors that `nodes` and their graphs read."""
    found = set()
    for node in nodes:
        found.update(node.input)
        for attribute in node.attribute:
            for graph in (attribute.g, *attribute.graphs):
                found |= _names_read(graph.node)
    return found


def _replace(make):
    """Make the nodes of the expander those of its model, without what they do not read."""
    graph = make.graph
    read = _names_read(make.nodes) | {each.name for each in graph.output}
    unread = {name for node in graph.node for name in node.input} - read
    nodes = [make.onnx.NodeProto.FromString(node.SerializeToString())
             for node in make.nodes]
    del graph.node[:]
    graph.node.extend(nodes)
    for field in (graph.initializer, graph.input):
        for n in reversed(range(len(field))):
            if field[n].name in unread and field[n].name in make.constants:
                del field[n]
    # Shapes of tensors between the nodes may be of quantized ones that are no more.
    del graph.value_info[:]


def _apply(make, known, node):
    """Append what replaces `node`. Return whether that is something else."""
    before = len(make.nodes)
    known(make, node, list(node.input) + [""] * (16 - len(node.input)))
    return not (len(make.nodes) == before + 1 and make.nodes[-1] is node)


def _without_schema(node):
    """Return what expands an operation for which ONNX may not infer shapes, or None."""
    if node.domain == _MICROSOFT:
        return {**onnx_runtime.EXPANSIONS, **onnx_fused.EXPANSIONS,
                "MatMulNBits": onnx_weight_only.expand_product}.get(node.op_type)
    return _STANDARD.get(node.op_type) if node.domain in ("", "ai.onnx") else None


def _expand_without_schema(model):
    """Expand operations from the first to the last, because the shapes of the later ones are
    known after the earlier ones are expanded."""
    waits = expanded = True
    while waits and expanded:
        make, waits, expanded = Expander(model), False, False
        for node in model.graph.node:
            known = _without_schema(node)
            waiting = bool(known) and None in map(make.shape_of, filter(None, node.input))
            waits |= waiting
            if known and not waiting:
                expanded |= _apply(make, known, node)
            else:
                make.nodes.append(node)
        if expanded:
            _replace(make)
    if waits:  # Names the tensor whose shape is missing.
        make = Expander(model)
        for node in model.graph.node:
            if known := _without_schema(node):
                _apply(make, known, node)


def _check_domains(model):
    """Reject operations whose names may mean others, since torch-mlir reads only names."""
    known = {"", "ai.onnx", _MICROSOFT, *(each.domain for each in model.functions)}
    for node in model.graph.node:
        if node.domain in known:
            continue
        reason = ""
        if node.domain == _BLOCKED:
            reason = ("; ONNX Runtime writes it for one machine if the level of optimization is "
                      "above ORT_ENABLE_EXTENDED")
        raise ModelError(f"the operation {node.op_type} '{node.name or node.output[0]}' of the "
                         f"domain '{node.domain}' is not supported{reason}")


def expand(model):
    """Replace operations of `model`, in place. Constants have to be initializers."""
    _check_domains(model)
    _expand_without_schema(model)
    make = Expander(model)
    unsigned, expanded = onnx_quantized.unsigned(model.graph, make.onnx), False
    for node in model.graph.node:
        known = _EXPANSIONS.get(node.op_type)
        if node.op_type == "MaxPool" and len(node.output) > 1 and node.output[1]:
            known = onnx_functions.expand_places
        elif node.op_type == "MaxPool" and (
                node.input[0] in unsigned
                or make.type_of(node.input[0]) == make.onnx.TensorProto.UINT8):
            known = onnx_quantized.expand_pooling
        if node.op_type == "DequantizeLinear" and onnx_weight_only.is_nibbles(
                make, node.input[0]):
            known = onnx_weight_only.expand_dequantization
        if known and node.domain in ("", "ai.onnx", _MICROSOFT):
            expanded |= _apply(make, known, node)
        else:
            make.nodes.append(node)
    onnx_quantized.sign_channels(make, make.nodes)
    if expanded:
        _replace(make)
