// RUN: pruner-opt --convert-pruner-to-cpu --canonicalize --cse %s | FileCheck %s

// Places that share nothing in registers are not expanded beyond what fills the
// pipelines. A loop over them ends with the domain, so it needs no second
// version for cut tiles.

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func @rows(
// CHECK-DAG:     %[[C6:.*]] = arith.constant 6 : index
// CHECK-DAG:     %[[C7:.*]] = arith.constant 7 : index
// CHECK:         scf.for %[[I:.*]] =
// CHECK:           %[[AT:.*]] = arith.muli %[[I]], %[[C6]]
// CHECK:           %[[LEFT:.*]] = arith.subi %[[C7]], %[[AT]]
// CHECK:           %[[END:.*]] = arith.minsi %[[LEFT]], %[[C6]]
// CHECK:           scf.for {{.*}} to %[[END]]
// CHECK-COUNT-4:     vector.store
// CHECK-NOT:         vector.
// CHECK-NOT:     scf.if
func.func @rows(%A: memref<7x32xf32>, %C: memref<7x32xf32>) {
  pruner.kernel cpu domain (d0 = 7, d1 = 32) {
    pruner.band core (%i = d0 trips 2 step 6) {
      pruner.compute map at(%i) loops (d0 unroll 6, d1 unroll 4 step 8, d1 vector 8)
          ins(%A : memref<7x32xf32>) outs(%C : memref<7x32xf32>) maps [#id, #id] {
      ^bb0(%x: f32):
        %s = arith.addf %x, %x : f32
        pruner.yield %s : f32
      }
    }
  }
  return
}

// A register tile must be addressed by constants.
// CHECK-LABEL: func @register_tile(
// CHECK-NOT:     scf.for
// CHECK-COUNT-24: vector.load
func.func @register_tile(%C: memref<6x32xf32>) {
  pruner.kernel cpu domain (d0 = 6, d1 = 32) {
    %0 = pruner.alloc "acc" at () shape [6, 32] layout #id : memref<6x32xf32, #pruner.memory<local>>
    pruner.compute finish at() loops (d0 unroll 6, d1 unroll 4 step 8, d1 vector 8)
        ins(%0 : memref<6x32xf32, #pruner.memory<local>>) outs(%C : memref<6x32xf32>) maps [#id, #id] {
    ^bb0(%x: f32):
      pruner.yield %x : f32
    }
  }
  return
}

// All places of buffers of the kernel are written, because all of them are
// read.
// CHECK-LABEL: func @start(
// CHECK:         scf.for
// CHECK:         scf.for {{.*}} to %c6
// CHECK-COUNT-4:   vector.store
func.func @start(%A: memref<7x32xf32>) {
  %zero = arith.constant 0.0 : f32
  pruner.kernel cpu domain (d0 = 7, d1 = 32) {
    %0 = pruner.alloc "acc" at () shape [7, 32] layout #id : memref<12x32xf32, #pruner.memory<local>>
    pruner.band serial (%i = d0 trips 2 step 6) {
      pruner.compute init at(%i) loops (d0 unroll 6, d1 unroll 4 step 8, d1 vector 8)
          ins() outs(%0 : memref<12x32xf32, #pruner.memory<local>>) maps [#id] {
        pruner.yield %zero : f32
      }
    }
  }
  return
}
