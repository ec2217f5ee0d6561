// Reasons why ops around reductions of rows are not a chain over rows, each at
// the op that does not fit.
// RUN: pruner-opt %s --pruner-tile=target=file:%S/../Dialect/Pruner/Inputs/cpu.json -split-input-file -verify-diagnostics

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

func.func @map(%a: tensor<8x1x16xf32>) -> tensor<8x16xf32> attributes {pruner.schedule = #pruner.schedule<cpu_row>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  // expected-error @below {{map #0 of an op of a chain over rows is not a projected permutation}}
  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, 0, d1)>, #row], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<8x1x16xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %t = arith.addf %x, %o : f32
    linalg.yield %t : f32
  } -> tensor<8xf32>
  %w = tensor.empty() : tensor<8x16xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, 0, d1)>, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %s : tensor<8x1x16xf32>, tensor<8xf32>) outs(%w : tensor<8x16xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %t = arith.subf %x, %y : f32
    linalg.yield %t : f32
  } -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// The square of another tensor does not depend on the rows.
func.func @foreign_loops(%a: tensor<8x16xf32>, %b: tensor<4xf32>) -> tensor<8x16xf32> attributes {pruner.schedule = #pruner.schedule<cpu_row>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %q = tensor.empty() : tensor<4xf32>
  // expected-error @below {{the loops of this op of a chain over rows are not those of the other ops}}
  %p = linalg.square ins(%b : tensor<4xf32>) outs(%q : tensor<4xf32>) -> tensor<4xf32>
  %s = linalg.reduce {arith.addf} ins(%a : tensor<8x16xf32>) outs(%f : tensor<8xf32>) dimensions = [1]
  %w = tensor.empty() : tensor<8x16xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %s : tensor<8x16xf32>, tensor<8xf32>) outs(%w : tensor<8x16xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %t = arith.subf %x, %y : f32
    linalg.yield %t : f32
  } -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>

// One sum is over rows, the other one over columns.
func.func @directions(%a: tensor<16x16xf32>) -> tensor<16x16xf32> attributes {pruner.schedule = #pruner.schedule<cpu_row>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  // expected-error @below {{an op of a chain over rows must iterate over all rows, and over all elements of a row or none}}
  %s = linalg.reduce {arith.addf} ins(%a : tensor<16x16xf32>) outs(%f : tensor<16xf32>) dimensions = [1]
  %u = linalg.reduce {arith.addf} ins(%a : tensor<16x16xf32>) outs(%f : tensor<16xf32>) dimensions = [0]
  %w = tensor.empty() : tensor<16x16xf32>
  %r = linalg.generic {indexing_maps = [#row, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%s, %u : tensor<16xf32>, tensor<16xf32>) outs(%w : tensor<16x16xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %t = arith.subf %x, %y : f32
    linalg.yield %t : f32
  } -> tensor<16x16xf32>
  return %r : tensor<16x16xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// Horner's rule is not a sum.
func.func @ordered(%a: tensor<8x16xf32>) -> tensor<8x16xf32> attributes {pruner.schedule = #pruner.schedule<cpu_row>} {
  %z = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  // expected-error @below {{a reduction in a chain over rows must accumulate by one associative operation}}
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<8x16xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %d = arith.mulf %o, %two : f32
    %t = arith.addf %d, %x : f32
    linalg.yield %t : f32
  } -> tensor<8xf32>
  %w = tensor.empty() : tensor<8x16xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %s : tensor<8x16xf32>, tensor<8xf32>) outs(%w : tensor<8x16xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %t = arith.subf %x, %y : f32
    linalg.yield %t : f32
  } -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

func.func @ends_with_a_sum(%a: tensor<8x16xf32>) -> tensor<8xf32> attributes {pruner.schedule = #pruner.schedule<cpu_row>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %s = linalg.reduce {arith.addf} ins(%a : tensor<8x16xf32>) outs(%f : tensor<8xf32>) dimensions = [1]
  // expected-error @below {{the last op of a chain over rows must be elementwise over whole rows}}
  %r = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%a, %s : tensor<8x16xf32>, tensor<8xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %t = arith.subf %x, %y : f32
    %u = arith.addf %t, %o : f32
    linalg.yield %u : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

func.func @start(%a: tensor<8x16xf32>, %f: tensor<8xf32>) -> tensor<8x16xf32> attributes {pruner.schedule = #pruner.schedule<cpu_row>} {
  // expected-error @below {{a reduction in a chain over rows must start from a constant}}
  %s = linalg.reduce {arith.addf} ins(%a : tensor<8x16xf32>) outs(%f : tensor<8xf32>) dimensions = [1]
  %w = tensor.empty() : tensor<8x16xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %s : tensor<8x16xf32>, tensor<8xf32>) outs(%w : tensor<8x16xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %t = arith.subf %x, %y : f32
    linalg.yield %t : f32
  } -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

func.func @returns_the_sum(%a: tensor<8x16xf32>) -> tensor<8xf32> attributes {pruner.schedule = #pruner.schedule<cpu_row>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %s = linalg.reduce {arith.addf} ins(%a : tensor<8x16xf32>) outs(%f : tensor<8xf32>) dimensions = [1]
  %w = tensor.empty() : tensor<8x16xf32>
  // expected-error @below {{the task must return the result of its last op}}
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %s : tensor<8x16xf32>, tensor<8xf32>) outs(%w : tensor<8x16xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %t = arith.subf %x, %y : f32
    linalg.yield %t : f32
  } -> tensor<8x16xf32>
  return %s : tensor<8xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// A constant tensor would be an argument.
func.func @constant(%a: tensor<8x16xf32>) -> tensor<8x16xf32> attributes {pruner.schedule = #pruner.schedule<cpu_row>} {
  %z = arith.constant 0.0 : f32
  %c = arith.constant dense<2.0> : tensor<8x16xf32>
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %s = linalg.reduce {arith.addf} ins(%a : tensor<8x16xf32>) outs(%f : tensor<8xf32>) dimensions = [1]
  %w = tensor.empty() : tensor<8x16xf32>
  // expected-error @below {{operand #1 is neither an argument of the function nor the result of an op of the task}}
  %r = linalg.generic {indexing_maps = [#id, #id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %c, %s : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8xf32>) outs(%w : tensor<8x16xf32>) {
  ^bb0(%x: f32, %v: f32, %y: f32, %o: f32):
    %u = arith.mulf %x, %v : f32
    %t = arith.subf %u, %y : f32
    linalg.yield %t : f32
  } -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}
