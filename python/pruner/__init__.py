#===- __init__.py - Pruner from Python -------------------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tuned linalg programs and networks as Python functions.

    import pruner
    net = pruner.compile(model, (x,), trials=200)      # PyTorch, ONNX, NumPy, MLIR
    y = net(x)
    net.save("net.so")
    net = pruner.load("net.so")

`pruner.network` documents the loader, which needs NumPy only. `pruner.compile`,
`pruner.jit`, `pruner.Module` and `pruner.CostModel` need libPrunerC (in the wheel with
tools, or an installation), and models of PyTorch and ONNX need torch-mlir.
docs/guides/Python.md is the guide.
"""

# With `-m` Python puts the current directory at the front of its search path, where a
# file such as ./json.py would shadow the standard library. The entry is kept only if
# this package is in that directory. `sys` is built in, and `os` is loaded when Python
# starts.
import sys

if sys.argv[:1] == ["-m"] and not getattr(sys.flags, "safe_path", False):
    import os

    if sys.path[:1] == [os.getcwd()] and sys.path[0] != os.path.dirname(
            os.path.dirname(os.path.abspath(__file__))):
        del sys.path[0]

from .compiling import compile
from .database import Database
from .lowering import ModelError
from .module import CostModel, Module, Task
from .native import PrunerError, version
from .network import Network, NetworkError, load
from .progress import Progress
from .tracing import jit
from .tuning import TuneResult

__all__ = ["CostModel", "Database", "ModelError", "Module", "Network", "NetworkError",
           "Progress", "PrunerError", "Task", "TuneResult", "__version__", "compile", "jit",
           "load", "version"]
__version__ = "0.1.0"  # That of the project, in CMakeLists.txt.
