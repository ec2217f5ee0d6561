// A depthwise convolution that reads its padded image in place. A tile whose
// windows are inside of the image has plain loads. The other version clamps
// coordinates and replaces what is outside by the padding value; along the
// lanes by masks.
// RUN: pruner-opt %s --pruner-tile=target=file:%S/../../Dialect/Pruner/Inputs/cpu.json -split-input-file | FileCheck %s --check-prefix=TILED
// RUN: pruner-opt %s --pruner-tile=target=file:%S/../../Dialect/Pruner/Inputs/cpu.json --convert-pruner-to-cpu --canonicalize --cse -split-input-file | FileCheck %s

// TILED-LABEL: func.func private @channels_last_kernel
// TILED:         pruner.compute update
// TILED-SAME:      paddings [1.000000e+00 : f32, unit] ins(%arg0, %arg1 : memref<14x14x32xf32>

// CHECK-LABEL: func.func private @channels_last_kernel
// CHECK-DAG:     %[[ONE:.*]] = arith.constant dense<1.000000e+00> : vector<8xf32>
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[LAST:.*]] = arith.constant 13 : index
// CHECK-DAG:     %[[END:.*]] = arith.constant 14 : index
// CHECK:         scf.for %[[H:.*]] =
// CHECK:           %[[TOP:.*]] = arith.addi %[[H]], %c-1 overflow<nsw>
// CHECK:           %[[BELOW:.*]] = arith.cmpi sge, %[[TOP]], %[[ZERO]]
// CHECK:           %[[BOTTOM:.*]] = arith.addi %[[H]], %c1 overflow<nsw>
// CHECK:           %[[ABOVE:.*]] = arith.cmpi slt, %[[BOTTOM]], %[[END]]
// CHECK:           %[[ROWS:.*]] = arith.andi %[[BELOW]], %[[ABOVE]]
// CHECK:           %[[LEFT:.*]] = arith.andi %[[ROWS]], %{{.*}}
// CHECK:           %[[INSIDE:.*]] = arith.andi %[[LEFT]], %{{.*}}
// CHECK:           scf.if %[[INSIDE]] {
// CHECK-NOT:         arith.select
// CHECK-COUNT-2:     vector.load
// CHECK-NOT:         arith.select
// CHECK:           } else {
// CHECK:             %[[AT:.*]] = arith.maxsi %{{.*}}, %[[ZERO]]
// CHECK:             arith.minsi %[[AT]], %[[LAST]]
// CHECK:             %[[ELEMENTS:.*]] = vector.load
// CHECK:             arith.select %{{.*}}, %[[ELEMENTS]], %[[ONE]] : vector<8xf32>
func.func @channels_last(%x: tensor<14x14x32xf32>, %w: tensor<3x3x32xf32>) -> tensor<14x14x32xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile,
      tiles = [[1, 14, 1], [1, 2, 7], [1, 4, 8], [3], [3]],
      stages = [none, none], vector = 8, unroll = 1>} {
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[1, 1, 0] high[1, 1, 0] {
  ^bb0(%h: index, %w2: index, %c: index):
    tensor.yield %one : f32
  } : tensor<14x14x32xf32> to tensor<16x16x32xf32>
  %e = tensor.empty() : tensor<14x14x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<14x14x32xf32>) -> tensor<14x14x32xf32>
  %m = linalg.generic {
      indexing_maps = [affine_map<(h, w, c, i, j) -> (h + i, w + j, c)>,
                       affine_map<(h, w, c, i, j) -> (i, j, c)>,
                       affine_map<(h, w, c, i, j) -> (h, w, c)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%padded, %w : tensor<16x16x32xf32>, tensor<3x3x32xf32>) outs(%f : tensor<14x14x32xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<14x14x32xf32>
  return %m : tensor<14x14x32xf32>
}

// -----

// Lanes along the columns: of each row, those outside are masked.

// CHECK-LABEL: func.func private @channels_first_kernel
// CHECK-DAG:     %[[PADDING:.*]] = arith.constant dense<0xFF800000> : vector<8xf32>
// CHECK:         scf.if
// CHECK-NOT:       vector.maskedload
// CHECK:           vector.load
// CHECK-NOT:       vector.maskedload
// CHECK:         } else {
// CHECK:           vector.create_mask
// CHECK:           arith.xori
// CHECK:           %[[ROW:.*]] = vector.maskedload %{{.*}}, %[[PADDING]]
// CHECK:           arith.select %{{.*}}, %[[ROW]], %[[PADDING]]
func.func @channels_first(%x: tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile,
      tiles = [[1, 4, 1], [1, 16, 1], [1, 2, 8], [3], [3]],
      stages = [none], vector = 8, unroll = 1>} {
  %least = arith.constant 0xFF800000 : f32
  %padded = tensor.pad %x low[0, 1, 1] high[0, 1, 1] {
  ^bb0(%c: index, %h: index, %w: index):
    tensor.yield %least : f32
  } : tensor<4x16x16xf32> to tensor<4x18x18xf32>
  %window = tensor.empty() : tensor<3x3xf32>
  %e = tensor.empty() : tensor<4x16x16xf32>
  %f = linalg.fill ins(%least : f32) outs(%e : tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
  %m = linalg.generic {
      indexing_maps = [affine_map<(c, h, w, i, j) -> (c, h + i, w + j)>,
                       affine_map<(c, h, w, i, j) -> (i, j)>,
                       affine_map<(c, h, w, i, j) -> (c, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%padded, %window : tensor<4x18x18xf32>, tensor<3x3xf32>) outs(%f : tensor<4x16x16xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %s = arith.maximumf %acc, %a : f32
    linalg.yield %s : f32
  } -> tensor<4x16x16xf32>
  return %m : tensor<4x16x16xf32>
}
