// RUN: pruner-opt %s --pruner-move-reshapes --split-input-file | FileCheck %s

#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#col3 = affine_map<(d0, d1, d2) -> (d2)>

// A bias behind the expansion of a product over flattened rows: the generic
// becomes two-dimensional and reads the product directly.
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

// A map that separates the two dimensions prevents it.
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

// Products and reductions keep their rank, whatever reshape is next to them.
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

#keep = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#all3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#row3 = affine_map<(d0, d1, d2) -> (d0, d1)>

// A softmax on one row of scores per head: its reductions get the unit dimension
// of the product, so all ops have the same rank.
// CHECK-LABEL: @one_query
// CHECK: %[[S:.*]] = linalg.batch_matmul
// CHECK: %[[M:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[S]] : tensor<12x1x64xf32>) outs(%{{.*}} : tensor<12x1xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[S]], %[[M]] : tensor<12x1x64xf32>, tensor<12x1xf32>)
func.func @one_query(%q: tensor<12x1x16xf32>, %k: tensor<12x16x64xf32>, %c: tensor<12x1x64xf32>) -> tensor<12x1x64xf32> {
  %low = arith.constant 0xFF800000 : f32
  %s = linalg.batch_matmul ins(%q, %k : tensor<12x1x16xf32>, tensor<12x16x64xf32>) outs(%c : tensor<12x1x64xf32>) -> tensor<12x1x64xf32>
  %r = tensor.collapse_shape %s [[0, 1], [2]] : tensor<12x1x64xf32> into tensor<12x64xf32>
  %e = tensor.empty() : tensor<12xf32>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<12xf32>) -> tensor<12xf32>
  %m = linalg.generic {indexing_maps = [#keep, #row], iterator_types = ["parallel", "reduction"]}
      ins(%r : tensor<12x64xf32>) outs(%f : tensor<12xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = arith.maximumf %in, %out : f32
    linalg.yield %t : f32
  } -> tensor<12xf32>
  %x = tensor.expand_shape %m [[0, 1]] output_shape [12, 1] : tensor<12xf32> into tensor<12x1xf32>
  %d = linalg.generic {indexing_maps = [#all3, #row3, #all3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %x : tensor<12x1x64xf32>, tensor<12x1xf32>) outs(%c : tensor<12x1x64xf32>) {
  ^bb0(%in: f32, %max: f32, %out: f32):
    %t = arith.subf %in, %max : f32
    linalg.yield %t : f32
  } -> tensor<12x1x64xf32>
  return %d : tensor<12x1x64xf32>
}

// -----

#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

// A reduction of a dimension that the reshape merges keeps its rank.
// CHECK-LABEL: @reduces_merged
// CHECK: linalg.generic {{.*}}iterator_types = ["reduction", "parallel"]
func.func @reduces_merged(%q: tensor<12x4x16xf32>, %k: tensor<12x16x64xf32>, %c: tensor<12x4x64xf32>, %z: tensor<64xf32>) -> tensor<64xf32> {
  %s = linalg.batch_matmul ins(%q, %k : tensor<12x4x16xf32>, tensor<12x16x64xf32>) outs(%c : tensor<12x4x64xf32>) -> tensor<12x4x64xf32>
  %r = tensor.collapse_shape %s [[0, 1], [2]] : tensor<12x4x64xf32> into tensor<48x64xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]}
      ins(%r : tensor<48x64xf32>) outs(%z : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = arith.addf %in, %out : f32
    linalg.yield %t : f32
  } -> tensor<64xf32>
  return %m : tensor<64xf32>
}

// -----

#id2 = affine_map<(d0, d1) -> (d0, d1)>

// The scale of a factor gets the rank of the product, so that both can be fused.
// CHECK-LABEL: @scaled_factor
// CHECK-SAME: %[[Q:[a-z0-9]+]]: tensor<32x128xf32>
// CHECK: %[[X:.*]] = tensor.expand_shape %[[Q]]
// CHECK: %[[S:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<32x1x128xf32>)
// CHECK: linalg.batch_matmul ins(%[[S]],
func.func @scaled_factor(%q: tensor<32x128xf32>, %k: tensor<32x128x64xf32>, %c: tensor<32x1x64xf32>) -> tensor<32x1x64xf32> {
  %e = tensor.empty() : tensor<32x128xf32>
  %s = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%q : tensor<32x128xf32>) outs(%e : tensor<32x128xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = arith.mulf %in, %in : f32
    linalg.yield %t : f32
  } -> tensor<32x128xf32>
  %x = tensor.expand_shape %s [[0, 1], [2]] output_shape [32, 1, 128] : tensor<32x128xf32> into tensor<32x1x128xf32>
  %r = linalg.batch_matmul ins(%x, %k : tensor<32x1x128xf32>, tensor<32x128x64xf32>) outs(%c : tensor<32x1x64xf32>) -> tensor<32x1x64xf32>
  return %r : tensor<32x1x64xf32>
}

// -----

// Groups that overlap only in unit dimensions: at most one reshape.
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

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#id3 = affine_map<(f, h, w) -> (f, h, w)>
#channel = affine_map<(f, h, w) -> (f)>
#x = affine_map<(f, h, w, c, y, x) -> (c, h + y, w + x)>
#k = affine_map<(f, h, w, c, y, x) -> (f, c, y, x)>
#r = affine_map<(f, h, w, c, y, x) -> (f, h, w)>

// A convolution before a product over pixels: ops behind the convolution keep
// its rank, a generic that had lost it gets it back, and the reshape moves in
// front of the product.
// CHECK-LABEL: @convolution_then_product
// CHECK: %[[C:.*]] = linalg.generic {{.*}}"reduction"
// CHECK: %[[ADD:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel"]
// CHECK-SAME: ins(%[[C]], %{{.*}} : tensor<8x7x9xf32>, tensor<8xf32>)
// CHECK: %[[TANH:.*]] = linalg.generic {{.*}}ins(%[[ADD]] : tensor<8x7x9xf32>)
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape %[[TANH]] {{\[}}[0], [1, 2]]
// CHECK: linalg.matmul ins(%{{.*}}, %[[FLAT]] :
func.func @convolution_then_product(%i: tensor<3x9x11xf32>, %w: tensor<8x3x3x3xf32>, %b: tensor<8xf32>,
                                    %v: tensor<4x8xf32>, %z: tensor<8x7x9xf32>, %y: tensor<4x63xf32>) -> tensor<4x63xf32> {
  %c = linalg.generic {indexing_maps = [#x, #k, #r],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%i, %w : tensor<3x9x11xf32>, tensor<8x3x3x3xf32>) outs(%z : tensor<8x7x9xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<8x7x9xf32>
  %e = tensor.empty() : tensor<8x7x9xf32>
  %a = linalg.generic {indexing_maps = [#id3, #channel, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%c, %b : tensor<8x7x9xf32>, tensor<8xf32>) outs(%e : tensor<8x7x9xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<8x7x9xf32>
  %f = tensor.collapse_shape %a [[0], [1, 2]] : tensor<8x7x9xf32> into tensor<8x63xf32>
  %g = tensor.empty() : tensor<8x63xf32>
  %t = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%f : tensor<8x63xf32>) outs(%g : tensor<8x63xf32>) {
  ^bb0(%p: f32, %out: f32):
    %s = math.tanh %p : f32
    linalg.yield %s : f32
  } -> tensor<8x63xf32>
  %r = linalg.matmul ins(%v, %t : tensor<4x8xf32>, tensor<8x63xf32>) outs(%y : tensor<4x63xf32>) -> tensor<4x63xf32>
  return %r : tensor<4x63xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#id3 = affine_map<(f, h, w) -> (f, h, w)>
#row = affine_map<(f, h, w, k) -> (f, h, w, k)>
#sum = affine_map<(f, h, w, k) -> (f, h, w)>

// The sum of a convolution (here any reduction) and an expanded product is
// computed at the product's rank, for either order of operands.
// CHECK-LABEL: @both
// CHECK: %[[M:.*]] = linalg.matmul
// CHECK: linalg.generic {{.*}}ins(%{{.*}}, %[[M]] : tensor<8x63xf32>, tensor<8x63xf32>)
func.func @both(%x: tensor<8x7x9x5xf32>, %v: tensor<8x16xf32>, %p: tensor<16x63xf32>, %z: tensor<8x7x9xf32>,
                %y: tensor<8x63xf32>) -> tensor<8x7x9xf32> {
  %c = linalg.generic {indexing_maps = [#row, #sum], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x : tensor<8x7x9x5xf32>) outs(%z : tensor<8x7x9xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.addf %acc, %a : f32
    linalg.yield %s : f32
  } -> tensor<8x7x9xf32>
  %m = linalg.matmul ins(%v, %p : tensor<8x16xf32>, tensor<16x63xf32>) outs(%y : tensor<8x63xf32>) -> tensor<8x63xf32>
  %f = tensor.expand_shape %m [[0], [1, 2]] output_shape [8, 7, 9] : tensor<8x63xf32> into tensor<8x7x9xf32>
  %e = tensor.empty() : tensor<8x7x9xf32>
  %r = linalg.generic {indexing_maps = [#id3, #id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%c, %f : tensor<8x7x9xf32>, tensor<8x7x9xf32>) outs(%e : tensor<8x7x9xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<8x7x9xf32>
  return %r : tensor<8x7x9xf32>
}
