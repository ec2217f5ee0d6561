#===- __init__.py - Pruner from Python -------------------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled networks as Python functions on NumPy arrays.

    import pruner
    net = pruner.load("net.so")
    y = net(x, w, b)

`pruner.network` documents the loader. If libPrunerC is available (in the wheel with
tools or an installation), `pruner.Module` also opens, tunes and compiles networks, and
`pruner.CostModel` evaluates learned models; see `pruner.module`.
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

from .module import CostModel, Module, Progress, Task
from .native import PrunerError
from .network import Network, NetworkError, load

__all__ = ["CostModel", "Module", "Network", "NetworkError", "Progress", "PrunerError",
           "Task", "load"]
