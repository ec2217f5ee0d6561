// RUN: pruner-opt %s --pruner-use-bare-pointers --verify-diagnostics
// RUN: pruner-opt %s --pruner-linalg-to-loops --verify-diagnostics

func.func private @elsewhere(tensor<4xf32>) -> (f32, tensor<4xf32>)
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{calls @elsewhere, which returns a tensor and has no body, so it is unknown who allocates the result}}
  %y:2 = call @elsewhere(%x) : (tensor<4xf32>) -> (f32, tensor<4xf32>)
  return %y#1 : tensor<4xf32>
}
