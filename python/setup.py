#===- setup.py - the packages of pruner-loader -----------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Installs the package `pruner` as `pruner_loader`, see pyproject.toml."""

from setuptools import find_packages, setup

setup(packages=["pruner_loader",
                *(f"pruner_loader.{package}" for package in find_packages("pruner"))])
