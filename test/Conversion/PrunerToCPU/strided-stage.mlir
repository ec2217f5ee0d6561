// Rows of every second element are read as contiguous vectors. The last one
// ends with the last selected element, so nothing beyond it is read.
// RUN: pruner-opt %s --pruner-tile=target=file:%S/../../Dialect/Pruner/Inputs/cpu.json --convert-pruner-to-cpu | FileCheck %s

// CHECK-LABEL: func.func private @strided_kernel
// CHECK: %[[SEVEN:.*]] = arith.constant 7 : index
// CHECK: %[[A:.*]] = vector.load %[[FROM:.*]][%{{.*}}] : memref<{{.*}}xf32>, vector<8xf32>
// CHECK: %[[AT:.*]] = arith.addi %{{.*}}, %[[SEVEN]]
// CHECK: %[[B:.*]] = vector.load %[[FROM]][%[[AT]]]
// CHECK: %[[ROW:.*]] = vector.shuffle %[[A]], %[[B]] [0, 2, 4, 6, 9, 11, 13, 15]
// CHECK: vector.store %[[ROW]]
func.func @strided(%x: tensor<4x17x17xf32>, %w: tensor<4x3x3xf32>) -> tensor<4x8x8xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile,
      tiles = [[1, 1, 1], [1, 1, 1], [1, 1, 8], [3], [3]],
      stages = [inner, none], vector = 8, unroll = 1>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %c = linalg.generic {
      indexing_maps = [affine_map<(c, h, w, i, j) -> (c, h * 2 + i, w * 2 + j)>,
                       affine_map<(c, h, w, i, j) -> (c, i, j)>,
                       affine_map<(c, h, w, i, j) -> (c, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<4x17x17xf32>, tensor<4x3x3xf32>) outs(%f : tensor<4x8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<4x8x8xf32>
  return %c : tensor<4x8x8xf32>
}

// The memory behind a row of 26 is not written: the pieces are of 8, 8, 8 and
// 2.
// CHECK-LABEL: func.func private @room_kernel
// CHECK: memref.alloc() {{.*}} : memref<1x3x32xf32>
// CHECK-COUNT-3: vector.store {{.*}}, vector<8xf32>
// CHECK: vector.store {{.*}}, vector<2xf32>
// CHECK-NEXT: }
func.func @room(%x: tensor<4x10x26xf32>, %w: tensor<4x3x3xf32>) -> tensor<4x8x24xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile,
      tiles = [[1, 1, 1], [1, 1, 1], [1, 1, 24], [3], [3]],
      stages = [inner, none], vector = 8, unroll = 1>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8x24xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4x8x24xf32>) -> tensor<4x8x24xf32>
  %c = linalg.generic {
      indexing_maps = [affine_map<(c, h, w, i, j) -> (c, h + i, w + j)>,
                       affine_map<(c, h, w, i, j) -> (c, i, j)>,
                       affine_map<(c, h, w, i, j) -> (c, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<4x10x26xf32>, tensor<4x3x3xf32>) outs(%f : tensor<4x8x24xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<4x8x24xf32>
  return %c : tensor<4x8x24xf32>
}

// A row of 33 reaches beyond the tensor, which has 19: elements outside are not
// read.
// CHECK-LABEL: func.func private @cut_kernel
// CHECK: scf.if
// CHECK: } else {
// CHECK: %[[MASK:.*]] = vector.create_mask %[[COUNT:.*]] : vector<8xi1>
// CHECK: %[[A:.*]] = vector.maskedload %[[FROM:.*]][%{{.*}}], %[[MASK]]
// CHECK: %[[LEFT:.*]] = arith.subi %[[COUNT]]
// CHECK: %[[REST:.*]] = vector.create_mask %[[LEFT]] : vector<8xi1>
// CHECK: %[[B:.*]] = vector.maskedload %[[FROM]][%{{.*}}], %[[REST]]
// CHECK: %[[ROW:.*]] = vector.shuffle %[[A]], %[[B]] [0, 2, 4, 6, 9, 11, 13, 15]
// CHECK: vector.store %[[ROW]]
func.func @cut(%x: tensor<4x15x19xf32>, %w: tensor<4x3x3xf32>) -> tensor<4x7x9xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile,
      tiles = [[1, 1, 1], [1, 1, 1], [1, 2, 8], [3], [3]],
      stages = [inner, none], vector = 8, unroll = 1>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x7x9xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4x7x9xf32>) -> tensor<4x7x9xf32>
  %c = linalg.generic {
      indexing_maps = [affine_map<(c, h, w, i, j) -> (c, h * 2 + i, w * 2 + j)>,
                       affine_map<(c, h, w, i, j) -> (c, i, j)>,
                       affine_map<(c, h, w, i, j) -> (c, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<4x15x19xf32>, tensor<4x3x3xf32>) outs(%f : tensor<4x7x9xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<4x7x9xf32>
  return %c : tensor<4x7x9xf32>
}
