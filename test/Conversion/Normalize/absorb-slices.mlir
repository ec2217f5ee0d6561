// RUN: pruner-opt %s --pruner-absorb-slices --canonicalize --split-input-file | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// One of three equal blocks, one column, a part that begins later, and every
// second row.
// CHECK-DAG: #[[BLOCK:.*]] = affine_map<(d0, d1) -> (d0, 2, d1)>
// CHECK-DAG: #[[COLUMN:.*]] = affine_map<(d0, d1) -> (d0, 5)>
// CHECK-DAG: #[[LATER:.*]] = affine_map<(d0, d1) -> (d0, d1 + 100)>
// CHECK-DAG: #[[SECOND:.*]] = affine_map<(d0, d1) -> (d0 * 2, d1)>
// CHECK-LABEL: @parts
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<128x768xf32>, %[[Y:[a-z0-9]+]]: tensor<256x256xf32>
// CHECK: %[[E:.*]] = tensor.expand_shape %[[X]] {{\[}}[0], [1, 2]] output_shape [128, 3, 256]
// CHECK-NOT: extract_slice
// CHECK: linalg.generic {indexing_maps = [#[[BLOCK]], #[[COLUMN]], #[[LATER]], #[[SECOND]], #{{.*}}], {{.*}} ins(%[[E]], %[[X]], %[[X]], %[[Y]] :
func.func @parts(%x: tensor<128x768xf32>, %y: tensor<256x256xf32>) -> tensor<128x256xf32> {
  %block = tensor.extract_slice %x[0, 512] [128, 256] [1, 1] : tensor<128x768xf32> to tensor<128x256xf32>
  %column = tensor.extract_slice %x[0, 5] [128, 1] [1, 1] : tensor<128x768xf32> to tensor<128xf32>
  %later = tensor.extract_slice %x[0, 100] [128, 256] [1, 1] : tensor<128x768xf32> to tensor<128x256xf32>
  %second = tensor.extract_slice %y[0, 0] [128, 256] [2, 1] : tensor<256x256xf32> to tensor<128x256xf32>
  %e = tensor.empty() : tensor<128x256xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%block, %column, %later, %second : tensor<128x256xf32>, tensor<128xf32>, tensor<128x256xf32>, tensor<128x256xf32>)
      outs(%e : tensor<128x256xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32, %out: f32):
    %0 = arith.addf %a, %b : f32
    %1 = arith.mulf %0, %c : f32
    %2 = arith.subf %1, %d : f32
    linalg.yield %2 : f32
  } -> tensor<128x256xf32>
  return %r : tensor<128x256xf32>
}

// -----

// Attention's keys and values in one tensor: the products read both in place.
// The product of a part that is not a block keeps its slice.
// CHECK-DAG: #[[Q:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
// CHECK-DAG: #[[K:.*]] = affine_map<(d0, d1, d2, d3) -> (1, d0, d3, d2)>
// CHECK-LABEL: @products
// CHECK: linalg.generic {indexing_maps = [#[[Q]], #[[K]], #{{.*}}], {{.*}} ins(%{{.*}}, %{{.*}} : tensor<16x65x64xf32>, tensor<3x16x64x65xf32>)
// CHECK: %[[S:.*]] = tensor.extract_slice
// CHECK: linalg.matmul ins(%[[S]], %{{.*}} :
func.func @products(%q: tensor<16x65x64xf32>, %kv: tensor<3x16x64x65xf32>, %c: tensor<16x65x65xf32>,
                    %x: tensor<9x8xf32>, %w: tensor<8x8xf32>, %d: tensor<4x8xf32>) -> (tensor<16x65x65xf32>, tensor<4x8xf32>) {
  %k = tensor.extract_slice %kv[1, 0, 0, 0] [1, 16, 64, 65] [1, 1, 1, 1] : tensor<3x16x64x65xf32> to tensor<16x64x65xf32>
  %r = linalg.batch_matmul ins(%q, %k : tensor<16x65x64xf32>, tensor<16x64x65xf32>) outs(%c : tensor<16x65x65xf32>) -> tensor<16x65x65xf32>
  %s = tensor.extract_slice %x[3, 0] [4, 8] [1, 1] : tensor<9x8xf32> to tensor<4x8xf32>
  %m = linalg.matmul ins(%s, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r, %m : tensor<16x65x65xf32>, tensor<4x8xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#one = affine_map<(d0) -> (d0)>

// The start of a dimension, a loop that no other operand has, a prefix of the
// memory, an unknown offset.
// CHECK-LABEL: @stays
// CHECK: %[[A:.*]] = tensor.extract_slice %{{.*}}[0, 0] [128, 256] [1, 1]
// CHECK: %[[B:.*]] = tensor.extract_slice %{{.*}}[0, 3] [128, 7] [1, 1]
// CHECK: %[[C:.*]] = tensor.extract_slice %{{.*}}[0, 0] [1, 300] [1, 1]
// CHECK: %[[D:.*]] = tensor.extract_slice %{{.*}}[0, %{{.*}}] [1, 300] [1, 1]
// CHECK: linalg.generic {{.*}} ins(%[[A]] :
// CHECK: linalg.generic {{.*}} ins(%[[B]] :
// CHECK: linalg.generic {{.*}} ins(%[[C]], %[[D]] :
func.func @stays(%x: tensor<128x300xf32>, %y: tensor<128x600xf32>, %z: tensor<128xf32>, %i: index) -> (tensor<128x256xf32>, tensor<128xf32>, tensor<300xf32>) {
  %a = tensor.extract_slice %x[0, 0] [128, 256] [1, 1] : tensor<128x300xf32> to tensor<128x256xf32>
  %b = tensor.extract_slice %x[0, 3] [128, 7] [1, 1] : tensor<128x300xf32> to tensor<128x7xf32>
  %c = tensor.extract_slice %x[0, 0] [1, 300] [1, 1] : tensor<128x300xf32> to tensor<300xf32>
  %d = tensor.extract_slice %y[0, %i] [1, 300] [1, 1] : tensor<128x600xf32> to tensor<300xf32>
  %e = tensor.empty() : tensor<128x256xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<128x256xf32>) outs(%e : tensor<128x256xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.exp %in : f32
    linalg.yield %0 : f32
  } -> tensor<128x256xf32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%b : tensor<128x7xf32>) outs(%z : tensor<128xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<128xf32>
  %f = tensor.empty() : tensor<300xf32>
  %t = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
      ins(%c, %d : tensor<300xf32>, tensor<300xf32>) outs(%f : tensor<300xf32>) {
  ^bb0(%in: f32, %other: f32, %out: f32):
    %0 = arith.addf %in, %other : f32
    linalg.yield %0 : f32
  } -> tensor<300xf32>
  return %r, %s, %t : tensor<128x256xf32>, tensor<128xf32>, tensor<300xf32>
}

// -----

// A slice of weights is taken ahead of all runs, so it stays.
// CHECK-LABEL: @weights
// CHECK-SAME: %[[X:.*]]: tensor<8x4xf32>, %[[W:.*]]: tensor<4x3x16xf32>
// CHECK: %[[S:.*]] = tensor.extract_slice %[[W]][0, 1, 0] [4, 1, 16]
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[S]] :
func.func @weights(%x: tensor<8x4xf32>, %w: tensor<4x3x16xf32> {pruner.constant}) -> tensor<8x16xf32> {
  %s = tensor.extract_slice %w[0, 1, 0] [4, 1, 16] [1, 1, 1] : tensor<4x3x16xf32> to tensor<4x16xf32>
  %e = tensor.empty() : tensor<8x16xf32>
  %z = arith.constant 0.0 : f32
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %s : tensor<8x4xf32>, tensor<4x16xf32>) outs(%f : tensor<8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}
