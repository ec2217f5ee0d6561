// RUN: pruner-opt %s --pass-pipeline='builtin.module(gpu.module(pruner-check-device-math))' -o %t.mlir
// RUN: pruner-opt %s | diff - %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir

// The device has an instruction for each of these, so the pass accepts the
// module unchanged.
// CHECK-LABEL: gpu.func @kernel(
// CHECK-NEXT: math.sqrt
// CHECK-NEXT: math.fma
// CHECK-NEXT: math.roundeven
// CHECK-NEXT: math.copysign
// CHECK-NEXT: math.ctlz
// CHECK-NEXT: math.isnan
// CHECK-NEXT: arith.divf
// CHECK-NEXT: gpu.return
gpu.module @module {
  gpu.func @kernel(%x: f64, %v: vector<4xf32>, %n: i32) kernel {
    %0 = math.sqrt %x : f64
    %1 = math.fma %v, %v, %v : vector<4xf32>
    %2 = math.roundeven %x : f64
    %3 = math.copysign %2, %x : f64
    %4 = math.ctlz %n : i32
    %5 = math.isnan %x : f64
    %6 = arith.divf %x, %x : f64
    gpu.return
  }
}

// Functions of the host may call libraries.
// CHECK-LABEL: func.func @host(
// CHECK-NEXT: math.tanh
// CHECK-NEXT: arith.remf
func.func @host(%x: f64) -> f64 {
  %y = math.tanh %x : f64
  %z = arith.remf %y, %x : f64
  return %z : f64
}
