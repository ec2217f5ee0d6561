// RUN: pruner-opt %s --pruner-tile=target=file:%S/../../Dialect/Pruner/Inputs/cpu-avx512.json --convert-pruner-to-cpu | FileCheck %s

// A stage in front of a convolution with stride 2 stores every second column in
// a separate row. Lanes along the width are then contiguous: a step loads
// vectors, for every first column of the filter.
// CHECK-LABEL: func.func private @unrolled_kernel(
// CHECK-NOT:     vector.from_elements
// CHECK-NOT:     remui
// CHECK:         vector.load {{.*}} vector<16xf32>
// CHECK-NOT:     vector.from_elements
// CHECK-NOT:     remui
// CHECK:         return
func.func @unrolled(%x: tensor<4x35x70xf32>, %w: tensor<8x4x3x3xf32>, %init: tensor<8x17x32xf32>) -> tensor<8x17x32xf32> attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 2, 4], [1, 1, 1], [1, 1, 32], [4], [3], [3]], stages = [inner, none], vector = 16, unroll = 2>} {
  %0 = linalg.generic {indexing_maps = [affine_map<(f, h, w, c, r, s) -> (c, 2 * h + r, 2 * w + s)>, affine_map<(f, h, w, c, r, s) -> (f, c, r, s)>, affine_map<(f, h, w, c, r, s) -> (f, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%x, %w : tensor<4x35x70xf32>, tensor<8x4x3x3xf32>) outs(%init : tensor<8x17x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<8x17x32xf32>
  return %0 : tensor<8x17x32xf32>
}

// If a loop selects the column, its row is computed once for all vectors.
// CHECK-LABEL: func.func private @serial_kernel(
// CHECK-NOT:     vector.from_elements
// CHECK:         arith.remui
// CHECK-NOT:     vector.from_elements
// CHECK-NOT:     arith.remui
// CHECK:         return
func.func @serial(%x: tensor<4x35x70xf32>, %w: tensor<8x4x3x3xf32>, %init: tensor<8x17x32xf32>) -> tensor<8x17x32xf32> attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 2, 4], [1, 1, 1], [1, 1, 32], [4], [3], [3]], stages = [inner, none], vector = 16, unroll = 1>} {
  %0 = linalg.generic {indexing_maps = [affine_map<(f, h, w, c, r, s) -> (c, 2 * h + r, 2 * w + s)>, affine_map<(f, h, w, c, r, s) -> (f, c, r, s)>, affine_map<(f, h, w, c, r, s) -> (f, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%x, %w : tensor<4x35x70xf32>, tensor<8x4x3x3xf32>) outs(%init : tensor<8x17x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<8x17x32xf32>
  return %0 : tensor<8x17x32xf32>
}
