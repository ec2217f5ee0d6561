// RUN: pruner-opt %s --pruner-round-through-f32 | FileCheck %s
// A second run finds nothing.
// RUN: pruner-opt %s --pruner-round-through-f32 -o %t.mlir
// RUN: pruner-opt %t.mlir --pruner-round-through-f32 | diff %t.mlir -

// To f32 and, where that was away from zero, one back; the last bit is set
// unless f32 holds the number. NaN is unequal to nothing that is ordered.
// CHECK-LABEL: func.func @half(
// CHECK-SAME: %[[X:.*]]: f64
// CHECK: %[[ONE:.*]] = arith.constant 1 : i32
// CHECK: %[[NEAR:.*]] = arith.truncf %[[X]] : f64 to f32
// CHECK: %[[BACK:.*]] = arith.extf %[[NEAR]] : f32 to f64
// CHECK: %[[BITS:.*]] = arith.bitcast %[[NEAR]] : f32 to i32
// CHECK-DAG: %[[A:.*]] = math.absf %[[BACK]] : f64
// CHECK-DAG: %[[B:.*]] = math.absf %[[X]] : f64
// CHECK: %[[AWAY:.*]] = arith.cmpf ogt, %[[A]], %[[B]] : f64
// CHECK: %[[LESS:.*]] = arith.subi %[[BITS]], %[[ONE]] : i32
// CHECK: %[[DOWN:.*]] = arith.select %[[AWAY]], %[[LESS]], %[[BITS]] : i32
// CHECK: %[[ODD:.*]] = arith.ori %[[DOWN]], %[[ONE]] : i32
// CHECK: %[[INEXACT:.*]] = arith.cmpf one, %[[BACK]], %[[X]] : f64
// CHECK: %[[ROUNDED:.*]] = arith.select %[[INEXACT]], %[[ODD]], %[[BITS]] : i32
// CHECK: %[[S:.*]] = arith.bitcast %[[ROUNDED]] : i32 to f32
// CHECK: %[[H:.*]] = arith.truncf %[[S]] : f32 to f16
// CHECK: return %[[H]]
func.func @half(%x: f64) -> f16 {
  %h = arith.truncf %x : f64 to f16
  return %h : f16
}

// CHECK-LABEL: func.func @vector(
// CHECK: arith.constant dense<1> : vector<8xi32>
// CHECK: arith.truncf %{{.*}} : vector<8xf64> to vector<8xf32>
// CHECK: arith.truncf %{{.*}} : vector<8xf32> to vector<8xbf16>
func.func @vector(%x: vector<8xf64>) -> vector<8xbf16> {
  %h = arith.truncf %x : vector<8xf64> to vector<8xbf16>
  return %h : vector<8xbf16>
}

// What the machine has instructions for, and what says how it is rounded.
// CHECK-LABEL: func.func @stays(
// CHECK-NEXT: arith.truncf %{{.*}} : f64 to f32
// CHECK-NEXT: arith.truncf %{{.*}} : f32 to f16
// CHECK-NEXT: arith.truncf %{{.*}} downward : f64 to f16
// CHECK-NEXT: return
func.func @stays(%x: f64, %y: f32) -> (f32, f16, f16) {
  %a = arith.truncf %x : f64 to f32
  %b = arith.truncf %y : f32 to f16
  %c = arith.truncf %x downward : f64 to f16
  return %a, %b, %c : f32, f16, f16
}
