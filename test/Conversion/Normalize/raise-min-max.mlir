// RUN: pruner-opt %s --pruner-raise-min-max --split-input-file | FileCheck %s

// ReLU as PyTorch exports it, and its mirror images.
// CHECK-LABEL: @relu
// CHECK-SAME: %[[X:[a-z0-9]+]]: f32
// CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NOT: arith.cmpf
// CHECK-NOT: arith.select
// CHECK-COUNT-4: arith.maximumf %[[X]], %[[ZERO]] : f32
func.func @relu(%x: f32) -> (f32, f32, f32, f32) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.cmpf ugt, %x, %zero : f32
  %0 = arith.select %c0, %x, %zero : f32
  %c1 = arith.cmpf ole, %x, %zero : f32
  %1 = arith.select %c1, %zero, %x : f32
  %c2 = arith.cmpf ult, %zero, %x : f32
  %2 = arith.select %c2, %x, %zero : f32
  %c3 = arith.cmpf oge, %zero, %x : f32
  %3 = arith.select %c3, %zero, %x : f32
  return %0, %1, %2, %3 : f32, f32, f32, f32
}

// -----

// A bound other than zero: ties are the same number.
// CHECK-LABEL: @six
// CHECK-SAME: %[[X:[a-z0-9]+]]: f32
// CHECK: %[[SIX:.*]] = arith.constant 6.000000e+00 : f32
// CHECK-NOT: arith.select
// CHECK-COUNT-3: arith.minimumf %[[X]], %[[SIX]] : f32
func.func @six(%x: f32) -> (f32, f32, f32) {
  %six = arith.constant 6.0 : f32
  %c0 = arith.cmpf olt, %six, %x : f32
  %0 = arith.select %c0, %six, %x : f32
  %c1 = arith.cmpf ult, %x, %six : f32
  %1 = arith.select %c1, %x, %six : f32
  %c2 = arith.cmpf ule, %x, %six : f32
  %2 = arith.select %c2, %x, %six : f32
  return %0, %1, %2 : f32, f32, f32
}

// -----

// Zeros: max(-0, +0) is +0, min(-0, +0) is -0. If the select returns the other
// one, it stays.
// CHECK-LABEL: @zeros
// CHECK-SAME: %[[X:[a-z0-9]+]]: f32
// CHECK-DAG: %[[PLUS:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-DAG: %[[MINUS:.*]] = arith.constant -0.000000e+00 : f32
// CHECK: %[[R0:.*]] = arith.select
// CHECK: %[[R1:.*]] = arith.maximumf %[[X]], %[[MINUS]]
// CHECK: %[[R2:.*]] = arith.select
// CHECK: %[[R3:.*]] = arith.minimumf %[[X]], %[[PLUS]]
// CHECK: %[[R4:.*]] = arith.minimumf %[[X]], %[[MINUS]]
// CHECK: return %[[R0]], %[[R1]], %[[R2]], %[[R3]], %[[R4]]
func.func @zeros(%x: f32) -> (f32, f32, f32, f32, f32) {
  %plus = arith.constant 0.0 : f32
  %minus = arith.constant -0.0 : f32
  %c0 = arith.cmpf uge, %x, %plus : f32
  %0 = arith.select %c0, %x, %plus : f32
  %c1 = arith.cmpf uge, %x, %minus : f32
  %1 = arith.select %c1, %x, %minus : f32
  %c2 = arith.cmpf ugt, %x, %minus : f32
  %2 = arith.select %c2, %x, %minus : f32
  %c3 = arith.cmpf ule, %x, %plus : f32
  %3 = arith.select %c3, %x, %plus : f32
  %c4 = arith.cmpf ult, %x, %minus : f32
  %4 = arith.select %c4, %x, %minus : f32
  return %0, %1, %2, %3, %4 : f32, f32, f32, f32, f32
}

// -----

// NaN gives the bound here, two variables are compared, the bound is NaN, or
// the arms are different values: none of these is a maximum.
// CHECK-LABEL: @stays
// CHECK-NOT: arith.maximumf
// CHECK-NOT: arith.minimumf
func.func @stays(%x: f32, %y: f32) -> (f32, f32, f32, f32) {
  %zero = arith.constant 0.0 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %c0 = arith.cmpf ogt, %x, %zero : f32
  %0 = arith.select %c0, %x, %zero : f32
  %c1 = arith.cmpf ugt, %x, %y : f32
  %1 = arith.select %c1, %x, %y : f32
  %c2 = arith.cmpf ugt, %x, %nan : f32
  %2 = arith.select %c2, %x, %nan : f32
  %c3 = arith.cmpf ugt, %x, %zero : f32
  %3 = arith.select %c3, %y, %zero : f32
  return %0, %1, %2, %3 : f32, f32, f32, f32
}

// -----

// A comparison with another reader also stays.
// CHECK-LABEL: @both
// CHECK: %[[C:.*]] = arith.cmpf ugt
// CHECK: arith.maximumf
// CHECK: return %{{.*}}, %[[C]]
func.func @both(%x: f32) -> (f32, i1) {
  %zero = arith.constant 0.0 : f32
  %c = arith.cmpf ugt, %x, %zero : f32
  %r = arith.select %c, %x, %zero : f32
  return %r, %c : f32, i1
}
