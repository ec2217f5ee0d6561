// RUN: pruner-opt %s --pruner-round-through-f32 | FileCheck %s
// A second run changes nothing.
// RUN: pruner-opt %s --pruner-round-through-f32 -o %t.mlir
// RUN: pruner-opt %t.mlir --pruner-round-through-f32 | diff %t.mlir -
// RUN: pruner-opt %s --pruner-round-through-f32=only-integers | FileCheck %s --check-prefix=INTEGERS

// The value is rounded to f32 and, if that was away from zero, decreased by
// one. The last bit is set unless f32 holds the number. The comparison is
// ordered, so NaN stays.
// CHECK-LABEL: func.func @half(
// CHECK-SAME: %[[X:.*]]: f64
// CHECK: %[[NEAR:.*]] = arith.truncf %[[X]] : f64 to f32
// CHECK: %[[BACK:.*]] = arith.extf %[[NEAR]] : f32 to f64
// CHECK: %[[BITS:.*]] = arith.bitcast %[[NEAR]] : f32 to i32
// CHECK-DAG: %[[A:.*]] = math.absf %[[BACK]] : f64
// CHECK-DAG: %[[B:.*]] = math.absf %[[X]] : f64
// CHECK: %[[AWAY:.*]] = arith.cmpf ogt, %[[A]], %[[B]] : f64
// CHECK: %[[INEXACT:.*]] = arith.cmpf one, %[[BACK]], %[[X]] : f64
// CHECK: %[[ONE:.*]] = arith.constant 1 : i32
// CHECK: %[[LESS:.*]] = arith.subi %[[BITS]], %[[ONE]] : i32
// CHECK: %[[DOWN:.*]] = arith.select %[[AWAY]], %[[LESS]], %[[BITS]] : i32
// CHECK: %[[ODD:.*]] = arith.ori %[[DOWN]], %[[ONE]] : i32
// CHECK: %[[ROUNDED:.*]] = arith.select %[[INEXACT]], %[[ODD]], %[[BITS]] : i32
// CHECK: %[[S:.*]] = arith.bitcast %[[ROUNDED]] : i32 to f32
// CHECK: %[[H:.*]] = arith.truncf %[[S]] : f32 to f16
// CHECK: return %[[H]]
func.func @half(%x: f64) -> f16 {
  %h = arith.truncf %x : f64 to f16
  return %h : f16
}

// CHECK-LABEL: func.func @vector(
// CHECK: arith.truncf %{{.*}} : vector<8xf64> to vector<8xf32>
// CHECK: arith.constant dense<1> : vector<8xi32>
// CHECK: arith.truncf %{{.*}} : vector<8xf32> to vector<8xbf16>
func.func @vector(%x: vector<8xf64>) -> vector<8xbf16> {
  %h = arith.truncf %x : vector<8xf64> to vector<8xbf16>
  return %h : vector<8xbf16>
}

// Conversions that the machine has, and conversions with a rounding mode.
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

// Integers that f32 cannot represent go by way of f64. For those that f64
// cannot represent, one bit replaces the last twelve.
// CHECK-LABEL: func.func @integers(
// CHECK-SAME: %[[W:.*]]: i32, %[[X:.*]]: i64
// CHECK: %[[D:.*]] = arith.sitofp %[[W]] : i32 to f64
// CHECK: arith.truncf %[[D]] : f64 to f32
// CHECK: arith.truncf %{{.*}} : f32 to bf16
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK-DAG: %[[BIT:.*]] = arith.constant 2048 : i64
// CHECK-DAG: %[[LAST:.*]] = arith.constant 4095 : i64
// CHECK: %[[REST:.*]] = arith.andi %[[X]], %[[LAST]] : i64
// CHECK: %[[SOME:.*]] = arith.cmpi ne, %[[REST]], %[[ZERO]] : i64
// CHECK: %[[HIGH:.*]] = arith.subi %[[X]], %[[REST]] : i64
// CHECK: %[[ONE:.*]] = arith.select %[[SOME]], %[[BIT]], %[[ZERO]] : i64
// CHECK: %[[JOINED:.*]] = arith.ori %[[HIGH]], %[[ONE]] : i64
// CHECK: %[[LIMIT:.*]] = arith.constant 4503599627370496 : i64
// CHECK: %[[SMALL:.*]] = arith.cmpi ult, %[[X]], %[[LIMIT]] : i64
// CHECK: %[[Y:.*]] = arith.select %[[SMALL]], %[[X]], %[[JOINED]] : i64
// CHECK: %[[E:.*]] = arith.uitofp %[[Y]] : i64 to f64
// CHECK: arith.truncf %[[E]] : f64 to f32
// CHECK: arith.truncf %{{.*}} : f32 to bf16
// INTEGERS-LABEL: func.func @half(
// INTEGERS-NEXT: arith.truncf %{{.*}} : f64 to f16
// INTEGERS-LABEL: func.func @integers(
// INTEGERS: arith.sitofp %{{.*}} : i32 to f64
// INTEGERS: arith.uitofp %{{.*}} : i64 to f64
// INTEGERS-LABEL: func.func @fused(
// INTEGERS-NEXT: math.fma
func.func @integers(%w: i32, %x: i64) -> (bf16, bf16) {
  %a = arith.sitofp %w : i32 to bf16
  %b = arith.uitofp %x : i64 to bf16
  return %a, %b : bf16, bf16
}

// f16 and f32 represent these, or the values next to them.
// CHECK-LABEL: func.func @small(
// CHECK-NEXT: arith.sitofp %{{.*}} : i16 to bf16
// CHECK-NEXT: arith.sitofp %{{.*}} : i64 to f16
// CHECK-NEXT: return
func.func @small(%s: i16, %x: i64) -> (bf16, f16) {
  %a = arith.sitofp %s : i16 to bf16
  %b = arith.sitofp %x : i64 to f16
  return %a, %b : bf16, f16
}

// The product is exact in f64, and the sum is rounded to odd by its error.
// CHECK-LABEL: func.func @fused(
// CHECK: %[[P:.*]] = arith.mulf %{{.*}} : f64
// CHECK: %[[S:.*]] = arith.addf %[[P]], %[[C:.*]] : f64
// CHECK: %[[A:.*]] = arith.subf %[[S]], %[[P]] : f64
// CHECK: %[[R:.*]] = arith.subf %[[S]], %[[A]] : f64
// CHECK: %[[LP:.*]] = arith.subf %[[P]], %[[R]] : f64
// CHECK: %[[LC:.*]] = arith.subf %[[C]], %[[A]] : f64
// CHECK: %[[E:.*]] = arith.addf %[[LP]], %[[LC]] : f64
// CHECK: %[[INEXACT:.*]] = arith.cmpf one, %[[E]], %{{.*}} : f64
// CHECK: arith.ori %{{.*}} : i64
// CHECK: %[[ODD:.*]] = arith.select %[[INEXACT]], %{{.*}} : i64
// CHECK: %[[D:.*]] = arith.bitcast %[[ODD]] : i64 to f64
// CHECK: arith.truncf %[[D]] : f64 to f32
// CHECK: %[[H:.*]] = arith.truncf %{{.*}} : f32 to f16
// CHECK: return %[[H]]
func.func @fused(%a: f16, %b: f16, %c: f16) -> f16 {
  %r = math.fma %a, %b, %c : f16
  return %r : f16
}
