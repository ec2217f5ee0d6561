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

// Types with an unknown number of lanes do not change.
// CHECK-LABEL: func.func @left
// CHECK-NOT: call
// CHECK: math.tanh %{{.*}} : tensor<4xf64>
// CHECK-NEXT: math.tan %{{.*}} : tensor<4xf64>
// CHECK-NEXT: math.tanh %{{.*}} : vector<[4]xf64>
// CHECK-NEXT: math.tan %{{.*}} : vector<[4]xf64>
// CHECK-NEXT: return
func.func @left(%x: tensor<4xf64>, %v: vector<[4]xf64>) -> (tensor<4xf64>, vector<[4]xf64>) {
  %0 = math.tanh %x : tensor<4xf64>
  %1 = math.tan %0 : tensor<4xf64>
  %2 = math.tanh %v : vector<[4]xf64>
  %3 = math.tan %2 : vector<[4]xf64>
  return %1, %3 : tensor<4xf64>, vector<[4]xf64>
}
