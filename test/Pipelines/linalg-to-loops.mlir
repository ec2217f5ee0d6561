// RUN: pruner-opt %s --pruner-linalg-to-loops | FileCheck %s

// Both arguments and the result are pointers, although the operation could
// overwrite its second argument. The result is computed in place.
// CHECK-LABEL: llvm.func @task(
// CHECK-SAME: %{{[a-z0-9]+}}: !llvm.ptr, %{{[a-z0-9]+}}: !llvm.ptr, %{{[a-z0-9]+}}: !llvm.ptr) attributes {llvm.bareptr} {
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

// The buffer of the result is only known at run time. The function that frees
// buffers therefore takes memrefs of any length; all others take pointers.
// CHECK-LABEL: llvm.func @choose(
// CHECK-SAME: %{{[a-z0-9]+}}: !llvm.ptr, %{{[a-z0-9]+}}: i1, %{{[a-z0-9]+}}: !llvm.ptr, %{{[a-z0-9]+}}: !llvm.ptr) attributes {llvm.bareptr} {
// CHECK: llvm.call @dealloc_helper(
// CHECK: llvm.return
// CHECK: llvm.func @dealloc_helper(
func.func @choose(%x: tensor<4xf32>, %c: i1) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %a = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %b = linalg.sqrt ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %s = scf.if %c -> tensor<4xf32> {
    scf.yield %a : tensor<4xf32>
  } else {
    scf.yield %b : tensor<4xf32>
  }
  %t = scf.if %c -> tensor<4xf32> {
    scf.yield %a : tensor<4xf32>
  } else {
    %d = linalg.sqrt ins(%s : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %d : tensor<4xf32>
  }
  return %s, %t : tensor<4xf32>, tensor<4xf32>
}
