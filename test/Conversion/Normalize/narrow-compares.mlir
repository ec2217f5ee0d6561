// RUN: pruner-opt %s --pruner-narrow-compares | FileCheck %s

// CHECK-LABEL: @narrow
// CHECK-SAME: %[[X:[a-z0-9]+]]: f32, %[[Y:[a-z0-9]+]]: f32
// CHECK-NOT: arith.extf
// CHECK: %[[LOWEST:.*]] = arith.constant 0xFF800000 : f32
// CHECK: arith.cmpf oeq, %[[X]], %[[LOWEST]] : f32
// CHECK: arith.cmpf ult, %[[X]], %[[Y]] : f32
func.func @narrow(%x: f32, %y: f32) -> (i1, i1) {
  %lowest = arith.constant 0xFFF0000000000000 : f64
  %a = arith.extf %x : f32 to f64
  %0 = arith.cmpf oeq, %a, %lowest : f64
  %b = arith.extf %x : f32 to f64
  %c = arith.extf %y : f32 to f64
  %1 = arith.cmpf ult, %b, %c : f64
  return %0, %1 : i1, i1
}

// 0.1 is another number in f32; the other side was never narrow; two narrow
// types have no common one.
// CHECK-LABEL: @stays
// CHECK: arith.cmpf olt, %{{.*}} : f64
// CHECK: arith.cmpf olt, %{{.*}} : f64
// CHECK: arith.cmpf olt, %{{.*}} : f64
func.func @stays(%x: f32, %y: f64, %z: f16) -> (i1, i1, i1) {
  %tenth = arith.constant 0.1 : f64
  %a = arith.extf %x : f32 to f64
  %b = arith.extf %z : f16 to f64
  %0 = arith.cmpf olt, %a, %tenth : f64
  %1 = arith.cmpf olt, %a, %y : f64
  %2 = arith.cmpf olt, %a, %b : f64
  return %0, %1, %2 : i1, i1, i1
}
