#===- options.py - options and modes of the backend ------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The options and modes of `torch.compile(..., backend="pruner")`."""

import dataclasses
import math
import os

from ..module import Module, _option_text
from ..native import PrunerError

# Trials for each graph with mode="max-autotune".
AUTOTUNE_TRIALS = 200

MODES = {
    "default": {},
    "max-autotune": {"trials": AUTOTUNE_TRIALS},
    # CUDA graphs do not concern a CPU.
    "max-autotune-no-cudagraphs": {"trials": AUTOTUNE_TRIALS},
    "reduce-overhead": {"watch": "versions"},
}

WATCHED = ("content", "versions", "nothing")


@dataclasses.dataclass
class Options:
    """The options of `torch.compile(..., options={...})`."""

    # A mode of torch.compile, which gives other options their defaults. torch.compile
    # itself does not accept `mode` together with `options`.
    mode: str = "default"
    # Threads of kernels; 0: torch.get_num_threads() when the graph is compiled.
    threads: int = 0
    # Trials for each graph; 0: no tuning.
    trials: int = 0
    # Seconds after which no measurement is started; 0: no limit.
    time_limit: float = 0
    # The tuning database. Without trials its best records are applied. Without both,
    # the analytical model chooses. Trials without a database are stored in the cache
    # directory.
    db: str = ""
    # Relaxations of accuracy that results may have, apart from the order of sums:
    # "bf16-products", for example, or several names with commas between.
    accuracy: str = ""
    # Whether values that depend only on parameters are computed once, and again if
    # the parameters have changed. None: only if the graph does enough work per byte of
    # parameters to pay for checking them in each call.
    prepare: bool = None
    # How changes of parameters and buffers are detected: by their content, by PyTorch's
    # version counters, or not at all.
    watch: str = "content"
    # Whether the caller promises not to write to parameters and buffers after the first
    # call: the same as watch="nothing".
    frozen: bool = False
    # How many sizes of one dynamic graph are kept in memory.
    sizes: int = 16
    # The directory of the cache; empty: the user's cache directory.
    cache: str = ""
    # Whether a graph that cannot be compiled is an error.
    strict: bool = False


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


def _known(what, value, known):
    if value not in known:
        raise ValueError(f"unknown {what} {value!r} of the backend 'pruner'; expected one "
                         f"of {', '.join(known)}")


def _check_accuracy(names):
    """Raise ValueError unless the registry of `pruner-relax-accuracy` has the names."""
    text = _option_text({"accuracy": names}).decode()
    module = Module.parse("module {}")
    try:
        module.run(f"pruner-relax-accuracy{{{text}}}")
    except PrunerError as error:
        reason = str(error).rpartition("option 'accuracy': ")[2]
        raise ValueError(f"the option 'accuracy' of the backend 'pruner': {reason}") from None


def read_options(given, mode):
    """Return the `Options` of a call of the backend. Raise TypeError and ValueError."""
    known = {field.name: field.type for field in dataclasses.fields(Options)}
    for name in given or {}:
        if name not in known:
            raise ValueError(f"the backend 'pruner' has no option '{name}'; it has "
                             + ", ".join(known))
    values = {name: _value(name, known[name], value)
              for name, value in (given or {}).items()}
    mode = values.setdefault("mode", mode or "default")
    _known("mode", mode, MODES)
    options = Options(**{**MODES[mode], **values})
    _known("value of the option 'watch'", options.watch, WATCHED)
    if options.accuracy:
        _check_accuracy(options.accuracy)
    if options.sizes < 1:
        raise ValueError("the option 'sizes' of the backend 'pruner' must be at least 1")
    if options.frozen:
        options.watch = "nothing"
    return options
