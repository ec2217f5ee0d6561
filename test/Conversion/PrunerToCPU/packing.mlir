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
// transposed in two rounds of four shuffles. 10 positions are two squares and one
// that overlaps the second. Six elements of a row are a whole square and a half
// one.
// CHECK-LABEL: func @squares(
// CHECK-DAG:     %[[C8:.*]] = arith.constant 8 : index
// CHECK-DAG:     %[[C6:.*]] = arith.constant 6 : index
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
// CHECK:         }
// CHECK:         vector.load %{{.*}}[%[[C6]]] : {{.*}} vector<4xf32>
// CHECK-COUNT-4: vector.store {{.*}} vector<4xf32>
// CHECK-COUNT-4: vector.store {{.*}} vector<2xf32>
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
// CHECK-COUNT-3:   vector.load {{.*}} vector<4xf32>
// CHECK-COUNT-8:   vector.shuffle
// CHECK-COUNT-4:   vector.store {{.*}} vector<2xf32>
func.func @small_squares(%B: memref<3x5xf32>) {
  pruner.kernel cpu domain (d0 = 1, d1 = 3, d2 = 5 reduction) {
    %b = pruner.stage "b" operand 1 at() box [3, 5] of
        affine_map<(d0, d1, d2) -> (d1, d2)> shape [3, 5]
        layout #swap vector 8 threads 1 ins(%B : memref<3x5xf32>) maps [#id]
        -> memref<5x3xf32, #pruner.memory<local>> {
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
// CHECK:         vector.interleave %[[P]]
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

// Rows of four bytes, the neighbors of a dot product: four vectors are read along
// the source and interleaved twice. They fill 16 rows.
// CHECK-LABEL: func @short_rows(
// CHECK-DAG:     %[[A:.*]] = vector.load {{.*}} vector<16xi8>
// CHECK-DAG:     %[[B:.*]] = vector.load {{.*}} vector<16xi8>
// CHECK:         %[[AC:.*]] = vector.interleave %{{.*}} : vector<16xi8> -> vector<32xi8>
// CHECK:         %[[BD:.*]] = vector.interleave %{{.*}} : vector<16xi8> -> vector<32xi8>
// CHECK:         %[[ALL:.*]] = vector.interleave %[[AC]], %[[BD]] : vector<32xi8> -> vector<64xi8>
// CHECK:         vector.store %[[ALL]]
// CHECK-NOT:     memref.store
// CHECK:         return
func.func @short_rows(%B: memref<8x32xi8>) {
  pruner.kernel cpu domain (d0 = 1, d1 = 32, d2 = 8 reduction) {
    %b = pruner.stage "b" operand 1 at() box [8, 32] of #packed shape [8, 32]
        layout affine_map<(d0, d1) -> (d0 floordiv 4, d1, d0 mod 4)>
        vector 16 threads 1 ins(%B : memref<8x32xi8>) maps [#id]
        -> memref<2x32x4xi8, #pruner.memory<local>> {
    ^bb0(%e: i8):
      pruner.yield %e : i8
    }
  }
  return
}

// The same with every other position of the source: two vectors are read for
// each of the four.
// CHECK-LABEL: func @short_strided_rows(
// CHECK-COUNT-8:   vector.load {{.*}} vector<16xi8>
// CHECK:           vector.interleave %{{.*}} : vector<32xi8> -> vector<64xi8>
// CHECK-NOT:       memref.store
// CHECK:         return
func.func @short_strided_rows(%B: memref<4x64xi8>) {
  pruner.kernel cpu domain (d0 = 1, d1 = 32, d2 = 4 reduction) {
    %b = pruner.stage "b" operand 1 at() box [4, 64] of
        affine_map<(d0, d1, d2) -> (d2, d1 * 2)> shape [4, 64]
        layout affine_map<(d0, d1) -> (d0 floordiv 4, d1 mod 2, d1 floordiv 2, d0 mod 4)>
        vector 16 threads 1 ins(%B : memref<4x64xi8>) maps [#id]
        -> memref<1x2x32x4xi8, #pruner.memory<local>> {
    ^bb0(%e: i8):
      pruner.yield %e : i8
    }
  }
  return
}

// Rows of 64 bytes: four squares of 16 share vectors of 64 bytes, which are
// interleaved four times within 16 bytes.
// CHECK-LABEL: func @shared_squares(
// CHECK-COUNT-64:  vector.load {{.*}} vector<16xi8>
// CHECK:           vector.shuffle {{.*}} [0, 64, 1, 65, 2, 66, 3, 67, 4, 68, 5, 69, 6, 70, 7, 71, 16, 80,
// CHECK-COUNT-16:  vector.store {{.*}} vector<64xi8>
// CHECK-NOT:       memref.store
// CHECK:         return
func.func @shared_squares(%B: memref<64x16xi8>) {
  pruner.kernel cpu domain (d0 = 1, d1 = 64, d2 = 16 reduction) {
    %b = pruner.stage "b" operand 1 at() box [64, 16] of
        affine_map<(d0, d1, d2) -> (d1, d2)> shape [64, 16]
        layout #swap vector 16 threads 1 ins(%B : memref<64x16xi8>) maps [#id]
        -> memref<16x64xi8, #pruner.memory<local>> {
    ^bb0(%e: i8):
      pruner.yield %e : i8
    }
  }
  return
}
