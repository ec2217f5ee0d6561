// Every operation, in the custom and in the generic form. The ops of @all are
// the examples of their descriptions.
// RUN: pruner-opt %s | pruner-opt | FileCheck %s
// RUN: pruner-opt %s --mlir-print-op-generic | pruner-opt | FileCheck %s
// RUN: pruner-opt %s --emit-bytecode | pruner-opt | FileCheck %s

// CHECK: #[[LAYOUT_ACC:map[0-9]*]] = affine_map<(d0, d1) -> (d0 floordiv 6, d1, d0 mod 6)>
// CHECK: #[[LAYOUT_B:map[0-9]*]] = affine_map<(d0, d1) -> (d1 floordiv 16, d0, d1 mod 16)>

// CHECK-LABEL: func.func @all
func.func @all(%A: memref<128x512xf32>, %B: memref<512x128xf32>, %C: memref<128x128xf32>) {
  %zero = arith.constant 0.0 : f32
  // CHECK: pruner.kernel cpu domain (d0 = 128, d1 = 128, d2 = 512 reduction) {
  pruner.kernel cpu domain (d0 = 128, d1 = 128, d2 = 512 reduction) {
    // CHECK-NEXT: pruner.band core (%[[I:.*]] = d0 trips 6 step 24, %[[J:.*]] = d1 trips 2 step 64) {
    pruner.band core (%i = d0 trips 6 step 24, %j = d1 trips 2 step 64) {
      // CHECK-NEXT: %[[ACC:.*]] = pruner.alloc "acc" at (%[[I]], %[[J]]) shape [128, 128] layout #[[LAYOUT_ACC]] : memref<4x64x6xf32, #pruner.memory<local>>
      %acc = pruner.alloc "acc" at (%i, %j) shape [128, 128]
          layout affine_map<(d0, d1) -> (d0 floordiv 6, d1, d0 mod 6)>
          : memref<4x64x6xf32, #pruner.memory<local>>
      // CHECK-NEXT: pruner.compute init at (%[[I]], %[[J]]) loops (d0 unroll 24, d1 unroll 8 step 8, d1 vector 8) ins() outs(%[[ACC]] : memref<4x64x6xf32, #pruner.memory<local>>) maps [#{{.*}}] {
      pruner.compute init at (%i, %j)
          loops (d0 unroll 24, d1 unroll 8 step 8, d1 vector 8) ins()
          outs(%acc : memref<4x64x6xf32, #pruner.memory<local>>)
          maps [affine_map<(d0, d1, d2) -> (d0, d1)>] {
        pruner.yield %zero : f32
      }
      // CHECK: pruner.band serial (%[[K:.*]] = d2 trips 2 step 256) {
      pruner.band serial (%k = d2 trips 2 step 256) {
        // CHECK-NEXT: %[[BP:.*]] = pruner.stage "B.packed" operand 1 at (%[[J]], %[[K]]) box [256, 64] of #{{.*}} shape [512, 128] layout #[[LAYOUT_B]] vector 1 threads 1 ins(%{{.*}} : memref<512x128xf32>) maps [#{{.*}}] -> memref<4x256x16xf32, #pruner.memory<local>> {
        %b = pruner.stage "B.packed" operand 1 at (%j, %k) box [256, 64]
            of affine_map<(d0, d1, d2) -> (d2, d1)> shape [512, 128]
            layout affine_map<(d0, d1) -> (d1 floordiv 16, d0, d1 mod 16)>
            vector 1 threads 1 ins(%B : memref<512x128xf32>)
            maps [affine_map<(d0, d1) -> (d0, d1)>]
            -> memref<4x256x16xf32, #pruner.memory<local>> {
        // CHECK-NEXT: ^bb0(%[[E:.*]]: f32):
        // CHECK-NEXT: pruner.yield %[[E]] : f32
        ^bb0(%e: f32):
          pruner.yield %e : f32
        }
        // CHECK: pruner.compute update at (%[[I]], %[[J]], %[[K]]) loops (d2 serial 256, d0 unroll 24, d1 unroll 8 step 8, d1 vector 8) unroll 4 ins(%{{.*}}, %[[BP]] : memref<128x512xf32>, memref<4x256x16xf32, #pruner.memory<local>>) outs(%[[ACC]] : memref<4x64x6xf32, #pruner.memory<local>>) maps [#{{.*}}, #{{.*}}, #{{.*}}] {
        pruner.compute update at (%i, %j, %k)
            loops (d2 serial 256, d0 unroll 24, d1 unroll 8 step 8, d1 vector 8)
            unroll 4
            ins(%A, %b : memref<128x512xf32>, memref<4x256x16xf32, #pruner.memory<local>>)
            outs(%acc : memref<4x64x6xf32, #pruner.memory<local>>)
            maps [affine_map<(d0, d1, d2) -> (d0, d2)>,
                  affine_map<(d0, d1, d2) -> (d2, d1)>,
                  affine_map<(d0, d1, d2) -> (d0, d1)>] {
        ^bb0(%x: f32, %y: f32, %z: f32):
          %0 = arith.mulf %x, %y : f32
          %1 = arith.addf %z, %0 : f32
          pruner.yield %1 : f32
        }
      }
      // CHECK: pruner.compute finish at (%[[I]], %[[J]]) loops (d0 unroll 24, d1 unroll 64) ins(%[[ACC]] : {{.*}}) outs(%{{.*}} : memref<128x128xf32>)
      pruner.compute finish at (%i, %j) loops (d0 unroll 24, d1 unroll 64)
          ins(%acc : memref<4x64x6xf32, #pruner.memory<local>>)
          outs(%C : memref<128x128xf32>)
          maps [affine_map<(d0, d1, d2) -> (d0, d1)>,
                affine_map<(d0, d1, d2) -> (d0, d1)>] {
      ^bb0(%x: f32):
        pruner.yield %x : f32
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @gpu
func.func @gpu(%x: memref<64xf16>, %y: memref<64xf16>) {
  // CHECK: pruner.kernel gpu domain (d0 = 64) unroll_max 512 attributes {note = "n"} {
  pruner.kernel gpu domain (d0 = 64) unroll_max 512 attributes {note = "n"} {
    // CHECK-NEXT: pruner.band block (%[[B:.*]] = d0 trips 2 step 32) attributes {here} {
    pruner.band block (%b = d0 trips 2 step 32) attributes {here} {
      // CHECK-NEXT: pruner.band thread (%[[T:.*]] = d0 trips 8 step 4) {
      pruner.band thread (%t = d0 trips 8 step 4) {
        // CHECK-NEXT: pruner.band vthread (%[[V:.*]] = d0 trips 2 step 2) {
        pruner.band vthread (%v = d0 trips 2 step 2) {
          // CHECK-NEXT: pruner.band unroll (%[[U:.*]] = d0 trips 2 step 1) {
          pruner.band unroll (%u = d0 trips 2 step 1) {
            // CHECK-NEXT: %{{.*}} = pruner.alloc "tile" at (%[[B]]) shape [64] layout #{{.*}} {pad} : memref<34xf16, #pruner.memory<shared>>
            %s = pruner.alloc "tile" at (%b) shape [64]
                layout affine_map<(d0) -> (d0)> {pad}
                : memref<34xf16, #pruner.memory<shared>>
            // CHECK-NEXT: pruner.compute map at (%[[B]], %[[T]], %[[V]], %[[U]]) loops (d0 unroll 1) ins(%{{.*}} : memref<64xf16>) outs(%{{.*}} : memref<64xf16>) maps [#{{.*}}, #{{.*}}] attributes {note} {
            pruner.compute map at (%b, %t, %v, %u) loops (d0 unroll 1)
                ins(%x : memref<64xf16>) outs(%y : memref<64xf16>)
                maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>]
                attributes {note} {
            ^bb0(%e: f16):
              pruner.yield %e : f16
            }
          }
        }
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @empty
func.func @empty() {
  // CHECK: pruner.kernel cpu domain (d0 = 1) {
  // CHECK-NEXT: pruner.band serial () {
  // CHECK-NEXT: }
  // CHECK-NEXT: }
  pruner.kernel cpu domain (d0 = 1) {
    pruner.band serial () {
    }
  }
  pruner.kernel cpu domain (d0 = 1) {
  }
  return
}
