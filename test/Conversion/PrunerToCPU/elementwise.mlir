// RUN: pruner-opt --convert-pruner-to-cpu --canonicalize --cse %s | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>

// Lanes of a transposed operand are not contiguous, so they are read one at a
// time.
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

// Lanes of masks are contiguous like others.
// CHECK-LABEL: func @masks(
// CHECK:         vector.load {{.*}} : memref<4xi1>, vector<4xi1>
// CHECK:         vector.store {{.*}} : memref<4xi1>, vector<4xi1>
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

// Where the domain cuts them, only vectors of 512 bits have masks for bytes.
// CHECK-LABEL: func @cut_masks(
// CHECK:         vector.maskedload {{.*}} : memref<20xi1>, vector<16xi1>, vector<16xi1> into vector<16xi1>
// CHECK-NOT:     memref.load {{.*}} : memref<20xi1>
func.func @cut_masks(%A: memref<20xi1>, %C: memref<20xf32>) {
  pruner.kernel cpu domain (d0 = 20) {
    pruner.band core (%i = d0 trips 2 step 16) {
      pruner.compute map at(%i) loops (d0 vector 16)
          ins(%A : memref<20xi1>) outs(%C : memref<20xf32>)
          maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
      ^bb0(%x: i1):
        %y = arith.uitofp %x : i1 to f32
        pruner.yield %y : f32
      }
    }
  }
  return
}
// CHECK-LABEL: func @short_cut_masks(
// CHECK-COUNT-8: memref.load {{.*}} : memref<20xi1>
func.func @short_cut_masks(%A: memref<20xi1>, %C: memref<20xf32>) {
  pruner.kernel cpu domain (d0 = 20) {
    pruner.band core (%i = d0 trips 3 step 8) {
      pruner.compute map at(%i) loops (d0 vector 8)
          ins(%A : memref<20xi1>) outs(%C : memref<20xf32>)
          maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
      ^bb0(%x: i1):
        %y = arith.uitofp %x : i1 to f32
        pruner.yield %y : f32
      }
    }
  }
  return
}
