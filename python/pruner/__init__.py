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

`pruner.network` has the details, `pruner.compare` compares two builds of one
network, `pruner.export` (with torch) makes networks from PyTorch modules,
`pruner.census` tells what tasks they are made of.
"""

__all__ = ["Network", "NetworkError", "load"]


def __getattr__(name):
    # NumPy is only needed by those who call networks.
    if name in __all__:
        from . import network

        return getattr(network, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
