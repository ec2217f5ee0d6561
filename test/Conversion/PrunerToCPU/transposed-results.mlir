// RUN: pruner-opt --convert-pruner-to-cpu --canonicalize --cse %s | FileCheck %s

// Lanes are channels, d0, while pixels, d1, are contiguous in the result.

#tile = affine_map<(d0, d1) -> (d1, d0)>
#image = affine_map<(d0, d1) -> (d0, d1)>
#channel = affine_map<(d0, d1) -> (d0)>

// Sixteen pixels: four rounds of sixteen shuffles, then a vector for each
// channel.
// CHECK-LABEL: func @square(
// CHECK-COUNT-16: vector.load
// CHECK-COUNT-64: vector.shuffle
// CHECK-COUNT-16: vector.store
// CHECK-NOT:      vector.shuffle
func.func @square(%T: memref<16x16xf32>, %C: memref<16x16xf32>) {
  pruner.kernel cpu domain (d0 = 16, d1 = 16) {
    pruner.compute finish at() loops (d1 unroll 16, d0 vector 16)
        ins(%T : memref<16x16xf32>) outs(%C : memref<16x16xf32>)
        maps [#tile, #image] {
    ^bb0(%x: f32):
      pruner.yield %x : f32
    }
  }
  return
}

// Six pixels of twelve channels; a bias is loaded once. Tiles at the border
// share the code, because 64-byte vectors have masks. A square has eight
// pixels, and two are in one vector.
// CHECK-LABEL: func @masked(
// CHECK-NOT:      scf.if
// CHECK:          vector.load {{.*}} : memref<32xf32>, vector<16xf32>
// CHECK-NOT:      memref<32xf32>, vector
// CHECK:          %[[LEFT:.*]] = arith.subi %{{.*}}, %{{.*}}
// CHECK:          %[[COUNT:.*]] = arith.minsi %[[LEFT]], %{{.*}}
// CHECK:          %[[MASK:.*]] = vector.create_mask %[[COUNT]] : vector<8xi1>
// CHECK-COUNT-24: vector.shuffle
// CHECK:          %[[LOW:.*]] = vector.extract_strided_slice {{.*}}offsets = [0], sizes = [8]
// CHECK:          vector.maskedstore {{.*}}, %[[MASK]], %[[LOW]]
// CHECK-COUNT-15: vector.maskedstore {{.*}}, %[[MASK]],
func.func @masked(%T: memref<12x32xf32>, %bias: memref<32xf32>, %C: memref<32x11xf32>) {
  pruner.kernel cpu domain (d0 = 32, d1 = 11) {
    pruner.band core (%i = d0 trips 2 step 16, %j = d1 trips 2 step 6) {
      %0 = pruner.alloc "acc" at (%i, %j) shape [32, 11] layout #tile : memref<6x16xf32, #pruner.memory<local>>
      pruner.compute finish at(%i, %j) loops (d1 unroll 6, d0 vector 16)
          ins(%0, %bias : memref<6x16xf32, #pruner.memory<local>>, memref<32xf32>)
          outs(%C : memref<32x11xf32>) maps [#image, #channel, #image] {
      ^bb0(%x: f32, %b: f32):
        %s = arith.addf %x, %b : f32
        pruner.yield %s : f32
      }
    }
  }
  return
}

// The added operand has the layout of the result and is loaded in the same way.
// CHECK-LABEL: func @residual(
// CHECK-COUNT-16: vector.load {{.*}} : memref<128xf32>, vector<8xf32>
// CHECK-COUNT-24: vector.shuffle
// CHECK-COUNT-8:  arith.addf
// CHECK-COUNT-24: vector.shuffle
// CHECK-COUNT-16: vector.store {{.*}} : memref<128xf32>, vector<8xf32>
func.func @residual(%T: memref<8x16xf32>, %R: memref<16x8xf32>, %C: memref<16x8xf32>) {
  pruner.kernel cpu domain (d0 = 16, d1 = 8) {
    pruner.compute finish at() loops (d1 unroll 8, d0 vector 16)
        ins(%T, %R : memref<8x16xf32>, memref<16x8xf32>) outs(%C : memref<16x8xf32>)
        maps [#tile, #image, #image] {
    ^bb0(%x: f32, %r: f32):
      %s = arith.addf %x, %r : f32
      pruner.yield %s : f32
    }
  }
  return
}

// Without 64-byte vectors: two pieces of three pixels, if none is cut.
// CHECK-LABEL: func @pieces(
// CHECK:     vector.shuffle
// CHECK-NOT: maskedstore
// CHECK:     vector.store {{.*}} vector<2xf32>
// CHECK:     memref.store
func.func @pieces(%T: memref<3x8xf32>, %C: memref<8x3xf32>) {
  pruner.kernel cpu domain (d0 = 8, d1 = 3) {
    pruner.compute finish at() loops (d1 unroll 3, d0 vector 8)
        ins(%T : memref<3x8xf32>) outs(%C : memref<8x3xf32>) maps [#tile, #image] {
    ^bb0(%x: f32):
      pruner.yield %x : f32
    }
  }
  return
}

// Channels beyond the last one are neither stored nor read.
// CHECK-LABEL: func @few_channels(
// CHECK:         scf.if
// CHECK:         } else {
// CHECK:           arith.minsi
// CHECK:           vector.shuffle
// CHECK:           scf.if
// CHECK:             vector.store
func.func @few_channels(%T: memref<4x32xf32>, %R: memref<20x4xf32>, %C: memref<20x4xf32>) {
  pruner.kernel cpu domain (d0 = 20, d1 = 4) {
    pruner.band core (%i = d0 trips 2 step 16) {
      %0 = pruner.alloc "acc" at (%i) shape [20, 4] layout #tile : memref<4x16xf32, #pruner.memory<local>>
      pruner.compute finish at(%i) loops (d1 unroll 4, d0 vector 16)
          ins(%0, %R : memref<4x16xf32, #pruner.memory<local>>, memref<20x4xf32>) outs(%C : memref<20x4xf32>)
          maps [#image, #image, #image] {
      ^bb0(%x: f32, %r: f32):
        %s = arith.addf %x, %r : f32
        pruner.yield %s : f32
      }
    }
  }
  return
}

// One pixel has no neighbors: its channels are scattered.
// CHECK-LABEL: func @scattered(
// CHECK:         %[[PLACES:.*]] = arith.constant dense<[0, 5, 10, 15, {{.*}}]> : vector<16xi32>
// CHECK-NOT:     vector.shuffle
// CHECK:         vector.scatter %{{.*}}[%{{.*}}] [%[[PLACES]]]
func.func @scattered(%T: memref<5x16xf32>, %C: memref<16x5xf32>) {
  pruner.kernel cpu domain (d0 = 16, d1 = 5) {
    pruner.band serial (%j = d1 trips 5 step 1) {
      pruner.compute finish at(%j) loops (d1 unroll 1, d0 vector 16)
          ins(%T : memref<5x16xf32>) outs(%C : memref<16x5xf32>) maps [#tile, #image] {
      ^bb0(%x: f32):
        pruner.yield %x : f32
      }
    }
  }
  return
}
