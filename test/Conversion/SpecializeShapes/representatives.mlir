// RUN: pruner-opt %s --split-input-file --pruner-specialize-shapes | FileCheck %s

// A list of sizes: nothing is padded, and no option is needed.

// CHECK-LABEL: func.func @list(
// CHECK-SAME: sizes = [4, 8], {{.*}} from = [4, 8], to = [4, 8], use = [0, 1]>
// CHECK: func.func @list_n4(%{{.*}}: tensor<4xf32>) -> tensor<f32>
// CHECK-NOT: arith.select
// CHECK: func.func @list_n8(%{{.*}}: tensor<8xf32>) -> tensor<f32>
func.func @list(%x: tensor<?xf32> {pruner.range = [#pruner.range<n, [4, 8]>]}) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %s = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<?xf32>) outs(%f : tensor<f32>) {
  ^bb0(%a: f32, %acc: f32):
    %0 = arith.addf %acc, %a : f32
    linalg.yield %0 : f32
  } -> tensor<f32>
  return %s : tensor<f32>
}

// -----

// Sizes chosen before, with their times: three pieces of 2 are slower than a
// padded 8.

// CHECK-LABEL: func.func @chosen(
// CHECK-NOT: pruner.representatives
// CHECK-SAME: #pruner.plan<n, independent, sizes = [2, 8], {{.*}} from = [1, 5], to = [4, 8], use = [0, 1]>
func.func @chosen(%x: tensor<?xf32> {pruner.range = [#pruner.range<n, 1 to 8>]}) -> tensor<?xf32>
    attributes {pruner.representatives = {sizes = array<i64: 2, 8>, seconds = array<f64: 2.0, 5.0>}} {
  return %x : tensor<?xf32>
}

// Nothing was chosen.

// RUN: not pruner-opt %S/Inputs/range.mlir --pruner-specialize-shapes 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: expected sizes of 'n' between 1 and 12; set the option 'sizes' or run pruner-choose-sizes
