#===- programs.py - from graphs of PyTorch to linalg programs --------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Turns a graph of ATen operations into a linalg program of static shape.

A graph may have symbolic sizes. It is traced again with the sizes of a call, which makes
all sizes constants. The same trace decomposes operations, and computes values of narrow
types the way eager PyTorch does.

The import is cached by the content of the graph, so a second process does not trace the
graph again and does not load torch-mlir.
"""

import dataclasses
import hashlib
import importlib
import importlib.metadata
import json
import pathlib

import torch
from torch._ops import OpOverload
from torch.utils._pytree import tree_leaves

from ..cache import Damaged
from ..module import Module
from . import layouts
from .messages import Unsupported, log

ELEMENTS = {torch.float64: "f64", torch.float32: "f32", torch.float16: "f16",
            torch.bfloat16: "bf16", torch.int64: "i64", torch.int32: "i32",
            torch.int16: "i16", torch.int8: "i8", torch.uint8: "i8", torch.bool: "i1"}

TEXT, RESULTS = "graph.mlir", "results.json"


@dataclasses.dataclass
class Program:
    """A program: function @main with the tensors among the inputs as arguments. The
    results of the graph are types of tensors, or other values, which are constants.
    `layouts` are those of the results. `flops` counts one run."""

    text: str
    results: list
    layouts: list
    flops: float


def check_inputs(inputs):
    """Raise Unsupported unless libraries can take all inputs."""
    for value in inputs:
        if isinstance(value, (int, float, torch.SymInt, torch.SymFloat, torch.SymBool)):
            continue
        if not isinstance(value, torch.Tensor):
            raise Unsupported(f"an input is a {type(value).__name__}")
        if value.device.type != "cpu":
            raise Unsupported(f"an input is on {value.device}")
        if value.layout != torch.strided:
            raise Unsupported(f"an input has {value.layout}")
        _check_type(value, "an input")
        if value.requires_grad and torch.is_grad_enabled():
            raise Unsupported("gradients are required; run inference under torch.no_grad()")


def _check_type(value, what):
    if value.dtype.is_complex:
        raise Unsupported(f"{what} has {value.dtype}: complex numbers are not supported")
    if value.dtype not in ELEMENTS:
        raise Unsupported(f"{what} has {value.dtype}; supported types are "
                          + ", ".join(str(each).removeprefix("torch.") for each in ELEMENTS))


def check_values(graph):
    """Raise Unsupported if a graph has values that programs cannot have."""
    for node in graph.graph.nodes:
        for value in tree_leaves(node.meta.get("val")):
            if isinstance(value, torch.Tensor):
                _check_type(value, "a value")


def name_of(target):
    """Return the name of an operation as torch-mlir writes it, such as
    torch.aten.fft_rfft."""
    return f"torch.{target}".removesuffix(".default")


def can_have_values(node):
    """Whether a program can have the values that a node reads and computes."""
    return all(value.dtype in ELEMENTS for each in (node, *node.all_input_nodes)
               for value in tree_leaves(each.meta.get("val"))
               if isinstance(value, torch.Tensor))


def _check_operations(graph):
    for node in graph.graph.nodes:
        name = name_of(node.target)
        if node.target is torch.ops.aten.as_strided.default:
            raise Unsupported(f"{node.target} depends on the layout of memory", name)
        if (isinstance(node.target, OpOverload)
                and torch.Tag.nondeterministic_seeded in node.target.tags):
            raise Unsupported(f"{node.target} draws random numbers", name)


def zero_points(graph, values):
    """Return the positions of the inputs of a graph that are zero points of channels and
    all zero now. The graph only states that they are buffers, and a product of bytes with
    other zero points is corrected by sums of the activations. `values` are the inputs, of
    which those are known that are not fake tensors."""
    from torch.utils._python_dispatch import _disable_current_modes

    inputs = _placeholders(graph)
    if len(inputs) != len(values):
        return []
    read = {node.args[2] for node in _dequantizations(graph)}
    plain = (torch.Tensor, torch.nn.Parameter, torch.nn.Buffer)
    with _disable_current_modes():
        return [n for n, (node, value) in enumerate(zip(inputs, values))
                if node in read and type(value) in plain and not torch.any(value)]


def drop_zero_points(graph, zeros):
    """Remove the zero points at the positions `zeros` from a graph, in place."""
    inputs = _placeholders(graph)
    dropped = {inputs[n] for n in zeros}
    for node in _dequantizations(graph):
        if node.args[2] in dropped:
            node.args = (*node.args[:2], None, *node.args[3:])
    graph.recompile()


def _placeholders(graph):
    return [node for node in graph.graph.nodes if node.op == "placeholder"]


def _dequantizations(graph):
    return [node for node in graph.graph.nodes
            if str(node.target) == "quantized_decomposed.dequantize_per_channel.default"
            and isinstance(node.args[2], torch.fx.Node)]


# --- Tracing with sizes --------------------------------------------------------


class _Static(torch.fx.Interpreter):
    """Runs a graph with narrow types widened."""

    def __init__(self, graph):
        super().__init__(graph)
        self.computed = _exporter("narrow", "computed")

    def run_node(self, node):
        if not isinstance(node.target, OpOverload):
            return super().run_node(node)
        args, kwargs = self.fetch_args_kwargs_from_env(node)
        if node.target._schema.name in ("aten::view", "aten::_unsafe_view"):
            # Decompositions may choose other layouts, for which there is no view.
            return args[0].reshape(args[1])
        result = self.computed(node.target, args, kwargs, node.meta["val"])
        return node.target(*args, **kwargs) if result is NotImplemented else result


def _exporter(module, name):
    """Return a function of the exporter that raises Unsupported."""
    try:
        from pruner_tools.export import ExportError
        found = getattr(importlib.import_module(f"pruner_tools.export.{module}"), name)
    except ImportError:
        raise Unsupported("the package pruner_tools is missing; the wheel with tools "
                          "contains it") from None

    def call(*arguments):
        try:
            return found(*arguments)
        except ExportError as error:
            raise Unsupported(str(error), error.operation) from None
    return call


def _like(tensor):
    """Return another tensor of this layout."""
    return torch.empty_strided(tensor.shape, tensor.stride(), dtype=tensor.dtype)


def tensors_among(inputs):
    """Return the positions of the tensors."""
    return [n for n, value in enumerate(inputs) if isinstance(value, torch.Tensor)]


def _with_tensors(inputs, tensors, given):
    """Return `inputs` with other tensors at the positions `tensors`."""
    values = list(inputs)
    for n, value in zip(tensors, given):
        values[n] = value
    return values


def specialized(graph, inputs):
    """Return the graph for the sizes of `inputs`. Its inputs are the tensors among them."""
    from torch._subclasses import FakeTensorMode
    from torch.fx.experimental.proxy_tensor import make_fx
    from torch.utils._python_dispatch import _disable_current_modes

    tensors = tensors_among(inputs)

    def run(*given):
        return torch.fx.Interpreter(graph).run(*_with_tensors(inputs, tensors, given))

    with torch._guards.tracing(None), _disable_current_modes(), torch.no_grad():
        with FakeTensorMode(allow_non_fake_inputs=True):
            return make_fx(run)(*[_like(inputs[n]) for n in tensors])


def _traced(graph, inputs):
    """Return the graph for the sizes of `inputs`, decomposed, with placeholders for the
    tensors only, and the layouts of its results."""
    from torch._subclasses import FakeTensorMode
    from torch.fx.experimental.proxy_tensor import make_fx
    from torch.utils._python_dispatch import _disable_current_modes

    table = _exporter("program", "decompositions")()
    tensors = tensors_among(inputs)

    def whole(given):
        return _with_tensors(inputs, tensors, given)

    def run(*given):
        results = _Static(graph).run(*whole(given))
        return [layouts.computed(value, layout) if isinstance(value, torch.Tensor) else value
                for value, layout in zip(results, found)]

    # The sizes of torch.compile's own trace are symbols.
    with torch._guards.tracing(None), _disable_current_modes(), torch.no_grad():
        with FakeTensorMode(allow_non_fake_inputs=True):
            given = [_like(inputs[n]) for n in tensors]
            found = layouts.layouts_of(torch.fx.Interpreter(graph).run(*whole(given)))
        made = make_fx(run, decomposition_table=table)(*given)
    made.graph.eliminate_dead_code()
    return made, found


def decomposed(graph, inputs):
    """Return the graph for the sizes of `inputs`, tensors and numbers, with decomposed
    operations. Its results may be nested."""
    from torch._subclasses import FakeTensorMode
    from torch.fx.experimental.proxy_tensor import make_fx
    from torch.utils._python_dispatch import _disable_current_modes

    table = _exporter("program", "decompositions")()
    with torch._guards.tracing(None), _disable_current_modes(), torch.no_grad():
        with FakeTensorMode(allow_non_fake_inputs=True):
            given = [_like(value) if isinstance(value, torch.Tensor) else value
                     for value in inputs]
        return make_fx(torch.fx.Interpreter(graph).run, decomposition_table=table)(*given)


def _check_empty_views(graph):
    """torch-mlir would divide by sizes of 0 when it changes the view of a tensor."""
    for node in graph.graph.nodes:
        if node.op != "call_function" or "view" not in str(node.target):
            continue
        value = node.meta.get("val")
        if isinstance(value, torch.Tensor) and 0 in tuple(value.shape):
            raise Unsupported("the view of a tensor without elements changes")


# --- Import --------------------------------------------------------------------


def _imported(graph, inputs):
    """Return the `Program` of a graph."""
    made, found = _traced(graph, inputs)
    check_values(made)
    _check_operations(made)
    _check_empty_views(made)
    (output,) = [node for node in made.graph.nodes if node.op == "output"]
    values = [each.meta["val"] if isinstance(each, torch.fx.Node) else each
              for each in output.args[0]]
    # Results that need no computation do not come from the library.
    places = [n for n, value in enumerate(values) if isinstance(value, torch.Tensor)]
    if not places:
        raise Unsupported("the graph has no results")
    results = [str(value.dtype) if n in places else value for n, value in enumerate(values)]
    for n, layout in enumerate(found):
        if layout and layout[0] == "view":
            results[n] = results[layout[1]]
    for value in results:
        if not isinstance(value, (str, int, float, bool, type(None))):
            raise Unsupported(f"a result is a {type(value).__name__}")
    output.args = (tuple(output.args[0][n] for n in places),)
    made.recompile()
    text = _exporter("program", "import_graph")(made)
    flops = sum(task.weight * task.flops for task in Module.parse(text, name="graph").tasks())
    return Program(text, results, found, flops)


def program_of(graph, inputs, cache):
    """Return the `Program` of a graph for the sizes of `inputs`, tensors and numbers.
    Raise Unsupported and PrunerError."""
    key = key_of(graph, inputs)
    try:
        files = cache.read(key) if key else None
    except Damaged:
        files = None  # It is stored again.
    if files is not None and files.keys() == {TEXT, RESULTS}:
        known = json.loads(files[RESULTS])
        return Program(files[TEXT].decode(), known["results"], known["layouts"],
                       known["flops"])
    program = _imported(graph, inputs)
    log.debug("program:\n%s", program.text)
    if key:
        cache.store_texts(key, {TEXT: program.text, RESULTS: json.dumps(
            {"results": program.results, "layouts": program.layouts,
             "flops": program.flops})})
    return program


# --- The content of a graph ----------------------------------------------------


class _Unknown(Exception):
    """A graph has a value that no text describes."""


def _versions():
    """Return what the import depends on in addition to the graph."""
    if not _versions.known:
        try:
            found = hashlib.sha256(importlib.metadata.version("torch-mlir").encode())
        except importlib.metadata.PackageNotFoundError:
            return ""
        found.update(torch.__version__.encode())
        # PyTorch's layout of weights of 4 bits depends on it.
        found.update(torch.backends.cpu.get_cpu_capability().encode())
        own = pathlib.Path(__file__)
        exporter = own.parents[2] / "pruner_tools" / "export"
        for path in (own, own.with_name("layouts.py"), own.parents[1] / "lowering.py",
                     *sorted(exporter.glob("*.py"))):
            found.update(path.read_bytes())
        _versions.known.append(found.hexdigest())
    return _versions.known[0]


_versions.known = []

_PLAIN = (int, float, str, bool, type(None), torch.dtype, torch.device, torch.layout,
          torch.memory_format)


def _described(value, numbers):
    """Return a text for an argument of a node. Raise _Unknown."""
    if isinstance(value, torch.fx.Node):
        return f"%{numbers[value]}"
    if isinstance(value, (list, tuple)):
        return "(" + ",".join(_described(each, numbers) for each in value) + ")"
    if isinstance(value, dict):
        return _described(sorted(value.items()), numbers)
    if isinstance(value, slice):
        return _described((value.start, value.stop, value.step), numbers)
    if type(value) in _PLAIN:
        return repr(value)
    raise _Unknown


def _target(node):
    if isinstance(node.target, str):
        return node.target
    if isinstance(node.target, OpOverload):
        return str(node.target)
    if getattr(node.target, "__module__", "") in ("_operator", "math", "torch"):
        return f"{node.target.__module__}.{node.target.__name__}"
    raise _Unknown


def key_of(graph, inputs):
    """Return the hash of all that the program depends on, or None if the graph has a
    value that no text describes."""
    found, numbers = hashlib.sha256(_versions().encode()), {}
    try:
        for value in inputs:
            said = ((tuple(value.shape), tuple(value.stride()), value.dtype)
                    if isinstance(value, torch.Tensor) else value)
            found.update(_described(said, numbers).encode() + b"\n")
        for node in graph.graph.nodes:
            numbers[node] = len(numbers)
            said = _target(node) if node.op == "call_function" else ""
            if node.op == "get_attr":
                tensor = getattr(graph, node.target, None)
                if not isinstance(tensor, torch.Tensor):
                    raise _Unknown
                said = f"{tensor.dtype} {tuple(tensor.shape)} {_bytes(tensor)}"
            elif node.op not in ("call_function", "placeholder", "output"):
                raise _Unknown
            types = ",".join(str(value.dtype) for value in tree_leaves(node.meta.get("val"))
                             if isinstance(value, torch.Tensor))
            found.update(f"{node.op} {said} {_described(node.args, numbers)} "
                         f"{_described(node.kwargs, numbers)} {types}\n".encode())
    except (_Unknown, TypeError, RuntimeError):
        return None
    return "program-" + found.hexdigest()[:40] if _versions() else None


def _bytes(tensor):
    """Return the hash of the elements of a tensor."""
    from torch.utils._python_dispatch import _disable_current_modes

    with _disable_current_modes():  # torch.compile's own trace has no elements.
        data = tensor.detach().contiguous().reshape(-1).view(torch.uint8)
        return hashlib.sha256(data.numpy().tobytes()).hexdigest()
