// Products of packed tensors are tasks.
// RUN: pruner-opt %s --pruner-normalize --pruner-extract-tasks=min-elements=1 | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-NOT: linalg.pack
// CHECK: call @task_contract_
// CHECK-NOT: linalg.unpack
// CHECK: return
func.func @main(%a: tensor<13x21xf32>, %b: tensor<21x30xf32>) -> tensor<13x30xf32> {
  %z = arith.constant 0.0 : f32
  %pa0 = tensor.empty() : tensor<2x21x8x1xf32>
  %pa = linalg.pack %a padding_value(%z : f32) inner_dims_pos = [0, 1] inner_tiles = [8, 1] into %pa0 : tensor<13x21xf32> -> tensor<2x21x8x1xf32>
  %pb0 = tensor.empty() : tensor<4x21x8x1xf32>
  %pb = linalg.pack %b padding_value(%z : f32) outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [8, 1] into %pb0 : tensor<21x30xf32> -> tensor<4x21x8x1xf32>
  %c0 = tensor.empty() : tensor<2x4x8x8xf32>
  %cz = linalg.fill ins(%z : f32) outs(%c0 : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %c = linalg.mmt4d ins(%pa, %pb : tensor<2x21x8x1xf32>, tensor<4x21x8x1xf32>) outs(%cz : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %u0 = tensor.empty() : tensor<13x30xf32>
  %u = linalg.unpack %c inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %u0 : tensor<2x4x8x8xf32> -> tensor<13x30xf32>
  return %u : tensor<13x30xf32>
}
