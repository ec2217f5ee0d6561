#===- sizes.py - graphs with dynamic sizes ---------------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs with symbolic sizes: a library for each combination of sizes that occurs.

TorchDynamo gives a graph symbolic sizes if a size changed between calls, with
dynamic=True, or where torch._dynamo.mark_dynamic says so. A library of static shape is
the fastest for its size: its tasks are scheduled for this size, nothing is padded, and
its weights are prepared.
"""

import collections

import torch

from .messages import brief, log, warn

# How many sizes are remembered that occurred only once.
REMEMBERED = 1024


def is_dynamic(inputs):
    """Return whether a graph with these example inputs has symbolic sizes."""
    return any(not isinstance(size, int) for value in inputs
               for size in (value.shape if isinstance(value, torch.Tensor) else (value,)))


def _hint(value):
    return value.node.hint if isinstance(value, (torch.SymInt, torch.SymFloat,
                                                 torch.SymBool)) else value


def example(inputs):
    """Return symbolic inputs with the sizes of the first call, without memory."""
    from torch._subclasses import FakeTensorMode
    from torch.utils._python_dispatch import _disable_current_modes

    def concrete(value):
        if not isinstance(value, torch.Tensor):
            return _hint(value)
        return torch.empty_strided([_hint(size) for size in value.shape],
                                   [_hint(size) for size in value.stride()],
                                   dtype=value.dtype)
    with _disable_current_modes(), FakeTensorMode():
        return [concrete(value) for value in inputs]


class BySizes:
    """A graph with symbolic sizes. The first `options.sizes` combinations of sizes are
    compiled when they occur. Later ones are compiled when they occur for the second
    time, and run in eager PyTorch at first; the library that was not used for the longest
    time is then dropped from memory, with its prepared weights. It stays on disk.
    `compiled` compiles the graph for inputs of concrete sizes."""

    _boxed_call = True

    def __init__(self, graph, inputs, options, compiled):
        self.graph, self.options, self.compiled = graph, options, compiled
        self.kept = collections.OrderedDict()  # By sizes.
        self.once = collections.OrderedDict()
        given = example(inputs)
        self.kept[_sizes(given)] = compiled(given)

    def __call__(self, arguments):
        sizes = _sizes(arguments)
        run = self.kept.get(sizes)
        if run:
            self.kept.move_to_end(sizes)
        else:
            run = self._new(sizes, arguments)
        return run(arguments)

    def _new(self, sizes, arguments):
        if len(self.kept) >= self.options.sizes and sizes not in self.once:
            self.once[sizes] = True
            if len(self.once) > REMEMBERED:
                self.once.popitem(last=False)
            log.info("a new size runs in eager PyTorch, because the graph has %d "
                     "libraries: %s", len(self.kept), sizes)
            return self._eager
        try:
            run = self.compiled(arguments)
        except Exception as error:
            if self.options.strict:
                raise
            warn(f"pruner: a graph of {len(self.graph.graph.nodes)} nodes runs in eager "
                 f"PyTorch for the sizes {sizes}: {brief(error)}")
            run = self._eager
        self.kept[sizes] = run
        if len(self.kept) > self.options.sizes:
            self.once[self.kept.popitem(last=False)[0]] = True
        return run

    def _eager(self, arguments):
        results = self.graph(*arguments)
        if isinstance(arguments, list):
            arguments.clear()
        return results


def _sizes(inputs):
    return tuple([tuple(value.shape) if isinstance(value, torch.Tensor) else value
                  for value in inputs])
