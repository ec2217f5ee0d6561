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

`pruner.network` has the details. What makes and compares networks is in the
package `pruner_tools`, which calling them does not need.
"""

from .network import Network, NetworkError, load

__all__ = ["Network", "NetworkError", "load"]
