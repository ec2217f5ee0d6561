#===- running.py - calls of libraries on tensors ---------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the library of a graph on tensors of PyTorch, with parameters prepared once."""

import ctypes
import time

import torch
from torch.multiprocessing.reductions import StorageWeakRef

from ..cache import Cache, default_directory
from ..kept import KeptByContent
from ..network import Network, NetworkError
from . import layouts, libraries, programs
from .messages import log

# Prepare parameters if a run does at least this many FLOP per byte of them. Each call may
# hash all parameters, and a product with few rows takes little longer than that.
WORTH_PREPARING = 4

DTYPES = {"f64": torch.float64, "f32": torch.float32, "f16": torch.float16,
          "bf16": torch.bfloat16, "i64": torch.int64, "i32": torch.int32,
          "i16": torch.int16, "i8": torch.int8, "i1": torch.bool}


def _prepared_inputs(program, parameters, inputs, options):
    """Return the positions of the inputs that are prepared."""
    if options.prepare is False or not parameters:
        return []
    if options.prepare or options.watch != "content":
        return parameters
    size = sum(inputs[n].numel() * inputs[n].element_size() for n in parameters)
    return parameters if program.flops >= WORTH_PREPARING * size else []


class Compiled:
    """A graph for inputs of fixed sizes: maps a list of inputs to a list of results.
    `inputs` are tensors, whose content is not read, and numbers. `parameters` are the
    positions of parameters and buffers among them. Raise Unsupported, PrunerError and
    NetworkError."""

    _boxed_call = True  # torch.compile passes the list itself.

    def __init__(self, graph, inputs, parameters, options, made):
        start = time.perf_counter()
        programs.check_inputs(inputs)
        cache = Cache(options.cache or default_directory())
        program = programs.program_of(graph, inputs, cache)
        # The arguments of the program are the tensors among the inputs.
        tensors = programs.tensors_among(inputs)
        prepared = _prepared_inputs(program, parameters, inputs, options)
        files = libraries.build(program.text, [tensors.index(n) for n in prepared], options,
                                cache)
        self.net = Network(files.path / libraries.NET, data=files.net)
        self.prepare = files.prepare and Network(files.path / libraries.PREPARE,
                                                 data=files.prepare)
        self.net.threads = files.threads
        self.results, self.layouts = program.results, program.layouts
        self.plain = all(each and each[0] == "dense" for each in self.layouts)
        self.unsigned = [n for n, value in enumerate(self.results) if value == "torch.uint8"
                         and layouts.is_computed(self.layouts[n])]
        # The source of each input of the library: an argument or a prepared value.
        ahead = {tensor.name: n for n, tensor in
                 enumerate(self.prepare.outputs if self.prepare else ())}
        self.sources = [(True, ahead[t.name]) if t.name in ahead
                        else (False, tensors[int(t.name.removeprefix("arg"))])
                        for t in self.net.inputs]
        self.weights = [tensors[int(t.name.removeprefix("arg"))]
                        for t in (self.prepare.inputs if self.prepare else ())]
        self.watch = options.watch
        self.kept = KeptByContent(files.threads, options.watch == "nothing")
        self.made = made
        made.path = str(self.net.path)
        made.flops, made.tuned = _flops(self.net)
        made.seconds += time.perf_counter() - start
        made.sizes += 1
        log.info("graph of %d nodes, %s: %d tasks' FLOP of %d have a schedule",
                 len(graph.graph.nodes), _shapes(inputs, parameters), made.tuned, made.flops)

    def __call__(self, arguments):
        prepared = None
        if self.prepare:
            prepared = self._prepared([arguments[n] for n in self.weights])
        self.made.runs += 1
        results = _call(self.net, [(prepared if ahead else arguments)[n]
                                   for ahead, n in self.sources])
        if not self.plain:
            given = iter(results)
            results = [next(given) if layouts.is_computed(layout) else value
                       for value, layout in zip(self.results, self.layouts)]
        for n in self.unsigned:  # i8 has no sign.
            results[n] = results[n].view(torch.uint8)
        if not self.plain:
            results = layouts.restored(results, self.layouts)
        if isinstance(arguments, list):
            arguments.clear()
        return results

    def _prepared(self, weights):
        """Return the values that depend on parameters alone."""
        held = []

        def compute():
            held.extend(_storages(weights))
            return _call(self.prepare, weights)

        weights = [_readable(tensor) for tensor in weights]
        return self.kept(
            tuple([(t.data_ptr(), t.shape, t.stride()) for t in weights]),
            lambda: [(t.data_ptr(), t.numel() * t.element_size()) for t in weights],
            lambda: any([each.expired() for each in held]), compute,
            _versions(weights) if self.watch == "versions" else None)


class WhileZero:
    """A callable for calls in which some inputs are zero, and another one for the others,
    which `make()` returns when it is needed. `zeros` are the positions of these inputs."""

    _boxed_call = True

    def __init__(self, compiled, zeros, make):
        self.compiled, self.zeros, self.make = compiled, zeros, make
        self.other = None

    def __call__(self, arguments):
        if not any(torch.any(arguments[n]) for n in self.zeros):
            return self.compiled(arguments)
        if self.other is None:
            self.other = self.make()
        return self.other(arguments)


def _shapes(inputs, parameters):
    return ", ".join("x".join(map(str, value.shape)) or "scalar"
                     if isinstance(value, torch.Tensor) else str(value)
                     for n, value in enumerate(inputs) if n not in parameters)


def _versions(tensors):
    """Return PyTorch's counters of writes, or None if a tensor was made in inference
    mode and has none."""
    try:
        return [tensor._version for tensor in tensors]
    except RuntimeError:
        return None


def _readable(tensor):
    """Return the tensor, or a contiguous copy."""
    if tensor.is_neg():
        tensor = tensor.resolve_neg()
    if tensor.is_contiguous():
        return tensor
    expected = 1
    for stride, size in sorted(zip(tensor.stride(), tensor.shape)):
        if size != 1:
            if stride != expected:
                return tensor.contiguous()
            expected *= size
    return tensor


def _storages(tensors):
    """Return weak references to the memory of the tensors."""
    storages = {tensor.untyped_storage()._cdata: tensor for tensor in tensors}
    return [StorageWeakRef(tensor.untyped_storage()) for tensor in storages.values()]


def _call(net, tensors):
    """Run a library on tensors. They are copied only if they are not contiguous or not
    aligned."""
    alignment = net.metadata["alignment"]
    held = []
    for tensor in tensors:
        if tensor.is_neg():
            tensor = tensor.resolve_neg()
        if not tensor.is_contiguous():
            tensor = tensor.contiguous()
        if tensor.dtype == torch.bool:  # Views of other bytes have not 0 and 1.
            bytes_ = tensor.detach().view(torch.uint8)
            if tensor.numel() and bytes_.max() > 1:
                tensor = bytes_.ne(0)
        if tensor.data_ptr() % alignment and tensor.numel():
            tensor = _aligned(tensor.shape, tensor.dtype, alignment).copy_(tensor.detach())
        held.append(tensor)
    results = [_aligned(t.shape, DTYPES[t.element], alignment) for t in net.outputs]
    nothing = _aligned((1,), torch.uint8, alignment)

    def pointers(values):
        return (ctypes.c_void_p * len(values))(
            *[(value if value.numel() else nothing).data_ptr() for value in values])

    if net._run(pointers(held), pointers(results)):
        raise NetworkError(f"{net.path}: {net._error().decode()}")
    return results


def _aligned(shape, dtype, alignment):
    """Return an uninitialized tensor. PyTorch's allocator aligns to 64 bytes, but other
    allocators may not."""
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
