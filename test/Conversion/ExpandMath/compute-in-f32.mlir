// RUN: pruner-opt %s --pruner-compute-in-f32 --canonicalize | FileCheck %s
// A second run changes nothing.
// RUN: pruner-opt %s --pruner-compute-in-f32 --canonicalize -o %t.mlir
// RUN: pruner-opt %t.mlir --pruner-compute-in-f32 --canonicalize | diff %t.mlir -

// The quotient is rounded in place, ties to even, before it is compared. Its
// NaN need no special handling.
// CHECK-LABEL: func.func @compare(
// CHECK-SAME: %[[X:.*]]: bf16, %[[M:.*]]: bf16
// CHECK-DAG: %[[MASK:.*]] = arith.constant -65536 : i32
// CHECK-DAG: %[[HALF:.*]] = arith.constant 32767 : i32
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i32
// CHECK-DAG: %[[THREE:.*]] = arith.constant 3.000000e+00 : f32
// CHECK-DAG: %[[PLACES:.*]] = arith.constant 16 : i32
// CHECK: %[[MB:.*]] = arith.bitcast %[[M]] : bf16 to i16
// CHECK: %[[MU:.*]] = arith.extui %[[MB]] : i16 to i32
// CHECK: %[[MS:.*]] = arith.shli %[[MU]], %[[PLACES]] : i32
// CHECK: %[[MW:.*]] = arith.bitcast %[[MS]] : i32 to f32
// CHECK: %[[XB:.*]] = arith.bitcast %[[X]] : bf16 to i16
// CHECK: %[[XU:.*]] = arith.extui %[[XB]] : i16 to i32
// CHECK: %[[XS:.*]] = arith.shli %[[XU]], %[[PLACES]] : i32
// CHECK: %[[XW:.*]] = arith.bitcast %[[XS]] : i32 to f32
// CHECK: %[[Q:.*]] = arith.divf %[[XW]], %[[THREE]] : f32
// CHECK: %[[B:.*]] = arith.bitcast %[[Q]] : f32 to i32
// CHECK: %[[U:.*]] = arith.shrui %[[B]], %[[PLACES]] : i32
// CHECK: %[[L:.*]] = arith.andi %[[U]], %[[ONE]] : i32
// CHECK: %[[H:.*]] = arith.addi %[[B]], %[[HALF]] : i32
// CHECK: %[[S:.*]] = arith.addi %[[H]], %[[L]] : i32
// CHECK: %[[A:.*]] = arith.andi %[[S]], %[[MASK]] : i32
// CHECK: %[[R:.*]] = arith.bitcast %[[A]] : i32 to f32
// CHECK: %[[E:.*]] = arith.cmpf oeq, %[[R]], %[[MW]] : f32
// CHECK: return %[[E]]
func.func @compare(%x: bf16, %m: bf16) -> i1 {
  %three = arith.constant 3.0 : bf16
  %q = arith.divf %x, %three : bf16
  %e = arith.cmpf oeq, %q, %m : bf16
  return %e : i1
}

// A chain stays f32 between its operations, each of which rounds whatever the
// flags are. The end is truncated.
// CHECK-LABEL: func.func @chain(
// CHECK: arith.mulf %{{.*}}, %{{.*}} fastmath<contract> : vector<16xf32>
// CHECK: arith.andi %{{.*}} : vector<16xi32>
// CHECK: arith.andi %{{.*}} : vector<16xi32>
// CHECK-NOT: trunc
// CHECK: arith.addf %{{.*}}, %{{.*}} fastmath<contract> : vector<16xf32>
// CHECK: arith.andi %{{.*}} : vector<16xi32>
// CHECK: %[[SUM:.*]] = arith.andi %{{.*}} : vector<16xi32>
// CHECK: %[[UPPER:.*]] = arith.shrui %[[SUM]], %{{.*}} : vector<16xi32>
// CHECK: %[[HALF:.*]] = arith.trunci %[[UPPER]] : vector<16xi32> to vector<16xi16>
// CHECK: %[[S:.*]] = arith.bitcast %[[HALF]] : vector<16xi16> to vector<16xbf16>
// CHECK: return %[[S]]
func.func @chain(%x: vector<16xbf16>, %y: vector<16xbf16>) -> vector<16xbf16> {
  %m = arith.mulf %x, %y fastmath<contract> : vector<16xbf16>
  %s = arith.addf %m, %y fastmath<contract> : vector<16xbf16>
  return %s : vector<16xbf16>
}

// A result that already is a bf16 number is not rounded.
// CHECK-LABEL: func.func @exact(
// CHECK-NOT: arith.addi
// CHECK: math.floor %{{.*}} : f32
// CHECK: arith.maximumf %{{.*}} : f32
// CHECK: arith.negf %{{.*}} : f32
// CHECK-NOT: arith.addi
// CHECK: return
func.func @exact(%x: bf16, %y: bf16) -> bf16 {
  %f = math.floor %x : bf16
  %m = arith.maximumf %f, %y : bf16
  %n = arith.negf %m : bf16
  return %n : bf16
}

// The results of functions, and truncated values, may be any NaN.
// CHECK-LABEL: func.func @nan(
// CHECK-SAME: %{{.*}}: bf16, %[[Y:.*]]: f32
// CHECK: %[[E:.*]] = math.exp %{{.*}} : f32
// CHECK: %[[O:.*]] = arith.cmpf oeq, %[[E]], %[[E]] : f32
// CHECK: arith.select %[[O]], %{{.*}} : f32
// CHECK: %[[P:.*]] = arith.cmpf oeq, %[[Y]], %[[Y]] : f32
// CHECK: arith.select %[[P]], %{{.*}} : f32
func.func @nan(%x: bf16, %y: f32) -> (bf16, bf16) {
  %e = math.exp %x : bf16
  %t = arith.truncf %y : f32 to bf16
  return %e, %t : bf16, bf16
}

// Selects between values in memory select bits.
// CHECK-LABEL: func.func @select(
// CHECK: %[[A:.*]] = arith.bitcast %{{.*}} : vector<4xbf16> to vector<4xi16>
// CHECK: %[[B:.*]] = arith.bitcast %{{.*}} : vector<4xbf16> to vector<4xi16>
// CHECK: arith.select %{{.*}}, %[[A]], %[[B]] : vector<4xi1>, vector<4xi16>
func.func @select(%c: vector<4xi1>, %x: vector<4xbf16>, %y: vector<4xbf16>) -> vector<4xbf16> {
  %s = arith.select %c, %x, %y : vector<4xi1>, vector<4xbf16>
  return %s : vector<4xbf16>
}

// A loop carries the sum as f32; each step rounds.
// CHECK-LABEL: func.func @sum(
// CHECK: %[[SUM:.*]] = scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}) -> (f32) {
// CHECK:   %[[T:.*]] = arith.addf %[[A]], %{{.*}} : f32
// CHECK:   %[[AND:.*]] = arith.andi %{{.*}}, %{{.*}} : i32
// CHECK:   %[[AND2:.*]] = arith.andi %{{.*}}, %{{.*}} : i32
// CHECK:   %[[R:.*]] = arith.bitcast %[[AND2]] : i32 to f32
// CHECK:   scf.yield %[[R]] : f32
// CHECK: scf.if %{{.*}} -> (f32) {
// CHECK:   scf.yield %[[SUM]] : f32
func.func @sum(%m: memref<16xbf16>, %n: index, %start: bf16, %c: i1) -> bf16 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %start) -> (bf16) {
    %x = memref.load %m[%i] : memref<16xbf16>
    %t = arith.addf %a, %x : bf16
    scf.yield %t : bf16
  }
  %r = scf.if %c -> (bf16) {
    scf.yield %s : bf16
  } else {
    %x = memref.load %m[%c0] : memref<16xbf16>
    scf.yield %x : bf16
  }
  return %r : bf16
}

// Lanes are added one at a time; their maximum is one of them.
// CHECK-LABEL: func.func @lanes(
// CHECK-COUNT-4: arith.addf %{{.*}} : f32
// CHECK-NOT: arith.addf
// CHECK: vector.reduction <maximumf>, %{{.*}} : vector<4xf32> into f32
// CHECK-NOT: arith.addi
func.func @lanes(%v: vector<4xbf16>, %start: bf16) -> (bf16, bf16) {
  %s = vector.reduction <add>, %v, %start : vector<4xbf16> into bf16
  %m = vector.reduction <maximumf>, %v : vector<4xbf16> into bf16
  return %s, %m : bf16, bf16
}

// Other types, and values that are only moved.
// CHECK-LABEL: func.func @stays(
// CHECK-NEXT: arith.mulf %{{.*}} : f16
// CHECK-NEXT: arith.bitcast %{{.*}} : bf16 to i16
// CHECK-NEXT: memref.store
// CHECK-NEXT: return
func.func @stays(%h: f16, %b: bf16, %m: memref<bf16>) -> (f16, i16) {
  %p = arith.mulf %h, %h : f16
  %i = arith.bitcast %b : bf16 to i16
  memref.store %b, %m[] : memref<bf16>
  return %p, %i : f16, i16
}
