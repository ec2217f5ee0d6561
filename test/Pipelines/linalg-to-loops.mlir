// RUN: pruner-opt %s --pruner-linalg-to-loops | FileCheck %s

// Both arguments and the result are pointers, although the operation could
// overwrite its second argument. The result is computed in place.
// CHECK-LABEL: llvm.func @task(
// CHECK-SAME: %{{[a-z0-9]+}}: !llvm.ptr, %{{[a-z0-9]+}}: !llvm.ptr, %{{[a-z0-9]+}}: !llvm.ptr) {
// CHECK-NOT: @malloc
// CHECK-NOT: @aligned_alloc
// CHECK: llvm.fadd
// CHECK-NOT: vector<
// CHECK: llvm.return
func.func @task(%a: tensor<4x8xf32>, %c: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = linalg.add ins(%a, %c : tensor<4x8xf32>, tensor<4x8xf32>)
                  outs(%c : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
