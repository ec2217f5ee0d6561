// Products with padding of zeros are omitted where the whole register tile
// reads padding.
// RUN: pruner-opt %s --pruner-tile=target=file:%S/../../Dialect/Pruner/Inputs/cpu.json -split-input-file | FileCheck %s --check-prefix=TILED
// RUN: pruner-opt %s --pruner-tile=target=file:%S/../../Dialect/Pruner/Inputs/cpu.json --convert-pruner-to-cpu --canonicalize --cse -split-input-file | FileCheck %s

// The tile has one row, so the loop over the rows of the window is shorter at
// the upper and the lower border. The tile has five columns, which all read
// padding nowhere.
// TILED-LABEL: func.func private @rows_kernel
// TILED:         pruner.compute update
// TILED-SAME:      inside [14, 14] of #[[MAP:.*]] ins
// CHECK-LABEL: func.func private @rows_kernel
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[ONE:.*]] = arith.constant 1 : index
// CHECK-DAG:     %[[TAPS:.*]] = arith.constant 3 : index
// CHECK-DAG:     %[[LAST:.*]] = arith.constant 15 : index
// CHECK:         scf.for %[[H:.*]] = %[[ZERO]] to %c14
// CHECK:           %[[ABOVE:.*]] = arith.subi %[[ONE]], %[[H]]
// CHECK:           %[[BEGIN:.*]] = arith.maxsi %[[ABOVE]], %[[ZERO]]
// CHECK:           %[[BELOW:.*]] = arith.subi %[[LAST]], %[[H]]
// CHECK:           %[[INSIDE:.*]] = arith.maxsi %[[BELOW]], %[[ZERO]]
// CHECK:           %[[END:.*]] = arith.minsi %[[INSIDE]], %[[TAPS]]
// CHECK:           scf.for %{{.*}} = %[[ZERO]] to %c4 {{.*}} vector<8xf32>
// CHECK:             scf.for %{{.*}} = %[[BEGIN]] to %[[END]] {{.*}} vector<8xf32>
// CHECK:               scf.for %{{.*}} = %[[ZERO]] to %[[TAPS]] {{.*}} vector<8xf32>
#x = affine_map<(f, h, w, c, i, j) -> (c, h + i, w + j)>
#w = affine_map<(f, h, w, c, i, j) -> (f, c, i, j)>
#r = affine_map<(f, h, w, c, i, j) -> (f, h, w)>
func.func @rows(%x: tensor<4x14x14xf32>, %w: tensor<16x4x3x3xf32>) -> tensor<16x14x14xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile,
      tiles = [[1, 1, 16], [1, 14, 1], [1, 3, 5], [4], [3], [3]],
      stages = [outer, outer], vector = 8, vector_dim = 0, unroll = 2>} {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 1, 1] high[0, 1, 1] {
  ^bb0(%a: index, %b: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<4x14x14xf32> to tensor<4x16x16xf32>
  %e = tensor.empty() : tensor<16x14x14xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x14x14xf32>) -> tensor<16x14x14xf32>
  %m = linalg.generic {indexing_maps = [#x, #w, #r],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%padded, %w : tensor<4x16x16xf32>, tensor<16x4x3x3xf32>) outs(%f : tensor<16x14x14xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<16x14x14xf32>
  return %m : tensor<16x14x14xf32>
}

// -----

// The loop over the rows of the window is outside of the statement, which is
// therefore omitted as a whole. The loop over its columns is unrolled, so all
// of its steps are executed.
// CHECK-LABEL: func.func private @outside_kernel
// CHECK:         scf.for %[[H:.*]] = %c0 to %c14
// CHECK:           memref.store %{{.*}} : memref<576xf32>
// CHECK:           scf.for %[[I:.*]] = %c0 to %c3
// CHECK:             %[[AT:.*]] = arith.addi %[[H]], %[[I]]
// CHECK:             %[[ROW:.*]] = arith.addi %[[AT]], %c-1
// CHECK:             %[[BELOW:.*]] = arith.cmpi sge, %[[ROW]], %c0
// CHECK:             %[[ABOVE:.*]] = arith.cmpi slt, %[[ROW]], %c14
// CHECK:             %[[INSIDE:.*]] = arith.andi %[[BELOW]], %[[ABOVE]]
// CHECK:             scf.for %[[W:.*]] = %c0 to %c14
// CHECK-NEXT:          scf.if %[[INSIDE]] {
// CHECK-NOT:             arith.maxsi
// CHECK:                 scf.for %{{.*}} = %c0 to %c4
// CHECK-NOT:               scf.for
// CHECK:                   scf.yield
#x = affine_map<(f, h, w, c, i, j) -> (c, h + i, w + j)>
#w = affine_map<(f, h, w, c, i, j) -> (f, c, i, j)>
#r = affine_map<(f, h, w, c, i, j) -> (f, h, w)>
func.func @outside(%x: tensor<4x14x14xf32>, %w: tensor<16x4x3x3xf32>) -> tensor<16x14x14xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile,
      tiles = [[1, 1, 16], [1, 1, 1], [1, 14, 1], [4], [1], [3]],
      stages = [outer, outer], vector = 8, vector_dim = 0, unroll = 2>} {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 1, 1] high[0, 1, 1] {
  ^bb0(%a: index, %b: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<4x14x14xf32> to tensor<4x16x16xf32>
  %e = tensor.empty() : tensor<16x14x14xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x14x14xf32>) -> tensor<16x14x14xf32>
  %m = linalg.generic {indexing_maps = [#x, #w, #r],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%padded, %w : tensor<4x16x16xf32>, tensor<16x4x3x3xf32>) outs(%f : tensor<16x14x14xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<16x14x14xf32>
  return %m : tensor<16x14x14xf32>
}

// -----

// Padding with ones adds something.
// TILED-LABEL: func.func private @ones_kernel
// TILED:         pruner.compute update
// TILED-NOT:     inside
#x = affine_map<(f, h, w, c, i, j) -> (c, h + i, w + j)>
#w = affine_map<(f, h, w, c, i, j) -> (f, c, i, j)>
#r = affine_map<(f, h, w, c, i, j) -> (f, h, w)>
func.func @ones(%x: tensor<4x14x14xf32>, %w: tensor<16x4x3x3xf32>) -> tensor<16x14x14xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile,
      tiles = [[1, 1, 16], [1, 1, 1], [1, 14, 1], [4], [1], [3]],
      stages = [outer, outer], vector = 8, vector_dim = 0, unroll = 2>} {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %padded = tensor.pad %x low[0, 1, 1] high[0, 1, 1] {
  ^bb0(%a: index, %b: index, %c: index):
    tensor.yield %one : f32
  } : tensor<4x14x14xf32> to tensor<4x16x16xf32>
  %e = tensor.empty() : tensor<16x14x14xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x14x14xf32>) -> tensor<16x14x14xf32>
  %m = linalg.generic {indexing_maps = [#x, #w, #r],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%padded, %w : tensor<4x16x16xf32>, tensor<16x4x3x3xf32>) outs(%f : tensor<16x14x14xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<16x14x14xf32>
  return %m : tensor<16x14x14xf32>
}
