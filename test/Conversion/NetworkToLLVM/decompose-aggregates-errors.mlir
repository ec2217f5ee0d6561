// RUN: pruner-opt %s --pruner-decompose-aggregates --split-input-file --verify-diagnostics

// Buffers come later.
func.func @buffers(%x: memref<2x3xf32>) {
  // expected-error @below {{'linalg.softmax' op cannot be decomposed}}
  linalg.softmax dimension(1) ins(%x : memref<2x3xf32>) outs(%x : memref<2x3xf32>)
  return
}

// -----

// Integers have no exponentials.
func.func @integers(%x: tensor<2x3xi32>) -> tensor<2x3xi32> {
  // expected-error @below {{'linalg.softmax' op cannot be decomposed}}
  %y = linalg.softmax dimension(1) ins(%x : tensor<2x3xi32>) outs(%x : tensor<2x3xi32>) -> tensor<2x3xi32>
  return %y : tensor<2x3xi32>
}
