// RUN: pruner-opt --convert-pruner-to-cpu=threads=2 --canonicalize --cse %s | FileCheck %s
// RUN: not pruner-opt --convert-pruner-to-cpu=threads=0 %s 2>&1 | FileCheck %s --check-prefix=ZERO

// ZERO: error: 'threads' must be at least 1

// Five tiles in two shares. Each share has its own buffer.
// CHECK-LABEL: func @shares(
// CHECK-DAG:     %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG:     %[[C5:.*]] = arith.constant 5 : index
// CHECK-NOT:     memref.alloc
// CHECK:         scf.parallel (%[[SHARE:.*]]) = {{.*}} to (%[[C2]])
// CHECK:           %[[BEGIN:.*]] = arith.muli %[[SHARE]], %[[C5]]
// CHECK:           arith.divui %[[BEGIN]], %[[C2]]
// CHECK:           memref.alloc
// CHECK:           scf.for
// CHECK:             vector.store
// CHECK:           memref.dealloc
// CHECK:           scf.reduce
func.func @shares(%B: memref<1x40xf32>) {
  pruner.kernel cpu domain (d0 = 1, d1 = 40) {
    pruner.band core (%j = d1 trips 5 step 8) {
      %b = pruner.stage "b" operand 0 at(%j) box [1, 8] of
          affine_map<(d0, d1) -> (d0, d1)> shape [1, 40]
          layout affine_map<(d0, d1) -> (d0, d1)> vector 8 threads 1
          ins(%B : memref<1x40xf32>) maps [affine_map<(d0, d1) -> (d0, d1)>]
          -> memref<1x8xf32, #pruner.memory<local>> {
      ^bb0(%e: f32):
        pruner.yield %e : f32
      }
    }
  }
  return
}
