// RUN: pruner-opt %s --pruner-tile=target=file:%S/../../Dialect/Pruner/Inputs/cpu-avx512.json --convert-pruner-to-cpu | FileCheck %s

// Adjacent columns of the filter read the same columns of the input. Seven of
// these and fourteen accumulators fit the registers: the loop over the filter's
// columns is unrolled as scheduled, two steps and one.
// CHECK-LABEL: func.func private @fits_kernel(
// CHECK-COUNT-42: arith.mulf
// CHECK-NOT:     arith.mulf
// CHECK:         return
func.func @fits(%x: tensor<8x6x16xf32>, %w: tensor<32x8x3x3xf32>, %init: tensor<32x4x14xf32>) -> tensor<32x4x14xf32> attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 1, 32], [1, 4, 1], [2, 1, 7], [8], [3], [3]], stages = [none, outer], vector = 16, vector_dim = 0, unroll = 2>} {
  %0 = linalg.generic {indexing_maps = [affine_map<(f, h, w, c, r, s) -> (c, h + r, w + s)>, affine_map<(f, h, w, c, r, s) -> (f, c, r, s)>, affine_map<(f, h, w, c, r, s) -> (f, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%x, %w : tensor<8x6x16xf32>, tensor<32x8x3x3xf32>) outs(%init : tensor<32x4x14xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<32x4x14xf32>
  return %0 : tensor<32x4x14xf32>
}

// Fourteen and twenty-eight do not fit: one step at a time reads them from
// memory, and nothing is spilled between two steps.
// CHECK-LABEL: func.func private @does_not_fit_kernel(
// CHECK-COUNT-28: arith.mulf
// CHECK-NOT:     arith.mulf
// CHECK:         return
func.func @does_not_fit(%x: tensor<8x6x16xf32>, %w: tensor<32x8x3x3xf32>, %init: tensor<32x4x14xf32>) -> tensor<32x4x14xf32> attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 1, 32], [1, 4, 1], [1, 1, 14], [8], [3], [3]], stages = [none, outer], vector = 16, vector_dim = 0, unroll = 2>} {
  %0 = linalg.generic {indexing_maps = [affine_map<(f, h, w, c, r, s) -> (c, h + r, w + s)>, affine_map<(f, h, w, c, r, s) -> (f, c, r, s)>, affine_map<(f, h, w, c, r, s) -> (f, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%x, %w : tensor<8x6x16xf32>, tensor<32x8x3x3xf32>) outs(%init : tensor<32x4x14xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<32x4x14xf32>
  return %0 : tensor<32x4x14xf32>
}
