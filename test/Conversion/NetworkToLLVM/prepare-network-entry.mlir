// RUN: pruner-opt %s --pruner-prepare-network=entry=main_prepare --symbol-dce | FileCheck %s

// The library that prepares constants contains nothing of the network.
// CHECK-NOT: @main(
// CHECK: func.func @main_prepare(
// CHECK-NOT: pruner.prepares
// CHECK-NOT: @main(
func.func @main(%x: tensor<8xf32>, %p: tensor<8xf32> {pruner.name = "prepared0"}) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %y = linalg.add ins(%x, %p : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}
func.func @main_prepare(%w: tensor<8xf32> {pruner.constant, pruner.name = "w"}) -> (tensor<8xf32> {pruner.name = "prepared0"}) attributes {pruner.prepares = @main} {
  %e = tensor.empty() : tensor<8xf32>
  %y = linalg.exp ins(%w : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}
