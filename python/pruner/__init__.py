#===- __init__.py - Pruner from Python -------------------------------------===#
#
# Part of the Pruner project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Networks compiled by Pruner, called with NumPy arrays.

    import pruner
    net = pruner.load("net.so")
    y = net(x, w, b)

`pruner.network` has the details. Where libPrunerC is (the wheel with tools, an
installation), `pruner.Module` opens, tunes and compiles networks, too, and
`pruner.CostModel` asks learned models: `pruner.module`.
"""

# Python puts the current directory in front of its search path for `-m`, where a file
# such as ./json.py would take the place of the library's. It stays where this package
# is found in it. `sys` is built in, and `os` is there since Python started.
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
