// RUN: pruner-opt --convert-pruner-to-cpu --canonicalize --cse %s | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
#packed = affine_map<(d0, d1, d2) -> (d2, d1)>

// Rows of the buffer are contiguous in the source: copied as vectors, with a
// mask where the source ends.
// CHECK-LABEL: func @rows(
// CHECK:         scf.for
// CHECK:           scf.if
// CHECK:             %[[V:.*]] = vector.load {{.*}} vector<8xf32>
// CHECK:             vector.store %[[V]]
// CHECK:           } else {
// CHECK:             %[[M:.*]] = vector.maskedload
// CHECK:             vector.store %[[M]]
func.func @rows(%B: memref<16x20xf32>) {
  pruner.kernel cpu domain (d0 = 1, d1 = 20, d2 = 16 reduction) {
    pruner.band core (%j = d1 trips 3 step 8) {
      %b = pruner.stage "b" operand 1 at(%j) box [16, 8] of #packed shape [16, 20]
          layout #id vector 8 threads 1 ins(%B : memref<16x20xf32>) maps [#id]
          -> memref<16x8xf32, #pruner.memory<local>> {
      ^bb0(%e: f32):
        pruner.yield %e : f32
      }
    }
  }
  return
}

// The source is contiguous across the rows: squares of 4 are read along it and
// transposed in two rounds of four shuffles. 10 positions are two squares and
// two single rows. Six elements of a row are a whole square and a half one.
// CHECK-LABEL: func @squares(
// CHECK-DAG:     %[[C8:.*]] = arith.constant 8 : index
// CHECK-DAG:     %[[C10:.*]] = arith.constant 10 : index
// CHECK-DAG:     %[[C4:.*]] = arith.constant 4 : index
// CHECK:         scf.for {{.*}} to %[[C8]] step %[[C4]]
// CHECK-COUNT-4:   vector.load {{.*}} vector<4xf32>
// CHECK:           vector.shuffle {{.*}} [0, 4, 2, 6]
// CHECK:           vector.shuffle {{.*}} [1, 5, 3, 7]
// CHECK:           vector.shuffle {{.*}} [0, 4, 2, 6]
// CHECK:           vector.shuffle {{.*}} [1, 5, 3, 7]
// CHECK:           vector.shuffle {{.*}} [0, 1, 4, 5]
// CHECK:           vector.shuffle {{.*}} [2, 3, 6, 7]
// CHECK-COUNT-4:   vector.store {{.*}} vector<4xf32>
// CHECK-COUNT-2:   vector.load {{.*}} vector<4xf32>
// CHECK-COUNT-4:   vector.store {{.*}} vector<2xf32>
// CHECK:         scf.for {{.*}} %[[C8]] to %[[C10]]
// CHECK-COUNT-6:   memref.store
func.func @squares(%B: memref<6x10xf32>) {
  pruner.kernel cpu domain (d0 = 1, d1 = 6, d2 = 10 reduction) {
    %b = pruner.stage "b" operand 1 at() box [6, 10] of
        affine_map<(d0, d1, d2) -> (d1, d2)> shape [6, 10]
        layout #swap vector 4 threads 1 ins(%B : memref<6x10xf32>) maps [#id]
        -> memref<10x6xf32, #pruner.memory<local>> {
    ^bb0(%e: f32):
      pruner.yield %e : f32
    }
  }
  return
}

// Fewer positions than the vectors have lanes: smaller squares.
// CHECK-LABEL: func @small_squares(
// CHECK-COUNT-4:   vector.load {{.*}} vector<4xf32>
// CHECK-COUNT-8:   vector.shuffle
// CHECK-COUNT-4:   vector.store {{.*}} vector<4xf32>
// CHECK-COUNT-2:   memref.store
func.func @small_squares(%B: memref<4x5xf32>) {
  pruner.kernel cpu domain (d0 = 1, d1 = 4, d2 = 5 reduction) {
    %b = pruner.stage "b" operand 1 at() box [4, 5] of
        affine_map<(d0, d1, d2) -> (d1, d2)> shape [4, 5]
        layout #swap vector 8 threads 1 ins(%B : memref<4x5xf32>) maps [#id]
        -> memref<5x4xf32, #pruner.memory<local>> {
    ^bb0(%e: f32):
      pruner.yield %e : f32
    }
  }
  return
}

// A fused producer computes, here on vectors along the source.
// CHECK-LABEL: func @producer(
// CHECK:         %[[S:.*]] = vector.load {{.*}} : memref<4xf32>
// CHECK:         %[[P:.*]] = arith.mulf %{{.*}}, %[[S]] : vector<4xf32>
// CHECK:         vector.shuffle %[[P]]
func.func @producer(%B: memref<4x4xf32>, %s: memref<4xf32>) {
  pruner.kernel cpu domain (d0 = 1, d1 = 4, d2 = 4 reduction) {
    %b = pruner.stage "b" operand 1 at() box [4, 4] of
        affine_map<(d0, d1, d2) -> (d1, d2)> shape [4, 4]
        layout #swap vector 4 threads 1
        ins(%B, %s : memref<4x4xf32>, memref<4xf32>)
        maps [#id, affine_map<(d0, d1) -> (d1)>]
        -> memref<4x4xf32, #pruner.memory<local>> {
    ^bb0(%e: f32, %f: f32):
      %m = arith.mulf %e, %f : f32
      pruner.yield %m : f32
    }
  }
  return
}
