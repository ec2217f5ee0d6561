// RUN: pruner-opt %s --pruner-normalize --split-input-file | FileCheck %s

// Convolutions over channels-last images, named and generic: the generic's unit
// batch is dropped, its strides and sums of dimensions stay.
// CHECK-DAG: #[[IN:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0 * 2 + d3, d1 * 2 + d4, d5)>
// CHECK-LABEL: @channels_last
// CHECK: linalg.generic {indexing_maps = [#[[IN]], #{{.*}}, #{{.*}}], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
// CHECK-SAME: ins(%{{.*}}, %{{.*}} : tensor<9x9x4xf32>, tensor<3x3x4x8xf32>)
func.func @channels_last(%x: tensor<1x9x9x4xf32>, %w: tensor<3x3x4x8xf32>, %c: tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32> {
  %r = linalg.generic {
      indexing_maps = [affine_map<(n, h, w, f, y, x, c) -> (n, h * 2 + y, w * 2 + x, c)>,
                       affine_map<(n, h, w, f, y, x, c) -> (y, x, c, f)>,
                       affine_map<(n, h, w, f, y, x, c) -> (n, h, w, f)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x9x9x4xf32>, tensor<3x3x4x8xf32>) outs(%c : tensor<1x4x4x8xf32>) {
  ^bb0(%in: f32, %weight: f32, %out: f32):
    %p = arith.mulf %in, %weight : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<1x4x4x8xf32>
  return %r : tensor<1x4x4x8xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#none = affine_map<(d0, d1) -> ()>

// Weights of 8 bits with a scale per row: the product reads them as they are
// stored, without a transposed copy. Its arithmetic stays.
// CHECK-LABEL: @quantized
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x32xf32>, %[[W:[a-z0-9]+]]: tensor<8x32xi8>, %[[S:[a-z0-9]+]]: tensor<8xf32>
// CHECK: %[[BOTH:.*]] = tensor.concat dim(0) %[[X]], %{{.*}} : (tensor<4x32xf32>, tensor<2x32xf32>) -> tensor<6x32xf32>
// CHECK: linalg.generic {{.*}} ins(%[[BOTH]], %[[W]], %[[S]] : tensor<6x32xf32>, tensor<8x32xi8>, tensor<8xf32>)
// CHECK: %[[REAL:.*]] = arith.sitofp %{{.*}} : i8 to f32
// CHECK: arith.mulf %[[REAL]]
// CHECK: arith.mulf
// CHECK-NOT: linalg.transpose
// CHECK: return
func.func @quantized(%x: tensor<4x32xf32>, %w: tensor<8x32xi8>, %scale: tensor<8xf32>, %y: tensor<2x32xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<8x32xf32>
  %real = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w, %scale : tensor<8x32xi8>, tensor<8xf32>) outs(%0 : tensor<8x32xf32>) {
  ^bb0(%in: i8, %by: f32, %out: f32):
    %f = arith.sitofp %in : i8 to f32
    %s = arith.mulf %f, %by : f32
    linalg.yield %s : f32
  } -> tensor<8x32xf32>
  %1 = tensor.empty() : tensor<32x8xf32>
  %t = linalg.transpose ins(%real : tensor<8x32xf32>) outs(%1 : tensor<32x8xf32>) permutation = [1, 0]
  %both = tensor.concat dim(0) %x, %y : (tensor<4x32xf32>, tensor<2x32xf32>) -> tensor<6x32xf32>
  %part = tensor.extract_slice %both[1, 0] [4, 32] [1, 1] : tensor<6x32xf32> to tensor<4x32xf32>
  %2 = tensor.empty() : tensor<4x8xf32>
  %c = linalg.fill ins(%zero : f32) outs(%2 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %r = linalg.matmul ins(%part, %t : tensor<4x32xf32>, tensor<32x8xf32>) outs(%c : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

// A gather that may abort the program keeps its assertion and its table.
// CHECK-LABEL: @gather
// CHECK: cf.assert
// CHECK: tensor.extract %{{.*}}[%{{.*}}, %{{.*}}] : tensor<40x16xf32>
func.func @gather(%ids: tensor<1x7xi64>, %table: tensor<40x16xf32>) -> tensor<1x7x16xf32> {
  %rows = arith.constant 40 : index
  %e = tensor.empty() : tensor<1x7x16xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>],
                       iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%ids : tensor<1x7xi64>) outs(%e : tensor<1x7x16xf32>) {
  ^bb0(%id: i64, %out: f32):
    %row = arith.index_cast %id : i64 to index
    %column = linalg.index 2 : index
    %ok = arith.cmpi slt, %row, %rows : index
    cf.assert %ok, "index must be smaller than dim size"
    %x = tensor.extract %table[%row, %column] : tensor<40x16xf32>
    linalg.yield %x : f32
  } -> tensor<1x7x16xf32>
  return %r : tensor<1x7x16xf32>
}
