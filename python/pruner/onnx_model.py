#===- onnx_model.py - ONNX models as modules of torch-mlir ----------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Imports ONNX models through torch-mlir. Requires onnx and torch-mlir, not PyTorch.

Weights become arguments after the inputs before anything is imported, so that neither
ONNX's shape inference (limited to 2 GB) nor MLIR sees their elements.
"""

import os

import numpy

from . import onnx_expander
from .lowering import ModelError, brief, need, run_passes

# Initializers of at most this many elements stay constants of the graph: operations
# need many of them as constants (shapes, axes, scales).
INLINE_ELEMENTS = 64

# Operations of older versions of ONNX are updated to this one.
_UPDATED = 17

# By element type of ONNX: that of MLIR, for tensors that may be weights. MLIR's i8 has
# no sign.
_WEIGHTS = {1: "f32", 2: "i8", 3: "i8", 10: "f16", 11: "f64", 16: "bf16"}


def read(model):
    """Return a `ModelProto` of its own for a path or a `ModelProto`."""
    onnx = need("onnx")
    if isinstance(model, onnx.ModelProto):
        copy = onnx.ModelProto()
        copy.CopyFrom(model)
        return copy
    try:
        return onnx.load(os.fspath(model))
    except OSError as error:
        raise ModelError(f"cannot open '{model}': {error.strerror or error}") from error
    except Exception as error:  # protobuf's errors have no common class.
        raise ModelError(f"'{model}' is not an ONNX model: {brief(error)}") from error


def inputs(model):
    """Return the inputs of the graph that are not weights, as protos."""
    known = {tensor.name for tensor in model.graph.initializer}
    return [value for value in model.graph.input if value.name not in known]


def fix_shapes(model, shapes):
    """Set the shapes of inputs, by name. Raise `ModelError` if an input still has a
    dimension without a size."""
    by_name = {value.name: value for value in inputs(model)}
    for name, shape in shapes.items():
        if name not in by_name:
            raise ModelError(f"the model has no input '{name}', but {', '.join(by_name)}")
        kind = by_name[name].type.tensor_type
        known = [d.dim_value or None for d in kind.shape.dim]
        if kind.HasField("shape") and (len(known) != len(shape) or any(
                size not in (None, given) for size, given in zip(known, shape))):
            raise ModelError(f"the input '{name}' has the shape {_shape(kind)}, not "
                             + "x".join(map(str, shape)))
        kind.ClearField("shape")
        for size in shape:
            kind.shape.dim.add().dim_value = size
        kind.shape.SetInParent()
    if shapes:
        # They may name the dimensions that have a size now.
        del model.graph.value_info[:]
        for value in model.graph.output:
            value.type.tensor_type.ClearField("shape")
    for name, value in by_name.items():
        kind = value.type.tensor_type
        if not kind.HasField("shape") or any(
                not d.HasField("dim_value") for d in kind.shape.dim):
            raise ModelError(f"the input '{name}' has the dynamic shape {_shape(kind)}; "
                             "give its sizes (--shape or example inputs)")


def _shape(kind):
    return "x".join(str(d.dim_value) if d.HasField("dim_value") else d.dim_param or "?"
                    for d in kind.shape.dim) or "of unknown rank"


def prepare(model):
    """Turn constant nodes into initializers, update operations of old versions, and expand
    those that torch-mlir lowers in another way."""
    _as_initializers(model.graph)
    _update(model)
    _store_masks_as_bytes(model.graph)
    onnx_expander.expand(model)


def _store_masks_as_bytes(graph):
    """Store large initializers of booleans as bytes, in place: torch-mlir packs them in
    another way than MLIR."""
    onnx = need("onnx")
    for tensor in graph.initializer:
        if (tensor.data_type != onnx.TensorProto.BOOL
                or numpy.prod(tensor.dims) <= INLINE_ELEMENTS):
            continue
        name, array = tensor.name, onnx.numpy_helper.to_array(tensor)
        tensor.CopyFrom(onnx.numpy_helper.from_array(array.astype(numpy.int8),
                                                     name + "/pruner_bytes"))
        graph.node.insert(0, onnx.helper.make_node("Cast", [tensor.name], [name],
                                                   to=onnx.TensorProto.BOOL))


def _update(model):
    """Replace operations of versions that torch-mlir knows in part, in place."""
    onnx = need("onnx")
    old = [each for each in model.opset_import if each.domain in ("", "ai.onnx")]
    if not old or max(each.version for each in old) >= _UPDATED or any(
            node.domain not in ("", "ai.onnx") for node in model.graph.node):
        return
    version = max(each.version for each in old)
    if version < 13 and any(node.op_type == "Hardmax" for node in model.graph.node):
        raise ModelError("Hardmax before version 13 of ONNX is not supported")
    initializers = {each.name for each in model.graph.initializer}
    try:
        made = onnx.version_converter.convert_version(model, _UPDATED)
        onnx.checker.check_model(made)
    except Exception:  # Models above 2 GB, and operations without a newer version.
        return
    if [each.name for each in inputs(made)] != [
            each.name for each in model.graph.input if each.name not in initializers]:
        return
    for node in made.graph.node:
        if version < 11 and node.op_type == "Resize":  # The converter leaves them out.
            node.attribute.extend([
                onnx.helper.make_attribute("coordinate_transformation_mode", "asymmetric"),
                onnx.helper.make_attribute("nearest_mode", "floor")])
    model.CopyFrom(made)
    _as_initializers(model.graph)


def _as_initializers(graph):
    onnx = need("onnx")
    for n in reversed(range(len(graph.node))):
        node = graph.node[n]
        if node.op_type == "Constant" and not node.domain and node.attribute[0].name == "value":
            tensor = graph.initializer.add()
            tensor.CopyFrom(onnx.helper.get_attribute_value(node.attribute[0]))
            tensor.name = node.output[0]
            del graph.node[n]


def take_weights(model):
    """Turn large initializers of real numbers and bytes into inputs after the others.
    Return them as (element type, array) by name."""
    onnx = need("onnx")
    graph = model.graph
    free = inputs(model)
    weights, rest = {}, []
    fixed = {value.name for value in graph.output}
    for node in graph.node:
        if "Quantize" in node.op_type:
            fixed.update(node.input[1:])  # Scales, which must be constants.
    for tensor in graph.initializer:
        element = _WEIGHTS.get(tensor.data_type)
        if not element or numpy.prod(tensor.dims) <= INLINE_ELEMENTS or tensor.name in fixed:
            rest.append(tensor)
            continue
        array = onnx.numpy_helper.to_array(tensor)
        if element == "bf16":
            array = array.view(numpy.uint16)
        elif element == "i8":
            array = array.view(numpy.int8)
        weights[tensor.name] = element, numpy.ascontiguousarray(array)
        free.append(onnx.helper.make_tensor_value_info(
            tensor.name, tensor.data_type, list(tensor.dims)))
    rest = [onnx.TensorProto.FromString(tensor.SerializeToString()) for tensor in rest]
    free = [onnx.ValueInfoProto.FromString(value.SerializeToString()) for value in free]
    for field, values in ((graph.initializer, rest), (graph.input, free)):
        del field[:]
        field.extend(values)
    return weights


def to_torch(model):
    """Import a model of static shapes as a module of torch-mlir in backend form, with
    the function @main. Raise `ModelError`."""
    onnx = need("onnx")
    need("torch_mlir")
    from torch_mlir import ir
    from torch_mlir.dialects import torch as dialect
    from torch_mlir.extras import onnx_importer

    model.graph.name = "main"
    try:
        model = onnx.shape_inference.infer_shapes(model, data_prop=True)
        context = ir.Context()
        dialect.register_dialect(context)
        info = onnx_importer.ModelInfo(model)
        module = info.create_module(context=context)
        onnx_importer.NodeImporter.define_function(info.main_graph, module.operation).import_all()
        module.operation.verify()
    except Exception as error:
        raise ModelError(f"torch-mlir cannot import the model: {brief(error)}") from error
    run_passes(module, "torch-onnx-to-torch-backend-pipeline")
    return module
