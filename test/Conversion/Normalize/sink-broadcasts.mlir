// RUN: pruner-opt %s --pruner-sink-broadcasts --split-input-file | FileCheck %s
// RUN: pruner-opt %s --pruner-normalize --split-input-file | FileCheck %s --check-prefix=WHOLE

// Four heads share the values: the product takes both dimensions of the heads,
// and then reads the values without the broadcast.
// CHECK-LABEL: @values
// CHECK-SAME: %[[P:[a-z0-9]+]]: tensor<32x1x2048xf32>, %[[V:[a-z0-9]+]]: tensor<8x2048x128xf32>
// CHECK: %[[B:.*]] = linalg.generic {{.*}} ins(%[[V]] : tensor<8x2048x128xf32>) outs(%{{.*}} : tensor<8x4x2048x128xf32>)
// CHECK-DAG: %[[Q:.*]] = tensor.expand_shape %[[P]] {{\[}}[0, 1], [2], [3]] output_shape [8, 4, 1, 2048]
// CHECK: %[[R:.*]] = linalg.generic {{.*}} ins(%[[Q]], %[[B]] : tensor<8x4x1x2048xf32>, tensor<8x4x2048x128xf32>)
// CHECK: tensor.collapse_shape %[[R]] {{\[}}[0, 1], [2], [3]]
// WHOLE: #[[SHARED:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d3)>
// WHOLE-LABEL: @values
// WHOLE-SAME: %[[V:[a-z0-9]+]]: tensor<8x2048x128xf32>
// WHOLE: linalg.generic {indexing_maps = [#{{.*}}, #[[SHARED]], #{{.*}}]{{.*}} ins(%{{.*}}, %[[V]] :
func.func @values(%p: tensor<32x1x2048xf32>, %v: tensor<8x2048x128xf32>, %i: tensor<32x1x128xf32>) -> tensor<32x1x128xf32> {
  %e = tensor.empty() : tensor<8x4x2048x128xf32>
  %b = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%v : tensor<8x2048x128xf32>) outs(%e : tensor<8x4x2048x128xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8x4x2048x128xf32>
  %c = tensor.collapse_shape %b [[0, 1], [2], [3]] : tensor<8x4x2048x128xf32> into tensor<32x2048x128xf32>
  %r = linalg.batch_matmul ins(%p, %c : tensor<32x1x2048xf32>, tensor<32x2048x128xf32>) outs(%i : tensor<32x1x128xf32>) -> tensor<32x1x128xf32>
  return %r : tensor<32x1x128xf32>
}

// -----

#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#turned = affine_map<(d0, d1, d2) -> (d0, d2, d1)>

// Keys that are repeated, merged, transposed and scaled are scaled before they
// are repeated.
// CHECK-LABEL: @keys
// CHECK-SAME: %[[Q:[a-z0-9]+]]: tensor<6x5x16xf32>, %[[K:[a-z0-9]+]]: tensor<2x7x16xf32>
// CHECK: %[[T:.*]] = linalg.generic {{.*}} ins(%[[K]] : tensor<2x7x16xf32>) outs(%{{.*}} : tensor<2x16x7xf32>)
// CHECK: %[[S:.*]] = linalg.generic {{.*}} ins(%[[T]] : tensor<2x16x7xf32>) outs(%{{.*}} : tensor<2x16x7xf32>)
// CHECK: arith.mulf
// CHECK: %[[B:.*]] = linalg.generic {{.*}} ins(%[[S]] : tensor<2x16x7xf32>) outs(%{{.*}} : tensor<2x3x16x7xf32>)
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[B]] : tensor<2x3x5x16xf32>, tensor<2x3x16x7xf32>)
func.func @keys(%q: tensor<6x5x16xf32>, %k: tensor<2x7x16xf32>, %i: tensor<6x5x7xf32>) -> tensor<6x5x7xf32> {
  %e = tensor.empty() : tensor<2x3x7x16xf32>
  %b = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%k : tensor<2x7x16xf32>) outs(%e : tensor<2x3x7x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x7x16xf32>
  %c = tensor.collapse_shape %b [[0, 1], [2], [3]] : tensor<2x3x7x16xf32> into tensor<6x7x16xf32>
  %f = tensor.empty() : tensor<6x16x7xf32>
  %t = linalg.generic {indexing_maps = [#turned, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%c : tensor<6x7x16xf32>) outs(%f : tensor<6x16x7xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<6x16x7xf32>
  %s = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%t : tensor<6x16x7xf32>) outs(%f : tensor<6x16x7xf32>) {
  ^bb0(%in: f32, %out: f32):
    %scale = arith.constant 0.25 : f32
    %m = arith.mulf %in, %scale : f32
    linalg.yield %m : f32
  } -> tensor<6x16x7xf32>
  %r = linalg.batch_matmul ins(%q, %s : tensor<6x5x16xf32>, tensor<6x16x7xf32>) outs(%i : tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
  return %r : tensor<6x5x7xf32>
}

// -----

#id2 = affine_map<(d0, d1) -> (d0, d1)>

// Left alone: the repeated tensor is also a result, and the position of an
// element has an effect on its value.
// CHECK-LABEL: @others
// CHECK: %[[B:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<4x8x16xf32>)
// CHECK: %[[C:.*]] = tensor.collapse_shape %[[B]]
// CHECK: %[[S:.*]] = linalg.generic {{.*}} ins(%[[C]] : tensor<32x16xf32>)
// CHECK: linalg.matmul ins(%[[S]],
// CHECK: return %{{.*}}, %[[C]]
// CHECK-LABEL: @positions
// CHECK: %[[C:.*]] = tensor.collapse_shape
// CHECK: %[[S:.*]] = linalg.generic {{.*}} ins(%[[C]] : tensor<32x16xf32>)
// CHECK: linalg.matmul ins(%[[S]],
func.func @others(%x: tensor<8x16xf32>, %w: tensor<16x4xf32>, %i: tensor<32x4xf32>) -> (tensor<32x4xf32>, tensor<32x16xf32>) {
  %e = tensor.empty() : tensor<4x8x16xf32>
  %b = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>],
                       iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<8x16xf32>) outs(%e : tensor<4x8x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x8x16xf32>
  %c = tensor.collapse_shape %b [[0, 1], [2]] : tensor<4x8x16xf32> into tensor<32x16xf32>
  %f = tensor.empty() : tensor<32x16xf32>
  %s = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%c : tensor<32x16xf32>) outs(%f : tensor<32x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.negf %in : f32
    linalg.yield %m : f32
  } -> tensor<32x16xf32>
  %r = linalg.matmul ins(%s, %w : tensor<32x16xf32>, tensor<16x4xf32>) outs(%i : tensor<32x4xf32>) -> tensor<32x4xf32>
  return %r, %c : tensor<32x4xf32>, tensor<32x16xf32>
}
func.func @positions(%x: tensor<8x16xf32>, %w: tensor<16x4xf32>, %i: tensor<32x4xf32>) -> tensor<32x4xf32> {
  %e = tensor.empty() : tensor<4x8x16xf32>
  %b = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>],
                       iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<8x16xf32>) outs(%e : tensor<4x8x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x8x16xf32>
  %c = tensor.collapse_shape %b [[0, 1], [2]] : tensor<4x8x16xf32> into tensor<32x16xf32>
  %f = tensor.empty() : tensor<32x16xf32>
  %s = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%c : tensor<32x16xf32>) outs(%f : tensor<32x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = linalg.index 0 : index
    %k = arith.index_cast %n : index to i32
    %t = arith.sitofp %k : i32 to f32
    %m = arith.addf %in, %t : f32
    linalg.yield %m : f32
  } -> tensor<32x16xf32>
  %r = linalg.matmul ins(%s, %w : tensor<32x16xf32>, tensor<16x4xf32>) outs(%i : tensor<32x4xf32>) -> tensor<32x4xf32>
  return %r : tensor<32x4xf32>
}

// -----

// Scalars are not repeated. The new dimension is a row of the
// product, not merged with another one.
// CHECK-LABEL: @scalar
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<16xf32>, %[[S:[a-z0-9]+]]: f32
// CHECK: %[[M:.*]] = linalg.generic {{.*}} ins(%[[X]], %[[S]] : tensor<16xf32>, f32) outs(%{{.*}} : tensor<16xf32>)
// CHECK: arith.mulf
// CHECK: %[[B:.*]] = linalg.generic {{.*}} ins(%[[M]] : tensor<16xf32>) outs(%{{.*}} : tensor<8x16xf32>)
// CHECK: linalg.matmul ins(%[[B]],
func.func @scalar(%x: tensor<16xf32>, %s: f32, %w: tensor<16x4xf32>, %i: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %b = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8x16xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%b, %s : tensor<8x16xf32>, f32) outs(%e : tensor<8x16xf32>) {
  ^bb0(%in: f32, %scale: f32, %out: f32):
    %p = arith.mulf %in, %scale : f32
    linalg.yield %p : f32
  } -> tensor<8x16xf32>
  %r = linalg.matmul ins(%m, %w : tensor<8x16xf32>, tensor<16x4xf32>) outs(%i : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}
