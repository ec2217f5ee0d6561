// RUN: pruner-opt %s --pruner-invert-divisors | FileCheck %s

// The reciprocal in two parts of one sign, the larger one rounded toward zero.
// CHECK-LABEL: func.func @constant(
// CHECK-DAG: %[[HIGH:.*]] = arith.constant 0.333333313 : f32
// CHECK-DAG: %[[LOW:.*]] = arith.constant 1.98682155E-8 : f32
// CHECK: %[[L:.*]] = vector.broadcast %[[LOW]]
// CHECK: %[[P:.*]] = arith.mulf %arg0, %[[L]] : vector<8xf32>
// CHECK: %[[H:.*]] = vector.broadcast %[[HIGH]]
// CHECK: math.fma %arg0, %[[H]], %[[P]] : vector<8xf32>
// CHECK-NOT: divf
func.func @constant(%x: vector<8xf32>) -> vector<8xf32> {
  %d = arith.constant dense<3.0> : vector<8xf32>
  %q = arith.divf %x, %d : vector<8xf32>
  return %q : vector<8xf32>
}

// One scalar division for all vectors.
// CHECK-LABEL: func.func @row(
// CHECK: scf.for
// CHECK: %[[S:.*]] = memref.load
// CHECK: arith.divf {{.*}} : f32
// CHECK: arith.mulf {{.*}} : vector<8xf32>
// CHECK: arith.mulf {{.*}} : vector<8xf32>
// CHECK: math.fma {{.*}} : vector<8xf32>
// CHECK-NOT: divf {{.*}} : vector
func.func @row(%x: memref<64xf32>, %s: memref<f32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c8 {
    %v = vector.load %x[%i] : memref<64xf32>, vector<8xf32>
    %d = memref.load %s[] : memref<f32>
    %w = vector.broadcast %d : f32 to vector<8xf32>
    %q = arith.divf %v, %w : vector<8xf32>
    vector.store %q, %y[%i] : memref<64xf32>, vector<8xf32>
  }
  return
}

// No change: a divisor that differs per iteration or per lane, an exact
// reciprocal (which LLVM exploits), scalars and other types.
// CHECK-LABEL: func.func @others(
// CHECK-COUNT-5: arith.divf
func.func @others(%x: memref<64xf32>, %y: memref<64xf32>, %u: vector<8xf64>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %half = arith.constant dense<0.5> : vector<8xf32>
  %third = arith.constant 3.0 : f32
  %wide = arith.constant dense<3.0> : vector<8xf64>
  %q0 = arith.divf %u, %wide : vector<8xf64>
  scf.for %i = %c0 to %c64 step %c8 {
    %v = vector.load %x[%i] : memref<64xf32>, vector<8xf32>
    %d = memref.load %x[%i] : memref<64xf32>
    %s = arith.divf %d, %third : f32
    %w = vector.broadcast %s : f32 to vector<8xf32>
    %q1 = arith.divf %v, %w : vector<8xf32>
    %q2 = arith.divf %q1, %half : vector<8xf32>
    %q3 = arith.divf %q2, %v : vector<8xf32>
    vector.store %q3, %y[%i] : memref<64xf32>, vector<8xf32>
  }
  return
}
