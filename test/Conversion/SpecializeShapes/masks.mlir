// RUN: pruner-opt %s --split-input-file --pruner-specialize-shapes=sizes=8 | FileCheck %s
// Which operands are masked, with which values, and how bodies that padding
// could harm are changed.

// The product masks both sides: a zero on one side may meet an infinity on the
// other.

// CHECK-LABEL: func.func @gram_n8(
// CHECK: %[[LEFT:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %[[MASK:[0-9]+]] : tensor<4x8xf32>, tensor<8xi1>)
// CHECK: arith.constant 0.000000e+00 : f32
// CHECK: %[[RIGHT:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %[[MASK]] : tensor<8x4xf32>, tensor<8xi1>)
// CHECK: linalg.matmul ins(%[[LEFT]], %[[RIGHT]] :
#map = affine_map<(d0, d1) -> (d0, d1)>
func.func @gram(%x: tensor<?x4xf32> {pruner.range = [#pruner.range<n, 1 to 8>]},
                %y: tensor<4x?xf32> {pruner.range = [#pruner.range<n, 1 to 8>]}) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %r = linalg.matmul ins(%y, %x : tensor<4x?xf32>, tensor<?x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// -----

// A maximum, and a reduction without a neutral element: its body keeps the
// accumulators.

// CHECK-LABEL: func.func @extrema_n8(
// CHECK: arith.constant 0xFF800000 : f32
// CHECK: linalg.generic {{.*}}iterator_types = ["reduction"]
// CHECK: arith.maximumf
// CHECK: linalg.generic {{.*}}iterator_types = ["reduction"]
// CHECK: ^bb0(%{{.*}}: f32, %[[BEST:.*]]: f32, %[[WHERE:.*]]: i64):
// CHECK: arith.cmpf
// CHECK: %[[PLACE:.*]] = linalg.index 0
// CHECK: %[[IS:.*]] = arith.cmpi ult, %[[PLACE]], %{{.*}}
// CHECK: %[[KEPT:.*]] = arith.select %[[IS]], %{{.*}}, %[[BEST]] : f32
// CHECK: %[[STAYS:.*]] = arith.select %[[IS]], %{{.*}}, %[[WHERE]] : i64
// CHECK: linalg.yield %[[KEPT]], %[[STAYS]]
#in = affine_map<(d0) -> (d0)>
#out = affine_map<(d0) -> ()>
func.func @extrema(%x: tensor<?xf32> {pruner.range = [#pruner.range<n, 1 to 8>]}) -> (tensor<f32>, tensor<i64>) {
  %low = arith.constant 0xFF800000 : f32
  %first = arith.constant 0 : i64
  %e = tensor.empty() : tensor<f32>
  %ei = tensor.empty() : tensor<i64>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %g = linalg.fill ins(%first : i64) outs(%ei : tensor<i64>) -> tensor<i64>
  %m = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["reduction"]}
      ins(%x : tensor<?xf32>) outs(%f : tensor<f32>) {
  ^bb0(%a: f32, %acc: f32):
    %0 = arith.maximumf %a, %acc : f32
    linalg.yield %0 : f32
  } -> tensor<f32>
  %r:2 = linalg.generic {indexing_maps = [#in, #out, #out], iterator_types = ["reduction"]}
      ins(%x : tensor<?xf32>) outs(%f, %g : tensor<f32>, tensor<i64>) {
  ^bb0(%a: f32, %best: f32, %where: i64):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i64
    %0 = arith.maximumf %a, %best : f32
    %1 = arith.cmpf ogt, %a, %best : f32
    %2 = arith.select %1, %j, %where : i64
    linalg.yield %0, %2 : f32, i64
  } -> (tensor<f32>, tensor<i64>)
  return %m, %r#1 : tensor<f32>, tensor<i64>
}

// -----

// Collapsed with a dimension in front of it, padding is in between: the mask
// depends on the inner position.

// CHECK-LABEL: func.func @between_n8(
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<24xi1>)
// CHECK: %[[PLACE:.*]] = linalg.index 0
// CHECK: %[[EIGHT:.*]] = arith.constant 8 : index
// CHECK: %[[WITHIN:.*]] = arith.remui %[[PLACE]], %[[EIGHT]]
// CHECK: arith.cmpi ult, %[[WITHIN]], %{{.*}}
#in = affine_map<(d0) -> (d0)>
#out = affine_map<(d0) -> ()>
func.func @between(%x: tensor<3x?xi32> {pruner.range = [#pruner.range<n, 1 to 8>]}) -> tensor<i32> {
  %zero = arith.constant 0 : i32
  %c = tensor.collapse_shape %x [[0, 1]] : tensor<3x?xi32> into tensor<?xi32>
  %e = tensor.empty() : tensor<i32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<i32>) -> tensor<i32>
  %s = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["reduction"]}
      ins(%c : tensor<?xi32>) outs(%f : tensor<i32>) {
  ^bb0(%a: i32, %acc: i32):
    %0 = arith.addi %acc, %a : i32
    linalg.yield %0 : i32
  } -> tensor<i32>
  return %s : tensor<i32>
}

// -----

// Indices, divisors and checks of padding become harmless.

// CHECK-LABEL: func.func @guards_n8(
// CHECK: %[[IS:.*]] = arith.cmpi ult
// CHECK: %[[CHECK:.*]] = arith.select %[[IS]], %{{.*}}, %true{{.*}} : i1
// CHECK: cf.assert %[[CHECK]], "index"
// CHECK: %[[INDEX:.*]] = arith.select %[[IS]], %{{.*}}, %c0{{.*}} : index
// CHECK: tensor.extract %{{.*}}[%[[INDEX]]] : tensor<5xi64>
// CHECK: %[[DIVISOR:.*]] = arith.select %[[IS]], %{{.*}}, %c1{{.*}} : i64
// CHECK: arith.divsi %{{.*}}, %[[DIVISOR]] : i64
#in = affine_map<(d0) -> (d0)>
func.func @guards(%x: tensor<?xi64> {pruner.range = [#pruner.range<n, 1 to 8>]}, %t: tensor<5xi64>) -> tensor<?xi64> {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %n = tensor.dim %x, %c0 : tensor<?xi64>
  %e = tensor.empty(%n) : tensor<?xi64>
  %s = linalg.generic {indexing_maps = [#in, #in], iterator_types = ["parallel"]}
      ins(%x : tensor<?xi64>) outs(%e : tensor<?xi64>) {
  ^bb0(%a: i64, %o: i64):
    %i = arith.index_cast %a : i64 to index
    %b = arith.cmpi ult, %i, %c5 : index
    cf.assert %b, "index"
    %v = tensor.extract %t[%i] : tensor<5xi64>
    %q = arith.divsi %v, %a : i64
    linalg.yield %q : i64
  } -> tensor<?xi64>
  return %s : tensor<?xi64>
}

// -----

// The divisors of the other dialect, too.

// CHECK-LABEL: func.func @index_guards_n8(
// CHECK: %[[IS:.*]] = arith.cmpi ult
// CHECK: %[[DIVISOR:.*]] = arith.select %[[IS]], %{{.*}}, %c1{{.*}} : index
// CHECK: index.divs %{{.*}}, %[[DIVISOR]]
func.func @index_guards(%x: tensor<?xindex> {pruner.range = [#pruner.range<n, 1 to 8>]}) -> tensor<?xindex> {
  %c9 = arith.constant 9 : index
  %r = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<?xindex>) outs(%x : tensor<?xindex>) {
  ^bb0(%a: index, %o: index):
    %q = index.divs %c9, %a
    linalg.yield %q : index
  } -> tensor<?xindex>
  return %r : tensor<?xindex>
}

// -----

// Without a neutral element the accumulator is kept. The divisor of the mask is
// a constant, also where divisors of padding are replaced.

// CHECK-LABEL: func.func @fold_between_n8(
// CHECK: linalg.generic
// CHECK: arith.remsi %{{.*}}, %{{.*}} : i32
// CHECK: %[[SUM:.*]] = arith.subi
// CHECK: %[[PLACE:.*]] = linalg.index 0
// CHECK: %[[EIGHT:.*]] = arith.constant 8 : index
// CHECK: %[[WITHIN:.*]] = arith.remui %[[PLACE]], %[[EIGHT]]
// CHECK: %[[IS:.*]] = arith.cmpi ult, %[[WITHIN]], %{{.*}}
// CHECK: arith.select %[[IS]], %[[SUM]], %{{.*}} : i32
#in = affine_map<(d0) -> (d0)>
#out = affine_map<(d0) -> ()>
func.func @fold_between(%x: tensor<3x?xi32> {pruner.range = [#pruner.range<n, 1 to 8>]}) -> tensor<i32> {
  %zero = arith.constant 0 : i32
  %c = tensor.collapse_shape %x [[0, 1]] : tensor<3x?xi32> into tensor<?xi32>
  %e = tensor.empty() : tensor<i32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<i32>) -> tensor<i32>
  %s = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["reduction"]}
      ins(%c : tensor<?xi32>) outs(%f : tensor<i32>) {
  ^bb0(%a: i32, %acc: i32):
    %0 = arith.remsi %acc, %a : i32
    %1 = arith.subi %a, %0 : i32
    linalg.yield %1 : i32
  } -> tensor<i32>
  return %s : tensor<i32>
}

// -----

// The text of a named op does not show a changed body, and an op on whole
// tensors has none.

// CHECK-LABEL: func.func @quotients_n8(
// CHECK-NOT: linalg.div
// CHECK: linalg.generic
// CHECK: %[[IS:.*]] = arith.cmpi ult
// CHECK: %[[DIVISOR:.*]] = arith.select %[[IS]], %{{.*}}, %{{.*}} : i32
// CHECK: arith.divsi %{{.*}}, %[[DIVISOR]] : i32
// CHECK: linalg.generic
// CHECK: %[[IS:.*]] = arith.cmpi ult
// CHECK: %[[DIVISOR:.*]] = arith.select %[[IS]], %{{.*}}, %{{.*}} : i32
// CHECK: arith.remsi %{{.*}}, %[[DIVISOR]] : i32
func.func @quotients(%x: tensor<?xi32> {pruner.range = [#pruner.range<n, 1 to 8>]},
                     %y: tensor<?xi32> {pruner.range = [#pruner.range<n, 1 to 8>]}) -> (tensor<?xi32>, tensor<?xi32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xi32>
  %e = tensor.empty(%n) : tensor<?xi32>
  %q = linalg.div ins(%x, %y : tensor<?xi32>, tensor<?xi32>) outs(%e : tensor<?xi32>) -> tensor<?xi32>
  %r = arith.remsi %x, %y : tensor<?xi32>
  return %q, %r : tensor<?xi32>, tensor<?xi32>
}
