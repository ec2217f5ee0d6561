// RUN: pruner-opt %s --pruner-to-llvm --verify-diagnostics

func.func @tensors_stay(%x: tensor<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{failed to legalize operation 'tensor.extract'}}
  %v = tensor.extract %x[%c0] : tensor<4xf32>
  return %v : f32
}
