#!/bin/bash
# check-install.sh <cmake> <build directory> <scratch directory> <cost model>
# Installs, moves the result, checks the dynamic section of every installed program (all
# libraries found, none of them in the build tree), and tunes a small program, which
# needs the worker and the plug-in with the cost model.
set -euo pipefail
cmake=$1 build=$(realpath "$2") scratch=$3 model=$4

rm -rf "$scratch"
mkdir -p "$scratch"
"$cmake" --install "$build" --prefix "$scratch/first" >"$scratch/log"
mv "$scratch/first" "$scratch/moved"
cd "$scratch/moved"

clean=(env -i PATH=/usr/bin:/bin HOME=/nonexistent)
shopt -s nullglob # Without LibTorch there is no shared library.
files=(bin/* lib/*.so)
for file in "${files[@]}"; do
  libraries=$("${clean[@]}" ldd "$file")
  if grep 'not found' <<<"$libraries"; then
    echo "$file: a library is missing"
    exit 1
  fi
  if grep -F "$build/" <<<"$libraries"; then
    echo "$file: reaches into the build tree"
    exit 1
  fi
  if readelf -d "$file" | grep -E 'R(UN)?PATH' | grep -F "$build"; then
    echo "$file: looks for libraries in the build tree"
    exit 1
  fi
done
echo "checked ${#files[@]} files"
ls bin lib share/pruner/examples
"${clean[@]}" bin/pruner-machine nvidia:sm_90
"${clean[@]}" bin/pruner-opt share/pruner/examples/mlp.mlir --pruner-normalize \
  --pruner-extract-tasks --pruner-list-tasks -o /dev/null
cat >small.mlir <<'END'
func.func @main(%a: tensor<32x32xf32>, %b: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x32xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
  %r = linalg.matmul ins(%a, %b : tensor<32x32xf32>, tensor<32x32xf32>)
                     outs(%c : tensor<32x32xf32>) -> tensor<32x32xf32>
  return %r : tensor<32x32xf32>
}
END
"${clean[@]}" bin/pruner-opt small.mlir \
  --pruner-tune="trials=2 batch=2 threads=1 lower=false model=$model" -o tuned.mlir
grep -o '#pruner.schedule<[a-z_]*' tuned.mlir
