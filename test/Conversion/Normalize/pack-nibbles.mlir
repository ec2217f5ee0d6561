// RUN: pruner-opt %s --pruner-pack-nibbles --split-input-file | FileCheck %s

#id = affine_map<(n, g, k) -> (n, g, k)>
#t = affine_map<(n, g, k) -> (g, n, k)>

// Two neighbors of the last dimension share a byte, also behind a reshape that
// divides it. The copy in another order moves the extended numbers.
// CHECK-DAG: #[[ID:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[BYTE:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
// CHECK-DAG: #[[HALF:.*]] = affine_map<(d0, d1, d2, d3) -> (d3)>
// CHECK-LABEL: func.func @signed(
// CHECK-SAME: %[[W:.*]]: tensor<4x4xi8> {pruner.constant}) -> tensor<2x4x4xf32>
// CHECK: %[[E:.*]] = tensor.expand_shape %[[W]] {{.*}} : tensor<4x4xi8> into tensor<4x2x2xi8>
// CHECK: %[[T:.*]] = arith.constant dense<[28, 24]> : tensor<2xi32>
// CHECK: %[[U:.*]] = linalg.generic {indexing_maps = [#[[BYTE]], #[[HALF]], #[[ID]]], {{.*}} ins(%[[E]], %[[T]] : tensor<4x2x2xi8>, tensor<2xi32>)
// CHECK-NEXT: ^bb0(%[[B:.*]]: i8, %[[S:.*]]: i32, %{{.*}}: i32):
// CHECK-NEXT: %[[M:.*]] = arith.andi %[[S]], %{{.*}} : i32
// CHECK-NEXT: %[[X:.*]] = arith.extsi %[[B]] : i8 to i32
// CHECK-NEXT: %[[L:.*]] = arith.shli %[[X]], %[[M]] : i32
// CHECK-NEXT: arith.shrsi %[[L]], %{{.*}} : i32
// CHECK: %[[V:.*]] = tensor.collapse_shape %[[U]] {{.*}} into tensor<4x2x4xi32>
// CHECK: %[[C:.*]] = linalg.generic {{.*}} ins(%[[V]] : tensor<4x2x4xi32>) {{.*}} {
// CHECK: -> tensor<2x4x4xi32>
// CHECK: linalg.generic {{.*}} ins(%[[C]] : tensor<2x4x4xi32>)
// CHECK: arith.sitofp %{{.*}} : i32 to f32
func.func @signed(%w: tensor<4x8xi4> {pruner.constant}) -> tensor<2x4x4xf32> {
  %0 = tensor.expand_shape %w [[0], [1, 2]] output_shape [4, 2, 4] : tensor<4x8xi4> into tensor<4x2x4xi4>
  %e4 = tensor.empty() : tensor<2x4x4xi4>
  %1 = linalg.generic {indexing_maps = [#t, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%0 : tensor<4x2x4xi4>) outs(%e4 : tensor<2x4x4xi4>) {
  ^bb0(%a: i4, %o: i4):
    linalg.yield %a : i4
  } -> tensor<2x4x4xi4>
  %e = tensor.empty() : tensor<2x4x4xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%1 : tensor<2x4x4xi4>) outs(%e : tensor<2x4x4xf32>) {
  ^bb0(%a: i4, %o: f32):
    %f = arith.sitofp %a : i4 to f32
    linalg.yield %f : f32
  } -> tensor<2x4x4xf32>
  return %2 : tensor<2x4x4xf32>
}

// -----

#id = affine_map<(n) -> (n)>

// A constant, read as unsigned numbers of 8 bits: the first of two elements is
// in the low half. 0x21, 0xF8.
// CHECK-LABEL: func.func @unsigned_constant(
// CHECK: %[[W:.*]] = arith.constant dense<[33, -8]> : tensor<2xi8>
// CHECK: arith.constant dense<[0, 4]> : tensor<2xi32>
// CHECK: arith.extui %{{.*}} : i8 to i32
// CHECK: arith.shrui
// CHECK: arith.andi
// CHECK: arith.trunci %{{.*}} : i32 to i8
func.func @unsigned_constant() -> tensor<4xi8> {
  %w = arith.constant dense<[1, 2, -8, -1]> : tensor<4xi4>
  %e = tensor.empty() : tensor<4xi8>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%w : tensor<4xi4>) outs(%e : tensor<4xi8>) {
  ^bb0(%a: i4, %o: i8):
    %f = arith.extui %a : i4 to i8
    linalg.yield %f : i8
  } -> tensor<4xi8>
  return %0 : tensor<4xi8>
}

// -----

#id = affine_map<(n) -> (n)>

// Neither odd rows nor arithmetic in 4 bits.
// CHECK-LABEL: func.func @left_alone(
// CHECK-SAME: tensor<3xi4>, %{{.*}}: tensor<4xi4>
func.func @left_alone(%odd: tensor<3xi4>, %sum: tensor<4xi4>) -> (tensor<3xf32>, tensor<4xf32>) {
  %e3 = tensor.empty() : tensor<3xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%odd : tensor<3xi4>) outs(%e3 : tensor<3xf32>) {
  ^bb0(%a: i4, %o: f32):
    %f = arith.sitofp %a : i4 to f32
    linalg.yield %f : f32
  } -> tensor<3xf32>
  %e4 = tensor.empty() : tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%sum : tensor<4xi4>) outs(%e4 : tensor<4xf32>) {
  ^bb0(%a: i4, %o: f32):
    %t = arith.addi %a, %a : i4
    %f = arith.sitofp %t : i4 to f32
    linalg.yield %f : f32
  } -> tensor<4xf32>
  return %0, %1 : tensor<3xf32>, tensor<4xf32>
}

// -----

#id = affine_map<(n, k) -> (n, k)>

// A program that unpacks bytes by itself: both halves come from one op. If the
// high half is first, the concatenation stays.
// CHECK-LABEL: func.func @stacked(
// CHECK-SAME: %[[W:.*]]: tensor<4x2xi8>)
// CHECK: %[[T:.*]] = arith.constant dense<[0, 4]> : tensor<2xi32>
// CHECK: %[[U:.*]] = linalg.generic {{.*}} ins(%[[W]], %[[T]] : tensor<4x2xi8>, tensor<2xi32>) outs(%{{.*}} : tensor<4x2x2xi8>)
// CHECK: %[[C:.*]] = tensor.concat dim(2)
// CHECK: return %[[U]], %[[C]]
func.func @stacked(%w: tensor<4x2xi8>) -> (tensor<4x2x2xi8>, tensor<4x2x2xi8>) {
  %fifteen = arith.constant 15 : i8
  %four = arith.constant 4 : i8
  %e = tensor.empty() : tensor<4x2xi8>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<4x2xi8>) outs(%e : tensor<4x2xi8>) {
  ^bb0(%a: i8, %o: i8):
    %f = arith.andi %a, %fifteen : i8
    linalg.yield %f : i8
  } -> tensor<4x2xi8>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<4x2xi8>) outs(%e : tensor<4x2xi8>) {
  ^bb0(%a: i8, %o: i8):
    %f = arith.shrui %a, %four : i8
    linalg.yield %f : i8
  } -> tensor<4x2xi8>
  %low = tensor.expand_shape %0 [[0], [1, 2]] output_shape [4, 2, 1] : tensor<4x2xi8> into tensor<4x2x1xi8>
  %high = tensor.expand_shape %1 [[0], [1, 2]] output_shape [4, 2, 1] : tensor<4x2xi8> into tensor<4x2x1xi8>
  %2 = tensor.concat dim(2) %low, %high : (tensor<4x2x1xi8>, tensor<4x2x1xi8>) -> tensor<4x2x2xi8>
  %3 = tensor.concat dim(2) %high, %low : (tensor<4x2x1xi8>, tensor<4x2x1xi8>) -> tensor<4x2x2xi8>
  return %2, %3 : tensor<4x2x2xi8>, tensor<4x2x2xi8>
}

// -----

#id = affine_map<(n, k) -> (n, k)>
#none = affine_map<(n, k) -> ()>

// As imported from ONNX: shifts by constant tensors only. Shifts by another number stay.
// CHECK-LABEL: func.func @stacked_by_shifts(
// CHECK-SAME: %[[W:.*]]: tensor<4x2xi8>)
// CHECK: %[[U:.*]] = linalg.generic {{.*}} ins(%[[W]], %{{.*}} : tensor<4x2xi8>, tensor<2xi32>) outs(%{{.*}} : tensor<4x2x2xi8>)
// CHECK: %[[C:.*]] = tensor.concat dim(2)
// CHECK: return %[[U]], %[[C]]
func.func @stacked_by_shifts(%w: tensor<4x2xi8>) -> (tensor<4x2x2xi8>, tensor<4x2x2xi8>) {
  %four = arith.constant dense<4> : tensor<i8>
  %three = arith.constant dense<3> : tensor<i8>
  %e = tensor.empty() : tensor<4x2xi8>
  %left = linalg.generic {indexing_maps = [#id, #none, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w, %four : tensor<4x2xi8>, tensor<i8>) outs(%e : tensor<4x2xi8>) {
  ^bb0(%a: i8, %b: i8, %o: i8):
    %f = arith.shli %a, %b : i8
    linalg.yield %f : i8
  } -> tensor<4x2xi8>
  %0 = linalg.generic {indexing_maps = [#id, #none, #id], iterator_types = ["parallel", "parallel"]}
      ins(%left, %four : tensor<4x2xi8>, tensor<i8>) outs(%e : tensor<4x2xi8>) {
  ^bb0(%a: i8, %b: i8, %o: i8):
    %f = arith.shrui %a, %b : i8
    linalg.yield %f : i8
  } -> tensor<4x2xi8>
  %1 = linalg.generic {indexing_maps = [#id, #none, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w, %four : tensor<4x2xi8>, tensor<i8>) outs(%e : tensor<4x2xi8>) {
  ^bb0(%a: i8, %b: i8, %o: i8):
    %f = arith.shrui %a, %b : i8
    linalg.yield %f : i8
  } -> tensor<4x2xi8>
  %2 = linalg.generic {indexing_maps = [#id, #none, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w, %three : tensor<4x2xi8>, tensor<i8>) outs(%e : tensor<4x2xi8>) {
  ^bb0(%a: i8, %b: i8, %o: i8):
    %f = arith.shrui %a, %b : i8
    linalg.yield %f : i8
  } -> tensor<4x2xi8>
  %low = tensor.expand_shape %0 [[0], [1, 2]] output_shape [4, 2, 1] : tensor<4x2xi8> into tensor<4x2x1xi8>
  %high = tensor.expand_shape %1 [[0], [1, 2]] output_shape [4, 2, 1] : tensor<4x2xi8> into tensor<4x2x1xi8>
  %wrong = tensor.expand_shape %2 [[0], [1, 2]] output_shape [4, 2, 1] : tensor<4x2xi8> into tensor<4x2x1xi8>
  %3 = tensor.concat dim(2) %low, %high : (tensor<4x2x1xi8>, tensor<4x2x1xi8>) -> tensor<4x2x2xi8>
  %4 = tensor.concat dim(2) %low, %wrong : (tensor<4x2x1xi8>, tensor<4x2x1xi8>) -> tensor<4x2x2xi8>
  return %3, %4 : tensor<4x2x2xi8>, tensor<4x2x2xi8>
}

// -----

#ab = affine_map<(a, b) -> (a, b)>

// The module calls this function with another tensor.
// CHECK-LABEL: func.func @called(
// CHECK-SAME:    tensor<4x8xi4>
// CHECK:         arith.sitofp %{{.*}} : i4 to f32
func.func @called(%w: tensor<4x8xi4>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %r = linalg.generic {indexing_maps = [#ab, #ab], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<4x8xi4>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: i4, %out: f32):
    %0 = arith.sitofp %in : i4 to f32
    linalg.yield %0 : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @caller(
// CHECK:         call @called(%{{.*}}) : (tensor<4x8xi4>) -> tensor<4x8xf32>
func.func @caller(%w: tensor<4x8xi8>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xi4>
  %n = linalg.generic {indexing_maps = [#ab, #ab], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<4x8xi8>) outs(%e : tensor<4x8xi4>) {
  ^bb0(%in: i8, %out: i4):
    %0 = arith.trunci %in : i8 to i4
    linalg.yield %0 : i4
  } -> tensor<4x8xi4>
  %r = call @called(%n) : (tensor<4x8xi4>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}
