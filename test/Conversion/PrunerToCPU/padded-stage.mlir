// A padded box whose rows are read in steps of two: even and odd elements of a
// row of 16, and one before it, are packed separately. Elements that may be
// outside are filled with whole vectors; then both parts come from the same two
// loads.
// RUN: pruner-opt %s --pruner-tile=target=file:%S/../../Dialect/Pruner/Inputs/cpu.json --convert-pruner-to-cpu --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func private @pooled_kernel
// CHECK-DAG: %[[PAD:.*]] = arith.constant dense<0xFF800000> : vector<8xf32>
// CHECK: %[[FROM:.*]] = memref.collapse_shape
// CHECK: %[[TO:.*]] = memref.collapse_shape %{{.*}} : memref<{{.*}}> into memref<54xf32>
// CHECK: scf.if
// CHECK-COUNT-2: vector.store %[[PAD]], %[[TO]]
// CHECK: %[[A:.*]] = vector.load %[[FROM]]
// CHECK: %[[B:.*]] = vector.load %[[FROM]]
// CHECK: %[[EVEN:.*]] = vector.shuffle %[[A]], %[[B]] [0, 2, 4, 6, 8, 10, 12, 14]
// CHECK: %[[ODD:.*]] = vector.shuffle %[[A]], %[[B]] [1, 3, 5, 7, 9, 11, 13, 15]
// CHECK: vector.store %[[EVEN]], %[[TO]]
// CHECK: vector.store %[[ODD]], %[[TO]]
// A row outside of the tensor.
// CHECK: } else {
// CHECK-NOT: vector.load
// CHECK-COUNT-4: vector.store %[[PAD]], %[[TO]]
func.func @pooled(%x: tensor<4x16x16xf32>) -> tensor<4x8x8xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile,
      tiles = [[1, 1, 1], [1, 1, 1], [1, 1, 8], [3], [3]],
      stages = [inner], vector = 8, unroll = 1>} {
  %least = arith.constant 0xFF800000 : f32
  %padded = tensor.pad %x low[0, 1, 1] high[0, 1, 1] {
  ^bb0(%c: index, %h: index, %w: index):
    tensor.yield %least : f32
  } : tensor<4x16x16xf32> to tensor<4x18x18xf32>
  %window = tensor.empty() : tensor<3x3xf32>
  %e = tensor.empty() : tensor<4x8x8xf32>
  %f = linalg.fill ins(%least : f32) outs(%e : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %m = linalg.generic {
      indexing_maps = [affine_map<(c, h, w, i, j) -> (c, h * 2 + i, w * 2 + j)>,
                       affine_map<(c, h, w, i, j) -> (i, j)>,
                       affine_map<(c, h, w, i, j) -> (c, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%padded, %window : tensor<4x18x18xf32>, tensor<3x3xf32>) outs(%f : tensor<4x8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %s = arith.maximumf %acc, %a : f32
    linalg.yield %s : f32
  } -> tensor<4x8x8xf32>
  return %m : tensor<4x8x8xf32>
}
