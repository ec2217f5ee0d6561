// RUN: pruner-opt %s --canonicalize --allow-unregistered-dialect | FileCheck %s

// Loops with one iteration are removed if no op names their offset.
// CHECK-LABEL: func.func @single_trips
func.func @single_trips(%x: memref<8x8xf32>, %y: memref<8x8xf32>) {
  // CHECK: pruner.kernel cpu domain (d0 = 8, d1 = 8) {
  pruner.kernel cpu domain (d0 = 8, d1 = 8) {
    // CHECK-NEXT: pruner.band core (%[[I:.*]] = d0 trips 8 step 1) {
    pruner.band core (%i = d0 trips 8 step 1, %j = d1 trips 1 step 8) {
      // CHECK-NEXT: pruner.compute map at (%[[I]])
      pruner.compute map at (%i) loops (d0 unroll 1, d1 vector 8)
          ins(%x : memref<8x8xf32>) outs(%y : memref<8x8xf32>)
          maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] {
      ^bb0(%e: f32):
        pruner.yield %e : f32
      }
    }
  }
  return
}

// A band without loops is replaced by its body.
// CHECK-LABEL: func.func @whole_band
func.func @whole_band(%x: memref<8x8xf32>, %y: memref<8x8xf32>) {
  // CHECK: pruner.kernel
  pruner.kernel cpu domain (d0 = 8, d1 = 8) {
    // CHECK-NEXT: pruner.band serial (%[[J:.*]] = d1 trips 2 step 4) {
    pruner.band core (%i = d0 trips 1 step 8) {
      pruner.band serial (%j = d1 trips 2 step 4) {
        // CHECK-NEXT: pruner.compute map at (%[[J]])
        pruner.compute map at (%j) loops (d0 unroll 8, d1 vector 4)
            ins(%x : memref<8x8xf32>) outs(%y : memref<8x8xf32>)
            maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] {
        ^bb0(%e: f32):
          pruner.yield %e : f32
        }
      }
    }
  }
  return
}

// An offset that an op names stays, even if it is always zero.
// CHECK-LABEL: func.func @named
func.func @named(%x: memref<8xf32>, %y: memref<8xf32>) {
  // CHECK: pruner.band core (%[[I:.*]] = d0 trips 1 step 8) {
  // CHECK-NEXT: pruner.compute map at (%[[I]])
  pruner.kernel cpu domain (d0 = 8) {
    pruner.band core (%i = d0 trips 1 step 8) {
      pruner.compute map at (%i) loops (d0 vector 8)
          ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
          maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
      ^bb0(%e: f32):
        pruner.yield %e : f32
      }
    }
  }
  return
}

// A loop that repeats a statement without moving it stays, so that the
// statement is executed as often as before.
// CHECK-LABEL: func.func @repeated
func.func @repeated(%x: memref<8xf32>, %y: memref<8xf32>) {
  // CHECK: pruner.band serial (%{{.*}} = d0 trips 3 step 1) {
  pruner.kernel cpu domain (d0 = 8) {
    pruner.band serial (%i = d0 trips 3 step 1) {
      pruner.compute map at () loops (d0 vector 8)
          ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
          maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
      ^bb0(%e: f32):
        pruner.yield %e : f32
      }
    }
  }
  return
}

// Buffers that nothing reads are removed with the copies that fill them.
// Statements that write to arguments are not.
// CHECK-LABEL: func.func @unused_buffer
func.func @unused_buffer(%x: memref<8xf32>) {
  // CHECK: pruner.kernel cpu domain (d0 = 8) {
  // CHECK-NEXT: pruner.compute map
  pruner.kernel cpu domain (d0 = 8) {
    %a = pruner.alloc "a" at () shape [8] layout affine_map<(d0) -> (d0)>
        : memref<8xf32, #pruner.memory<local>>
    %s = pruner.stage "x.packed" operand 0 at () box [8]
        of affine_map<(d0) -> (d0)> shape [8] layout affine_map<(d0) -> (d0)>
        vector 1 threads 1 ins(%x : memref<8xf32>)
        maps [affine_map<(d0) -> (d0)>]
        -> memref<8xf32, #pruner.memory<local>> {
    ^bb0(%e: f32):
      pruner.yield %e : f32
    }
    pruner.compute map at () loops (d0 serial 8) ins()
        outs(%x : memref<8xf32>) maps [affine_map<(d0) -> (d0)>] {
      %zero = arith.constant 0.0 : f32
      pruner.yield %zero : f32
    }
  }
  return
}
