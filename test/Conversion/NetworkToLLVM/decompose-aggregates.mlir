// RUN: pruner-opt %s --pruner-decompose-aggregates | FileCheck %s
// RUN: pruner-opt %s --pruner-decompose-aggregates -o %t.mlir
// RUN: pruner-opt %t.mlir --pruner-decompose-aggregates | diff %t.mlir -

// The coordinates of a position in the gather below.
// CHECK-DAG: #[[FIRST:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
// CHECK-DAG: #[[SECOND:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, 1)>

// The maximum of a row, the exponentials of the differences, their sum, the
// quotients.
// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %[[X:.*]]: tensor<4x37xf32>)
// CHECK-NOT: linalg.softmax
// CHECK: %[[MAX:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%[[X]] : tensor<4x37xf32>) outs(%{{.*}} : tensor<4xf32>)
// CHECK: arith.maxnumf
// CHECK: %[[EXP:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]} ins(%[[X]], %[[MAX]] : tensor<4x37xf32>, tensor<4xf32>)
// CHECK: arith.subf
// CHECK-NEXT: math.exp
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%[[EXP]] : tensor<4x37xf32>)
// CHECK: arith.addf
// CHECK: %[[Y:.*]] = linalg.generic {{.*}} ins(%[[EXP]], %[[SUM]] : tensor<4x37xf32>, tensor<4xf32>)
// CHECK: arith.divf
// CHECK: return %[[Y]]
func.func @rows(%x: tensor<4x37xf32>) -> tensor<4x37xf32> {
  %e = tensor.empty() : tensor<4x37xf32>
  %y = linalg.softmax dimension(1) ins(%x : tensor<4x37xf32>) outs(%e : tensor<4x37xf32>) -> tensor<4x37xf32>
  return %y : tensor<4x37xf32>
}

// Ops in regions are decomposed as well.
// CHECK-LABEL: func.func @inside(
// CHECK: scf.if
// CHECK-NOT: linalg.softmax
// CHECK-COUNT-4: linalg.generic
func.func @inside(%x: tensor<4x37xf16>, %c: i1) -> tensor<4x37xf16> {
  %r = scf.if %c -> tensor<4x37xf16> {
    %e = tensor.empty() : tensor<4x37xf16>
    %y = linalg.softmax dimension(0) ins(%x : tensor<4x37xf16>) outs(%e : tensor<4x37xf16>) -> tensor<4x37xf16>
    scf.yield %y : tensor<4x37xf16>
  } else {
    scf.yield %x : tensor<4x37xf16>
  }
  return %r : tensor<4x37xf16>
}

// Ops with loops of their own do not change.
// CHECK-LABEL: func.func @structured(
// CHECK-NEXT: linalg.exp
// CHECK-NEXT: return
func.func @structured(%x: tensor<8xf32>, %e: tensor<8xf32>) -> tensor<8xf32> {
  %y = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// Padded to whole tiles and divided into them, with tile dimensions in front.
// CHECK-LABEL: func.func @pack(
// CHECK-SAME: %[[X:.*]]: tensor<13x21xf32>, %[[V:.*]]: f32
// CHECK: %[[PAD:.*]] = tensor.pad %[[X]] low[0, 0] high[3, 3]
// CHECK: tensor.yield %[[V]] : f32
// CHECK: %[[CUT:.*]] = tensor.expand_shape %[[PAD]] {{.*}} : tensor<16x24xf32> into tensor<2x8x3x8xf32>
// CHECK: %[[Y:.*]] = linalg.transpose ins(%[[CUT]] : tensor<2x8x3x8xf32>) {{.*}} permutation = [2, 0, 1, 3]
// CHECK: return %[[Y]] : tensor<3x2x8x8xf32>
func.func @pack(%x: tensor<13x21xf32>, %v: f32) -> tensor<3x2x8x8xf32> {
  %e = tensor.empty() : tensor<3x2x8x8xf32>
  %y = linalg.pack %x padding_value(%v : f32) outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [8, 8]
      into %e : tensor<13x21xf32> -> tensor<3x2x8x8xf32>
  return %y : tensor<3x2x8x8xf32>
}

// The inverse, without the padding.
// CHECK-LABEL: func.func @unpack(
// CHECK-SAME: %[[X:.*]]: tensor<3x2x8x8xf32>
// CHECK: %[[BACK:.*]] = linalg.transpose ins(%[[X]] : tensor<3x2x8x8xf32>) {{.*}} permutation = [1, 2, 0, 3]
// CHECK: %[[ALL:.*]] = tensor.collapse_shape %[[BACK]] {{.*}} : tensor<2x8x3x8xf32> into tensor<16x24xf32>
// CHECK: %[[PART:.*]] = tensor.extract_slice %[[ALL]][0, 0] [13, 21] [1, 1]
func.func @unpack(%x: tensor<3x2x8x8xf32>) -> tensor<13x21xf32> {
  %e = tensor.empty() : tensor<13x21xf32>
  %y = linalg.unpack %x outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [8, 8]
      into %e : tensor<3x2x8x8xf32> -> tensor<13x21xf32>
  return %y : tensor<13x21xf32>
}

// Extents that are not tiled may be dynamic.
// CHECK-LABEL: func.func @pack_dynamic(
// CHECK-NOT: linalg.pack
// CHECK: linalg.transpose
func.func @pack_dynamic(%x: tensor<?x16xf32>, %e: tensor<?x2x8xf32>) -> tensor<?x2x8xf32> {
  %y = linalg.pack %x inner_dims_pos = [1] inner_tiles = [8] into %e : tensor<?x16xf32> -> tensor<?x2x8xf32>
  return %y : tensor<?x2x8xf32>
}

// CHECK-LABEL: func.func @gather(
// CHECK-SAME: %[[X:.*]]: tensor<9x5x6xf32>, %[[I:.*]]: tensor<4x3x2xi32>
// CHECK: linalg.generic {indexing_maps = [#[[FIRST]], #[[SECOND]], #{{.*}}], iterator_types = ["parallel", "parallel", "parallel"]} ins(%[[I]], %[[I]] :
// CHECK-NEXT: ^bb0(%[[A:.*]]: i32, %[[B:.*]]: i32, %{{.*}}: f32):
// CHECK-DAG: %[[ROW:.*]] = arith.index_cast %[[A]] : i32 to index
// CHECK-DAG: %[[LAST:.*]] = arith.index_cast %[[B]] : i32 to index
// CHECK-DAG: %[[MIDDLE:.*]] = linalg.index 2 : index
// CHECK: tensor.extract %[[X]][%[[ROW]], %[[MIDDLE]], %[[LAST]]]
func.func @gather(%x: tensor<9x5x6xf32>, %i: tensor<4x3x2xi32>) -> tensor<4x3x5xf32> {
  %y = tensor.gather %x[%i] gather_dims([0, 2]) : (tensor<9x5x6xf32>, tensor<4x3x2xi32>) -> tensor<4x3x5xf32>
  return %y : tensor<4x3x5xf32>
}

// The result may keep extents of 1, and extents may be dynamic.
// CHECK-LABEL: func.func @gather_slices(
// CHECK: linalg.index 3
// CHECK: tensor.extract
func.func @gather_slices(%x: tensor<9x?xf32>, %i: tensor<?x4x1xindex>) -> tensor<?x4x1x?xf32> {
  %y = tensor.gather %x[%i] gather_dims([0]) : (tensor<9x?xf32>, tensor<?x4x1xindex>) -> tensor<?x4x1x?xf32>
  return %y : tensor<?x4x1x?xf32>
}

// CHECK-LABEL: func.func @scatter(
// CHECK-SAME: %[[S:.*]]: tensor<4x9x5xf32>, %[[X:.*]]: tensor<9x6x5xf32>, %[[I:.*]]: tensor<4x1xi64>
// CHECK: %[[Y:.*]] = scf.for %[[N:.*]] = %{{.*}} iter_args(%[[ACC:.*]] = %[[X]])
// CHECK: %[[PLACE:.*]] = tensor.extract %[[I]][%[[N]], %{{.*}}]
// CHECK: %[[AT:.*]] = arith.index_cast %[[PLACE]]
// CHECK: %[[SLICE:.*]] = tensor.extract_slice %[[S]][%[[N]], 0, 0] [1, 9, 5] [1, 1, 1] : tensor<4x9x5xf32> to tensor<9x5xf32>
// CHECK: tensor.insert_slice %[[SLICE]] into %[[ACC]][0, %[[AT]], 0] [9, 1, 5] [1, 1, 1]
// CHECK: return %[[Y]]
func.func @scatter(%s: tensor<4x9x5xf32>, %x: tensor<9x6x5xf32>, %i: tensor<4x1xi64>) -> tensor<9x6x5xf32> {
  %y = tensor.scatter %s into %x[%i] scatter_dims([1]) unique : (tensor<4x9x5xf32>, tensor<9x6x5xf32>, tensor<4x1xi64>) -> tensor<9x6x5xf32>
  return %y : tensor<9x6x5xf32>
}

// CHECK-LABEL: func.func @bitcast(
// CHECK: arith.bitcast %{{.*}} : f32 to i32
// CHECK: tensor.cast %{{.*}} : tensor<?xi32> to tensor<8xi32>
func.func @bitcast(%x: tensor<?xf32>) -> tensor<8xi32> {
  %y = tensor.bitcast %x : tensor<?xf32> to tensor<?xi32>
  %z = tensor.cast %y : tensor<?xi32> to tensor<8xi32>
  return %z : tensor<8xi32>
}

// A sign does not affect the bits.
// CHECK-LABEL: func.func @bitcast_sign(
// CHECK-NOT: arith.bitcast
// CHECK: builtin.unrealized_conversion_cast %{{.*}} : ui8 to i8
func.func @bitcast_sign(%x: tensor<8xui8>) -> tensor<8xi8> {
  %y = tensor.bitcast %x : tensor<8xui8> to tensor<8xi8>
  return %y : tensor<8xi8>
}
