// Whether 32 bits hold all indices of a kernel.
// RUN: pruner-opt %s --convert-pruner-to-gpu | FileCheck %s
// RUN: pruner-opt %s --convert-pruner-to-gpu --pruner-to-nvvm | FileCheck %s --check-prefix=NVVM

// At most 2^30 elements.
// CHECK: gpu.func @small({{.*}} pruner.narrow_indices
// NVVM-LABEL: llvm.func @small(
// NVVM: llvm.getelementptr {{.*}} : (!llvm.ptr, i32) -> !llvm.ptr, i8
func.func @small(%a: memref<1073741824xi8>, %b: memref<64xi8>) {
  pruner.kernel gpu domain (d0 = 64) {
    pruner.band block (%i = d0 trips 2 step 32) {
      pruner.band thread (%j = d0 trips 32 step 1) {
        pruner.compute map at (%i, %j) loops (d0 unroll 1)
            ins(%a : memref<1073741824xi8>) outs(%b : memref<64xi8>)
            maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
        ^bb0(%x: i8):
          pruner.yield %x : i8
        }
      }
    }
  }
  return
}

// CHECK: gpu.func @large(
// CHECK-NOT: pruner.narrow_indices
// NVVM-LABEL: llvm.func @large(
// NVVM: llvm.getelementptr {{.*}} : (!llvm.ptr, i64) -> !llvm.ptr, i8
func.func @large(%a: memref<1073741825xi8>, %b: memref<64xi8>) {
  pruner.kernel gpu domain (d0 = 64) {
    pruner.band block (%i = d0 trips 2 step 32) {
      pruner.band thread (%j = d0 trips 32 step 1) {
        pruner.compute map at (%i, %j) loops (d0 unroll 1)
            ins(%a : memref<1073741825xi8>) outs(%b : memref<64xi8>)
            maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
        ^bb0(%x: i8):
          pruner.yield %x : i8
        }
      }
    }
  }
  return
}

// A statement that computes with indices may need more bits.
// CHECK: gpu.func @computes(
// CHECK-NOT: pruner.narrow_indices
// CHECK: arith.muli %{{.*}}, %{{.*}} : index
// NVVM-LABEL: llvm.func @computes(
// NVVM: llvm.mul %{{.*}}, %{{.*}} : i64
func.func @computes(%a: memref<64xi64>, %b: memref<64xi64>) {
  pruner.kernel gpu domain (d0 = 64) {
    pruner.band block (%i = d0 trips 2 step 32) {
      pruner.band thread (%j = d0 trips 32 step 1) {
        pruner.compute map at (%i, %j) loops (d0 unroll 1)
            ins(%a : memref<64xi64>) outs(%b : memref<64xi64>)
            maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
        ^bb0(%x: i64):
          %n = arith.index_cast %x : i64 to index
          %m = arith.muli %n, %n : index
          %y = arith.index_cast %m : index to i64
          pruner.yield %y : i64
        }
      }
    }
  }
  return
}
