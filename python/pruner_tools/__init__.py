#===- __init__.py - what makes and examines networks -----------------------===#
#
# Part of the Pruner project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Programs around Pruner's tools, each run with `python -m`:

    pruner_tools.export    makes networks from PyTorch modules (needs torch)
    pruner_tools.compare   compares two builds of one network
    pruner_tools.census    tells what tasks networks are made of
    pruner_tools.convert_trees  makes arrays of boosted trees of older files

and what the benchmarks and the GPU kit share: `datasets`, `results`, `turns`, `tools`
and `torch_operations`.

Those who call finished networks need the package `pruner` alone.
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
