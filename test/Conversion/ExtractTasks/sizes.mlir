// RUN: pruner-opt %s --pruner-normalize --pruner-extract-tasks --split-input-file --verify-diagnostics
// RUN: pruner-opt %s --split-input-file --pruner-list-tasks -o /dev/null 2>&1 | FileCheck %s

// The product of the extents is 2^64, which is 0 in 64 bits.
// CHECK: in tasks: 0.00% of 9223372036.854776 GFLOP, 0.00% of 9223372036854.775391 MB
// CHECK: outside tasks: 1 x linalg.exp
func.func @points(%a: tensor<4611686018427387904x4xf32>, %e: tensor<4611686018427387904x4xf32>) -> tensor<4611686018427387904x4xf32> {
  // expected-remark @below {{'linalg.generic' stays outside the tasks: the 4611686018427387904x4 points exceed the limit of 281474976710656}}
  %m = linalg.exp ins(%a : tensor<4611686018427387904x4xf32>) outs(%e : tensor<4611686018427387904x4xf32>) -> tensor<4611686018427387904x4xf32>
  return %m : tensor<4611686018427387904x4xf32>
}

// -----

// In 64 bits these are -96 points.
func.func @rows(%x: tensor<9223372036854775807x96xf32>) -> tensor<9223372036854775807xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<9223372036854775807xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<9223372036854775807xf32>) -> tensor<9223372036854775807xf32>
  // expected-remark @below {{'linalg.generic' stays outside the tasks: the 9223372036854775807x96 points exceed the limit of 281474976710656}}
  %s = linalg.generic {indexing_maps = [affine_map<(a, c) -> (a, c)>, affine_map<(a, c) -> (a)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<9223372036854775807x96xf32>) outs(%f : tensor<9223372036854775807xf32>) {
  ^bb0(%i: f32, %acc: f32):
    %r = arith.addf %acc, %i : f32
    linalg.yield %r : f32
  } -> tensor<9223372036854775807xf32>
  return %s : tensor<9223372036854775807xf32>
}

// -----

// Few points, in a large input of which they are a part.
func.func @bytes(%x: tensor<137438953473x8xf64>, %e: tensor<64x64xf64>) -> tensor<64x64xf64> {
  // expected-remark @below {{'linalg.generic' stays outside the tasks: a tensor of 137438953473x8 elements exceeds the limit of 1099511627776 bytes}}
  %s = linalg.generic {indexing_maps = [affine_map<(a, c) -> (a * 2 + c, 3)>, affine_map<(a, c) -> (a, c)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<137438953473x8xf64>) outs(%e : tensor<64x64xf64>) {
  ^bb0(%i: f64, %out: f64):
    %r = arith.negf %i : f64
    linalg.yield %r : f64
  } -> tensor<64x64xf64>
  return %s : tensor<64x64xf64>
}

// -----

// The divisors of such an extent are expensive to find; nothing computes them.
func.func @prime(%a: tensor<32x64xf32>, %b: tensor<64x1000000000000000003xf32>, %c: tensor<32x1000000000000000003xf32>) -> tensor<32x1000000000000000003xf32> {
  // expected-remark @below {{'linalg.matmul' stays outside the tasks: the 32x1000000000000000003x64 points exceed the limit of 281474976710656}}
  %m = linalg.matmul ins(%a, %b : tensor<32x64xf32>, tensor<64x1000000000000000003xf32>) outs(%c : tensor<32x1000000000000000003xf32>) -> tensor<32x1000000000000000003xf32>
  return %m : tensor<32x1000000000000000003xf32>
}
