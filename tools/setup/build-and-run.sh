#!/bin/bash
# Installs what is needed, builds, and runs the main job on an example: a
# two-layer perceptron is cut into tasks.
# build-and-run.sh [CMake arguments...]
set -euo pipefail
cd "$(dirname "$0")/../.."

tools/setup/install-packages.sh
tools/setup/build.sh build "$@"
build/bin/pruner-opt examples/mlp.mlir --pruner-normalize \
  --pruner-extract-tasks --pruner-list-tasks -o build/mlp-tasks.mlir
