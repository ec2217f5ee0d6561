// RUN: pruner-opt %s --pruner-narrow-integers --split-input-file | FileCheck %s

#id = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>

// A byte less a constant and a computed byte.
// CHECK-LABEL: func @bytes(
// CHECK:       ^bb0(%[[X:.*]]: i8, %[[P:.*]]: i8, %{{.*}}: f32):
// CHECK:         %[[A:.*]] = arith.extui %[[X]] : i8 to i32
// CHECK:         %[[C:.*]] = arith.constant -128 : i32
// CHECK:         %[[B:.*]] = arith.subi %[[A]], %[[C]] : i32
// CHECK:         %[[D:.*]] = arith.extsi %[[P]] : i8 to i32
// CHECK:         %[[E:.*]] = arith.addi %[[B]], %[[D]] : i32
// CHECK:         arith.sitofp %[[E]] : i32 to f32
func.func @bytes(%x: tensor<8xi8>, %p: tensor<i8>) -> tensor<8xf32> {
  %c = arith.constant -128 : i64
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#id, #none, #id], iterator_types = ["parallel"]}
      ins(%x, %p : tensor<8xi8>, tensor<i8>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: i8, %point: i8, %out: f32):
    %0 = arith.extui %in : i8 to i64
    %1 = arith.extsi %point : i8 to i64
    %2 = arith.subi %0, %c : i64
    %3 = arith.addi %2, %1 : i64
    %4 = arith.sitofp %3 : i64 to f32
    linalg.yield %4 : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

#id = affine_map<(i) -> (i)>

// A bias of 32 bits is converted as it is. Its difference with a constant, the
// sum that leaves 32 bits on its way, and an unknown number stay.
// CHECK-LABEL: func @wide(
// CHECK:       ^bb0(%[[X:.*]]: i32, %[[Y:.*]]: i64, %{{.*}}: f32, %{{.*}}: f32, %{{.*}}: f32, %{{.*}}: f32):
// CHECK-DAG:     arith.sitofp %[[X]] : i32 to f32
// CHECK-COUNT-3: arith.sitofp %{{.*}} : i64 to f32
func.func @wide(%x: tensor<8xi32>, %y: tensor<8xi64>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %one = arith.constant 1 : i64
  %large = arith.constant 2147483647 : i64
  %e = tensor.empty() : tensor<8xf32>
  %r:4 = linalg.generic {indexing_maps = [#id, #id, #id, #id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %y : tensor<8xi32>, tensor<8xi64>) outs(%e, %e, %e, %e : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%in: i32, %in_1: i64, %o: f32, %p: f32, %q: f32, %s: f32):
    %0 = arith.extsi %in : i32 to i64
    %1 = arith.sitofp %0 : i64 to f32
    %2 = arith.subi %0, %one : i64
    %3 = arith.sitofp %2 : i64 to f32
    %4 = arith.trunci %in : i32 to i8
    %5 = arith.extsi %4 : i8 to i64
    %6 = arith.addi %5, %large : i64
    %7 = arith.subi %6, %large : i64
    %8 = arith.sitofp %7 : i64 to f32
    %9 = arith.sitofp %in_1 : i64 to f32
    linalg.yield %1, %3, %8, %9 : f32, f32, f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
  return %r#0, %r#1, %r#2, %r#3 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
