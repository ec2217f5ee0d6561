// RUN: pruner-opt %s --pruner-expand-powers | FileCheck %s

// CHECK-LABEL: @powers
// CHECK-SAME: %[[X:[a-z0-9]+]]: f32
// CHECK-NOT: math.fpowi
// CHECK: %[[SQUARE:.*]] = arith.mulf %[[X]], %[[X]] : f32
// CHECK: %[[S3:.*]] = arith.mulf %[[X]], %[[X]] : f32
// CHECK: %[[CUBE:.*]] = arith.mulf %[[X]], %[[S3]] : f32
// CHECK: %[[N4:.*]] = arith.constant 4.000000e+00 : f32
// CHECK: %[[FOURTH:.*]] = math.powf %[[X]], %[[N4]] : f32
// CHECK: return %[[X]], %[[SQUARE]], %[[CUBE]], %[[FOURTH]]
func.func @powers(%x: f32) -> (f32, f32, f32, f32) {
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c3 = arith.constant 3 : i64
  %c4 = arith.constant 4 : i64
  %0 = math.fpowi %x, %c1 : f32, i64
  %1 = math.fpowi %x, %c2 : f32, i64
  %2 = math.fpowi %x, %c3 : f32, i64
  %3 = math.fpowi %x, %c4 : f32, i64
  return %0, %1, %2, %3 : f32, f32, f32, f32
}

// CHECK-LABEL: @stays
// CHECK-COUNT-4: math.fpowi
func.func @stays(%x: f32, %n: i64) -> (f32, f32, f32, f32) {
  %c0 = arith.constant 0 : i64
  %c9 = arith.constant 9 : i64
  %minus = arith.constant -2 : i64
  %0 = math.fpowi %x, %c0 : f32, i64
  %1 = math.fpowi %x, %c9 : f32, i64
  %2 = math.fpowi %x, %minus : f32, i64
  %3 = math.fpowi %x, %n : f32, i64
  return %0, %1, %2, %3 : f32, f32, f32, f32
}

// CHECK-LABEL: @narrow
// CHECK-SAME: %[[X:[a-z0-9]+]]: bf16
// CHECK: %[[SQUARE:.*]] = arith.mulf %[[X]], %[[X]] : bf16
// CHECK: %[[N3:.*]] = arith.constant 3.000000e+00 : bf16
// CHECK: %[[CUBE:.*]] = math.powf %[[X]], %[[N3]] : bf16
// CHECK: return %[[SQUARE]], %[[CUBE]]
func.func @narrow(%x: bf16) -> (bf16, bf16) {
  %c2 = arith.constant 2 : i64
  %c3 = arith.constant 3 : i64
  %0 = math.fpowi %x, %c2 : bf16, i64
  %1 = math.fpowi %x, %c3 : bf16, i64
  return %0, %1 : bf16, bf16
}
