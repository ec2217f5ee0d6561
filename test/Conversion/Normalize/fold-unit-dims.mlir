// RUN: pruner-opt %s --pruner-fold-unit-dims | FileCheck %s

#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#row = affine_map<(d0, d1, d2) -> (d0, d1, 0)>

// The mean subtracted in a layer norm: (d0, d1, 0) is no projected permutation.
// CHECK-DAG: #[[ALL:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: @center
// CHECK: linalg.generic {indexing_maps = [#[[ALL]], #[[ROW]], #[[ALL]]], iterator_types = ["parallel", "parallel"]}
// CHECK-SAME: ins(%{{.*}} : tensor<128x512xf32>, tensor<128xf32>)
func.func @center(%x: tensor<1x128x512xf32>, %mean: tensor<1x128x1xf32>) -> tensor<1x128x512xf32> {
  %e = tensor.empty() : tensor<1x128x512xf32>
  %r = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %mean : tensor<1x128x512xf32>, tensor<1x128x1xf32>) outs(%e : tensor<1x128x512xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.subf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<1x128x512xf32>
  return %r : tensor<1x128x512xf32>
}

// A product with one row stays a product.
// CHECK-LABEL: @one_row
// CHECK: linalg.matmul ins(%{{.*}} : tensor<1x512xf32>, tensor<512x512xf32>)
func.func @one_row(%x: tensor<1x512xf32>, %w: tensor<512x512xf32>, %c: tensor<1x512xf32>) -> tensor<1x512xf32> {
  %r = linalg.matmul ins(%x, %w : tensor<1x512xf32>, tensor<512x512xf32>)
                     outs(%c : tensor<1x512xf32>) -> tensor<1x512xf32>
  return %r : tensor<1x512xf32>
}
