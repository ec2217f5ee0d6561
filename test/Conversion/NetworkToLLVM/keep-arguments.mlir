// RUN: pruner-opt %s --pruner-keep-arguments | FileCheck %s
// RUN: pruner-opt %s --pruner-keep-arguments -o %t.mlir
// RUN: pruner-opt %t.mlir --pruner-keep-arguments | diff %t.mlir -

// Arguments must not be overwritten, and each result has its own buffer: a
// result that is an argument or occurs twice is copied.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<8xf32> {bufferization.writable = false},
// CHECK-SAME: %[[W:[a-z0-9]+]]: tensor<8xf32> {bufferization.writable = false},
// CHECK-SAME: %{{.*}}: memref<8xf32>, %{{[^:]*}}: index)
// CHECK: %[[Y:.*]] = linalg.add
// CHECK-NEXT: %[[A:.*]] = bufferization.alloc_tensor() copy(%[[X]]) : tensor<8xf32>
// CHECK-NEXT: %[[B:.*]] = bufferization.alloc_tensor() copy(%[[Y]]) : tensor<8xf32>
// CHECK-NEXT: return %[[A]], %[[Y]], %[[B]]
func.func @main(%x: tensor<8xf32>, %w: tensor<8xf32>, %m: memref<8xf32>, %n: index) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %y = linalg.add ins(%x, %w : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %x, %y, %y : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// Private functions are inlined or lowered with their callers.
// CHECK-LABEL: func.func private @inner(
// CHECK-SAME: %[[X:.*]]: tensor<8xf32>)
// CHECK-NEXT: return %[[X]]
func.func private @inner(%x: tensor<8xf32>) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}
// CHECK: func.func private @declared(tensor<8xf32>) -> tensor<8xf32>
func.func private @declared(tensor<8xf32>) -> tensor<8xf32>
