// RUN: pruner-opt %s --pruner-inline-constants | FileCheck %s

#id = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>

// A batch norm's epsilon as it is exported: f64, truncated in the body. The
// nearest f32 to 1e-5 is 9.99999974E-6.
// CHECK-LABEL: @truncated
// CHECK: %[[EPS:.*]] = arith.constant 9.99999974E-6 : f32
// CHECK-NOT: arith.truncf
// CHECK: arith.addf %{{.*}}, %[[EPS]] : f32
func.func @truncated(%v: tensor<64xf32>) -> tensor<64xf32> {
  %eps = arith.constant 1.000000e-05 : f64
  %e = tensor.empty() : tensor<64xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%v : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = arith.truncf %eps : f64 to f32
    %s = arith.addf %in, %t : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}

// ReLU6: the bound is a 0-d tensor.
// CHECK-LABEL: @relu6
// CHECK: %[[SIX:.*]] = arith.constant 6.000000e+00 : f32
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<64xf32>) outs
// CHECK: arith.minimumf %{{.*}}, %[[SIX]] : f32
func.func @relu6(%v: tensor<64xf32>) -> tensor<64xf32> {
  %six = arith.constant dense<6.0> : tensor<f32>
  %e = tensor.empty() : tensor<64xf32>
  %r = linalg.generic {indexing_maps = [#id, #none, #id], iterator_types = ["parallel"]}
      ins(%v, %six : tensor<64xf32>, tensor<f32>) outs(%e : tensor<64xf32>) {
  ^bb0(%in: f32, %bound: f32, %out: f32):
    %s = arith.minimumf %in, %bound : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}

// Another rounding mode is somebody's decision.
// CHECK-LABEL: @upward
// CHECK: arith.truncf %{{.*}} upward : f64 to f32
func.func @upward() -> f32 {
  %c = arith.constant 1.000000e-05 : f64
  %t = arith.truncf %c upward : f64 to f32
  return %t : f32
}
