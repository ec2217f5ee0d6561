// RUN: pruner-opt %s --pruner-hoist-slices --canonicalize --split-input-file | FileCheck %s

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#swap = affine_map<(d0, d1, d2) -> (d1, d0, d2)>

// Queries and keys of one product: no copy is left.
// CHECK-LABEL: @heads
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<65x3x1024xf32>
// CHECK-NOT: linalg.generic
// CHECK: %[[Q:.*]] = tensor.extract_slice %[[X]][0, 0, 0] [65, 1, 1024] [1, 1, 1] : tensor<65x3x1024xf32> to tensor<65x1024xf32>
// CHECK: %[[K:.*]] = tensor.extract_slice %[[X]][0, 2, 0] [65, 1, 512] [1, 1, 2] : tensor<65x3x1024xf32> to tensor<65x512xf32>
// CHECK: return %[[Q]], %[[K]]
func.func @heads(%x: tensor<65x3x1024xf32>) -> (tensor<65x1024xf32>, tensor<65x512xf32>) {
  %e = tensor.empty() : tensor<3x65x1024xf32>
  %t = linalg.generic {indexing_maps = [#swap, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<65x3x1024xf32>) outs(%e : tensor<3x65x1024xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x65x1024xf32>
  %q = tensor.extract_slice %t[0, 0, 0] [1, 65, 1024] [1, 1, 1] : tensor<3x65x1024xf32> to tensor<65x1024xf32>
  %k = tensor.extract_slice %t[2, 0, 0] [1, 65, 512] [1, 1, 2] : tensor<3x65x1024xf32> to tensor<65x512xf32>
  return %q, %k : tensor<65x1024xf32>, tensor<65x512xf32>
}

// -----

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#swap = affine_map<(d0, d1, d2) -> (d1, d0, d2)>
#spread = affine_map<(d0, d1, d2) -> (d1, d2)>

// Two of the three dimensions are in another order than in the source; a
// broadcast has elements that the source does not have; arithmetic is not a
// copy.
// CHECK-LABEL: @stays
// CHECK-COUNT-3: linalg.generic
// CHECK: tensor.extract_slice %{{.*}}[0, 0, 0] [2, 65, 1024] [1, 1, 1] : tensor<3x65x1024xf32> to tensor<2x65x1024xf32>
// CHECK: tensor.extract_slice %{{.*}} : tensor<3x65x1024xf32> to tensor<65x1024xf32>
// CHECK: tensor.extract_slice %{{.*}} : tensor<3x65x1024xf32> to tensor<65x1024xf32>
func.func @stays(%x: tensor<65x3x1024xf32>, %y: tensor<65x1024xf32>) -> (tensor<2x65x1024xf32>, tensor<65x1024xf32>, tensor<65x1024xf32>) {
  %e = tensor.empty() : tensor<3x65x1024xf32>
  %t = linalg.generic {indexing_maps = [#swap, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<65x3x1024xf32>) outs(%e : tensor<3x65x1024xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x65x1024xf32>
  %b = linalg.generic {indexing_maps = [#spread, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%y : tensor<65x1024xf32>) outs(%e : tensor<3x65x1024xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x65x1024xf32>
  %n = linalg.generic {indexing_maps = [#swap, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<65x3x1024xf32>) outs(%e : tensor<3x65x1024xf32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.negf %in : f32
    linalg.yield %m : f32
  } -> tensor<3x65x1024xf32>
  %0 = tensor.extract_slice %t[0, 0, 0] [2, 65, 1024] [1, 1, 1] : tensor<3x65x1024xf32> to tensor<2x65x1024xf32>
  %1 = tensor.extract_slice %b[0, 0, 0] [1, 65, 1024] [1, 1, 1] : tensor<3x65x1024xf32> to tensor<65x1024xf32>
  %2 = tensor.extract_slice %n[0, 0, 0] [1, 65, 1024] [1, 1, 1] : tensor<3x65x1024xf32> to tensor<65x1024xf32>
  return %0, %1, %2 : tensor<2x65x1024xf32>, tensor<65x1024xf32>, tensor<65x1024xf32>
}

// -----

// Heads of a block of columns. The unit dimension is kept.
// CHECK-LABEL: @expanded
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<128x2304xf32>, %[[Y:[a-z0-9]+]]: tensor<4x128x48xf32>
// CHECK: %[[E:.*]] = tensor.expand_shape %[[X]] {{\[}}[0], [1, 2]] output_shape [128, 36, 64]
// CHECK: %[[S:.*]] = tensor.extract_slice %[[E]][8, 12, 0] [64, 12, 64] [1, 1, 1] : tensor<128x36x64xf32> to tensor<64x12x64xf32>
// CHECK: %[[F:.*]] = tensor.expand_shape %[[Y]] {{\[}}[0], [1, 2, 3], [4]] output_shape [4, 64, 2, 1, 48]
// CHECK: %[[T:.*]] = tensor.extract_slice %[[F]][3, 5, 0, 0, 16] [1, 10, 2, 1, 16] [1, 1, 1, 1, 1] : tensor<4x64x2x1x48xf32> to tensor<10x2x1x16xf32>
// CHECK: return %[[S]], %[[T]]
func.func @expanded(%x: tensor<128x2304xf32>, %y: tensor<4x128x48xf32>) -> (tensor<64x12x64xf32>, tensor<10x2x1x16xf32>) {
  %s = tensor.extract_slice %x[8, 768] [64, 768] [1, 1] : tensor<128x2304xf32> to tensor<64x768xf32>
  %e = tensor.expand_shape %s [[0], [1, 2]] output_shape [64, 12, 64] : tensor<64x768xf32> into tensor<64x12x64xf32>
  %t = tensor.extract_slice %y[3, 10, 16] [1, 20, 16] [1, 1, 1] : tensor<4x128x48xf32> to tensor<20x16xf32>
  %f = tensor.expand_shape %t [[0, 1, 2], [3]] output_shape [10, 2, 1, 16] : tensor<20x16xf32> into tensor<10x2x1x16xf32>
  return %e, %f : tensor<64x12x64xf32>, tensor<10x2x1x16xf32>
}

// -----

// CHECK-LABEL: @collapsed
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<116x28x28xf32>, %[[Y:[a-z0-9]+]]: tensor<3x8x5x6xf32>
// CHECK: %[[C:.*]] = tensor.collapse_shape %[[X]] {{\[}}[0], [1, 2]] : tensor<116x28x28xf32> into tensor<116x784xf32>
// CHECK: %[[S:.*]] = tensor.extract_slice %[[C]][58, 0] [58, 784] [1, 1] : tensor<116x784xf32> to tensor<58x784xf32>
// CHECK: %[[D:.*]] = tensor.collapse_shape %[[Y]] {{\[}}[0], [1, 2], [3]] : tensor<3x8x5x6xf32> into tensor<3x40x6xf32>
// CHECK: %[[T:.*]] = tensor.extract_slice %[[D]][1, 10, 2] [1, 20, 1] [1, 1, 1] : tensor<3x40x6xf32> to tensor<20xf32>
// CHECK: return %[[S]], %[[T]]
func.func @collapsed(%x: tensor<116x28x28xf32>, %y: tensor<3x8x5x6xf32>) -> (tensor<58x784xf32>, tensor<20xf32>) {
  %s = tensor.extract_slice %x[58, 0, 0] [58, 28, 28] [1, 1, 1] : tensor<116x28x28xf32> to tensor<58x28x28xf32>
  %c = tensor.collapse_shape %s [[0], [1, 2]] : tensor<58x28x28xf32> into tensor<58x784xf32>
  %t = tensor.extract_slice %y[1, 2, 0, 2] [1, 4, 5, 1] [1, 1, 1, 1] : tensor<3x8x5x6xf32> to tensor<4x5xf32>
  %d = tensor.collapse_shape %t [[0, 1]] : tensor<4x5xf32> into tensor<20xf32>
  return %c, %d : tensor<58x784xf32>, tensor<20xf32>
}

// -----

// Cuts within a row of the inner dimension, within an inner dimension, with a
// stride, and at an unknown position.
// CHECK-LABEL: @reshapes_stay
// CHECK: tensor.extract_slice %{{.*}}[0, 100]
// CHECK: tensor.expand_shape
// CHECK: tensor.extract_slice %{{.*}}[0, 4]
// CHECK: tensor.collapse_shape
// CHECK: tensor.extract_slice %{{.*}} [16, 16] [1, 2]
// CHECK: tensor.expand_shape
// CHECK: tensor.extract_slice %{{.*}}[%{{.*}}, 0]
// CHECK: tensor.expand_shape
func.func @reshapes_stay(%x: tensor<16x768xf32>, %y: tensor<16x32xf32>, %i: index)
    -> (tensor<16x2x64xf32>, tensor<128xf32>, tensor<16x4x4xf32>, tensor<8x4x8xf32>) {
  %s = tensor.extract_slice %x[0, 100] [16, 128] [1, 1] : tensor<16x768xf32> to tensor<16x128xf32>
  %0 = tensor.expand_shape %s [[0], [1, 2]] output_shape [16, 2, 64] : tensor<16x128xf32> into tensor<16x2x64xf32>
  %t = tensor.extract_slice %y[0, 4] [16, 8] [1, 1] : tensor<16x32xf32> to tensor<16x8xf32>
  %1 = tensor.collapse_shape %t [[0, 1]] : tensor<16x8xf32> into tensor<128xf32>
  %u = tensor.extract_slice %y[0, 0] [16, 16] [1, 2] : tensor<16x32xf32> to tensor<16x16xf32>
  %2 = tensor.expand_shape %u [[0], [1, 2]] output_shape [16, 4, 4] : tensor<16x16xf32> into tensor<16x4x4xf32>
  %v = tensor.extract_slice %y[%i, 0] [8, 32] [1, 1] : tensor<16x32xf32> to tensor<8x32xf32>
  %3 = tensor.expand_shape %v [[0], [1, 2]] output_shape [8, 4, 8] : tensor<8x32xf32> into tensor<8x4x8xf32>
  return %0, %1, %2, %3 : tensor<16x2x64xf32>, tensor<128xf32>, tensor<16x4x4xf32>, tensor<8x4x8xf32>
}

// -----

// One element that becomes an array of one.
// CHECK-LABEL: @one_element
// CHECK: %[[S:.*]] = tensor.extract_slice %{{.*}}[2] [1] [1] : tensor<3xi32> to tensor<i32>
// CHECK: tensor.expand_shape %[[S]] [] output_shape [1, 1]
func.func @one_element(%x: tensor<3xi32>) -> tensor<1x1xi32> {
  %s = tensor.extract_slice %x[2] [1] [1] : tensor<3xi32> to tensor<i32>
  %0 = tensor.expand_shape %s [] output_shape [1, 1] : tensor<i32> into tensor<1x1xi32>
  return %0 : tensor<1x1xi32>
}
