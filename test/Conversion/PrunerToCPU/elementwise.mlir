// RUN: pruner-opt --convert-pruner-to-cpu --canonicalize --cse %s | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>

// Lanes of a transposed operand lie apart: they are read one by one.
// CHECK-LABEL: func @transposed(
// CHECK:         vector.load {{.*}} vector<4xf32>
// CHECK-COUNT-4: memref.load {{.*}} : memref<16xf32>
// CHECK:         %[[T:.*]] = vector.from_elements {{.*}} : vector<4xf32>
// CHECK:         arith.addf %{{.*}}, %[[T]]
func.func @transposed(%A: memref<4x4xf32>, %B: memref<4x4xf32>, %C: memref<4x4xf32>) {
  pruner.kernel cpu domain (d0 = 4, d1 = 4) {
    pruner.band core (%i = d0 trips 4 step 1) {
      pruner.compute map at(%i) loops (d0 unroll 1, d1 vector 4)
          ins(%A, %B : memref<4x4xf32>, memref<4x4xf32>) outs(%C : memref<4x4xf32>)
          maps [#id, affine_map<(d0, d1) -> (d1, d0)>, #id] {
      ^bb0(%x: f32, %y: f32):
        %s = arith.addf %x, %y : f32
        pruner.yield %s : f32
      }
    }
  }
  return
}

// Elements of a mask take a byte each, lanes of a vector of i1 do not: they
// move one by one.
// CHECK-LABEL: func @masks(
// CHECK-NOT:     vector.load {{.*}}xi1
// CHECK-COUNT-4: memref.load {{.*}} : memref<4xi1>
// CHECK-NOT:     vector.store
// CHECK-COUNT-4: memref.store {{.*}} : memref<4xi1>
func.func @masks(%A: memref<4xi1>, %C: memref<4xi1>) {
  pruner.kernel cpu domain (d0 = 4) {
    pruner.compute map at() loops (d0 vector 4)
        ins(%A : memref<4xi1>) outs(%C : memref<4xi1>)
        maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
    ^bb0(%x: i1):
      pruner.yield %x : i1
    }
  }
  return
}

// A bf16 scalar is broadcast as its bits.
// CHECK-LABEL: func @bf16_scalar(
// CHECK:         %[[S:.*]] = memref.load {{.*}} : memref<1xbf16>
// CHECK:         %[[BITS:.*]] = arith.bitcast %[[S]] : bf16 to i16
// CHECK:         %[[ALL:.*]] = vector.broadcast %[[BITS]] : i16 to vector<4xi16>
// CHECK:         arith.bitcast %[[ALL]] : vector<4xi16> to vector<4xbf16>
func.func @bf16_scalar(%A: memref<1xbf16>, %C: memref<4xbf16>) {
  pruner.kernel cpu domain (d0 = 4) {
    pruner.compute map at() loops (d0 vector 4)
        ins(%A : memref<1xbf16>) outs(%C : memref<4xbf16>)
        maps [affine_map<(d0) -> (0)>, affine_map<(d0) -> (d0)>] {
    ^bb0(%x: bf16):
      pruner.yield %x : bf16
    }
  }
  return
}
