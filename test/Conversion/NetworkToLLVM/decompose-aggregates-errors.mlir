// RUN: pruner-opt %s --pruner-decompose-aggregates --verify-diagnostics

// Buffers come later.
func.func @buffers(%x: memref<2x3xf32>) {
  // expected-error @below {{'linalg.softmax' op cannot be decomposed}}
  linalg.softmax dimension(1) ins(%x : memref<2x3xf32>) outs(%x : memref<2x3xf32>)
  return
}
