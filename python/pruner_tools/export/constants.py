#===- constants.py - constant parts of graphs ------------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes the parts of a graph that depend on constants alone, with PyTorch. torch-mlir
folds operations on constants itself, some of them to other values: comparisons of floats
with whole numbers, and divisions and remainders of negative numbers.
"""

import operator

from .networks import need

# Constants of at most this many elements are computed.
_COMPUTED_ELEMENTS = 1 << 16

# torch-mlir folds tensors of at most this many elements, and larger ones if all elements are
# equal.
_FOLDED_ELEMENTS = 16


def _is_pure(node):
    torch = need("torch")
    target = node.target
    if node.op != "call_function":
        return False
    if target is operator.getitem:
        return True
    return (isinstance(target, torch._ops.OpOverload)
            and target.namespace in ("aten", "prims") and not target._schema.is_mutable
            and torch.Tag.nondeterministic_seeded not in target.tags)


def _is_small(node):
    torch = need("torch")
    values = torch.utils._pytree.tree_leaves(node.meta.get("val"))
    return values and all(
        torch.is_tensor(value) and value.layout == torch.strided
        and all(type(size) is int for size in value.shape)
        and value.numel() <= _COMPUTED_ELEMENTS for value in values)


def _values(graph, known):
    """Return the values of the nodes that depend on constants alone, by node."""
    torch = need("torch")
    from torch.utils._pytree import tree_map_only

    found = dict(known)
    for node in graph.nodes:
        if not _is_pure(node) or not _is_small(node):
            continue
        if any(each not in found for each in node.all_input_nodes):
            continue
        args, kwargs = tree_map_only(torch.fx.Node, found.__getitem__,
                                     (node.args, node.kwargs))
        try:
            found[node] = node.target(*args, **kwargs)
        except Exception:  # Such as an operation that the CPU does not have for this type.
            continue
    return found


def _splat(tensor):
    """Return the number that all elements are, or None."""
    if not tensor.numel():
        return None
    first = tensor.reshape(-1)[0]
    equal = tensor == first
    if first.is_floating_point():
        equal &= tensor.signbit() == first.signbit()
    return first.item() if equal.all() else None


def _separate(graph):
    """Give each use of a constant a node of its own. torch-mlir only imports the first use
    of a node."""
    from torch.fx.node import map_arg

    def copied(node):
        if node.op != "get_attr":
            return node
        made = graph.get_attr(node.target)
        made.meta = dict(node.meta)
        return made

    for node in list(graph.nodes):
        if any(each.op == "get_attr" for each in node.all_input_nodes):
            with graph.inserting_before(node):
                node.args = map_arg(node.args, copied)
                node.kwargs = map_arg(node.kwargs, copied)


def fold(module, known=None):
    """Replace the constant parts of the graph of `module`, in place. `known` are tensors of
    placeholders."""
    torch = need("torch")
    from torch.utils._python_dispatch import _disable_current_modes

    graph, known = module.graph, dict(known or {})
    for node in graph.nodes:
        if node.op == "get_attr" and isinstance(getattr(module, node.target, None),
                                                torch.Tensor):
            known[node] = getattr(module, node.target)
    with _disable_current_modes(), torch.no_grad():
        for node, value in _values(graph, known).items():
            if node in known or not node.all_input_nodes or not torch.is_tensor(value):
                continue
            splat = _splat(value)
            if splat is None and value.numel() > _FOLDED_ELEMENTS:
                continue
            # In place, because signatures have the names of results.
            if splat is None:
                name = f"_folded_{node.name}"
                module.register_buffer(name, value.contiguous(), persistent=False)
                node.op, node.target, node.args, node.kwargs = "get_attr", name, (), {}
            else:
                node.target = torch.ops.aten.full.default
                node.args = (list(value.shape), splat)
                node.kwargs = {"dtype": value.dtype, "device": value.device,
                               "pin_memory": False}
    _separate(graph)
    graph.eliminate_dead_code()
    module.recompile()
