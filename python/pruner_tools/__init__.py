#===- __init__.py - programs around Pruner's tools ------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs around Pruner's tools, each run with `python -m`:

    pruner_tools.export    exports networks from PyTorch modules (needs torch)
    pruner_tools.compare   compares two builds of one network
    pruner_tools.census    lists the tasks of networks
    pruner_tools.convert_trees  converts gradient-boosted trees of older files

The modules `datasets`, `results`, `turns`, `tools` and `torch_operations` are shared by
the benchmarks and the GPU kit.

To call compiled networks, the package `pruner` is sufficient.
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
