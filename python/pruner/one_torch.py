#===- one_torch.py - one LibTorch in this process -------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Keeps a second LibTorch out of this process.

A learned model of libPrunerC opens a LibTorch, and so does `import torch`. Two releases
in one process crash it. This module therefore gives libPrunerC the path of the PyTorch
that this Python can import, and libPrunerC uses no other LibTorch. If PyTorch appears on
the search path only later, its import fails with an ImportError.
"""

import importlib.abc
import importlib.util
import os
import sys


class _Rejection(importlib.abc.Loader):
    """The loader of a module that must not be imported."""

    def __init__(self, reason):
        self.reason = reason

    def create_module(self, spec):
        raise ImportError(self.reason, name=spec.name)

    def exec_module(self, module):
        pass


class _Finder:
    """Finds PyTorch as the other finders do, if it can be imported."""

    def __init__(self, library):
        self.library = library

    def find_spec(self, name, path=None, target=None):
        if name != "torch":
            return None
        for finder in sys.meta_path:
            spec = None if finder is self else finder.find_spec(name, path, target)
            if spec:
                reason = self.library.prunerTorchConflict(_directory(spec))
                if reason:
                    spec.loader = _Rejection(reason.decode(errors="replace"))
                return spec
        return None


def _directory(spec):
    """The directory of a package, as C text; None if it has none."""
    places = list(spec.submodule_search_locations or ()) if spec else []
    return os.fsencode(places[0]) if places else None


def watch(library):
    """Tell libPrunerC which PyTorch can be imported, and check later imports."""
    try:
        spec = importlib.util.find_spec("torch")
    except (ImportError, ValueError):  # A stand-in for PyTorch, without a spec.
        spec = None
    library.prunerSetTorchPackage(_directory(spec))
    sys.meta_path.insert(0, _Finder(library))
