// Tuned kernels contain a few intrinsics of the CPU.
//
// RUN: pruner-opt %s --pruner-network-to-llvm | FileCheck %s

// CHECK-LABEL: llvm.func {{.*}}@fence
// CHECK:         llvm.call_intrinsic "llvm.x86.sse.sfence"
func.func @fence(%a: tensor<4xf32>) -> tensor<4xf32> {
  llvm.call_intrinsic "llvm.x86.sse.sfence"() : () -> ()
  return %a : tensor<4xf32>
}
