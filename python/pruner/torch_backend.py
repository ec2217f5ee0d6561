#===- torch_backend.py - torch.compile by Pruner -------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The torch.compile backend `pruner`.

    model = torch.compile(model.eval(), backend="pruner")
    with torch.no_grad():
        y = model(x)

Each graph of TorchDynamo becomes a library, which is cached on disk by the hash of its
inputs. A graph that cannot be compiled runs in eager PyTorch, with one warning that
gives the reason. docs/guides/Integrating.md describes the options.
"""

import ctypes
import dataclasses
import hashlib
import math
import os
import pathlib
import subprocess
import warnings

from .cache import Cache, Damaged, default_directory
from .kept import KeptByContent
from .module import Module, _option_text
from .native import PrunerError, library
from .network import Network, NetworkError
from .opening import build_id

# Prepare parameters if a run does at least this many FLOP per byte of them. Each call
# hashes all parameters, and a product with few rows takes little longer than that.
WORTH_PREPARING = 4

ELEMENTS = {"torch.float32": "f32", "torch.float64": "f64", "torch.int64": "i64",
            "torch.int32": "i32", "torch.int16": "i16", "torch.int8": "i8",
            "torch.uint8": "i8", "torch.bool": "i1"}


class PrunerWarning(UserWarning):
    """A graph is not compiled."""


class Unsupported(Exception):
    """The reason why PyTorch runs a graph."""


@dataclasses.dataclass
class Options:
    """The options of `torch.compile(..., options={...})`."""

    # Threads of kernels; 0: torch.get_num_threads() when the graph is compiled.
    threads: int = 0
    # Trials for each graph; 0: no tuning.
    trials: int = 0
    # Seconds after which no measurement is started; 0: no limit.
    time_limit: float = 0
    # The tuning database. Without trials its best records are applied. Without both,
    # the analytical model chooses.
    db: str = ""
    # Whether values that depend only on parameters are computed once, and again if
    # their content has changed. None: only if the graph does enough work per byte of
    # parameters to pay for hashing them in each call.
    prepare: bool = None
    # Whether the caller promises not to write to parameters and buffers after the first
    # call. Their content is then not checked again.
    frozen: bool = False
    # The directory of the cache; empty: the user's cache directory.
    cache: str = ""
    # Whether a graph that cannot be compiled is an error.
    strict: bool = False


@dataclasses.dataclass
class Graph:
    """The outcome of a graph, for reports. `reason` is set if PyTorch runs it. `flops`
    counts one run of the library, `tuned` the FLOP of tasks with a schedule."""

    reason: str = ""
    path: str = ""
    flops: float = 0
    tuned: float = 0
    seconds: float = 0  # Compile time; almost 0 after a cache hit.
    runs: int = 0  # Runs of the library so far.


# All graphs of this process, in the order of compilation.
graphs = []


def _value(name, kind, value):
    """Convert the value of an option to its type. Raise TypeError and ValueError."""
    if value is None and getattr(Options, name) is None:
        return None
    wanted = {int: "an int", float: "a number", str: "a string or a path", bool: "a bool"}
    if kind is str and isinstance(value, (str, os.PathLike)):
        value = os.fspath(value)
    good = isinstance(value, (int, float) if kind is float else kind)
    if not good or isinstance(value, bool) != (kind is bool):
        raise TypeError(f"the option '{name}' of the backend 'pruner' must be "
                        f"{wanted[kind]}, not {value!r}")
    if kind in (int, float) and not 0 <= value < math.inf:
        raise ValueError(f"the option '{name}' of the backend 'pruner' must not be "
                         f"negative and must be finite, not {value!r}")
    return value


def _options(given):
    known = {field.name: field.type for field in dataclasses.fields(Options)}
    for name in given or {}:
        if name not in known:
            raise ValueError(f"the backend 'pruner' has no option '{name}'; it has "
                             + ", ".join(known))
    return Options(**{name: _value(name, known[name], value)
                      for name, value in (given or {}).items()})


def compile_graph(graph_module, example_inputs, *, options=None, mode=None):
    """Compile a graph for torch.compile and return the callable that runs it."""
    import time

    options = _options(options)
    made = Graph()
    graphs.append(made)
    start = time.perf_counter()
    try:
        run = _compile(graph_module, example_inputs, options, made)
    except Exception as error:
        # torch.compile may raise anything here. Running the graph in PyTorch is better
        # than failing.
        known = isinstance(error, (Unsupported, PrunerError, NetworkError))
        cause = error if known else (error.__cause__ or error)
        made.reason = str(cause).splitlines()[0] if str(cause) else type(cause).__name__
        if options.strict:
            raise
        warnings.warn(f"pruner: a graph of {len(graph_module.graph.nodes)} nodes runs in "
                      f"eager PyTorch: {made.reason}", PrunerWarning, stacklevel=2)
        return graph_module.forward
    made.seconds = time.perf_counter() - start
    return run


def _refuse_inputs(inputs):
    """Raise Unsupported unless libraries can take all inputs."""
    import torch

    for value in inputs:
        if not isinstance(value, torch.Tensor):
            raise Unsupported(f"an input is a {type(value).__name__}: shapes must not be "
                              "dynamic (torch.compile(..., dynamic=False))")
        if any(not isinstance(size, int) for size in value.shape):
            raise Unsupported("shapes are dynamic (torch.compile(..., dynamic=False))")
        if value.device.type != "cpu":
            raise Unsupported(f"an input is on {value.device}")
        if value.is_floating_point() and value.dtype != torch.float32:
            raise Unsupported(f"an input has {value.dtype}; float32 is the only supported real type")
        if value.layout != torch.strided or str(value.dtype) not in ELEMENTS:
            raise Unsupported(f"an input has {value.dtype}, {value.layout}")
        if value.requires_grad and torch.is_grad_enabled():
            raise Unsupported("gradients are required; run inference under torch.no_grad()")


def _refuse_empty_views(graph):
    """torch-mlir would divide by sizes of 0 when it changes the view of a tensor."""
    import torch

    for node in graph.graph.nodes:
        if node.op != "call_function" or "view" not in str(node.target):
            continue
        value = node.meta.get("val")
        if isinstance(value, torch.Tensor) and 0 in tuple(value.shape):
            raise Unsupported("the view of a tensor without elements changes")


def _compile(graph_module, example_inputs, options, made):
    import torch
    from torch._functorch.aot_autograd import aot_module_simplified

    try:
        from pruner_tools.export import program
    except ImportError:
        raise Unsupported("the package pruner_tools is missing; the wheel with tools "
                          "contains it") from None
    _refuse_inputs(example_inputs)
    library()  # Fail before the work of tracing if there is no library.

    def compiler(graph, inputs):
        _refuse_inputs(inputs)
        _refuse_empty_views(graph)
        return _Compiled(graph, inputs, options, made, program.import_graph)

    try:
        table = program.decompositions()
    except Exception as error:
        raise Unsupported(str(error)) from None
    with torch.no_grad():
        return aot_module_simplified(graph_module, example_inputs, fw_compiler=compiler,
                                     inference_compiler=compiler, decompositions=table)


def _constant_inputs(inputs):
    """Return the positions of parameters and buffers among the inputs of the graph."""
    import torch

    context = torch._guards.TracingContext.try_get()
    metadata = getattr(context, "fw_metadata", None)
    static = getattr(metadata, "static_input_indices", None)
    return [n for n in static or () if n < len(inputs)]


def _constants(text, inputs, options):
    """Return the positions of the inputs that are prepared."""
    positions = [] if options.prepare is False else _constant_inputs(inputs)
    if not positions or options.prepare or options.frozen:
        return positions
    flops = sum(task.weight * task.flops
                for task in Module.parse(text, name="graph").tasks())
    size = sum(inputs[n].numel() * inputs[n].element_size() for n in positions)
    return positions if flops >= WORTH_PREPARING * size else []


class _Compiled:
    """A compiled graph: maps a list of tensors to a list of tensors."""

    _boxed_call = True  # torch.compile passes the list itself.

    def __init__(self, graph, inputs, options, made, import_graph):
        import torch

        (output,) = [node for node in graph.graph.nodes if node.op == "output"]
        results = [node.meta["val"] if isinstance(node, torch.fx.Node) else node
                   for node in output.args[0]]
        # Results that need no computation do not come from the library.
        self.results = results
        self.places = [n for n, value in enumerate(results)
                       if isinstance(value, torch.Tensor)]
        if any(value is not None and not isinstance(value, torch.Tensor)
               for value in results):
            raise Unsupported("a result is not a tensor")
        if not self.places:
            raise Unsupported("the graph has no results")
        for value in (results[n] for n in self.places):
            if str(value.dtype) not in ELEMENTS:
                raise Unsupported(f"a result has {value.dtype}")
        if len(self.places) < len(results):
            output.args = (tuple(output.args[0][n] for n in self.places),)
            graph.recompile()
        text = import_graph(graph)
        constants = _constants(text, inputs, options)
        files = _build(text, constants, options)
        self.net = Network(files.path / NET, data=files.net)
        self.prepare = files.prepare and Network(files.path / PREPARE, data=files.prepare)
        self.net.threads = files.threads
        made.path = str(self.net.path)
        made.flops, made.tuned = _flops(self.net)
        # The source of each input of the library: an argument or a prepared value.
        made_ahead = {tensor.name: n for n, tensor in
                      enumerate(self.prepare.outputs if self.prepare else ())}
        self.sources = [(True, made_ahead[t.name]) if t.name in made_ahead
                        else (False, int(t.name.removeprefix("arg")))
                        for t in self.net.inputs]
        self.weights = [int(t.name.removeprefix("arg"))
                        for t in (self.prepare.inputs if self.prepare else ())]
        self.kept = KeptByContent(files.threads, options.frozen)
        self.made = made

    def __call__(self, arguments):
        import torch

        prepared = None
        if self.weights:
            weights = [_readable(arguments[n]) for n in self.weights]
            prepared = self.kept(
                tuple((t.data_ptr(), t.shape, t.stride()) for t in weights),
                lambda: [(t.data_ptr(), t.numel() * t.element_size()) for t in weights],
                _gone(weights), lambda: _call(self.prepare, weights))
        elif self.prepare:
            prepared = self.kept((), list, lambda: False,
                                 lambda: _call(self.prepare, []))
        self.made.runs += 1
        results = _call(self.net, [(prepared if ahead else arguments)[n]
                                   for ahead, n in self.sources])
        if len(results) == len(self.results):
            made = results
        else:
            made = [None] * len(self.results)
            for place, result in zip(self.places, results):
                made[place] = result
        if isinstance(arguments, list):
            arguments.clear()
        # i8 has no sign.
        return [result.view(torch.uint8) if result is not None
                and known.dtype == torch.uint8 else result
                for result, known in zip(made, self.results)]


def _readable(tensor):
    """Return the tensor, or a contiguous copy."""
    if tensor.is_neg():
        tensor = tensor.resolve_neg()
    expected = 1
    for stride, size in sorted(zip(tensor.stride(), tensor.shape)):
        if size != 1:
            if stride != expected:
                return tensor.contiguous()
            expected *= size
    return tensor


def _gone(tensors):
    """Return a function that tells whether memory of any of the tensors was freed."""
    from torch.multiprocessing.reductions import StorageWeakRef

    storages = {}
    for tensor in tensors:
        storages.setdefault(tensor.untyped_storage()._cdata, tensor)
    held = [StorageWeakRef(tensor.untyped_storage()) for tensor in storages.values()]
    return lambda: any(each.expired() for each in held)


def _call(net, tensors):
    """Run a library on tensors. They are copied only if they are not contiguous or not
    aligned."""
    import torch

    alignment = net.metadata["alignment"]
    held = []
    for tensor in tensors:
        tensor = tensor.detach().resolve_neg()
        if not tensor.is_contiguous():
            tensor = tensor.contiguous()
        if tensor.data_ptr() % alignment and tensor.numel():
            tensor = _aligned(tensor.shape, tensor.dtype, alignment).copy_(tensor)
        held.append(tensor)
    results = [_aligned(t.shape, _dtypes()[t.element], alignment) for t in net.outputs]
    nothing = _aligned((1,), torch.uint8, alignment)

    def pointers(values):
        return (ctypes.c_void_p * len(values))(
            *((value if value.numel() else nothing).data_ptr() for value in values))

    if net._run(pointers(held), pointers(results)):
        raise NetworkError(f"{net.path}: {net._error().decode()}")
    return results


def _dtypes():
    import torch

    return {"f32": torch.float32, "f64": torch.float64, "i64": torch.int64,
            "i32": torch.int32, "i16": torch.int16, "i8": torch.int8, "i1": torch.bool}


def _aligned(shape, dtype, alignment):
    """Return an uninitialized tensor. PyTorch's allocator aligns to 64 bytes, but other
    allocators may not."""
    import torch

    made = torch.empty(shape, dtype=dtype)
    if made.data_ptr() % alignment == 0:
        return made
    count = made.numel() * made.element_size()
    memory = torch.empty(count + alignment, dtype=torch.uint8)
    start = -memory.data_ptr() % alignment
    return memory[start:start + count].view(dtype).view(shape)


def _flops(net):
    """Return the FLOP of one run, and those in tasks with a schedule."""
    kernels = net.metadata["kernels"]
    calls = [kernels[n] for n in net.metadata["calls"]]
    every = sum(kernel.get("flops", 0) for kernel in calls)
    return every, sum(kernel.get("flops", 0) for kernel in calls if kernel.get("key"))


def _mapped(*names):
    """Return the files mapped by this process whose names begin like this."""
    with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as file:
        paths = {line.split(None, 5)[5].rstrip("\n") for line in file if "/" in line}
    return sorted(path for path in paths if os.path.basename(path).startswith(names))


def _identity():
    """Return what libraries depend on in addition to graph and options: this build of
    Pruner, what it links into libraries, LLVM, and the CPU."""
    if not _identity.known:
        own = pathlib.Path(library()._name)
        found = hashlib.sha256(own.read_bytes())
        for place in sorted(own.parent.glob("libPrunerNetwork*.a")):
            found.update(place.read_bytes())
        for path in _mapped("libLLVM", "libMLIR"):
            try:
                found.update(build_id(path).encode())
            except (OSError, ValueError):  # The file was replaced while this process ran.
                found.update(os.urandom(16))
        try:
            with open("/proc/cpuinfo", encoding="utf-8") as file:
                found.update("".join(sorted({line for line in file if line.startswith(
                    ("model name", "flags"))})).encode())
        except OSError:
            pass
        _identity.known.append(found.hexdigest())
    return _identity.known[0]


_identity.known = []

NET, PREPARE = "net.so", "prepare.so"


@dataclasses.dataclass
class Files:
    """The libraries of a graph: their bytes and their location."""

    path: pathlib.Path
    threads: int
    net: bytes
    prepare: bytes = None


def _build(text, constants, options):
    """Return the libraries of a network, from the cache or newly built."""
    import torch

    threads = options.threads or torch.get_num_threads()
    threads = min(threads, len(os.sched_getaffinity(0)))
    module = Module.parse(text, name="graph")
    if constants:
        numbers = ",".join(map(str, constants))
        module.run(f"pruner-declare-constants{{arguments={numbers}}}")
    if options.db and not options.trials:
        module.apply_best(db=options.db, threads=threads)
    cache = Cache(options.cache or default_directory())
    key = _key(module, threads, options)
    try:
        files = cache.read(key)
    except Damaged as reason:
        warnings.warn(f"pruner: the cache entry {cache.entry(key)} is damaged "
                      f"({reason}); rebuilding it", PrunerWarning, stacklevel=2)
        files = None
    if files is not None and NET not in files:
        cache.remove(key)  # Else it would stay, and be made again in each process.
        files = None
    if files is None:
        with cache.scratch() as scratch:
            made = _make(module, pathlib.Path(scratch), threads, options)
            # Tuning adds to the database, so the key changes.
            key = _key(module, threads, options)
            files = cache.store(key, made)
    return Files(cache.entry(key), threads, files[NET], files.get(PREPARE))


def _key(module, threads, options):
    """Return the hash of the inputs of the libraries. With trials or a database it
    includes the database's records for the graph."""
    words = [_identity(), str(module), str(threads)]
    if options.trials:
        words += [str(options.trials), str(options.time_limit)]
        if options.db and os.path.exists(options.db):
            words.append(str(module.clone().apply_best(db=options.db, threads=threads)))
    return hashlib.sha256("\0".join(words).encode()).hexdigest()[:40]


def _make(module, scratch, threads, options):
    """Schedule and compile the module. Return the directory with the libraries."""
    made = scratch / "made"
    made.mkdir()
    module = module.clone()
    if options.trials:
        module = _tune(module, scratch, threads, options)
    elif not options.db:
        module.draft(threads=threads, lower=False)
    module.lower(threads=threads).run("pruner-hoist-constants")
    if "@main_prepare" in str(module):
        module.compile(made / PREPARE, entry="main_prepare")
    module.compile(made / NET, entry="main")
    return made


def _tune(module, scratch, threads, options):
    """Return the module with tuned schedules. Runs in a separate process, because the
    learned models need their own LibTorch."""
    given, tuned = scratch / "in.mlir", scratch / "out.mlir"
    given.write_bytes(module.bytecode())
    tool = pathlib.Path(library()._name).resolve().parents[1] / "bin" / "pruner-opt"
    words = _option_text({"trials": options.trials, "threads": threads, "lower": False,
                          "time_limit": options.time_limit, "db": options.db or None})
    try:
        subprocess.run([tool, given, f"--pruner-tune={words.decode()}", "-o", tuned],
                       check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise PrunerError(f"tuning failed: {error}") from None
    return Module.open(tuned)
