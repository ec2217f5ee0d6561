#===- openmp.py - threads shared with PyTorch ------------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the kernels of a library on the threads of PyTorch's OpenMP runtime.

Threads of two runtimes compete for the cores: after a parallel region each waits for the
next one without giving up its core.
"""

import ctypes
import sys

# GNU's runtime has these functions; LLVM's and Intel's have them for compatibility.
FUNCTIONS = ("GOMP_parallel", "omp_get_thread_num", "omp_get_num_threads")


def _runtime():
    """Return the addresses of the functions of the runtime that the process shares with
    all its libraries, or None. PyTorch loads its own like this."""
    process = ctypes.CDLL(None)
    try:
        return [ctypes.cast(getattr(process, name), ctypes.c_void_p) for name in FUNCTIONS]
    except AttributeError:
        return None


def share_threads(library):
    """Let the library of a network use PyTorch's threads if PyTorch was imported and both
    use the same number of threads, and its own threads otherwise. (A runtime ends and
    starts threads when the size of its team changes.)"""
    if not hasattr(library, "pruner_use_openmp"):
        return
    torch = sys.modules.get("torch")
    same = (hasattr(torch, "get_num_threads")
            and torch.get_num_threads() == library.pruner_threads())
    library.pruner_use_openmp(*((_runtime() if same else None) or [None] * len(FUNCTIONS)))
