#===- pruner.py - the import name of pruner-loader -------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Imports the package `pruner_loader` as `pruner`.

The distribution pruner-mlir has a package `pruner` in the same directory. Python prefers
a package to a module, so this file is used only where pruner-mlir is not installed.
"""

import importlib.util
import os
import sys

_directory = os.path.join(os.path.dirname(os.path.abspath(__file__)), "pruner_loader")
_spec = importlib.util.spec_from_file_location(
    "pruner", os.path.join(_directory, "__init__.py"),
    submodule_search_locations=[_directory])
# `import` returns what is in sys.modules after this module was executed.
sys.modules["pruner"] = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(sys.modules["pruner"])
