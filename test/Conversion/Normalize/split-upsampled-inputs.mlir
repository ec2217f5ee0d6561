// RUN: pruner-opt %s --pruner-split-upsampled-inputs --split-input-file | FileCheck %s

// Every second element of 17 is one of 8. Two of the four filter elements meet
// it: elements y - 1 and y for results 2 y, and y and y + 1 for 2 y + 1. The
// offset grows with the phase.
// CHECK-DAG: #[[IN:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d3, d1 + d4 + d2)>
// CHECK-DAG: #[[FILTER:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d2, d4)>
// CHECK-DAG: #[[OUT:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>
// CHECK-LABEL: @two_taps
// CHECK-SAME: (%[[X:.*]]: tensor<4x8xf32>, %[[W:.*]]: tensor<6x4x4xf32>)
// CHECK: %[[PADDED:.*]] = tensor.pad %[[X]] low[0, 1] high[0, 1]
// CHECK: %[[V:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<6x4x2x2xf32>)
// CHECK: tensor.extract %[[W]]
// CHECK: %[[SUMS:.*]] = linalg.generic {indexing_maps = [#[[IN]], #[[FILTER]], #[[OUT]]], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%[[PADDED]], %[[V]] : tensor<4x10xf32>, tensor<6x4x2x2xf32>) outs(%{{.*}} : tensor<6x8x2xf32>)
// CHECK: %[[R:.*]] = tensor.collapse_shape %[[SUMS]] {{\[}}[0], [1, 2]] : tensor<6x8x2xf32> into tensor<6x16xf32>
// CHECK: return %[[R]]
func.func @two_taps(%x: tensor<4x8xf32>, %w: tensor<6x4x4xf32>) -> tensor<6x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x19xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<4x19xf32>) -> tensor<4x19xf32>
  %z = tensor.insert_slice %x into %zeros[0, 2] [4, 8] [1, 2] : tensor<4x8xf32> into tensor<4x19xf32>
  %o = tensor.empty() : tensor<6x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<6x16xf32>) -> tensor<6x16xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(f, o, c, u) -> (c, o + u)>,
                       affine_map<(f, o, c, u) -> (f, c, u)>,
                       affine_map<(f, o, c, u) -> (f, o)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%z, %w : tensor<4x19xf32>, tensor<6x4x4xf32>) outs(%f : tensor<6x16xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<6x16xf32>
  return %r : tensor<6x16xf32>
}

// -----

// Stride 3, the first element at 3: phases 0, 1 and 2 begin with filter element
// 0, 2 and 1, and the first of them has a second tap. Blocks that begin two
// results earlier have equal offsets and the longer phase last. Its second tap
// is added to its slice. No phase gets a zero in place of a tap, which would
// give NaN for an infinite input. The result does not consist of whole blocks,
// so it is a slice. The init of the sums is padded.
// CHECK-DAG: #[[IN:.*]] = affine_map<(d0, d1, d2) -> (d0 + d2)>
// CHECK-DAG: #[[FILTER:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG: #[[OUT:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[NEXT:.*]] = affine_map<(d0, d1, d2) -> (d0 + d2 + 1)>
// CHECK-LABEL: @early
// CHECK-SAME: (%[[X:.*]]: tensor<5xf32>, %[[W:.*]]: tensor<4xf32>, %[[INIT:.*]]: tensor<16xf32>)
// CHECK: %[[PADDED:.*]] = tensor.pad %[[X]] low[1] high[1]
// CHECK: %[[LONG:.*]] = tensor.pad %[[INIT]] low[2] high[0]
// CHECK: %[[START:.*]] = tensor.expand_shape %[[LONG]] {{.*}} : tensor<18xf32> into tensor<6x3xf32>
// CHECK: %[[V:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<3x1xf32>)
// CHECK-NOT: select
// CHECK: %[[SUMS:.*]] = linalg.generic {indexing_maps = [#[[IN]], #[[FILTER]], #[[OUT]]], {{.*}} ins(%[[PADDED]], %[[V]] : tensor<7xf32>, tensor<3x1xf32>) outs(%[[START]] : tensor<6x3xf32>)
// CHECK: %[[SLICE:.*]] = tensor.extract_slice %[[SUMS]][0, 2] [6, 1] [1, 1]
// CHECK: %[[LAST:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<1x1xf32>)
// CHECK: %[[MORE:.*]] = linalg.generic {indexing_maps = [#[[NEXT]], #[[FILTER]], #[[OUT]]], {{.*}} ins(%[[PADDED]], %[[LAST]] : tensor<7xf32>, tensor<1x1xf32>) outs(%[[SLICE]] : tensor<6x1xf32>)
// CHECK: %[[ALL:.*]] = tensor.insert_slice %[[MORE]] into %[[SUMS]][0, 2] [6, 1] [1, 1]
// CHECK: %[[WHOLE:.*]] = tensor.collapse_shape %[[ALL]]
// CHECK: tensor.extract_slice %[[WHOLE]][2] [16] [1]
func.func @early(%x: tensor<5xf32>, %w: tensor<4xf32>, %init: tensor<16xf32>) -> tensor<16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<19xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<19xf32>) -> tensor<19xf32>
  %z = tensor.insert_slice %x into %zeros[3] [5] [3] : tensor<5xf32> into tensor<19xf32>
  %r = linalg.conv_1d ins(%z, %w : tensor<19xf32>, tensor<4xf32>) outs(%init : tensor<16xf32>) -> tensor<16xf32>
  return %r : tensor<16xf32>
}

// -----

// Zeros around the input only.
// CHECK-LABEL: @around
// CHECK: %[[P:.*]] = tensor.pad %{{.*}} low[1] high[1]
// CHECK: linalg.conv_1d ins(%[[P]], %{{.*}} : tensor<7xf32>, tensor<3xf32>)
func.func @around(%x: tensor<5xf32>, %w: tensor<3xf32>, %init: tensor<5xf32>) -> tensor<5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<7xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<7xf32>) -> tensor<7xf32>
  %z = tensor.insert_slice %x into %zeros[1] [5] [1] : tensor<5xf32> into tensor<7xf32>
  %r = linalg.conv_1d ins(%z, %w : tensor<7xf32>, tensor<3xf32>) outs(%init : tensor<5xf32>) -> tensor<5xf32>
  return %r : tensor<5xf32>
}

// -----

// Ones between the elements count.
// CHECK-LABEL: @ones
// CHECK: tensor.insert_slice
// CHECK: linalg.conv_1d
func.func @ones(%x: tensor<5xf32>, %w: tensor<3xf32>, %init: tensor<7xf32>) -> tensor<7xf32> {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<9xf32>
  %ones = linalg.fill ins(%one : f32) outs(%e : tensor<9xf32>) -> tensor<9xf32>
  %z = tensor.insert_slice %x into %ones[0] [5] [2] : tensor<5xf32> into tensor<9xf32>
  %r = linalg.conv_1d ins(%z, %w : tensor<9xf32>, tensor<3xf32>) outs(%init : tensor<7xf32>) -> tensor<7xf32>
  return %r : tensor<7xf32>
}

// -----

// So do zeros of a maximum.
// CHECK-LABEL: @maximum
// CHECK: tensor.insert_slice
// CHECK: linalg.pooling_nwc_max
func.func @maximum(%x: tensor<1x5x2xf32>, %init: tensor<1x7x2xf32>) -> tensor<1x7x2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x9x2xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<1x9x2xf32>) -> tensor<1x9x2xf32>
  %z = tensor.insert_slice %x into %zeros[0, 0, 0] [1, 5, 2] [1, 2, 1] : tensor<1x5x2xf32> into tensor<1x9x2xf32>
  %window = tensor.empty() : tensor<3xf32>
  %r = linalg.pooling_nwc_max ins(%z, %window : tensor<1x9x2xf32>, tensor<3xf32>) outs(%init : tensor<1x7x2xf32>) -> tensor<1x7x2xf32>
  return %r : tensor<1x7x2xf32>
}
