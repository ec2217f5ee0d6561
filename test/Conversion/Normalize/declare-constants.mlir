// RUN: pruner-opt %s --pruner-declare-constants=arguments=1 | FileCheck %s --check-prefix=NUMBER
// RUN: pruner-opt %s --pruner-declare-constants=names=%S/Inputs/two.args.json | FileCheck %s --check-prefix=NAMES

// NUMBER: func.func @main(%{{.*}}: tensor<4x8xf32>, %{{.*}}: tensor<8x4xf32> {pruner.constant}) -> tensor<4x4xf32>
// NAMES: func.func @main(%{{.*}}: tensor<4x8xf32> {pruner.name = "x"}, %{{.*}}: tensor<8x4xf32> {pruner.constant, pruner.name = "fc.weight"}) -> (tensor<4x4xf32> {pruner.name = "logits"})
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x4xf32>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  %r = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
