// RUN: pruner-opt %s --pruner-generalize-named-ops --pruner-inline-constants --pruner-erase-unused-results --pruner-fold-unit-dims --pruner-move-reshapes --pruner-absorb-transposes | FileCheck %s

// A task is in the form that its key was made from. A product with one row has
// a bias with a unit dimension there, and so it stays.
// CHECK-LABEL: func.func private @task
// CHECK-NOT: collapse_shape
// CHECK: linalg.matmul
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<1x8xf32>, tensor<1x8xf32>)
func.func private @task(%x: tensor<1x16xf32>, %w: tensor<16x8xf32>, %c: tensor<1x8xf32>, %b: tensor<1x8xf32>) -> tensor<1x8xf32>
    attributes {pruner.task = {key = "00000000000000000000000000000000", weight = 1 : i64, flops = 264 : i64, bytes = 672 : i64}} {
  %m = linalg.matmul ins(%x, %w : tensor<1x16xf32>, tensor<16x8xf32>) outs(%c : tensor<1x8xf32>) -> tensor<1x8xf32>
  %e = tensor.empty() : tensor<1x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%m, %b : tensor<1x8xf32>, tensor<1x8xf32>) outs(%e : tensor<1x8xf32>) {
  ^bb0(%in: f32, %bias: f32, %out: f32):
    %s = arith.addf %in, %bias : f32
    linalg.yield %s : f32
  } -> tensor<1x8xf32>
  return %r : tensor<1x8xf32>
}
