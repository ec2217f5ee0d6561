// Tuned kernels contain a few intrinsics of the CPU; others are rejected.
//
// RUN: pruner-opt %s --split-input-file --verify-diagnostics --pruner-network-to-llvm | FileCheck %s

// CHECK-LABEL: llvm.func {{.*}}@fence
// CHECK:         llvm.call_intrinsic "llvm.x86.sse.sfence"
func.func @fence(%a: tensor<4xf32>) -> tensor<4xf32> {
  llvm.call_intrinsic "llvm.x86.sse.sfence"() : () -> ()
  return %a : tensor<4xf32>
}

// -----

func.func @other(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'llvm.call_intrinsic' op cannot be lowered}}
  llvm.call_intrinsic "llvm.x86.sse2.mfence"() : () -> ()
  return %a : tensor<4xf32>
}
