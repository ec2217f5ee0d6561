#===- torch_backend.py - torch.compile by Pruner -------------------------===#
#
# Part of the Pruner project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""The backend `pruner` of torch.compile.

    model = torch.compile(model.eval(), backend="pruner")
    with torch.no_grad():
        y = model(x)

Each graph that TorchDynamo finds becomes a library, kept on disk by the hash of
what it is made of. A graph that cannot be compiled runs in eager PyTorch, with
one warning that says why. docs/Integrating.md has the options.
"""

import ctypes
import dataclasses
import hashlib
import os
import pathlib
import subprocess
import tempfile
import warnings

from .module import Module, _option_text
from .native import PrunerError, library
from .network import Network, NetworkError

ELEMENTS = {"torch.float32": "f32", "torch.float64": "f64", "torch.int64": "i64",
            "torch.int32": "i32", "torch.int16": "i16", "torch.int8": "i8",
            "torch.uint8": "i8", "torch.bool": "i1"}


class PrunerWarning(UserWarning):
    """A graph that is not compiled."""


class Unsupported(Exception):
    """Why a graph is left to PyTorch."""


@dataclasses.dataclass
class Options:
    """`torch.compile(..., options={...})`."""

    # Threads of kernels; 0: torch.get_num_threads() when the graph is compiled.
    threads: int = 0
    # Measurements for each graph; 0: none.
    trials: int = 0
    # Seconds after which no measurement is started; 0: no limit.
    time_limit: float = 0
    # The tuning database; without trials what it knows is applied. Without either
    # the analytical model chooses.
    db: str = ""
    # Whether what depends on parameters alone is computed once.
    prepare: bool = True
    # Where libraries are kept; the user's cache directory.
    cache: str = ""
    # Whether a graph that cannot be compiled is an error.
    strict: bool = False


@dataclasses.dataclass
class Graph:
    """What became of a graph, for reports: `reason` if PyTorch runs it. FLOP are of
    one run of the library, `tuned` those of tasks with a schedule."""

    reason: str = ""
    path: str = ""
    flops: float = 0
    tuned: float = 0
    seconds: float = 0  # Of compiling; almost none where the cache had it.
    runs: int = 0  # Of the library, so far.


# All graphs of this process, in the order of compilation.
graphs = []


def _options(given):
    known = {field.name: field.type for field in dataclasses.fields(Options)}
    for name in given or {}:
        if name not in known:
            raise ValueError(f"the backend 'pruner' has no option '{name}'; it has "
                             + ", ".join(known))
    options = Options(**(given or {}))
    if options.trials < 0 or options.threads < 0 or options.time_limit < 0:
        raise ValueError("trials, threads and time_limit must not be negative")
    return options


def compile_graph(graph_module, example_inputs, *, options=None, mode=None):
    """What torch.compile calls with each graph; the callable that it runs."""
    import time

    options = _options(options)
    made = Graph()
    graphs.append(made)
    start = time.perf_counter()
    try:
        run = _compile(graph_module, example_inputs, options, made)
    except Exception as error:
        # Of torch.compile's own machinery anything may come: a graph that is not
        # compiled is slow, one that fails is worse.
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
    """Unless all inputs are what libraries take."""
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
            raise Unsupported(f"an input has {value.dtype}, of reals only float32 is taken")
        if value.layout != torch.strided or str(value.dtype) not in ELEMENTS:
            raise Unsupported(f"an input has {value.dtype}, {value.layout}")
        if value.requires_grad and torch.is_grad_enabled():
            raise Unsupported("gradients are asked for; inference needs torch.no_grad()")


def _refuse_empty_views(graph):
    """torch-mlir divides by the sizes of what is viewed otherwise."""
    import torch

    for node in graph.graph.nodes:
        if node.op != "call_function" or "view" not in str(node.target):
            continue
        value = node.meta.get("val")
        if isinstance(value, torch.Tensor) and 0 in tuple(value.shape):
            raise Unsupported("a tensor without elements is viewed otherwise")


def _compile(graph_module, example_inputs, options, made):
    import torch
    from torch._functorch.aot_autograd import aot_module_simplified

    try:
        from pruner_tools.export import program
    except ImportError:
        raise Unsupported("the package pruner_tools is not here; the wheel with tools "
                          "has it") from None
    _refuse_inputs(example_inputs)
    library()  # Before the work of tracing.

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
    """The positions of parameters and buffers among the inputs of the graph."""
    import torch

    context = torch._guards.TracingContext.try_get()
    metadata = getattr(context, "fw_metadata", None)
    static = getattr(metadata, "static_input_indices", None)
    return [n for n in static or () if n < len(inputs)]


class _Compiled:
    """A graph as a library: a list of tensors to a list of tensors."""

    _boxed_call = True  # torch.compile hands the list over.

    def __init__(self, graph, inputs, options, made, import_graph):
        import torch

        (output,) = [node for node in graph.graph.nodes if node.op == "output"]
        results = [node.meta["val"] if isinstance(node, torch.fx.Node) else node
                   for node in output.args[0]]
        # What the caller gets without any computation is not the library's to give.
        self.results = results
        self.places = [n for n, value in enumerate(results)
                       if isinstance(value, torch.Tensor)]
        if any(value is not None and not isinstance(value, torch.Tensor)
               for value in results):
            raise Unsupported("a result is no tensor")
        if not self.places:
            raise Unsupported("the graph has no result")
        for value in (results[n] for n in self.places):
            if str(value.dtype) not in ELEMENTS:
                raise Unsupported(f"a result has {value.dtype}")
        if len(self.places) < len(results):
            output.args = (tuple(output.args[0][n] for n in self.places),)
            graph.recompile()
        self.constants = _constant_inputs(inputs) if options.prepare else []
        files = _build(import_graph(graph), self.constants, options)
        self.net = Network(files["net"])
        self.prepare = Network(files["prepare"]) if files["prepare"] else None
        self.net.threads = files["threads"]
        made.path = str(files["net"])
        made.flops, made.tuned = _flops(self.net)
        # Where each input of the library comes from: an argument, or what is
        # prepared.
        made_ahead = {tensor.name: n for n, tensor in
                      enumerate(self.prepare.outputs if self.prepare else ())}
        self.sources = [(True, made_ahead[t.name]) if t.name in made_ahead
                        else (False, int(t.name.removeprefix("arg")))
                        for t in self.net.inputs]
        self.weights = [int(t.name.removeprefix("arg"))
                        for t in (self.prepare.inputs if self.prepare else ())]
        self.prepared, self.seen = [], None
        self.made = made

    def __call__(self, arguments):
        import torch

        if self.weights:
            # Parameters may be written, or others put in their place.
            seen = [(arguments[n].data_ptr(), arguments[n]._version) for n in self.weights]
            if seen != self.seen:
                self.prepared = _call(self.prepare, [arguments[n] for n in self.weights])
                self.seen = seen
        self.made.runs += 1
        results = _call(self.net, [(self.prepared if ahead else arguments)[n]
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


def _call(net, tensors):
    """One run of a library on tensors, which are copied only where they are not
    contiguous or not aligned."""
    import torch

    alignment = net.metadata["alignment"]
    held = []
    for tensor in tensors:
        tensor = tensor.detach()
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
    """An uninitialized tensor. PyTorch's allocator aligns to 64 bytes; another one
    need not."""
    import torch

    made = torch.empty(shape, dtype=dtype)
    if made.data_ptr() % alignment == 0:
        return made
    count = made.numel() * made.element_size()
    memory = torch.empty(count + alignment, dtype=torch.uint8)
    start = -memory.data_ptr() % alignment
    return memory[start:start + count].view(dtype).view(shape)


def _flops(net):
    """FLOP of one run, and of these those in tasks with a schedule."""
    kernels = net.metadata["kernels"]
    calls = [kernels[n] for n in net.metadata["calls"]]
    every = sum(kernel.get("flops", 0) for kernel in calls)
    return every, sum(kernel.get("flops", 0) for kernel in calls if kernel.get("key"))


def _identity():
    """What libraries depend on besides the graph and the options: this build of
    Pruner, and the CPU."""
    if not _identity.known:
        found = hashlib.sha256(pathlib.Path(library()._name).read_bytes())
        try:
            with open("/proc/cpuinfo", encoding="utf-8") as file:
                found.update("".join(sorted({line for line in file if line.startswith(
                    ("model name", "flags"))})).encode())
        except OSError:
            pass
        _identity.known.append(found.hexdigest())
    return _identity.known[0]


_identity.known = []


def _cache(options):
    if options.cache:
        return pathlib.Path(options.cache)
    base = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(base) / "pruner" / "torch"


def _numbers(positions):
    return ",".join(map(str, positions))


def _build(text, constants, options):
    """The libraries of a network, from the cache or made now: `net`, `prepare` or
    None, and `threads`."""
    import torch

    threads = options.threads or torch.get_num_threads()
    threads = min(threads, len(os.sched_getaffinity(0)))
    module = Module.parse(text, name="graph")
    if constants:
        module.run(f"pruner-declare-constants{{arguments={_numbers(constants)}}}")
    if options.db and not options.trials:
        module.apply_best(db=options.db, threads=threads)
    words = [_identity(), str(module), str(threads), str(options.trials), options.db
             if options.trials else "", str(options.time_limit)]
    key = hashlib.sha256("\0".join(words).encode()).hexdigest()
    place = _cache(options) / key[:40]
    if not (place / "net.so").exists():
        _make(module, place, threads, options)
    ahead = place / "prepare.so"
    return {"net": place / "net.so", "prepare": ahead if ahead.exists() else None,
            "threads": threads}


def _make(module, place, threads, options):
    """Schedules and compiles the module into the directory, which is there in
    whole or not at all."""
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place.parent) as scratch:
        made = pathlib.Path(scratch) / "made"
        made.mkdir()
        if options.trials:
            module = _tune(module, scratch, threads, options)
        elif not options.db:
            module.draft(threads=threads, lower=False)
        module.lower(threads=threads).run("pruner-hoist-constants")
        if "@main_prepare" in str(module):
            module.compile(made / "prepare.so", entry="main_prepare")
        module.compile(made / "net.so", entry="main")
        try:
            made.rename(place)
        except OSError:
            if not (place / "net.so").exists():  # Else another process was first.
                raise


def _tune(module, scratch, threads, options):
    """The module with tuned schedules. In a process of its own: the learned models
    need a LibTorch that is not this one."""
    given, tuned = pathlib.Path(scratch) / "in.mlir", pathlib.Path(scratch) / "out.mlir"
    given.write_bytes(module.bytecode())
    here = pathlib.Path(library().prunerLibraryDirectory().decode())
    tool = here.parent / "bin" / "pruner-opt"
    words = _option_text({"trials": options.trials, "threads": threads, "lower": False,
                          "time_limit": options.time_limit, "db": options.db or None})
    try:
        subprocess.run([tool, given, f"--pruner-tune={words.decode()}", "-o", tuned],
                       check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise PrunerError(f"tuning failed: {error}") from None
    return Module.open(tuned)
