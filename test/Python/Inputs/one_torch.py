"""A learned model in a process that imports packages named torch."""
import importlib.util
import pathlib
import sys

mode, other, *system = sys.argv[1:]
if mode == "importable":
    sys.path.insert(0, other)
else:
    sys.modules["torch"] = None  # Hides a PyTorch of this Python.

import pruner

from product import TEXT


def libtorches():
    """The files of LibTorch in this process."""
    maps = pathlib.Path("/proc/self/maps").read_text().split()
    return {word for word in maps if "/libtorch_cpu.so" in word}


if mode == "importable":
    module = pruner.Module.parse(TEXT)
    try:
        module.tune(trials=2, threads=1, model="pacm")
    except pruner.PrunerError as error:
        print("error:", error)
    # On this target `auto` is pacm. Nothing is measured without a GPU.
    module.tune(trials=2, target="nvidia:sm_80")
    for severity, _, message in module.diagnostics:
        if severity == "warning":
            print(f"warning: {message}")
    print("LibTorch:", *libtorches() or ["none"])
else:
    done = pruner.Module.parse(TEXT).tune(trials=4, batch=2, threads=1, model="pacm",
                                          finals=False)
    print("tuned:", bool(done))
    del sys.modules["torch"]
    sys.path.insert(0, other)
    print("found:", importlib.util.find_spec("torch") is not None)
    try:
        import torch
    except ImportError as error:
        print("error:", error)
    # Debian's package uses the library of the system.
    (mapped,) = libtorches()
    package = pathlib.Path(system[0]) / "torch"
    version = mapped.partition(".so.")[2]
    if version:
        (package / "__init__.py").write_text(f"__version__ = '{version}'\n")
        (package / "version.py").write_text(f"__version__ = '{version}'\n")
        sys.path.insert(0, system[0])
        import torch
    print("of the same release:", version)
