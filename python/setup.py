#===- setup.py - the packages of pruner-loader -----------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Installs the package `pruner` as `pruner_loader`, see pyproject.toml."""

from setuptools import find_packages, setup

# The license is not in pyproject.toml, because no form of it there suits the setuptools
# of Debian 12 and the present one.
setup(license="Apache-2.0 WITH LLVM-exception",
      packages=["pruner_loader",
                *(f"pruner_loader.{package}" for package in find_packages("pruner"))])
