#===- parts.py - graphs of which PyTorch runs some operations --------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the rest of a graph that has operations which cannot be compiled.

The graph is split at these operations, so that each part is as large as possible. Parts
are compiled like graphs; PyTorch runs the operations between them.
"""

import copy
import dataclasses
import json
import operator
import re

import torch
from torch._ops import OpOverload

from ..cache import Cache, Damaged, default_directory
from . import programs
from .messages import Unsupported, log
from .running import Compiled
from .sizes import is_dynamic

# A part with fewer operations, none of them a product, runs in PyTorch: a call of a
# library takes as long as a few small operations.
LEAST_OPERATIONS = 4
PRODUCTS = re.compile(r"aten\.(convolution|\w*mm|_scaled_dot_product\w*)\.")
LEFT_OUT = "parts.json"
# How many kinds of operations are found one after the other.
MOST_TURNS = 16


def compile_parts(graph, inputs, parameters, options, made, error):
    """Return a callable for a graph that cannot be compiled as a whole for the sizes of
    `inputs`, because of `error`. The other arguments are those of `Compiled`. Raise `error`
    if the operations to leave out are not known, or if too little is left."""
    cache = Cache(options.cache or default_directory())
    key = _key(graph, inputs)
    positions = range(len(inputs))
    if is_dynamic([node.meta["val"] for node in graph.graph.nodes if node.op == "placeholder"]):
        graph, positions = programs.specialized(graph, inputs), programs.tensors_among(inputs)
        inputs = [inputs[n] for n in positions]
        parameters = [positions.index(n) for n in parameters]
    split, parts = _importable(graph, error, cache, key)
    placeholders = [node for node in graph.graph.nodes if node.op == "placeholder"]
    made.flops = made.tuned = 0
    fixed = {placeholders[n].name for n in parameters}
    for part in parts:
        own = dataclasses.replace(made, flops=0, tuned=0, seconds=0, runs=0, sizes=0)
        run = Compiled(part.graph, part.inputs,
                       [n for n, name in enumerate(part.names) if name in fixed], options,
                       own)
        setattr(split, part.target, _Call(run, part.single))
        made.path = own.path
        made.flops += own.flops
        made.tuned += own.tuned
        made.seconds += own.seconds
    made.sizes += 1
    made.eager = [str(node.target) for node in operations(split)]
    return _Parts(split, made, positions)


def raise_known_error(graph, inputs, options):
    """Raise Unsupported if the parts of the graph are cached, because it cannot be compiled
    as a whole. This is faster than to try it again."""
    found = _cached(Cache(options.cache or default_directory()), _key(graph, inputs))
    if found:
        raise Unsupported(found["error"])


def _key(graph, inputs):
    key = programs.key_of(graph, inputs)
    return key and "parts-" + key


def _importable(graph, error, cache, key):
    """Return the graph split into parts that can be imported, and the parts. The nodes to
    leave out are cached, because it may take seconds to find them."""
    if not _is_worthwhile(operations(graph)):
        raise error
    first, nodes = error, list(graph.graph.nodes)
    known = _cached(cache, key)
    found = {nodes[n].name for n in known["nodes"] if n < len(nodes)} if known else set()
    if found:
        split, parts = _split(graph, found)
        if parts:
            return split, parts
    for _ in range(MOST_TURNS):
        more = (_causes(graph, error) or _that_fail_alone(graph, found, cache)) - found
        if not more:
            raise first
        found |= more
        split, parts = _split(graph, found)
        if not parts:
            raise first
        try:
            for part in parts:
                programs.check_inputs(part.inputs)
                programs.program_of(part.graph, part.inputs, cache)
        except Unsupported as reason:
            error = reason
            continue
        if key:
            cache.store_texts(key, {LEFT_OUT: json.dumps(
                {"nodes": [n for n, node in enumerate(nodes) if node.name in found],
                 "error": str(first)})})
        return split, parts
    raise first


def _cached(cache, key):
    """Return the positions of the nodes to leave out, and the error of the whole graph, or
    None if they are not known."""
    try:
        files = cache.read(key) if key else None
    except Damaged:
        return None
    return json.loads(files[LEFT_OUT]) if files and LEFT_OUT in files else None


@dataclasses.dataclass
class _Part:
    """A part: its graph, with a tuple of results, the module that stands for it, the
    names of its inputs in the whole graph, and whether the whole graph expects its single
    result without a tuple."""

    target: str
    graph: torch.fx.GraphModule
    names: list
    inputs: list
    single: bool


class _Call(torch.nn.Module):
    """A compiled part in the place of its operations."""

    def __init__(self, run, single):
        super().__init__()
        self.run, self.single = run, single

    def forward(self, *arguments):
        results = self.run(list(arguments))
        return results[0] if self.single else tuple(results)


class _Parts:
    """A graph of compiled parts and operations of PyTorch: maps a list of inputs to a
    list of results. It uses the inputs at `positions`."""

    _boxed_call = True

    def __init__(self, split, made, positions):
        self.split, self.made, self.positions = split, made, positions

    def __call__(self, arguments):
        given = [arguments[n] for n in self.positions]
        if isinstance(arguments, list):
            arguments.clear()
        self.made.runs += 1
        return list(self.split(*given))


def operations(graph):
    """Return the nodes of a graph that compute something."""
    return [node for node in graph.graph.nodes
            if node.op == "call_function" and node.target is not operator.getitem]


def _causes(graph, error):
    """Return the names of the nodes that prevent the import: those with values or of kinds
    that programs cannot have, and those that the error states."""
    nodes = operations(graph)
    found = {node.name for node in nodes if not programs.can_have_values(node)
             or not isinstance(node.target, OpOverload)}
    if error.operation:
        named = {node.name for node in nodes
                 if programs.name_of(node.target) == error.operation}
        found |= named or {node.name for node in nodes
                           if error.operation in _decomposed(graph, node)}
    return found


def _alone(graph, node):
    """Return a graph of one operation, and its inputs."""
    alone = torch.fx.Graph()
    inputs = {each: alone.placeholder(f"input{n}")
              for n, each in enumerate(node.all_input_nodes)}
    result = alone.node_copy(node, inputs.get)
    # Of several results only those that are used, which may be all that can be imported.
    used = sorted({user.args[1] for user in node.users if user.target is operator.getitem})
    alone.output(tuple(alone.call_function(operator.getitem, (result, n)) for n in used)
                 if used else (result,))
    return torch.fx.GraphModule(graph, alone), [_value(graph, each) for each in inputs]


def _decomposed(graph, node):
    """Return the names of the operations that a node is decomposed to."""
    try:
        made = programs.decomposed(*_alone(graph, node))
    except Exception:  # PyTorch may raise anything here.
        return set()
    return {programs.name_of(each.target) for each in operations(made)}


def _that_fail_alone(graph, known, cache):
    """Return the names of the nodes, other than `known`, that cannot be imported alone. It
    takes some tenths of a second for each kind of node."""
    failed, tried = set(), {}
    for node in operations(graph):
        if node.name in known:
            continue
        alone, inputs = _alone(graph, node)
        kind = (alone.code, str([(each.dtype, each.shape) if isinstance(each, torch.Tensor)
                                 else each for each in inputs]))
        if kind not in tried:
            try:
                programs.program_of(alone, inputs, cache)
                tried[kind] = True
            except Exception as error:
                log.debug("%s cannot be imported alone: %s", node.target, error)
                tried[kind] = False
        if not tried[kind]:
            failed.add(node.name)
    return failed


def _split(graph, left_out):
    """Return a copy of the graph in which modules stand for the parts without the nodes
    `left_out`, and the parts."""
    from torch.fx.passes.infra.partitioner import CapabilityBasedPartitioner
    from torch.fx.passes.operator_support import OperatorSupportBase

    class Support(OperatorSupportBase):
        def is_node_supported(self, submodules, node):
            return node.op == "call_function" and node.name not in left_out

    whole = copy.deepcopy(graph)
    partitioner = CapabilityBasedPartitioner(whole, Support(),
                                             allows_single_node_partition=True)
    chosen = [each for each in partitioner.propose_partitions() if _is_worthwhile(each.nodes)]
    split = partitioner.fuse_partitions(chosen, prefix="pruner_part_")
    split.graph.eliminate_dead_code()
    parts = []
    for node in split.graph.nodes:
        if node.op != "call_module":
            continue
        part = split.get_submodule(node.target)
        (output,) = [each for each in part.graph.nodes if each.op == "output"]
        single = isinstance(output.args[0], torch.fx.Node)
        if single:
            output.args = ((output.args[0],),)
            part.recompile()
        parts.append(_Part(node.target, part, [each.name for each in node.args],
                           [_value(split, each) for each in node.args], single))
    split.recompile()
    log.debug("%d parts, without %s", len(parts), sorted(left_out))
    return split, parts


def _is_worthwhile(nodes):
    names = [str(node.target) for node in nodes if node.target is not operator.getitem]
    return len(names) >= LEAST_OPERATIONS or any(map(PRODUCTS.match, names))


def _value(graph, node):
    """Return the value of a node: a tensor, whose content is not read, or a number."""
    return getattr(graph, node.target) if node.op == "get_attr" else node.meta["val"]
