// What a chain over rows may not contain, one message of Analysis/RowChain per
// part.
// RUN: pruner-opt %s --pruner-tile=target=file:%S/Inputs/cpu.json -split-input-file -verify-diagnostics

func.func @projected(%x: tensor<8x16xf32>, %w: tensor<23xf32>) -> tensor<8x16xf32> attributes {pruner.schedule = #pruner.schedule<cpu_row>} {
  %z = arith.constant 0.0 : f32
  %row = tensor.empty() : tensor<8xf32>
  %all = tensor.empty() : tensor<8x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x16xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %t = arith.addf %acc, %a : f32
    linalg.yield %t : f32
  } -> tensor<8xf32>
  // expected-error @below {{map #2 of an op of a chain over rows is not a projected permutation}}
  %q = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i + j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s, %w : tensor<8x16xf32>, tensor<8xf32>, tensor<23xf32>) outs(%all : tensor<8x16xf32>) {
  ^bb0(%a0: f32, %a1: f32, %a2: f32, %out: f32):
    %t = arith.divf %a0, %a1 : f32
    linalg.yield %t : f32
  } -> tensor<8x16xf32>
  return %q : tensor<8x16xf32>
}

// -----

// It shares no tensor with the others.
func.func @apart(%x: tensor<8x16xf32>, %y: tensor<8x16xf32>) -> tensor<8x16xf32> attributes {pruner.schedule = #pruner.schedule<cpu_row>} {
  %z = arith.constant 0.0 : f32
  %row = tensor.empty() : tensor<8xf32>
  %all = tensor.empty() : tensor<8x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x16xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %t = arith.addf %acc, %a : f32
    linalg.yield %t : f32
  } -> tensor<8xf32>
  // expected-error @below {{the loops of this op of a chain over rows are not those of the other ops}}
  %o = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<8x16xf32>) outs(%all : tensor<8x16xf32>) {
  ^bb0(%a0: f32, %out: f32):
    %t = math.exp %a0 : f32
    linalg.yield %t : f32
  } -> tensor<8x16xf32>
  %q = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<8x16xf32>, tensor<8xf32>) outs(%all : tensor<8x16xf32>) {
  ^bb0(%a0: f32, %a1: f32, %out: f32):
    %t = arith.divf %a0, %a1 : f32
    linalg.yield %t : f32
  } -> tensor<8x16xf32>
  return %q : tensor<8x16xf32>
}

// -----

func.func @empty_rows(%x: tensor<0x16xf32>) -> tensor<0x16xf32> attributes {pruner.schedule = #pruner.schedule<cpu_row>} {
  %z = arith.constant 0.0 : f32
  %none = tensor.empty() : tensor<0xf32>
  %nothing = tensor.empty() : tensor<0x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%none : tensor<0xf32>) -> tensor<0xf32>
  // expected-error @below {{a loop has no iterations}}
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<0x16xf32>) outs(%f : tensor<0xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %t = arith.addf %acc, %a : f32
    linalg.yield %t : f32
  } -> tensor<0xf32>
  %q = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<0x16xf32>, tensor<0xf32>) outs(%nothing : tensor<0x16xf32>) {
  ^bb0(%a0: f32, %a1: f32, %out: f32):
    %t = arith.divf %a0, %a1 : f32
    linalg.yield %t : f32
  } -> tensor<0x16xf32>
  return %q : tensor<0x16xf32>
}

// -----

// One sum along rows, one across them.
func.func @some(%x: tensor<8x16xf32>) -> tensor<8x16xf32> attributes {pruner.schedule = #pruner.schedule<cpu_row>} {
  %z = arith.constant 0.0 : f32
  %row = tensor.empty() : tensor<8xf32>
  %all = tensor.empty() : tensor<8x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  // expected-error @below {{an op of a chain over rows iterates all rows, and all elements of a row or none}}
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x16xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %t = arith.addf %acc, %a : f32
    linalg.yield %t : f32
  } -> tensor<8xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<8x16xf32>, tensor<8xf32>) outs(%all : tensor<8x16xf32>) {
  ^bb0(%a0: f32, %a1: f32, %out: f32):
    %t = arith.divf %a0, %a1 : f32
    linalg.yield %t : f32
  } -> tensor<8x16xf32>
  %column = tensor.empty() : tensor<16xf32>
  %g = linalg.fill ins(%z : f32) outs(%column : tensor<16xf32>) -> tensor<16xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%p : tensor<8x16xf32>) outs(%g : tensor<16xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %t = arith.addf %acc, %a : f32
    linalg.yield %t : f32
  } -> tensor<16xf32>
  %q = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%p, %c : tensor<8x16xf32>, tensor<16xf32>) outs(%all : tensor<8x16xf32>) {
  ^bb0(%a0: f32, %a1: f32, %out: f32):
    %t = arith.divf %a0, %a1 : f32
    linalg.yield %t : f32
  } -> tensor<8x16xf32>
  return %q : tensor<8x16xf32>
}

// -----

func.func @output_map(%x: tensor<8x16xf32>) -> tensor<8x16xf32> attributes {pruner.schedule = #pruner.schedule<cpu_row>} {
  %z = arith.constant 0.0 : f32
  %row = tensor.empty() : tensor<8xf32>
  %all = tensor.empty() : tensor<8x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x16xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %t = arith.addf %acc, %a : f32
    linalg.yield %t : f32
  } -> tensor<8xf32>
  // expected-error @below {{the map of operand #2 is not an order of the parallel loops}}
  %o = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<8x16xf32>, tensor<8xf32>) outs(%row : tensor<8xf32>) {
  ^bb0(%a0: f32, %a1: f32, %out: f32):
    %t = arith.divf %a0, %a1 : f32
    linalg.yield %t : f32
  } -> tensor<8xf32>
  %q = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %o : tensor<8x16xf32>, tensor<8xf32>) outs(%all : tensor<8x16xf32>) {
  ^bb0(%a0: f32, %a1: f32, %out: f32):
    %t = arith.divf %a0, %a1 : f32
    linalg.yield %t : f32
  } -> tensor<8x16xf32>
  return %q : tensor<8x16xf32>
}

// -----

func.func @combiner(%x: tensor<8x16xf32>) -> tensor<8x16xf32> attributes {pruner.schedule = #pruner.schedule<cpu_row>} {
  %z = arith.constant 0.0 : f32
  %row = tensor.empty() : tensor<8xf32>
  %all = tensor.empty() : tensor<8x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  // expected-error @below {{a reduction in a chain over rows accumulates by one associative operation}}
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x16xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %d = arith.mulf %acc, %acc : f32
    %t = arith.addf %d, %a : f32
    linalg.yield %t : f32
  } -> tensor<8xf32>
  %q = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<8x16xf32>, tensor<8xf32>) outs(%all : tensor<8x16xf32>) {
  ^bb0(%a0: f32, %a1: f32, %out: f32):
    %t = arith.divf %a0, %a1 : f32
    linalg.yield %t : f32
  } -> tensor<8x16xf32>
  return %q : tensor<8x16xf32>
}

// -----

func.func @last(%x: tensor<8x16xf32>) -> tensor<8xf32> attributes {pruner.schedule = #pruner.schedule<cpu_row>} {
  %z = arith.constant 0.0 : f32
  %row = tensor.empty() : tensor<8xf32>
  %all = tensor.empty() : tensor<8x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x16xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %t = arith.addf %acc, %a : f32
    linalg.yield %t : f32
  } -> tensor<8xf32>
  %q = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<8x16xf32>, tensor<8xf32>) outs(%all : tensor<8x16xf32>) {
  ^bb0(%a0: f32, %a1: f32, %out: f32):
    %t = arith.divf %a0, %a1 : f32
    linalg.yield %t : f32
  } -> tensor<8x16xf32>
  %g = linalg.fill ins(%z : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  // expected-error @below {{the last op of a chain over rows is elementwise over whole rows}}
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%q : tensor<8x16xf32>) outs(%g : tensor<8xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %t = arith.addf %acc, %a : f32
    linalg.yield %t : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

func.func @returned(%x: tensor<8x16xf32>) -> tensor<8x16xf32> attributes {pruner.schedule = #pruner.schedule<cpu_row>} {
  %z = arith.constant 0.0 : f32
  %row = tensor.empty() : tensor<8xf32>
  %all = tensor.empty() : tensor<8x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x16xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %t = arith.addf %acc, %a : f32
    linalg.yield %t : f32
  } -> tensor<8xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<8x16xf32>, tensor<8xf32>) outs(%all : tensor<8x16xf32>) {
  ^bb0(%a0: f32, %a1: f32, %out: f32):
    %t = arith.divf %a0, %a1 : f32
    linalg.yield %t : f32
  } -> tensor<8x16xf32>
  // expected-error @below {{the task must return the result of its last op}}
  %q = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%p, %s : tensor<8x16xf32>, tensor<8xf32>) outs(%all : tensor<8x16xf32>) {
  ^bb0(%a0: f32, %a1: f32, %out: f32):
    %t = arith.divf %a0, %a1 : f32
    linalg.yield %t : f32
  } -> tensor<8x16xf32>
  return %p : tensor<8x16xf32>
}

// -----

func.func @operand(%x: tensor<8x16xf32>) -> tensor<8x16xf32> attributes {pruner.schedule = #pruner.schedule<cpu_row>} {
  %z = arith.constant 0.0 : f32
  %row = tensor.empty() : tensor<8xf32>
  %all = tensor.empty() : tensor<8x16xf32>
  %w = arith.constant dense<1.0> : tensor<16xf32>
  %f = linalg.fill ins(%z : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x16xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %t = arith.addf %acc, %a : f32
    linalg.yield %t : f32
  } -> tensor<8xf32>
  // expected-error @below {{operand #2 is neither an argument of the function nor the result of an op of the task}}
  %q = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s, %w : tensor<8x16xf32>, tensor<8xf32>, tensor<16xf32>) outs(%all : tensor<8x16xf32>) {
  ^bb0(%a0: f32, %a1: f32, %a2: f32, %out: f32):
    %d = arith.divf %a0, %a1 : f32
    %t = arith.mulf %d, %a2 : f32
    linalg.yield %t : f32
  } -> tensor<8x16xf32>
  return %q : tensor<8x16xf32>
}

// -----

func.func @start(%x: tensor<8x16xf32>, %b: tensor<8xf32>) -> tensor<8x16xf32> attributes {pruner.schedule = #pruner.schedule<cpu_row>} {
  %all = tensor.empty() : tensor<8x16xf32>
  // expected-error @below {{a reduction in a chain over rows starts from a constant}}
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x16xf32>) outs(%b : tensor<8xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %t = arith.addf %acc, %a : f32
    linalg.yield %t : f32
  } -> tensor<8xf32>
  %q = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<8x16xf32>, tensor<8xf32>) outs(%all : tensor<8x16xf32>) {
  ^bb0(%a0: f32, %a1: f32, %out: f32):
    %t = arith.divf %a0, %a1 : f32
    linalg.yield %t : f32
  } -> tensor<8x16xf32>
  return %q : tensor<8x16xf32>
}

// -----

func.func @reads_output(%x: tensor<8x16xf32>, %y: tensor<8x16xf32>) -> tensor<8x16xf32> attributes {pruner.schedule = #pruner.schedule<cpu_row>} {
  %z = arith.constant 0.0 : f32
  %row = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%z : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x16xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %t = arith.addf %acc, %a : f32
    linalg.yield %t : f32
  } -> tensor<8xf32>
  // expected-error @below {{the body reads its init operand}}
  %q = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<8x16xf32>, tensor<8xf32>) outs(%y : tensor<8x16xf32>) {
  ^bb0(%a0: f32, %a1: f32, %out: f32):
    %d = arith.divf %a0, %a1 : f32
    %t = arith.addf %d, %out : f32
    linalg.yield %t : f32
  } -> tensor<8x16xf32>
  return %q : tensor<8x16xf32>
}
