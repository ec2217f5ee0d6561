// RUN: pruner-opt %s --pruner-generalize-named-ops --pruner-inline-constants --pruner-erase-unused-results --pruner-raise-fills --pruner-raise-min-max --pruner-expand-powers --pruner-narrow-compares --pruner-demote-f64 --pruner-raise-bias-inits --pruner-fold-row-guards --pruner-hoist-slices --pruner-fold-unit-dims --pruner-sink-broadcasts --pruner-move-reshapes --pruner-absorb-transposes --pruner-absorb-slices --pruner-grow-concats | FileCheck %s

// A task must keep the form from which its key was made. A product with one row
// has a bias with a unit dimension there, which stays.
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

// The passes on bodies and inits do not change it either.
// CHECK-LABEL: func.func private @other_task
// CHECK: linalg.generic {{.*}}outs(%{{.*}} : tensor<4xi64>)
// CHECK: linalg.broadcast
// CHECK: linalg.matmul {{.*}}outs(%{{.*}} : tensor<16x8xf32>)
// CHECK: math.fpowi
// CHECK: arith.extf
// CHECK: arith.cmpf oeq, {{.*}} : f64
// CHECK: arith.cmpf ugt
// CHECK: arith.select
func.func private @other_task(%x: tensor<16x16xf32>, %w: tensor<16x8xf32>, %b: tensor<8xf32>) -> (tensor<4xi64>, tensor<16x8xf32>)
    attributes {pruner.task = {key = "00000000000000000000000000000001", weight = 1 : i64, flops = 264 : i64, bytes = 672 : i64}} {
  %three = arith.constant 3 : i64
  %zero = arith.constant 0.0 : f32
  %infinity = arith.constant 0x7FF0000000000000 : f64
  %n = tensor.empty() : tensor<4xi64>
  %c = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%n : tensor<4xi64>) {
  ^bb0(%out: i64):
    linalg.yield %three : i64
  } -> tensor<4xi64>
  %e = tensor.empty() : tensor<16x8xf32>
  %i = linalg.broadcast ins(%b : tensor<8xf32>) outs(%e : tensor<16x8xf32>) dimensions = [0]
  %m = linalg.matmul ins(%x, %w : tensor<16x16xf32>, tensor<16x8xf32>) outs(%i : tensor<16x8xf32>) -> tensor<16x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%m : tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %p = math.fpowi %in, %three : f32, i64
    %d = arith.extf %in : f32 to f64
    %t = arith.cmpf oeq, %d, %infinity : f64
    %u = arith.cmpf ugt, %p, %zero : f32
    %s = arith.select %u, %p, %zero : f32
    %v = arith.select %t, %in, %s : f32
    linalg.yield %v : f32
  } -> tensor<16x8xf32>
  return %c, %r : tensor<4xi64>, tensor<16x8xf32>
}
