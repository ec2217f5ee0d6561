// RUN: pruner-opt %s --pruner-linalg-to-loops --split-input-file --verify-diagnostics --allow-unregistered-dialect

func.func @unknown(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{op was not bufferized}}
  %y = "other.op"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}
