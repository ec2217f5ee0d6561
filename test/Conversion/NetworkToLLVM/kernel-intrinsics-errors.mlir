// Intrinsics that no tuned kernel contains.
//
// RUN: pruner-opt %s --verify-diagnostics --pruner-network-to-llvm

func.func @other(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'llvm.call_intrinsic' op cannot be lowered}}
  llvm.call_intrinsic "llvm.x86.sse2.mfence"() : () -> ()
  return %a : tensor<4xf32>
}
