// RUN: pruner-opt %s --allow-unregistered-dialect --pruner-hoist-allocas | FileCheck %s
// RUN: pruner-opt %s --allow-unregistered-dialect --pruner-hoist-allocas=alignment=0 | FileCheck %s --check-prefix=UNALIGNED
// RUN: pruner-opt %s --allow-unregistered-dialect --pruner-hoist-allocas -o %t.mlir
// RUN: pruner-opt %t.mlir --allow-unregistered-dialect --pruner-hoist-allocas | diff %t.mlir -

// Buffers move out of loops and branches in order, and are aligned unless they
// have an alignment.
// CHECK-LABEL: func.func @loops(
// CHECK-NEXT: memref.alloca() {alignment = 64 : i64} : memref<16xf32>
// CHECK-NEXT: memref.alloca() {alignment = 32 : i64} : memref<8xf32>
// CHECK-NEXT: scf.for
// CHECK-NOT: memref.alloca
// UNALIGNED-LABEL: func.func @loops(
// UNALIGNED-NEXT: memref.alloca() : memref<16xf32>
// UNALIGNED-NEXT: memref.alloca() {alignment = 32 : i64} : memref<8xf32>
func.func @loops(%c0: index, %c8: index, %c1: index, %c: i1) {
  scf.for %i = %c0 to %c8 step %c1 {
    %a = memref.alloca() : memref<16xf32>
    scf.if %c {
      %b = memref.alloca() {alignment = 32 : i64} : memref<8xf32>
      "test.use"(%a, %b) : (memref<16xf32>, memref<8xf32>) -> ()
    }
  }
  return
}

// Each thread has its own slot.
// CHECK-LABEL: func.func @threads(
// CHECK-NEXT: scf.parallel
// CHECK-NEXT: memref.alloca() {alignment = 64 : i64} : memref<16xf32>
// CHECK-NEXT: scf.for
// CHECK: omp.parallel {
// CHECK-NEXT: memref.alloca() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT: scf.for
func.func @threads(%c0: index, %c8: index, %c1: index) {
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    scf.for %j = %c0 to %c8 step %c1 {
      %a = memref.alloca() : memref<16xf32>
      "test.use"(%a) : (memref<16xf32>) -> ()
    }
  }
  omp.parallel {
    scf.for %j = %c0 to %c8 step %c1 {
      %a = memref.alloca() : memref<4xf32>
      "test.use"(%a) : (memref<4xf32>) -> ()
    }
    omp.terminator
  }
  return
}

// A buffer whose size depends on the iteration stays, and so does one in an op
// that may have its own frame.
// CHECK-LABEL: func.func @stays(
// CHECK-NEXT: scf.for
// CHECK-NEXT: memref.alloca(%{{.*}}) {alignment = 64 : i64} : memref<?xf32>
// CHECK: test.region
// CHECK-NEXT: memref.alloca() {alignment = 64 : i64} : memref<4xf32>
func.func @stays(%c0: index, %c8: index, %c1: index) {
  scf.for %i = %c0 to %c8 step %c1 {
    %a = memref.alloca(%i) : memref<?xf32>
    "test.use"(%a) : (memref<?xf32>) -> ()
  }
  "test.region"() ({
    %b = memref.alloca() : memref<4xf32>
    "test.use"(%b) : (memref<4xf32>) -> ()
  }) : () -> ()
  return
}
