#===- importing-without.py - pruner.importing without packages -------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs pruner.importing with modules of a directory in place of packages."""
import runpy
import sys

sys.path.insert(0, sys.argv.pop(1))
runpy.run_module("pruner.importing", run_name="__main__", alter_sys=True)
