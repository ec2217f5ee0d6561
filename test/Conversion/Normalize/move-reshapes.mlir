// RUN: pruner-opt %s --pruner-move-reshapes --split-input-file | FileCheck %s

#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#col3 = affine_map<(d0, d1, d2) -> (d2)>

// Bias behind the expansion of a product over flattened rows: the generic
// becomes two-dimensional and reads the product itself.
// CHECK-LABEL: @bias
// CHECK: %[[MM:.*]] = linalg.matmul
// CHECK: %[[ADD:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]
// CHECK-SAME: ins(%[[MM]], %{{.*}} : tensor<256x512xf32>, tensor<512xf32>)
// CHECK: tensor.expand_shape %[[ADD]]
func.func @bias(%x: tensor<256x64xf32>, %w: tensor<64x512xf32>, %b: tensor<512xf32>,
                %c: tensor<256x512xf32>) -> tensor<2x128x512xf32> {
  %m = linalg.matmul ins(%x, %w : tensor<256x64xf32>, tensor<64x512xf32>)
                     outs(%c : tensor<256x512xf32>) -> tensor<256x512xf32>
  %s = tensor.expand_shape %m [[0, 1], [2]] output_shape [2, 128, 512] : tensor<256x512xf32> into tensor<2x128x512xf32>
  %e = tensor.empty() : tensor<2x128x512xf32>
  %r = linalg.generic {indexing_maps = [#id3, #col3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %b : tensor<2x128x512xf32>, tensor<512xf32>) outs(%e : tensor<2x128x512xf32>) {
  ^bb0(%in: f32, %bias: f32, %out: f32):
    %t = arith.addf %in, %bias : f32
    linalg.yield %t : f32
  } -> tensor<2x128x512xf32>
  return %r : tensor<2x128x512xf32>
}

// -----

#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#mid3 = affine_map<(d0, d1, d2) -> (d1)>

// A map that takes the two dimensions apart forbids it.
// CHECK-LABEL: @apart
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel"]
func.func @apart(%x: tensor<256x512xf32>, %b: tensor<128xf32>) -> tensor<2x128x512xf32> {
  %s = tensor.expand_shape %x [[0, 1], [2]] output_shape [2, 128, 512] : tensor<256x512xf32> into tensor<2x128x512xf32>
  %e = tensor.empty() : tensor<2x128x512xf32>
  %r = linalg.generic {indexing_maps = [#id3, #mid3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %b : tensor<2x128x512xf32>, tensor<128xf32>) outs(%e : tensor<2x128x512xf32>) {
  ^bb0(%in: f32, %bias: f32, %out: f32):
    %t = arith.addf %in, %bias : f32
    linalg.yield %t : f32
  } -> tensor<2x128x512xf32>
  return %r : tensor<2x128x512xf32>
}

// -----

// Products and reductions keep their rank, whatever reshape stands beside them.
// CHECK-LABEL: @named
// CHECK: linalg.matmul ins(%{{.*}} : tensor<256x64xf32>, tensor<64x512xf32>)
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]
#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#row3 = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @named(%x: tensor<2x128x64xf32>, %w: tensor<64x512xf32>, %c: tensor<256x512xf32>,
                 %z: tensor<2x128xf32>) -> tensor<2x128xf32> {
  %f = tensor.collapse_shape %x [[0, 1], [2]] : tensor<2x128x64xf32> into tensor<256x64xf32>
  %m = linalg.matmul ins(%f, %w : tensor<256x64xf32>, tensor<64x512xf32>)
                     outs(%c : tensor<256x512xf32>) -> tensor<256x512xf32>
  %s = tensor.expand_shape %m [[0, 1], [2]] output_shape [2, 128, 512] : tensor<256x512xf32> into tensor<2x128x512xf32>
  %r = linalg.generic {indexing_maps = [#id3, #row3], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%s : tensor<2x128x512xf32>) outs(%z : tensor<2x128xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = arith.addf %in, %out : f32
    linalg.yield %t : f32
  } -> tensor<2x128xf32>
  return %r : tensor<2x128xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// One row: the generics behind the product get its unit dimension back, one
// after the other.
// CHECK-LABEL: @one_row
// CHECK: %[[MM:.*]] = linalg.matmul
// CHECK: %[[ADD:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]
// CHECK-SAME: ins(%[[MM]], %{{.*}} : tensor<1x512xf32>, tensor<1x512xf32>)
// CHECK: %[[TANH:.*]] = linalg.generic {{.*}}ins(%[[ADD]] : tensor<1x512xf32>)
// CHECK: tensor.collapse_shape %[[TANH]]
func.func @one_row(%x: tensor<1x512xf32>, %w: tensor<512x512xf32>, %b: tensor<512xf32>,
                   %c: tensor<1x512xf32>) -> tensor<512xf32> {
  %m = linalg.matmul ins(%x, %w : tensor<1x512xf32>, tensor<512x512xf32>)
                     outs(%c : tensor<1x512xf32>) -> tensor<1x512xf32>
  %s = tensor.collapse_shape %m [[0, 1]] : tensor<1x512xf32> into tensor<512xf32>
  %e = tensor.empty() : tensor<512xf32>
  %a = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%s, %b : tensor<512xf32>, tensor<512xf32>) outs(%e : tensor<512xf32>) {
  ^bb0(%in: f32, %bias: f32, %out: f32):
    %t = arith.addf %in, %bias : f32
    linalg.yield %t : f32
  } -> tensor<512xf32>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%a : tensor<512xf32>) outs(%e : tensor<512xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = math.tanh %in : f32
    linalg.yield %t : f32
  } -> tensor<512xf32>
  return %h : tensor<512xf32>
}

// -----

// Groups that overlap only in unit dimensions: one reshape, or none.
// CHECK-LABEL: @overlapping
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<65x3072xf32>
// CHECK: %[[R:.*]] = tensor.expand_shape %[[X]] {{\[}}[0], [1, 2]] output_shape [65, 3, 1024]
// CHECK-NOT: tensor.collapse_shape
// CHECK: return %[[R]], %[[X]]
func.func @overlapping(%x: tensor<65x3072xf32>) -> (tensor<65x3x1024xf32>, tensor<65x3072xf32>) {
  %e = tensor.expand_shape %x [[0, 1], [2, 3, 4]] output_shape [1, 65, 1, 3, 1024] : tensor<65x3072xf32> into tensor<1x65x1x3x1024xf32>
  %c = tensor.collapse_shape %e [[0, 1, 2], [3], [4]] : tensor<1x65x1x3x1024xf32> into tensor<65x3x1024xf32>
  %f = tensor.expand_shape %x [[0, 1], [2]] output_shape [65, 1, 3072] : tensor<65x3072xf32> into tensor<65x1x3072xf32>
  %d = tensor.collapse_shape %f [[0], [1, 2]] : tensor<65x1x3072xf32> into tensor<65x3072xf32>
  return %c, %d : tensor<65x3x1024xf32>, tensor<65x3072xf32>
}
