// RUN: pruner-opt %s --split-input-file --verify-diagnostics --pruner-specialize-shapes=sizes=4

// expected-error @below {{no public function has an argument with 'pruner.range'; expected a range for each dynamic dimension, such as tensor<?x4xf32> {pruner.range = [#pruner.range<n, 1 to 64>]}}}
module {
  func.func @static(%x: tensor<4xf32>) -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
}

// -----

// expected-error @below {{argument 1 of @some has type 'tensor<?xf32>' and no 'pruner.range'}}
func.func @some(%x: tensor<?xf32> {pruner.range = [#pruner.range<n, 1 to 8>]}, %y: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}

// -----

// expected-error @below {{@names has the sizes 'n' and 's', but only one can be specialized}}
func.func @names(%x: tensor<?x?xf32> {pruner.range = [#pruner.range<n, 1 to 8>, #pruner.range<s, 1 to 8>]}) -> tensor<?x?xf32> {
  return %x : tensor<?x?xf32>
}

// -----

// expected-error @below {{option 'sizes': 4 is not between 1 and 3, the largest 'n'}}
func.func @large(%x: tensor<?xf32> {pruner.range = [#pruner.range<n, 1 to 3>]}) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}

// -----

// A concatenation along the dimension cannot be padded and is made for one
// size.
func.func @joined(%x: tensor<?xf32> {pruner.range = [#pruner.range<n, 1 to 8>]}) -> tensor<?xf32> {
  // expected-remark @below {{cannot be padded along n to 4: it concatenates along dimension 0}}
  %j = tensor.concat dim(0) %x, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %r = tensor.extract_slice %j[%n] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// A result must have the size of the call.
func.func @doubled(%x: tensor<?xf32> {pruner.range = [#pruner.range<n, [4]>]}) -> tensor<?xf32> {
  %j = tensor.concat dim(0) %x, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  // expected-error @below {{cannot be specialized for n = 4: a dynamic extent of result 0 is not the size}}
  return %j : tensor<?xf32>
}

// -----

// The shape depends on data.
func.func @data(%x: tensor<?xf32> {pruner.range = [#pruner.range<n, 1 to 8>]}, %m: tensor<index>) -> tensor<?xf32> {
  %n = tensor.extract %m[] : tensor<index>
  // expected-remark @below {{cannot be padded along n to 4: an extent does not follow from the size}}
  // expected-error @below {{cannot be specialized for n = 4: an extent does not follow from the size}}
  %e = tensor.empty(%n) : tensor<?xf32>
  return %e : tensor<?xf32>
}

// -----

// A window over the dimension.
func.func @window(%x: tensor<?xf32> {pruner.range = [#pruner.range<n, 3 to 8>]}, %w: tensor<3xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %m = arith.subi %n, %c2 : index
  %e = tensor.empty(%m) : tensor<?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  // expected-remark @below {{cannot be padded along n to 4: operand #0 is not read along it by a single loop}}
  %r = linalg.conv_1d ins(%x, %w : tensor<?xf32>, tensor<3xf32>) outs(%f : tensor<?xf32>) -> tensor<?xf32>
  // expected-error @below {{cannot be specialized for n = 4: a dynamic extent of result 0 is not the size}}
  return %r : tensor<?xf32>
}

// -----

// Equal padding in front and cropping behind move the elements.
func.func @shifted(%x: tensor<?xf32> {pruner.range = [#pruner.range<n, 1 to 8>]}) -> tensor<?xf32> {
  %z = arith.constant 0.0 : f32
  // expected-remark @below {{cannot be padded along n to 4: it pads dimension 0}}
  %p = tensor.pad %x low[1] high[-1] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %p : tensor<?xf32>
}
