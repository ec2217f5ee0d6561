// RUN: pruner-opt %s --pruner-flatten-empty-arguments | FileCheck %s

// An argument that is read keeps its type.
// CHECK-LABEL: func.func @arguments(
// CHECK-SAME: %{{.*}}: tensor<0xf32>, %[[B:.*]]: tensor<0x9xf32>, %{{.*}}: tensor<7x9xf32>)
// CHECK-SAME: -> (tensor<0xf32>, index)
// CHECK: %[[E:.*]] = tensor.empty() : tensor<0xf32>
// CHECK: return %[[E]]
func.func @arguments(%a: tensor<7x0xf32>, %b: tensor<0x9xf32>, %c: tensor<7x9xf32>) -> (tensor<2x0xf32>, index) {
  %e = tensor.empty() : tensor<2x0xf32>
  %i = arith.constant 1 : index
  %d = tensor.dim %b, %i : tensor<0x9xf32>
  return %e, %d : tensor<2x0xf32>, index
}

// Callers of a private function expect its type.
// CHECK-LABEL: func.func private @inside(
// CHECK-SAME: tensor<7x0xf32>
func.func private @inside(%a: tensor<7x0xf32>) -> tensor<7x0xf32> {
  return %a : tensor<7x0xf32>
}
func.func @outside(%a: tensor<7x0xf32>) -> tensor<7x0xf32> {
  %r = call @inside(%a) : (tensor<7x0xf32>) -> tensor<7x0xf32>
  return %r : tensor<7x0xf32>
}
