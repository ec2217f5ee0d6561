#!/bin/bash
# Installs the dependencies, builds what tunes and compiles programs, and tunes an
# example, a three-layer perceptron, for this CPU with a few measurements. The
# records are stored in build/mlp.db; a second run finds them and only applies the
# best. `tools/setup/build.sh` builds the rest: tests, benchmarks, other tools, and
# the learned models that need LibTorch.
#     build-and-run.sh [CMake arguments...]
set -euo pipefail
cd "$(dirname "$0")/../.."

tools/setup/install-packages.sh
PRUNER_TARGETS=pruner-run tools/setup/build.sh build "$@"
build/bin/pruner-opt examples/mlp.mlir \
  --pruner-tune='target=cpu trials=30 db=build/mlp.db' -o build/mlp-tuned.mlir
echo "tuned module: build/mlp-tuned.mlir" >&2
