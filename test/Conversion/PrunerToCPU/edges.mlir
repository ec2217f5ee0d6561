// RUN: pruner-opt --convert-pruner-to-cpu --canonicalize --cse %s | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>

// Seven rows in tiles of two, 20 columns in vectors of 8: code for whole tiles
// has no masks. Code for cut tiles clamps the rows it reads, masks the vectors,
// and skips rows beyond the end.
// CHECK-LABEL: func @cut(
// CHECK-DAG:     %[[LAST:.*]] = arith.constant 6 : index
// CHECK-DAG:     %[[ROWS:.*]] = arith.constant 7 : index
// CHECK-DAG:     %[[CLAMPED:.*]] = arith.minsi %{{.*}}, %[[LAST]]
// CHECK-DAG:     %[[ROW:.*]] = arith.muli %[[CLAMPED]]
// CHECK-DAG:     %[[EXISTS:.*]] = arith.cmpi slt, %{{.*}}, %[[ROWS]]
// CHECK:         scf.if
// CHECK-COUNT-2:   vector.store
// CHECK:         } else {
// CHECK:           arith.addi %[[ROW]]
// CHECK:           vector.create_mask
// CHECK:           vector.maskedload
// CHECK:           scf.if %[[EXISTS]]
// CHECK:             vector.maskedstore
func.func @cut(%A: memref<7x20xf32>, %C: memref<7x20xf32>) {
  pruner.kernel cpu domain (d0 = 7, d1 = 20) {
    pruner.band core (%i = d0 trips 4 step 2, %j = d1 trips 3 step 8) {
      pruner.compute map at(%i, %j) loops (d0 unroll 2, d1 vector 8)
          ins(%A : memref<7x20xf32>) outs(%C : memref<7x20xf32>) maps [#id, #id] {
      ^bb0(%x: f32):
        %s = arith.addf %x, %x : f32
        pruner.yield %s : f32
      }
    }
  }
  return
}

// Single lanes beyond the end are not stored either.
// CHECK-LABEL: func @one_lane(
// CHECK-DAG:     %[[COLUMNS:.*]] = arith.constant 5 : index
// CHECK:         } else {
// CHECK:           arith.cmpi slt, %{{.*}}, %[[COLUMNS]]
// CHECK-NEXT:      scf.if
// CHECK:             memref.store
// CHECK:           arith.cmpi slt, %{{.*}}, %[[COLUMNS]]
// CHECK-NEXT:      scf.if
// CHECK:             memref.store
func.func @one_lane(%A: memref<1x5xf32>, %C: memref<1x5xf32>) {
  pruner.kernel cpu domain (d0 = 1, d1 = 5) {
    pruner.band core (%j = d1 trips 3 step 2) {
      pruner.compute map at(%j) loops (d0 unroll 1, d1 unroll 2, d1 vector 1)
          ins(%A : memref<1x5xf32>) outs(%C : memref<1x5xf32>) maps [#id, #id] {
      ^bb0(%x: f32):
        pruner.yield %x : f32
      }
    }
  }
  return
}

// 5 inner trips of 2 in a domain of 16: the second outer trip has only 3.
// CHECK-LABEL: func @bounds(
// CHECK-DAG:     %[[C5:.*]] = arith.constant 5 : index
// CHECK-DAG:     %[[C17:.*]] = arith.constant 17 : index
// CHECK:         scf.for %[[I:.*]] =
// CHECK:           %[[AT:.*]] = arith.muli %[[I]]
// CHECK:           %[[LEFT:.*]] = arith.subi %[[C17]], %[[AT]]
// CHECK:           %[[TRIPS:.*]] = arith.divui %[[LEFT]]
// CHECK:           %[[END:.*]] = arith.minsi %[[TRIPS]], %[[C5]]
// CHECK:           scf.for {{.*}} to %[[END]]
func.func @bounds(%A: memref<16xf32>, %C: memref<16xf32>) {
  pruner.kernel cpu domain (d0 = 16) {
    pruner.band core (%i = d0 trips 2 step 10) {
      pruner.band serial (%x = d0 trips 5 step 2) {
        pruner.compute map at(%i, %x) loops (d0 vector 2)
            ins(%A : memref<16xf32>) outs(%C : memref<16xf32>)
            maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
        ^bb0(%e: f32):
          pruner.yield %e : f32
        }
      }
    }
  }
  return
}

// A bias along the vectors has their masks and is loaded once for all rows.
// CHECK-LABEL: func @bias(
// CHECK:         scf.if
// CHECK:           %[[B:.*]] = vector.load {{.*}} : memref<20xf32>
// CHECK-NOT:       memref<20xf32>
// CHECK:           arith.addf %{{.*}}, %[[B]]
// CHECK:           arith.addf %{{.*}}, %[[B]]
// CHECK:         } else {
// CHECK:           vector.maskedload {{.*}} : memref<20xf32>
func.func @bias(%A: memref<2x20xf32>, %bias: memref<20xf32>, %C: memref<2x20xf32>) {
  pruner.kernel cpu domain (d0 = 2, d1 = 20) {
    pruner.band core (%j = d1 trips 3 step 8) {
      pruner.compute finish at(%j) loops (d0 unroll 2, d1 vector 8)
          ins(%A, %bias : memref<2x20xf32>, memref<20xf32>)
          outs(%C : memref<2x20xf32>) maps [#id, #row, #id] {
      ^bb0(%x: f32, %b: f32):
        %s = arith.addf %x, %b : f32
        pruner.yield %s : f32
      }
    }
  }
  return
}
