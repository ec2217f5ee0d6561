// RUN: pruner-opt %s --pruner-expand-math | FileCheck %s

// CHECK-LABEL: func.func @constant
// CHECK: arith.mulf %arg0, %arg0 : vector<8xf32>
// CHECK: math.sqrt
// CHECK: arith.extf %arg0 : vector<8xf32> to vector<8xf64>
// CHECK: arith.truncf {{.*}} : vector<8xf64> to vector<8xf32>
// CHECK-NOT: math.powf
func.func @constant(%x: vector<8xf32>) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>) {
  %two = arith.constant dense<2.0> : vector<8xf32>
  %half = arith.constant dense<0.5> : vector<8xf32>
  %five = arith.constant dense<5.0> : vector<8xf32>
  %0 = math.powf %x, %two : vector<8xf32>
  %1 = math.powf %x, %half : vector<8xf32>
  %2 = math.powf %x, %five : vector<8xf32>
  return %0, %1, %2 : vector<8xf32>, vector<8xf32>, vector<8xf32>
}

// The C library computes f64 powers; its exponent is a number.
// CHECK-LABEL: func.func @integer
// CHECK: %[[N:.*]] = arith.sitofp %arg1 : i32 to f64
// CHECK: math.powf %arg0, %[[N]] : f64
func.func @integer(%x: f64, %n: i32) -> f64 {
  %0 = math.fpowi %x, %n : f64, i32
  return %0 : f64
}

// CHECK-LABEL: func.func @halves
// CHECK-NOT: math.fpowi
// CHECK: arith.truncf {{.*}} : f32 to bf16
func.func @halves(%x: bf16, %n: i32) -> bf16 {
  %0 = math.fpowi %x, %n : bf16, i32
  return %0 : bf16
}
