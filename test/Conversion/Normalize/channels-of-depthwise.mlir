// Between depthwise convolutions, channels become the last dimension of all
// tensors on CPUs, also without a matrix instruction: the lanes of vectors then
// need no elements outside of the image. Short dimensions stay where they are.
//
// RUN: pruner-opt %s --pruner-move-channels-last=targets=file:%S/../../Dialect/Pruner/Inputs/cpu.json --split-input-file | FileCheck %s
// RUN: pruner-opt %s --pruner-move-channels-last=targets=nvidia:sm_80 --split-input-file | FileCheck %s --check-prefix=SAME

// SAME-LABEL: func.func @block(
// SAME:         tensor.pad {{.*}} low[0, 1, 1] high[0, 1, 1]

// CHECK-DAG:  #[[WINDOW:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0 + d3, d1 + d4, d2)>
// CHECK-DAG:  #[[FILTER:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d2, d3, d4)>
// CHECK-DAG:  #[[CHANNELS_LAST:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>
// CHECK-LABEL: func.func @block(
// CHECK-SAME:    %[[X:.*]]: tensor<16x64xf32>, %[[A:.*]]: tensor<24x16xf32> {{{.*}}}, %[[W:.*]]: tensor<24x3x3xf32>
// CHECK:         %[[EXPANDED:.*]] = linalg.generic {{.*}} ins(%[[A]], %[[X]] : {{.*}}) outs(%{{.*}} : tensor<64x24xf32>)
// CHECK:         tensor.expand_shape %[[EXPANDED]] {{\[\[}}0, 1], [2]] output_shape [8, 8, 24]
// CHECK:         %[[PADDED:.*]] = tensor.pad {{.*}} low[1, 1, 0] high[1, 1, 0]
// CHECK:         %[[DEPTHWISE:.*]] = linalg.generic {indexing_maps = [#[[WINDOW]], #[[FILTER]], #[[CHANNELS_LAST]]]
// CHECK-SAME:      ins(%[[PADDED]], %[[W]] : tensor<10x10x24xf32>, tensor<24x3x3xf32>) outs(%{{.*}} : tensor<8x8x24xf32>)
// CHECK:         tensor.collapse_shape %[[DEPTHWISE]] {{\[\[}}0, 1], [2]] : tensor<8x8x24xf32> into tensor<64x24xf32>
// The result of the function keeps its order.
// CHECK:         %[[PROJECTED:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<16x64xf32>)
// CHECK:         return %[[PROJECTED]] : tensor<16x64xf32>
func.func @block(%x: tensor<16x64xf32>, %a: tensor<24x16xf32> {pruner.constant}, %w: tensor<24x3x3xf32> {pruner.constant}, %b: tensor<16x24xf32> {pruner.constant}) -> tensor<16x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<24x64xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<24x64xf32>) -> tensor<24x64xf32>
  %0 = linalg.matmul ins(%a, %x : tensor<24x16xf32>, tensor<16x64xf32>) outs(%f0 : tensor<24x64xf32>) -> tensor<24x64xf32>
  %1 = tensor.expand_shape %0 [[0], [1, 2]] output_shape [24, 8, 8] : tensor<24x64xf32> into tensor<24x8x8xf32>
  %padded = tensor.pad %1 low[0, 1, 1] high[0, 1, 1] {
  ^bb0(%c: index, %h: index, %w2: index):
    tensor.yield %zero : f32
  } : tensor<24x8x8xf32> to tensor<24x10x10xf32>
  %e1 = tensor.empty() : tensor<24x8x8xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<24x8x8xf32>) -> tensor<24x8x8xf32>
  %2 = linalg.generic {
      indexing_maps = [affine_map<(c, h, w, i, j) -> (c, h + i, w + j)>, affine_map<(c, h, w, i, j) -> (c, i, j)>, affine_map<(c, h, w, i, j) -> (c, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%padded, %w : tensor<24x10x10xf32>, tensor<24x3x3xf32>) outs(%f1 : tensor<24x8x8xf32>) {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %m = arith.mulf %p, %q : f32
    %t = arith.addf %s, %m : f32
    linalg.yield %t : f32
  } -> tensor<24x8x8xf32>
  %3 = tensor.collapse_shape %2 [[0], [1, 2]] : tensor<24x8x8xf32> into tensor<24x64xf32>
  %e2 = tensor.empty() : tensor<16x64xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<16x64xf32>) -> tensor<16x64xf32>
  %4 = linalg.matmul ins(%b, %3 : tensor<16x24xf32>, tensor<24x64xf32>) outs(%f2 : tensor<16x64xf32>) -> tensor<16x64xf32>
  return %4 : tensor<16x64xf32>
}

// -----

// Two channels fill no vector.

// CHECK-LABEL: func.func @few_channels(
// CHECK:         ins(%{{.*}}, %{{.*}} : tensor<2x18x18xf32>, tensor<2x3x3xf32>) outs(%{{.*}} : tensor<2x16x16xf32>)
func.func @few_channels(%x: tensor<2x18x18xf32>, %w: tensor<2x3x3xf32> {pruner.constant}) -> tensor<2x16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x16x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x16x16xf32>) -> tensor<2x16x16xf32>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(c, h, w, i, j) -> (c, h + i, w + j)>, affine_map<(c, h, w, i, j) -> (c, i, j)>, affine_map<(c, h, w, i, j) -> (c, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<2x18x18xf32>, tensor<2x3x3xf32>) outs(%f : tensor<2x16x16xf32>) {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %m = arith.mulf %p, %q : f32
    %t = arith.addf %s, %m : f32
    linalg.yield %t : f32
  } -> tensor<2x16x16xf32>
  return %0 : tensor<2x16x16xf32>
}

// -----

// Copies of the image and of the result would take longer than the convolution
// gains.

// CHECK-LABEL: func.func @alone(
// CHECK-NOT:     linalg.transpose
// CHECK:         ins(%{{.*}}, %{{.*}} : tensor<24x18x18xf32>, tensor<24x3x3xf32>) outs(%{{.*}} : tensor<24x16x16xf32>)
// CHECK-NOT:     linalg.transpose
// CHECK:         return
func.func @alone(%x: tensor<24x18x18xf32>, %w: tensor<24x3x3xf32> {pruner.constant}) -> tensor<24x16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<24x16x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<24x16x16xf32>) -> tensor<24x16x16xf32>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(c, h, w, i, j) -> (c, h + i, w + j)>, affine_map<(c, h, w, i, j) -> (c, i, j)>, affine_map<(c, h, w, i, j) -> (c, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<24x18x18xf32>, tensor<24x3x3xf32>) outs(%f : tensor<24x16x16xf32>) {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %m = arith.mulf %p, %q : f32
    %t = arith.addf %s, %m : f32
    linalg.yield %t : f32
  } -> tensor<24x16x16xf32>
  return %0 : tensor<24x16x16xf32>
}
