// Tuned kernels contain a few intrinsics of the CPU; others are rejected.
//
// RUN: pruner-opt %s --pruner-network-to-llvm=entry=fence | FileCheck %s
// RUN: not pruner-opt %s --pruner-network-to-llvm=entry=other 2>&1 | FileCheck %s --check-prefix=OTHER

// CHECK-LABEL: llvm.func {{.*}}@fence
// CHECK:         llvm.call_intrinsic "llvm.x86.sse.sfence"
func.func @fence(%a: memref<4xf32>) {
  llvm.call_intrinsic "llvm.x86.sse.sfence"() : () -> ()
  return
}

// OTHER: error: 'llvm.call_intrinsic' op cannot be lowered
func.func @other(%a: memref<4xf32>) {
  llvm.call_intrinsic "llvm.x86.sse.mfence"() : () -> ()
  return
}
