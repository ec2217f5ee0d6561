// RUN: pruner-opt %s --pruner-decompose-aggregates --split-input-file --verify-diagnostics

// Buffers are created later.
func.func @buffers(%x: memref<2x3xf32>) {
  // expected-error @below {{'linalg.softmax' op cannot be decomposed: the op works on buffers, expected tensors}}
  linalg.softmax dimension(1) ins(%x : memref<2x3xf32>) outs(%x : memref<2x3xf32>)
  return
}

// -----

// There are no exponentials of integers.
func.func @integers(%x: tensor<2x3xi32>) -> tensor<2x3xi32> {
  // expected-error @below {{'linalg.softmax' op cannot be decomposed: elements of type 'i32', expected floats}}
  %y = linalg.softmax dimension(1) ins(%x : tensor<2x3xi32>) outs(%x : tensor<2x3xi32>) -> tensor<2x3xi32>
  return %y : tensor<2x3xi32>
}

// -----

func.func @tiles(%x: tensor<2x8xi32>, %y: tensor<2x?x?xi32>, %n: index) -> (tensor<2x?x?xi32>, tensor<2x8xi32>) {
  // expected-error @below {{'linalg.pack' op cannot be decomposed: inner tiles of dynamic size, expected constants}}
  %0 = linalg.pack %x inner_dims_pos = [1] inner_tiles = [%n] into %y : tensor<2x8xi32> -> tensor<2x?x?xi32>
  // expected-error @below {{'linalg.unpack' op cannot be decomposed: inner tiles of dynamic size, expected constants}}
  %1 = linalg.unpack %y inner_dims_pos = [1] inner_tiles = [%n] into %x : tensor<2x?x?xi32> -> tensor<2x8xi32>
  return %0, %1 : tensor<2x?x?xi32>, tensor<2x8xi32>
}

// -----

func.func @extents(%x: tensor<?x8xf32>, %y: tensor<?x8x4xf32>, %z: f32) -> tensor<?x8x4xf32> {
  // expected-error @below {{'linalg.pack' op cannot be decomposed: a packed dimension of dynamic extent, expected a static one}}
  %0 = linalg.pack %x padding_value(%z : f32) inner_dims_pos = [0] inner_tiles = [4] into %y : tensor<?x8xf32> -> tensor<?x8x4xf32>
  return %0 : tensor<?x8x4xf32>
}

// -----

func.func @bits(%x: tensor<*xf32>, %y: tensor<2xindex>) -> tensor<*xi32> {
  // expected-error @below {{'tensor.bitcast' op cannot be decomposed: type 'tensor<*xf32>', expected a ranked tensor}}
  %0 = tensor.bitcast %x : tensor<*xf32> to tensor<*xi32>
  return %0 : tensor<*xi32>
}
