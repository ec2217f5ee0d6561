// RUN: pruner-opt %s --pruner-linalg-to-loops --split-input-file --verify-diagnostics --allow-unregistered-dialect

func.func @unknown(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{op was not bufferized}}
  %y = "other.op"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

func.func @pack(%x: tensor<8x16xf32>, %y: tensor<1x2x8x8xf32>) -> tensor<1x2x8x8xf32> {
  // expected-error @below {{op was not bufferized}}
  %p = linalg.pack %x inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %y : tensor<8x16xf32> -> tensor<1x2x8x8xf32>
  return %p : tensor<1x2x8x8xf32>
}
