// RUN: pruner-opt %s --pruner-drop-empty-tensors --canonicalize | FileCheck %s

// An empty sum is its init.
// CHECK-LABEL: func.func @product(
// CHECK-SAME: %[[C:[^ :]*]]: tensor<7x9xf32>) -> tensor<7x9xf32>
// CHECK-NEXT: return %[[C]]
func.func @product(%a: tensor<7x0xf32>, %b: tensor<0x9xf32>, %c: tensor<7x9xf32>) -> tensor<7x9xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<7x0xf32>, tensor<0x9xf32>) outs(%c : tensor<7x9xf32>) -> tensor<7x9xf32>
  return %r : tensor<7x9xf32>
}

// Concatenation with, insertion of and padding around an empty tensor.
// CHECK-LABEL: func.func @parts(
// CHECK-SAME: %[[A:.*]]: tensor<4x3xf32>
// CHECK-DAG: %[[Z:.*]] = arith.constant
// CHECK-DAG: %[[E:.*]] = tensor.empty() : tensor<2x3xf32>
// CHECK-DAG: %[[P:.*]] = linalg.fill ins(%[[Z]] : f32) outs(%[[E]] : tensor<2x3xf32>)
// CHECK-DAG: %[[J:.*]] = tensor.concat dim(0) %[[A]], %[[A]]
// CHECK: return %[[A]], %[[J]], %[[P]]
func.func @parts(%a: tensor<4x3xf32>, %n: tensor<0x3xf32>) -> (tensor<4x3xf32>, tensor<8x3xf32>, tensor<2x3xf32>) {
  %z = arith.constant 0.0 : f32
  %c = tensor.concat dim(0) %n, %a : (tensor<0x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  %i = tensor.insert_slice %n into %c[2, 0] [0, 3] [1, 1] : tensor<0x3xf32> into tensor<4x3xf32>
  %j = tensor.concat dim(0) %a, %n, %i : (tensor<4x3xf32>, tensor<0x3xf32>, tensor<4x3xf32>) -> tensor<8x3xf32>
  %p = tensor.pad %n low[2, 0] high[0, 0] {
  ^bb0(%k: index, %l: index):
    tensor.yield %z : f32
  } : tensor<0x3xf32> to tensor<2x3xf32>
  return %i, %j, %p : tensor<4x3xf32>, tensor<8x3xf32>, tensor<2x3xf32>
}

// Ops that only compute empty tensors are erased.
// CHECK-LABEL: func.func @nothing(
// CHECK-NEXT: %[[E:.*]] = tensor.empty() : tensor<4x0xf32>
// CHECK-NEXT: return %[[E]]
// RUN: pruner-opt %s --pruner-drop-empty-tensors | FileCheck %s --check-prefix=DEAD
// DEAD-LABEL: func.func @nothing(
// DEAD-NOT: tensor.concat
// DEAD-NOT: tensor.collapse_shape
// DEAD: return
func.func @nothing(%a: tensor<4x0xf32>, %b: tensor<0xf32>) -> tensor<4x0xf32> {
  %k = tensor.collapse_shape %a [[0, 1]] : tensor<4x0xf32> into tensor<0xf32>
  %c = tensor.concat dim(0) %k, %b : (tensor<0xf32>, tensor<0xf32>) -> tensor<0xf32>
  %e = tensor.expand_shape %c [[0, 1]] output_shape [4, 0] : tensor<0xf32> into tensor<4x0xf32>
  return %e : tensor<4x0xf32>
}
