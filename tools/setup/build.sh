#!/bin/bash
# build.sh [build directory] [CMake arguments...]: configures and builds.
# Never more than two compile jobs: files with many MLIR headers take 1 GB each.
set -euo pipefail
cd "$(dirname "$0")/../.."

build=${1:-build}
cmake -G Ninja -S . -B "$build" "${@:2}"
cmake --build "$build" -j2
