// RUN: pruner-opt %s --pruner-tile=target=file:%S/../../Dialect/Pruner/Inputs/cpu-tiles.json --convert-pruner-to-cpu --canonicalize --cse | FileCheck %s

// Channels are moved to the rows of the buffer. The positions of an image row that
// are inside are filled together by squares, the last of which overlaps others;
// fewer than 16 one at a time. Positions outside are filled with the padding.
// CHECK-LABEL: func.func private @channels_last_kernel
// CHECK-DAG: %[[PAD:.*]] = arith.constant dense<3> : vector<16xi8>
// CHECK-DAG: %[[C16:.*]] = arith.constant 16 : index
// CHECK: scf.if
// CHECK: vector.store %[[PAD]]
// CHECK: scf.if
// CHECK: scf.for {{.*}} step %[[C16]]
// CHECK-COUNT-64: vector.load {{.*}} vector<16xi8>
// CHECK-COUNT-16: vector.store {{.*}} vector<64xi8>
// CHECK: scf.if
// CHECK-COUNT-64: vector.load {{.*}} vector<16xi8>
// CHECK-COUNT-16: vector.store {{.*}} vector<64xi8>
// CHECK: } else {
// CHECK: memref.load {{.*}}xi8>
// CHECK: } else {
// CHECK-NOT: vector.load
// CHECK: vector.store %[[PAD]]
func.func @channels_last(%x: tensor<64x20x32xi8>, %w: tensor<16x64x3x3xi8> {pruner.constant}) -> tensor<16x20x32xi32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile,
      tiles = [[1, 1, 16], [1, 1, 1], [1, 1, 16], [64], [3], [3]],
      stages = [inner, ahead], vector = 16, vector_dim = 0, unroll = 1, instruction = tdpbssd>} {
  %pad = arith.constant 3 : i8
  %z = arith.constant 0 : i32
  %padded = tensor.pad %x low[0, 1, 1] high[0, 1, 1] {
  ^bb0(%c: index, %h: index, %v: index):
    tensor.yield %pad : i8
  } : tensor<64x20x32xi8> to tensor<64x22x34xi8>
  %e = tensor.empty() : tensor<16x20x32xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<16x20x32xi32>) -> tensor<16x20x32xi32>
  %m = linalg.generic {
      indexing_maps = [affine_map<(f, h, w, c, i, j) -> (c, h + i, w + j)>,
                       affine_map<(f, h, w, c, i, j) -> (f, c, i, j)>,
                       affine_map<(f, h, w, c, i, j) -> (f, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%padded, %w : tensor<64x22x34xi8>, tensor<16x64x3x3xi8>) outs(%f : tensor<16x20x32xi32>) {
  ^bb0(%p: i8, %q: i8, %acc: i32):
    %a = arith.extsi %p : i8 to i32
    %b = arith.extsi %q : i8 to i32
    %o = arith.muli %a, %b : i32
    %s = arith.addi %acc, %o : i32
    linalg.yield %s : i32
  } -> tensor<16x20x32xi32>
  return %m : tensor<16x20x32xi32>
}
