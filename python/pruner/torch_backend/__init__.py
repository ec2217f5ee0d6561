#===- torch_backend - torch.compile by Pruner ------------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The torch.compile backend `pruner`.

    model = torch.compile(model.eval(), backend="pruner")
    with torch.no_grad():
        y = model(x)

Each graph of TorchDynamo becomes a library, which is cached on disk by the hash of its
inputs. Operations that cannot be compiled run in eager PyTorch, with one warning for each
graph that gives the reason. docs/guides/TorchCompile.md describes modes, options, and limits.

    options.py    options and modes
    programs.py   from a graph with concrete sizes to a linalg program
    libraries.py  from a program to libraries, tuned if asked for
    running.py    calls of libraries on tensors
    sizes.py      graphs with symbolic sizes
    parts.py      graphs of which PyTorch runs some operations
    packages.py   exported programs as one file, for deployment
    messages.py   warnings and the log
"""

import copy
import dataclasses

from .messages import PrunerWarning, Unsupported, brief, log, warn
from .options import Options, read_options

__all__ = ["Graph", "Options", "PrunerWarning", "Unsupported", "aot_compile",
           "compile_graph", "graphs"]


@dataclasses.dataclass
class Graph:
    """The outcome of a graph, for reports. `reason` is set if PyTorch runs it. `flops`
    counts one run of the latest library, `tuned` the FLOP of tasks with a schedule."""

    reason: str = ""
    path: str = ""  # Of the latest library.
    flops: float = 0
    tuned: float = 0
    seconds: float = 0  # Compile time; almost 0 after a cache hit.
    runs: int = 0  # Runs of libraries so far.
    sizes: int = 0  # Libraries so far: one, unless sizes are dynamic.
    eager: list = dataclasses.field(default_factory=list)  # Operations PyTorch runs.


# All graphs of this process, in the order of compilation.
graphs = []


def compile_graph(graph_module, example_inputs, *, options=None, mode=None):
    """Compile a graph for torch.compile and return the callable that runs it. Raise
    TypeError and ValueError for wrong options."""
    import torch

    options = read_options(options, mode)
    made = Graph()
    graphs.append(made)
    try:
        return _compile(graph_module, example_inputs, options, made)
    except torch._dynamo.exc.RestartAnalysis:
        graphs.pop()
        raise  # TorchDynamo traces the graph again.
    except Exception as error:
        # torch.compile may raise anything here. Running the graph in PyTorch is better
        # than failing.
        made.reason = brief(error)
        if options.strict:
            raise
        log.debug("a graph runs in eager PyTorch", exc_info=True)
        warn(f"pruner: a graph of {len(graph_module.graph.nodes)} nodes runs in eager "
             f"PyTorch: {made.reason}")
        return graph_module.forward


def aot_compile(exported, path, *, options=None, mode=None):
    """Compile an `ExportedProgram` to one file. See `packages.aot_compile`."""
    from . import packages

    return packages.aot_compile(exported, path, options=options, mode=mode)


def _compile(graph_module, example_inputs, options, made):
    import torch
    from torch._functorch.aot_autograd import aot_module_simplified

    from ..native import library
    from . import programs
    from .parts import compile_parts, operations, raise_known_error
    from .running import Compiled, WhileZero
    from .sizes import BySizes, is_dynamic

    programs.check_inputs(example_inputs)
    library()  # Fail before the work of tracing if there is no library.

    def make(graph, inputs, parameters):
        if is_dynamic(inputs):
            return BySizes(graph, inputs, options,
                           lambda given: for_sizes(graph, given, parameters))
        return for_sizes(graph, inputs, parameters)

    def for_sizes(graph, inputs, parameters):
        try:
            programs.check_values(graph)
            if not options.strict:
                raise_known_error(graph, inputs, options)
            return Compiled(graph, inputs, parameters, options, made)
        except programs.Unsupported as error:
            if options.strict:
                raise
            is_first = not made.eager  # Of several sizes.
            compiled = compile_parts(graph, inputs, parameters, options, made, error)
            if is_first:
                warn(f"pruner: eager PyTorch runs {len(made.eager)} of "
                     f"{len(operations(graph))} operations of a graph "
                     f"({', '.join(sorted(set(made.eager)))}): {brief(error)}")
            return compiled

    def compiler(graph, inputs):
        programs.check_inputs(inputs)
        parameters = _parameters(inputs)
        zeros = programs.zero_points(graph, example_inputs)
        if not zeros:
            return make(graph, inputs, parameters)
        whole = copy.deepcopy(graph)
        programs.drop_zero_points(graph, zeros)
        compiled = make(graph, inputs, parameters)
        if options.watch == "nothing":
            return compiled
        return WhileZero(compiled, zeros, lambda: make(whole, inputs, parameters))

    with torch.no_grad():
        return aot_module_simplified(graph_module, example_inputs, fw_compiler=compiler,
                                     inference_compiler=compiler)


def _parameters(inputs):
    """Return the positions of parameters and buffers among the inputs of the graph."""
    import torch

    context = torch._guards.TracingContext.try_get()
    metadata = getattr(context, "fw_metadata", None)
    static = getattr(metadata, "static_input_indices", None)
    return [n for n in static or () if n < len(inputs)]
