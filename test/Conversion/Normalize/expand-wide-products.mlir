// RUN: pruner-opt %s --pruner-expand-wide-products | FileCheck %s
// RUN: pruner-opt %s --pruner-expand-wide-products -o %t.mlir
// RUN: pruner-opt %t.mlir --pruner-expand-wide-products | diff %t.mlir -

#id = affine_map<(i) -> (i)>

// A product of twice the width.
// CHECK-LABEL: @scale
// CHECK: ^bb0(%[[X:.*]]: i32, %[[S:.*]]: i32, %{{.*}}: i32):
// CHECK-DAG: %[[A:.*]] = arith.extsi %[[X]] : i32 to i64
// CHECK-DAG: %[[B:.*]] = arith.extsi %[[S]] : i32 to i64
// CHECK: %[[P:.*]] = arith.muli %[[A]], %[[B]] : i64
// CHECK: %[[H:.*]] = arith.shrui %[[P]], %{{.*}} : i64
// CHECK-DAG: %[[LOW:.*]] = arith.trunci %[[P]] : i64 to i32
// CHECK-DAG: %[[HIGH:.*]] = arith.trunci %[[H]] : i64 to i32
// CHECK: arith.xori %[[LOW]], %[[HIGH]]
func.func @scale(%x: tensor<8xi32>, %s: tensor<8xi32>) -> tensor<8xi32> {
  %e = tensor.empty() : tensor<8xi32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %s : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %low, %high = arith.mulsi_extended %a, %b : i32
    %y = arith.xori %low, %high : i32
    linalg.yield %y : i32
  } -> tensor<8xi32>
  return %r : tensor<8xi32>
}

// For 64 bits, four products of 32.
// CHECK-LABEL: @widest
// CHECK-NOT: extended
// CHECK-COUNT-5: arith.muli %{{.*}} : i64
// CHECK-NOT: arith.muli
// CHECK: linalg.yield
func.func @widest(%x: tensor<8xi64>) -> tensor<8xi64> {
  %e = tensor.empty() : tensor<8xi64>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<8xi64>) outs(%e : tensor<8xi64>) {
  ^bb0(%a: i64, %o: i64):
    %low, %high = arith.mului_extended %a, %a : i64
    %y = arith.xori %low, %high : i64
    linalg.yield %y : i64
  } -> tensor<8xi64>
  return %r : tensor<8xi64>
}

// CHECK-LABEL: @sum
// CHECK: %[[S:.*]] = arith.addi %[[A:.*]], %{{.*}} : i32
// CHECK: arith.cmpi ult, %[[S]], %[[A]] : i32
func.func @sum(%x: tensor<8xi32>) -> tensor<8xi1> {
  %e = tensor.empty() : tensor<8xi1>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<8xi32>) outs(%e : tensor<8xi1>) {
  ^bb0(%a: i32, %o: i1):
    %s, %over = arith.addui_extended %a, %a : i32, i1
    linalg.yield %over : i1
  } -> tensor<8xi1>
  return %r : tensor<8xi1>
}

// Outside of linalg bodies it does not change.
// CHECK-LABEL: @outside
// CHECK: arith.mulsi_extended
func.func @outside(%a: i32) -> i32 {
  %low, %high = arith.mulsi_extended %a, %a : i32
  return %high : i32
}
