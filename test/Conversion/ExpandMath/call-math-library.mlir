// RUN: pruner-opt %s --pruner-call-math-library | FileCheck %s

// CHECK-DAG: func.func private @cbrtl(f80) -> f80
// CHECK-DAG: func.func private @log1p(f64) -> f64

// CHECK-LABEL: func.func @scalar
// CHECK: %[[WIDE:.*]] = arith.extf %arg0 : f64 to f80
// CHECK: %[[ROOT:.*]] = call @cbrtl(%[[WIDE]]) : (f80) -> f80
// CHECK: %[[X:.*]] = arith.truncf %[[ROOT]] : f80 to f64
// CHECK: call @log1p(%[[X]]) : (f64) -> f64
func.func @scalar(%x: f64) -> f64 {
  %0 = math.cbrt %x : f64
  %1 = math.log1p %0 : f64
  return %1 : f64
}

// CHECK-LABEL: func.func @lanes
// CHECK-COUNT-4: call @cbrtl
// CHECK-NOT: call
// CHECK: return
func.func @lanes(%x: vector<2x2xf64>) -> vector<2x2xf64> {
  %0 = math.cbrt %x : vector<2x2xf64>
  return %0 : vector<2x2xf64>
}
