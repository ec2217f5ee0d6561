#===- program.py - from a module to a linalg program -----------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Captures a network with torch.export and imports it through torch-mlir.

torch.export makes every parameter, buffer and tensor constant an input of the graph.
The graph's signature records the tensor of the module that each one stands for.
Removing this record turns them into plain inputs, which the importer converts to
function arguments. The text therefore never contains the weights.
"""

import dataclasses
import logging
import math
import warnings

from pruner import lowering
from pruner.lowering import ModelError, brief

from . import ExportError, constants, dimensions, functions, narrow, quantized
from .element_types import element_type
from .networks import need

# Tensor constants of at most this many elements stay in the text.
INLINE_ELEMENTS = 64


@dataclasses.dataclass
class Argument:
    """One argument of the function. `kind` is input, parameter, buffer or constant.
    `tensor` is its value: the weight, or the example input."""

    name: str
    kind: str
    tensor: object


@dataclasses.dataclass
class Program:
    """A captured network: the text, its arguments and results in order.

    `results` are (name, tensor): what PyTorch computes from the arguments. `shapes` are
    the shapes of arguments and results, with names for the extents of dynamic
    dimensions; None if all are static."""

    text: str
    arguments: list
    results: list
    shapes: tuple = None


def _named_tensors(value, name=""):
    """Return the tensors in a module's result, each with a name, in order."""
    torch = need("torch")
    if torch.is_tensor(value):
        return [(name or "result", value)]
    if value is None:
        return []
    if isinstance(value, dict):
        items = value.items()
    elif isinstance(value, (tuple, list)):
        items = enumerate(value)
    else:
        raise ExportError(
            f"the model returns a {type(value).__name__}; only tensors, and "
            "tuples and dictionaries of them, can be results"
        )
    prefix = name + "." if name else ""
    return [
        found
        for key, inner in items
        for found in _named_tensors(inner, f"{prefix}{key}")
    ]


def flatten(network):
    """Return a module with tensors as inputs and a flat tuple of tensors as results,
    and its inputs as (names, tensors)."""
    torch = need("torch")
    module, wanted = network.module, network.results
    keywords = list(network.inputs) if isinstance(network.inputs, dict) else None
    tensors = tuple(network.inputs.values()) if keywords else tuple(network.inputs)
    for tensor in tensors:
        if not torch.is_tensor(tensor):
            raise ExportError(
                f"example inputs must be tensors, not {type(tensor).__name__}"
            )

    class Flat(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = module

        def named(self, *tensors):
            if keywords:
                found = _named_tensors(self.inner(**dict(zip(keywords, tensors))))
            else:
                found = _named_tensors(self.inner(*tensors))
            if wanted is None:
                return found
            by_name = dict(found)
            for name in wanted:
                if name not in by_name:
                    raise ExportError(
                        f"the model has no result '{name}', but {', '.join(by_name)}"
                    )
            return [(name, by_name[name]) for name in wanted]

        def forward(self, *tensors):
            return tuple(tensor for _, tensor in self.named(*tensors))

    return Flat(), keywords, tensors


def _cumsum(tensor, dim, *, dtype=None):
    """Compute a prefix sum as a product with a lower triangle.

    torch-mlir keeps aten.cumsum as an op of its own dialect. Models apply it to
    positions and masks, which are short vectors, so the quadratic work is small."""
    torch = need("torch")
    if dtype is None and not tensor.is_floating_point():
        dtype = torch.int64
    tensor = tensor if dtype is None else tensor.to(dtype)
    if not tensor.dim():
        return tensor.clone()
    length = tensor.shape[dim]
    place = torch.arange(length, device=tensor.device)
    lower = place.unsqueeze(0) <= place.unsqueeze(1)
    rows = tensor.transpose(dim, -1).unsqueeze(-2)
    picked = torch.where(lower, rows, tensor.new_zeros(()))
    return picked.sum(-1, dtype=tensor.dtype).transpose(dim, -1)


def _dense_order(sizes, strides):
    """Return the dimensions of a tensor without gaps in memory, outermost first and those
    of size 1 last; None if there are gaps or elements that overlap."""
    order = sorted((n for n, size in enumerate(sizes) if size != 1),
                   key=lambda n: strides[n], reverse=True)
    step = 1
    for n in reversed(order):
        if strides[n] != step:
            return None
        step *= sizes[n]
    return order + [n for n, size in enumerate(sizes) if size == 1]


def _as_strided(value, size, stride, storage_offset=None):
    """Express another view of the same memory by permutations and a reshape, or by reading
    element by element.

    torch-mlir takes the elements to be contiguous. PyTorch itself restrides the result of
    a mean over channels-last images, for example."""
    torch = need("torch")
    numbers = [*value.shape, *value.stride(), value.storage_offset(), *size, *stride]
    if not all(type(number) is int for number in numbers) or 0 in size:
        return NotImplemented
    stored = _dense_order(value.shape, value.stride())
    first = 0 if storage_offset is None else storage_offset - value.storage_offset()
    last = first + sum((size[n] - 1) * stride[n] for n in range(len(size)))
    if stored is None or first < 0 or last >= value.numel():
        return NotImplemented  # Elements of other tensors.
    elements = value.permute(stored)
    wanted = _dense_order(size, stride)
    if wanted is not None and math.prod(size) == value.numel():
        elements = elements.reshape([size[n] for n in wanted])
        return elements.permute([wanted.index(n) for n in range(len(size))])
    places = torch.full([1] * len(size), first, device=value.device)
    for n, step in enumerate(stride):
        steps = torch.arange(size[n], device=value.device) * step
        places = places + steps.reshape([-1 if n == m else 1 for m in range(len(size))])
    return elements.reshape(-1)[places]


def _convolution(
    value, weight, bias, stride, padding, dilation, transposed, output_padding, groups
):
    """Compute grouped convolutions over three dimensions, which the importer cannot
    lower, as a sum over the window's first dimension of two-dimensional
    convolutions. The first dimension of the result becomes part of the batch."""
    torch = need("torch")
    if transposed or groups == 1 or value.dim() != 5:
        return NotImplemented
    batch, channels, _, height, width = value.shape
    depth = weight.shape[2]
    value = torch.nn.functional.pad(value, (0, 0, 0, 0, padding[0], padding[0]))
    steps = (value.shape[2] - dilation[0] * (depth - 1) - 1) // stride[0] + 1
    total = None
    for tap in range(depth):
        first = tap * dilation[0]
        slices = value[:, :, first : first + (steps - 1) * stride[0] + 1 : stride[0]]
        images = slices.permute(0, 2, 1, 3, 4).reshape(
            batch * steps, channels, height, width
        )
        part = torch.ops.aten.convolution.default(
            images, weight[:, :, tap], bias if tap == 0 else None, stride[1:],
            padding[1:], dilation[1:], False, [0, 0], groups,
        )
        total = part if total is None else total + part
    return total.reshape(batch, steps, *total.shape[1:]).permute(0, 2, 1, 3, 4)


def _recurrent_layer(
    value, weight, recurrent, bias, recurrent_bias, hidden, cell, reverse, batch_sizes,
    mode, size, layers, has_biases, bidirectional, batch_first, train
):
    """Compute a layer of an LSTM, for which torch.compile has an operation of oneDNN, step
    by step."""
    torch = need("torch")
    lstm = 2
    if mode != lstm or layers != 1 or bidirectional or batch_first or train:
        return NotImplemented
    linear = torch.nn.functional.linear
    if not has_biases:
        bias = recurrent_bias = None
    inputs = linear(value, weight, bias)
    h, c = (state.reshape(value.shape[1], size) for state in (hidden, cell))
    results = [None] * value.shape[0]
    for step in sorted(range(value.shape[0]), reverse=reverse):
        gates = inputs[step] + linear(h, recurrent, recurrent_bias)
        i, f, g, o = gates.chunk(4, 1)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        h = torch.sigmoid(o) * torch.tanh(c)
        results[step] = h
    return (torch.stack(results), h.reshape(hidden.shape), c.reshape(cell.shape),
            value.new_empty(0, dtype=torch.uint8))


def decompositions():
    """Return the ops to decompose before the import."""
    torch = need("torch")
    need("torch_mlir")
    from torch_mlir.extras.fx_decomp_util import get_decomposition_table

    table = {
        **get_decomposition_table(),
        torch.ops.aten.as_strided.default: _as_strided,
        torch.ops.aten.cumsum.default: _cumsum,
        torch.ops.aten.convolution.default: _convolution,
        torch.ops.aten.mkldnn_rnn_layer.default: _recurrent_layer,
        **functions.decompositions(),
        **quantized.decompositions(),
    }
    return {**table, **functions.of_scalars(table)}


def _viewed(node):
    """Return the node whose memory the value of a node shows."""
    while node.op == "call_function" and node.args:
        schema = getattr(node.target, "_schema", None)
        if schema is None or not any(each.alias_info for each in schema.arguments):
            break
        node = node.args[0]
    return node


def _check_layout(node):
    """Raise ExportError if a node of a decomposed graph depends on a layout of memory that
    torch-mlir does not know. It takes all values but views to be contiguous."""
    if node.target is not need("torch").ops.aten.as_strided.default:
        return
    value, size, stride, *offset = node.args
    first = offset[0] if offset else value.meta["val"].storage_offset()
    last = first + sum((each - 1) * step for each, step in zip(size, stride))
    memory = _viewed(value).meta["val"]
    numbers = [first, last, *memory.shape]
    if not (all(type(number) is int for number in numbers) and memory.is_contiguous()
            and memory.storage_offset() == 0 and 0 <= first and last < memory.numel()):
        raise ExportError(f"{node.target} depends on the layout of memory")


def _export(module, tensors, dynamic_shapes=None):
    """Run torch.export and decompose to the ops that the importer lowers."""
    torch = need("torch")
    shapes = {} if dynamic_shapes is None else {"dynamic_shapes": (dynamic_shapes,)}
    return _decomposed(lambda: torch.export.export(module, tensors, strict=False, **shapes))


def _decomposed(export):
    """Return the result of `export()`, decomposed to the ops that the importer lowers."""
    torch = need("torch")
    table = decompositions()
    try:
        with torch.no_grad(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exported = quantized.drop_zeros(export())
            if narrow.occurs(exported.graph):
                known = set()
                # The parts of composite operations may be composite, too.
                while not known.issuperset(made := narrow.composite(exported.graph)):
                    known.update(made)
                    exported = exported.run_decompositions(made)
                table = narrow.widened(exported.graph, table)
            exported = exported.run_decompositions(table)
    except ExportError:
        raise
    except Exception as error:  # The model's own code may raise anything.
        raise ExportError(
            f"torch.export cannot capture the model: {brief(error)}"
        ) from error
    for node in exported.graph.nodes:
        _check_layout(node)
    signature = exported.graph_signature
    written = [*signature.buffers_to_mutate.values()]
    written += signature.user_inputs_to_mutate.values()
    if written:
        raise ExportError(
            f"the model writes {', '.join(written)}; only functions of their "
            "arguments can be exported"
        )
    return exported


def _lift(exported, names, tensors):
    """Make every bound tensor of `exported` an ordinary input, in place.

    Inputs come first, then parameters, buffers and constants. Unused placeholders are
    removed, except the model's own inputs, because callers pass them. Returns the
    arguments in the order of the function's."""
    from torch.export.graph_signature import InputKind, InputSpec, TensorArgument

    signature, graph = exported.graph_signature, exported.graph_module.graph
    nodes = {node.name: node for node in graph.nodes if node.op == "placeholder"}
    kinds = {
        InputKind.PARAMETER: "parameter",
        InputKind.BUFFER: "buffer",
        InputKind.CONSTANT_TENSOR: "constant",
    }
    order = {"input": [], "parameter": [], "buffer": [], "constant": []}
    inline, given = [], iter(zip(names, tensors))
    for spec in signature.input_specs:
        if spec.kind == InputKind.USER_INPUT:
            name, tensor = next(given)
            order["input"].append((spec, Argument(name, "input", tensor)))
            continue
        if spec.kind not in kinds or not isinstance(spec.arg, TensorArgument):
            raise ExportError(f"the graph has an input of kind {spec.kind.name}")
        node, kind = nodes[spec.arg.name], kinds[spec.kind]
        if not node.users:
            graph.erase_node(node)
            continue
        if spec.target in exported.state_dict:
            tensor = exported.state_dict[spec.target]
        else:
            tensor = exported.constants[spec.target]
        if kind == "constant" and tensor.numel() <= INLINE_ELEMENTS:
            inline.append(spec)
            continue
        argument = Argument(spec.target.removeprefix("inner."), kind, tensor.detach())
        order[kind].append((InputSpec(InputKind.USER_INPUT, spec.arg, None), argument))
    lifted = [pair for kind in order.values() for pair in kind]
    signature.input_specs[:] = [spec for spec, _ in lifted] + inline
    constants.fold(exported.graph_module,
                   {nodes[spec.arg.name]: exported.constants[spec.target] for spec in inline})
    graph.lint()
    return [argument for _, argument in lifted]


def import_program(exported):
    """Return `exported` as a module of torch-mlir, linalg on tensors: function @main."""
    need("torch_mlir")
    from torch_mlir import fx

    try:
        module = fx.export_and_import(
            exported,
            output_type="torch",
            decomposition_table={},
            # This importer relies on the graph's signature.
            experimental_support_mutation=True,
            func_name="main",
        )
    except Exception as error:
        raise ExportError(
            f"torch-mlir cannot lower the model: {brief(error)}"
        ) from error
    _lower(module)
    return module


def _lower(module):
    try:
        lowering.lower(module)
    except ModelError as error:
        raise ExportError(str(error)) from error


def import_graph(graph_module):
    """Return the text of a graph of ATen ops on tensors, decomposed by
    `decompositions()`, as linalg on tensors: function @main with the placeholders as
    arguments. Raises `ExportError`."""
    need("torch_mlir")
    from torch_mlir import fx

    from torch.utils._python_dispatch import _disable_current_modes

    constants.fold(graph_module)
    try:
        # torch.compile's own trace has no elements.
        with _disable_current_modes():
            module = fx.stateless_fx_import(
                graph_module, output_type="raw", model_name="main")
    except Exception as error:
        raise ExportError(
            f"torch-mlir cannot import the graph: {brief(error)}"
        ) from error
    try:
        return lowering.lower_apart(str(module))
    except ModelError as error:
        raise ExportError(str(error), error.operation) from error


def capture(network, dynamic=()):
    """Return the `Program` of `network`; `dynamic` are the `Dynamic` dimensions of its
    inputs."""
    module, arguments, results = trace(network, dynamic)
    text = lowering.text(module)
    if not dynamic:
        return Program(text, arguments, results)
    return Program(*dimensions.annotate(text, dynamic, arguments, results))


def trace(network, dynamic=()):
    """Return `network` as a lowered module of torch-mlir, its arguments, and its results
    as (name, tensor)."""
    torch = need("torch")
    # Its warnings about decompositions do not concern users.
    logging.getLogger("torch.export").setLevel(logging.ERROR)
    module, keywords, tensors = flatten(network)
    try:
        with torch.no_grad():
            results = module.named(*tensors)
    except ExportError:
        raise
    except Exception as error:
        raise ExportError(
            f"the model does not run on its example inputs: {brief(error)}"
        ) from error
    names = keywords or _positional_names(network.module, len(tensors))
    spec = dimensions.torch_spec(dynamic, names, tensors)
    exported = _export(module, tensors, spec)
    arguments = _lift(exported, names, tensors)
    return import_program(exported), arguments, results


def trace_exported(exported):
    """Return an `ExportedProgram` as a lowered module of torch-mlir, its arguments, and
    the names of its results."""
    torch = need("torch")
    logging.getLogger("torch.export").setLevel(logging.ERROR)
    exported = _decomposed(lambda: exported)
    names = list(exported.graph_signature.user_inputs)
    values = {node.name: node.meta.get("val") for node in exported.graph.nodes}
    tensors = [values.get(name) for name in names]
    for name, tensor in zip(names, tensors):
        if not torch.is_tensor(tensor):
            raise ExportError(f"the input '{name}' is not a tensor")
        if any(not isinstance(size, int) for size in tensor.shape):
            raise ExportError(
                f"the input '{name}' has the dynamic shape {list(tensor.shape)}; export "
                "the program with static shapes")
    outputs = exported.graph_signature.user_outputs
    if any(values.get(name) is None for name in outputs):
        raise ExportError("a result is not a tensor")
    results = torch.utils._pytree.tree_unflatten(
        [values[name] for name in outputs], exported.call_spec.out_spec)
    arguments = _lift(exported, names, tensors)
    return import_program(exported), arguments, _named_tensors(results)


def _positional_names(module, count):
    """Return the names that `module.forward` gives its first `count` arguments."""
    import inspect

    names = []
    for name, parameter in inspect.signature(module.forward).parameters.items():
        if parameter.kind not in (
            parameter.POSITIONAL_ONLY,
            parameter.POSITIONAL_OR_KEYWORD,
        ):
            break
        names.append(name)
    return [names[i] if i < len(names) else f"input{i}" for i in range(count)]
