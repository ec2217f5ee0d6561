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

// -----

// The elements of a call lie at other places in the next iteration.
func.func @carried(%x: tensor<?xf32> {pruner.range = [#pruner.range<n, 1 to 8>]}, %c: tensor<i1>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %m = arith.muli %n, %c2 : index
  %e = tensor.empty(%m) : tensor<?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %e2 = tensor.empty(%n) : tensor<2x?xf32>
  %b = linalg.broadcast ins(%x : tensor<?xf32>) outs(%e2 : tensor<2x?xf32>) dimensions = [0]
  %d = tensor.collapse_shape %b [[0, 1]] : tensor<2x?xf32> into tensor<?xf32>
  // expected-remark @below {{cannot be padded along n to 4: a tensor is padded differently on two paths}}
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%y = %f) -> tensor<?xf32> {
    scf.yield %d : tensor<?xf32>
  }
  %v = tensor.extract %r[%c0] : tensor<?xf32>
  %t = tensor.from_elements %v : tensor<f32>
  return %t : tensor<f32>
}

// -----

func.func @blocks(%x: tensor<?xf32> {pruner.range = [#pruner.range<n, 1 to 8>]}, %c: tensor<i1>) -> tensor<?xf32> {
  %b = tensor.extract %c[] : tensor<i1>
  // expected-remark @below {{cannot be padded along n to 4: a region has several blocks; run pruner-lift-branches first}}
  // expected-error @below {{cannot be specialized for n = 4: a region has several blocks; run pruner-lift-branches first}}
  %r = scf.execute_region -> tensor<?xf32> {
    cf.cond_br %b, ^yes, ^no
  ^yes:
    scf.yield %x : tensor<?xf32>
  ^no:
    scf.yield %x : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// -----

// The values of a pad are the positions along the dimension.
func.func @positions(%x: tensor<?x4xindex> {pruner.range = [#pruner.range<n, 1 to 8>]}) -> tensor<?x5xindex> {
  // expected-remark @below {{cannot be padded along n to 4: its values depend on positions that padding changes}}
  %p = tensor.pad %x low[0, 0] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %i : index
  } : tensor<?x4xindex> to tensor<?x5xindex>
  return %p : tensor<?x5xindex>
}

// -----

func.func private @callee(tensor<?x4xf32>) -> tensor<4xf32>

func.func @call(%x: tensor<?x4xf32> {pruner.range = [#pruner.range<n, 1 to 8>]}) -> tensor<4xf32> {
  // expected-remark @below {{cannot be padded along n to 4: 'func.call' may compute any of its elements from padding}}
  // expected-error @below {{cannot be specialized for n = 4: it calls a function of dynamic shape; run the pass inline first}}
  %r = call @callee(%x) : (tensor<?x4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// The size 4 has no shape.
func.func @short(%x: tensor<?xi32> {pruner.range = [#pruner.range<n, 6 to 8>]}) -> tensor<i32> {
  %c0 = arith.constant 0 : index
  %c6 = arith.constant 6 : index
  %n = tensor.dim %x, %c0 : tensor<?xi32>
  %rest = arith.subi %n, %c6 : index
  // expected-error @below {{cannot be specialized for n = 4: an extent is -2 in a call of size 4}}
  %s = tensor.extract_slice %x[6] [%rest] [1] : tensor<?xi32> to tensor<?xi32>
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<i32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<i32>) -> tensor<i32>
  %r = linalg.reduce {arith.addi} ins(%s : tensor<?xi32>) outs(%f : tensor<i32>) dimensions = [0]
  return %r : tensor<i32>
}

// -----

// Places in (3, n) collapsed are not those of (3, 4) collapsed.
func.func @reversed(%x: tensor<3x?xf32> {pruner.range = [#pruner.range<n, 1 to 8>]}) -> tensor<f32> {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %n = tensor.dim %x, %c1 : tensor<3x?xf32>
  %all = arith.muli %n, %c3 : index
  %last = arith.subi %all, %c1 : index
  %row = tensor.collapse_shape %x [[0, 1]] : tensor<3x?xf32> into tensor<?xf32>
  %e = tensor.empty() : tensor<f32>
  // expected-remark @below {{cannot be padded along n to 4: it reads elements at positions that padding changes}}
  %r = linalg.generic {indexing_maps = [affine_map<() -> ()>], iterator_types = []} outs(%e : tensor<f32>) {
  ^bb0(%o: f32):
    %v = tensor.extract %row[%last] : tensor<?xf32>
    linalg.yield %v : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// Zeros in the padding would never be large.
func.func @doubled(%x: tensor<?xi32> {pruner.range = [#pruner.range<n, 1 to 8>]}) -> tensor<?xi32> {
  %limit = arith.constant 100 : i32
  // expected-remark @below {{cannot be padded along n to 4: a loop in its body may not end in padding}}
  %r = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<?xi32>) outs(%x : tensor<?xi32>) {
  ^bb0(%a: i32, %o: i32):
    %w = scf.while (%v = %a) : (i32) -> i32 {
      %less = arith.cmpi slt, %v, %limit : i32
      scf.condition(%less) %v : i32
    } do {
    ^bb0(%v: i32):
      %twice = arith.addi %v, %v : i32
      scf.yield %twice : i32
    }
    linalg.yield %w : i32
  } -> tensor<?xi32>
  return %r : tensor<?xi32>
}
