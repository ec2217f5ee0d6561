// RUN: pruner-opt %s --pruner-simplify-model | FileCheck %s
// RUN: pruner-opt %s --pruner-simplify-model -o %t.mlir
// RUN: pruner-opt %t.mlir --pruner-simplify-model | diff %t.mlir -

// Equal ops are merged, unused ones are erased, and constants and shapes are
// folded.
// CHECK-LABEL: func.func @model(
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>)
// CHECK-NEXT: %[[E:.*]] = tensor.empty() : tensor<4x8xf32>
// CHECK-NEXT: %[[A:.*]] = linalg.exp ins(%[[X]] : tensor<4x8xf32>) outs(%[[E]] : tensor<4x8xf32>)
// CHECK-NEXT: return %[[A]], %[[A]] : tensor<4x8xf32>, tensor<4x8xf32>
func.func @model(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = tensor.empty() : tensor<4x8xf32>
  %1 = tensor.empty() : tensor<4x8xf32>
  %a = linalg.exp ins(%x : tensor<4x8xf32>) outs(%0 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %b = linalg.exp ins(%x : tensor<4x8xf32>) outs(%1 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %unused = linalg.tanh ins(%x : tensor<4x8xf32>) outs(%1 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %c = tensor.collapse_shape %b [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
  %d = tensor.expand_shape %c [[0, 1]] output_shape [4, 8] : tensor<32xf32> into tensor<4x8xf32>
  return %a, %d : tensor<4x8xf32>, tensor<4x8xf32>
}

// The key of a task is a hash of its form.
// CHECK-LABEL: func.func private @task(
// CHECK-NEXT: arith.constant 0.0
// CHECK-NEXT: arith.constant 0.0
// CHECK-NEXT: tensor.empty()
// CHECK-NEXT: tensor.empty()
// CHECK-NEXT: linalg.fill
// CHECK-NEXT: linalg.matmul
func.func private @task(%a: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {pruner.task = {key = "0"}} {
  %z = arith.constant 0.0 : f32
  %y = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<8x8xf32>
  %1 = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// A copy of one column keeps the others; a copy of the whole tensor is replaced
// by its source.
// CHECK-LABEL: func.func @copies(
// CHECK-SAME: %[[X:.*]]: tensor<4x3xf32>, %[[Y:.*]]: tensor<4x3xf32>)
// CHECK: %[[C:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<4x3xf32>) outs(%[[Y]] : tensor<4x3xf32>)
// CHECK: return %[[C]], %[[X]] : tensor<4x3xf32>, tensor<4x3xf32>
func.func @copies(%x: tensor<4x3xf32>, %y: tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<4x3xf32>) {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i, 0)>, affine_map<(i) -> (i, 0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4x3xf32>) outs(%y : tensor<4x3xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<4x3xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x3xf32>) outs(%y : tensor<4x3xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<4x3xf32>
  return %0, %1 : tensor<4x3xf32>, tensor<4x3xf32>
}
