// RUN: pruner-opt %s --pruner-demote-f64 --canonicalize --split-input-file -verify-diagnostics | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#vector = affine_map<(d0) -> (d0)>

// The mean of a variance as torch-mlir exports it.
// CHECK-LABEL: @mean
// CHECK-NOT: f64
// CHECK-DAG: %[[N:.*]] = arith.constant 5.120000e+02 : f32
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK: %[[FILL:.*]] = linalg.fill ins(%[[ZERO]] : f32) outs(%{{.*}} : tensor<128xf32>)
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}}ins(%{{.*}} : tensor<128x512xf32>) outs(%[[FILL]] : tensor<128xf32>)
// CHECK: arith.addf %{{.*}}, %{{.*}} : f32
// CHECK: linalg.generic {{.*}}ins(%[[SUM]] : tensor<128xf32>)
// CHECK: arith.divf %{{.*}}, %[[N]] : f32
// CHECK-NOT: arith.truncf
// CHECK: return
func.func @mean(%x: tensor<128x512xf32>) -> tensor<128xf32> {
  %n = arith.constant 5.120000e+02 : f64
  %zero = arith.constant 0.0 : f64
  %0 = tensor.empty() : tensor<128x512xf64>
  %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<128x512xf32>) outs(%0 : tensor<128x512xf64>) {
  ^bb0(%in: f32, %out: f64):
    %t = arith.extf %in : f32 to f64
    linalg.yield %t : f64
  } -> tensor<128x512xf64>
  %1 = tensor.empty() : tensor<128xf64>
  %f = linalg.fill ins(%zero : f64) outs(%1 : tensor<128xf64>) -> tensor<128xf64>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%w : tensor<128x512xf64>) outs(%f : tensor<128xf64>) {
  ^bb0(%in: f64, %out: f64):
    %t = arith.addf %in, %out : f64
    linalg.yield %t : f64
  } -> tensor<128xf64>
  %d = linalg.generic {indexing_maps = [#vector, #vector], iterator_types = ["parallel"]}
      ins(%s : tensor<128xf64>) outs(%1 : tensor<128xf64>) {
  ^bb0(%in: f64, %out: f64):
    %t = arith.divf %in, %n : f64
    linalg.yield %t : f64
  } -> tensor<128xf64>
  %2 = tensor.empty() : tensor<128xf32>
  %r = linalg.generic {indexing_maps = [#vector, #vector], iterator_types = ["parallel"]}
      ins(%d : tensor<128xf64>) outs(%2 : tensor<128xf32>) {
  ^bb0(%in: f64, %out: f32):
    %t = arith.truncf %in : f64 to f32
    linalg.yield %t : f32
  } -> tensor<128xf32>
  return %r : tensor<128xf32>
}

// -----

// Other widths are kept: values rounded to f16 still are.
// CHECK-LABEL: @half
// CHECK: %[[W:.*]] = arith.extf %{{.*}} : f16 to f32
// CHECK: %[[S:.*]] = arith.mulf %[[W]], %{{.*}} : f32
// CHECK: arith.truncf %[[S]] : f32 to f16
func.func @half(%x: f16) -> f16 {
  %c = arith.constant dense<[1.5, 2.5]> : tensor<2xf64>
  %i = arith.constant 1 : index
  %w = arith.extf %x : f16 to f64
  %e = tensor.extract %c[%i] : tensor<2xf64>
  %m = arith.mulf %w, %e : f64
  %r = arith.truncf %m : f64 to f16
  return %r : f16
}

// -----

// A function that takes f64 keeps it.
// CHECK-LABEL: @taken
// CHECK: arith.mulf %{{.*}} : f64
func.func @taken(%x: f64) -> f32 {
  %m = arith.mulf %x, %x : f64
  %r = arith.truncf %m : f64 to f32
  return %r : f32
}

// -----

// CHECK-LABEL: @vanishes
// CHECK: arith.addf %{{.*}} : f64
func.func @vanishes(%x: f32) -> f32 {
  // expected-remark @+1 {{the function keeps f64, because the constant overflows or vanishes in f32}}
  %tiny = arith.constant 1.0e-60 : f64
  %w = arith.extf %x : f32 to f64
  %m = arith.addf %w, %tiny : f64
  %r = arith.truncf %m : f64 to f32
  return %r : f32
}

// -----

// CHECK-LABEL: @bits
// CHECK: arith.bitcast
func.func @bits(%x: f32) -> i64 {
  %w = arith.extf %x : f32 to f64
  // expected-remark @+1 {{the function keeps f64, because the op reads the bits}}
  %r = arith.bitcast %w : f64 to i64
  return %r : i64
}

// -----

func.func private @callee(f64) -> f32

// CHECK-LABEL: @calls
// CHECK: call @callee(%{{.*}}) : (f64) -> f32
func.func @calls(%x: f32) -> f32 {
  %w = arith.extf %x : f32 to f64
  // expected-remark @+1 {{the function keeps f64, because the op is not known to have an f32 version}}
  %r = call @callee(%w) : (f64) -> f32
  return %r : f32
}
