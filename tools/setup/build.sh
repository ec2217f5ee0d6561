#!/bin/bash
# build.sh [build directory] [CMake arguments...]: configures and builds with at
# most two compile jobs, because files with many MLIR headers need 1 GB each.
# PRUNER_TARGETS names the targets to build; by default all.
set -euo pipefail
cd "$(dirname "$0")/../.."

# Clang compiles MLIR's headers faster than g++, far faster with precompiled
# headers. Set CXX for another compiler.
if [ -z "${CXX:-}" ] && command -v clang++-22 >/dev/null; then
  export CC=clang-22 CXX=clang++-22
fi

build=${1:-build}
cmake -G Ninja -S . -B "$build" "${@:2}"
# shellcheck disable=SC2086 # A list of words.
cmake --build "$build" -j2 --target ${PRUNER_TARGETS:-all}
