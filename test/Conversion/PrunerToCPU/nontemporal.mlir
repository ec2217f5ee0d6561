// RUN: pruner-opt --convert-pruner-to-cpu --canonicalize --cse %s | FileCheck %s
// RUN: pruner-opt --convert-pruner-to-cpu=threads=2 --canonicalize --cse %s | FileCheck %s --check-prefix=THREADS
// RUN: pruner-opt --convert-pruner-to-cpu --pruner-to-llvm %s | FileCheck %s --check-prefix=LLVM
// RUN: pruner-opt --convert-pruner-to-cpu --pruner-to-llvm %s | pruner-translate - --to=asm --mcpu=znver4 | FileCheck %s --check-prefix=ASM
// RUN: pruner-opt --convert-pruner-to-cpu --pruner-to-llvm=alignment=4 %s | pruner-translate - --to=asm --mcpu=znver4 | FileCheck %s --check-prefix=UNALIGNED

#id = affine_map<(d0, d1) -> (d0, d1)>

// Whole vectors. Each thread waits for its stores.
// CHECK-LABEL: func @whole(
// CHECK:         scf.for
// CHECK:           vector.store {{.*}} {nontemporal = true} : memref<1024xf32>, vector<16xf32>
// CHECK:           }
// CHECK-NEXT:    }
// CHECK-NEXT:    llvm.call_intrinsic "llvm.x86.sse.sfence"()
// CHECK-NEXT:    return
// THREADS-LABEL: func @whole(
// THREADS:       scf.parallel
// THREADS:         vector.store {{.*}} {nontemporal = true}
// THREADS:           }
// THREADS-NEXT:    }
// THREADS-NEXT:    llvm.call_intrinsic "llvm.x86.sse.sfence"()
// THREADS-NEXT:    scf.reduce
// THREADS-NOT:   sfence
// THREADS:       return
// LLVM-LABEL: llvm.func @whole(
// LLVM:         llvm.store {{.*}} {alignment = 4 : i64, nontemporal} : vector<16xf32>
// LLVM:         llvm.call_intrinsic "llvm.x86.sse.sfence"
// ASM-LABEL: whole:
// ASM:         vmovntps %zmm{{[0-9]+}}, (
// ASM-NOT:     vmovups %zmm{{[0-9]+}}, {{.*}}(%r
// ASM:         sfence
// ASM:         retq

// Without a promise of the address vectors are stored in parts of eight bytes.
// UNALIGNED-LABEL: whole:
// UNALIGNED-NOT:     vmovntps
// UNALIGNED:         movnt{{iq|sd}}
// UNALIGNED:         sfence
func.func @whole(%A: memref<16x64xf32>, %C: memref<16x64xf32>) {
  pruner.kernel cpu domain (d0 = 16, d1 = 64) {
    pruner.band core (%i = d0 trips 16 step 1) {
      pruner.band serial (%j = d1 trips 4 step 16) {
        pruner.compute map at(%i, %j) loops (d0 unroll 1, d1 vector 16) nontemporal
            ins(%A : memref<16x64xf32>) outs(%C : memref<16x64xf32>) maps [#id, #id] {
        ^bb0(%x: f32):
          %s = arith.addf %x, %x : f32
          pruner.yield %s : f32
        }
      }
    }
  }
  return
}

// Rows of 40 elements begin in the middle of a vector, and end in one.
// CHECK-LABEL: func @rows(
// CHECK-NOT:     {{nontemporal|sfence}}
// CHECK:         return
func.func @rows(%A: memref<16x40xf32>, %C: memref<16x40xf32>) {
  pruner.kernel cpu domain (d0 = 16, d1 = 40) {
    pruner.band core (%i = d0 trips 16 step 1) {
      pruner.band serial (%j = d1 trips 3 step 16) {
        pruner.compute map at(%i, %j) loops (d0 unroll 1, d1 vector 16) nontemporal
            ins(%A : memref<16x40xf32>) outs(%C : memref<16x40xf32>) maps [#id, #id] {
        ^bb0(%x: f32):
          pruner.yield %x : f32
        }
      }
    }
  }
  return
}

// Rows of 48 elements in tiles of 32: only the last tile is cut.
// CHECK-LABEL: func @cut(
// CHECK:         scf.if
// CHECK-COUNT-2:   vector.store {{.*}} {nontemporal = true}
// CHECK:         } else {
// CHECK-COUNT-2:   vector.maskedstore
// CHECK:         sfence
func.func @cut(%A: memref<16x48xf32>, %C: memref<16x48xf32>) {
  pruner.kernel cpu domain (d0 = 16, d1 = 48) {
    pruner.band core (%i = d0 trips 16 step 1) {
      pruner.band serial (%j = d1 trips 2 step 32) {
        pruner.compute map at(%i, %j) loops (d0 unroll 1, d1 unroll 2 step 16, d1 vector 16) nontemporal
            ins(%A : memref<16x48xf32>) outs(%C : memref<16x48xf32>) maps [#id, #id] {
        ^bb0(%x: f32):
          pruner.yield %x : f32
        }
      }
    }
  }
  return
}

// Four bytes are no vector.
// CHECK-LABEL: func @short(
// CHECK:         vector.store
// CHECK-NOT:     nontemporal
// CHECK:         return
func.func @short(%A: memref<16x16xi8>, %C: memref<16x16xi8>) {
  pruner.kernel cpu domain (d0 = 16, d1 = 16) {
    pruner.band core (%i = d0 trips 16 step 1, %j = d1 trips 4 step 4) {
      pruner.compute map at(%i, %j) loops (d0 unroll 1, d1 vector 4) nontemporal
          ins(%A : memref<16x16xi8>) outs(%C : memref<16x16xi8>) maps [#id, #id] {
      ^bb0(%x: i8):
        pruner.yield %x : i8
      }
    }
  }
  return
}
