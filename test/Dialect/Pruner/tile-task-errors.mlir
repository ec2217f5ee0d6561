// Ops that a task function must not contain: each reason is reported at the op
// that does not fit. test/Recognition tests row chains and pads.
// RUN: pruner-opt %s --pruner-tile=target=file:%S/Inputs/cpu.json -split-input-file -verify-diagnostics

// expected-error @below {{a task function must have exactly one block}}
func.func @blocks(%a: tensor<4xf32>) -> tensor<4xf32> attributes {pruner.schedule = #pruner.schedule<cpu_map>} {
  cf.br ^end
^end:
  return %a : tensor<4xf32>
}

// -----

// expected-error @below {{a task function must return one tensor, not 2 values}}
func.func @results(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {pruner.schedule = #pruner.schedule<cpu_map>} {
  return %a, %a : tensor<4xf32>, tensor<4xf32>
}

// -----

// expected-error @below {{an operand of type 'f32', expected a ranked tensor}}
func.func @scalar(%a: tensor<4xf32>, %s: f32) -> tensor<4xf32> attributes {pruner.schedule = #pruner.schedule<cpu_map>} {
  return %a : tensor<4xf32>
}

// -----

// expected-error @below {{dynamic shape 'tensor<?xf32>' cannot be tuned}}
func.func @dynamic_argument(%a: tensor<?xf32>) -> tensor<4xf32> attributes {pruner.schedule = #pruner.schedule<cpu_map>} {
  %e = tensor.empty() : tensor<4xf32>
  return %e : tensor<4xf32>
}

// -----

func.func @dynamic_op(%a: tensor<4xf32>) -> tensor<?xf32> attributes {pruner.schedule = #pruner.schedule<cpu_map>} {
  %c = arith.constant 4 : index
  %e = tensor.empty(%c) : tensor<?xf32>
  // expected-error @below {{dynamic shape 'tensor<?xf32>' cannot be tuned}}
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<?xf32>) {
  ^bb0(%o: f32):
    %z = arith.constant 0.0 : f32
    linalg.yield %z : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// expected-error @below {{encoding of 'tensor<4xf32, "e">' cannot be tuned}}
func.func @encoding(%a: tensor<4xf32, "e">) -> tensor<4xf32> attributes {pruner.schedule = #pruner.schedule<cpu_map>} {
  %e = tensor.empty() : tensor<4xf32>
  return %e : tensor<4xf32>
}

// -----

// expected-error @below {{elements of type 'complex<f32>', expected f64, f32, f16, bf16 or signless integers of 64, 32, 16, 8 or 1 bits}}
func.func @element(%a: tensor<4xcomplex<f32>>) -> tensor<4xf32> attributes {pruner.schedule = #pruner.schedule<cpu_map>} {
  %e = tensor.empty() : tensor<4xf32>
  return %e : tensor<4xf32>
}

// -----

// expected-error @below {{elements of type 'si8', expected f64, f32, f16, bf16 or signless integers of 64, 32, 16, 8 or 1 bits}}
func.func @signed(%a: tensor<4xsi8>) -> tensor<4xf32> attributes {pruner.schedule = #pruner.schedule<cpu_map>} {
  %e = tensor.empty() : tensor<4xf32>
  return %e : tensor<4xf32>
}

// -----

func.func @foreign(%a: tensor<4xf32>) -> tensor<2x2xf32> attributes {pruner.schedule = #pruner.schedule<cpu_map>} {
  // expected-error @below {{'tensor.expand_shape' is not allowed in a task function}}
  %r = tensor.expand_shape %a [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

func.func @two_outputs(%a: tensor<4xf32>) -> tensor<4xf32> attributes {pruner.schedule = #pruner.schedule<cpu_map>} {
  %e = tensor.empty() : tensor<4xf32>
  // expected-error @below {{an op of a task must have one result, but this op has 2}}
  %r:2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%e, %e : tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32, %p: f32):
    linalg.yield %x, %x : f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>)
  return %r#0 : tensor<4xf32>
}

// -----

func.func @position(%a: tensor<4xi64>) -> tensor<4xi64> attributes {pruner.schedule = #pruner.schedule<cpu_map>} {
  %e = tensor.empty() : tensor<4xi64>
  // expected-error @below {{the body reads its loop indices}}
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : tensor<4xi64>) outs(%e : tensor<4xi64>) {
  ^bb0(%x: i64, %o: i64):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i64
    linalg.yield %j : i64
  } -> tensor<4xi64>
  return %r : tensor<4xi64>
}

// -----

func.func @region_in_body(%a: tensor<4xi1>) -> tensor<4xi1> attributes {pruner.schedule = #pruner.schedule<cpu_map>} {
  %e = tensor.empty() : tensor<4xi1>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : tensor<4xi1>) outs(%e : tensor<4xi1>) {
  ^bb0(%x: i1, %o: i1):
    // expected-error @below {{the body contains 'scf.if'}}
    %s = scf.if %x -> i1 {
      scf.yield %x : i1
    } else {
      scf.yield %x : i1
    }
    linalg.yield %s : i1
  } -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// -----

func.func @outside_value(%a: tensor<4xf32>) -> tensor<4xf32> attributes {pruner.schedule = #pruner.schedule<cpu_map>} {
  %e = tensor.empty() : tensor<4xf32>
  %c = arith.constant 0 : index
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    // expected-error @below {{the body reads a 'tensor<4xf32>' at computed indices}}
    %v = tensor.extract %a[%c] : tensor<4xf32>
    linalg.yield %v : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// expected-error @below {{the function contains no linalg op to tune}}
func.func @nothing(%a: tensor<4xf32>) -> tensor<4xf32> attributes {pruner.schedule = #pruner.schedule<cpu_map>} {
  return %a : tensor<4xf32>
}

// -----

func.func @two_reductions(%a: tensor<4x4xf32>) -> tensor<f32> attributes {pruner.schedule = #pruner.schedule<cpu_tile>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.reduce {arith.addf} ins(%a : tensor<4x4xf32>) outs(%f : tensor<4xf32>) dimensions = [1]
  %g = tensor.empty() : tensor<f32>
  %h = linalg.fill ins(%z : f32) outs(%g : tensor<f32>) -> tensor<f32>
  // expected-error @below {{a task must have one reduction, but this is a second one}}
  %s = linalg.reduce {arith.addf} ins(%r : tensor<4xf32>) outs(%h : tensor<f32>) dimensions = [0]
  return %s : tensor<f32>
}

// -----

func.func @two_maps(%a: tensor<4xf32>) -> tensor<4xf32> attributes {pruner.schedule = #pruner.schedule<cpu_map>} {
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  // expected-error @below {{a task without a reduction must be one linalg op, but this is a second one}}
  %s = linalg.exp ins(%r : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %s : tensor<4xf32>
}

// -----

func.func @no_dimensions(%a: tensor<f32>) -> tensor<f32> attributes {pruner.schedule = #pruner.schedule<cpu_map, stages = [none]>} {
  %e = tensor.empty() : tensor<f32>
  // expected-error @below {{an op without loops cannot be tuned}}
  %r = linalg.exp ins(%a : tensor<f32>) outs(%e : tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

func.func @output_map(%a: tensor<4x8xf32>) -> tensor<8xf32> attributes {pruner.schedule = #pruner.schedule<cpu_map>} {
  %e = tensor.empty() : tensor<8xf32>
  // expected-error @below {{the map of operand #1 is not a permutation of the parallel loops}}
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

func.func @unrelated(%a: tensor<4x4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> attributes {pruner.schedule = #pruner.schedule<cpu_tile>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  // expected-error @below {{the op is neither the producer of one input of the anchor nor the consumer of its result}}
  %u = linalg.exp ins(%b : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.reduce {arith.addf} ins(%a : tensor<4x4xf32>) outs(%f : tensor<4xf32>) dimensions = [1]
  return %r : tensor<4xf32>
}

// -----

func.func @producer_map(%a: tensor<4xf32>) -> tensor<4xf32> attributes {pruner.schedule = #pruner.schedule<cpu_tile>} {
  %z = arith.constant 0.0 : f32
  %p = tensor.empty() : tensor<4x1xf32>
  // expected-error @below {{the map of operand #1 is not a permutation of the parallel loops}}
  %u = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0, 0)>], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%p : tensor<4x1xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<4x1xf32>
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.reduce {arith.addf} ins(%u : tensor<4x1xf32>) outs(%f : tensor<4xf32>) dimensions = [1]
  return %r : tensor<4xf32>
}

// -----

func.func @not_the_last(%a: tensor<4x4xf32>) -> tensor<4xf32> attributes {pruner.schedule = #pruner.schedule<cpu_tile>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.reduce {arith.addf} ins(%a : tensor<4x4xf32>) outs(%f : tensor<4xf32>) dimensions = [1]
  // expected-error @below {{the task must return the result of its last op}}
  %s = linalg.exp ins(%r : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @consumer_output(%a: tensor<4x4xf32>) -> tensor<4x1xf32> attributes {pruner.schedule = #pruner.schedule<cpu_tile>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.reduce {arith.addf} ins(%a : tensor<4x4xf32>) outs(%f : tensor<4xf32>) dimensions = [1]
  %p = tensor.empty() : tensor<4x1xf32>
  // expected-error @below {{the map of operand #1 is not a permutation of the parallel loops}}
  %s = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0, 0)>], iterator_types = ["parallel"]} ins(%r : tensor<4xf32>) outs(%p : tensor<4x1xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<4x1xf32>
  return %s : tensor<4x1xf32>
}

// -----

func.func @consumer_input(%a: tensor<4x4x4xf32>) -> tensor<4x4xf32> attributes {pruner.schedule = #pruner.schedule<cpu_tile>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %r = linalg.reduce {arith.addf} ins(%a : tensor<4x4x4xf32>) outs(%f : tensor<4x4xf32>) dimensions = [1]
  // expected-error @below {{the consumer must read the anchor's result by the identity}}
  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%r : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<4x4xf32>
  return %s : tensor<4x4xf32>
}

// -----

func.func @extent(%a: tensor<0xf32>) -> tensor<0xf32> attributes {pruner.schedule = #pruner.schedule<cpu_map>} {
  %e = tensor.empty() : tensor<0xf32>
  // expected-error @below {{a loop has no iterations}}
  %r = linalg.exp ins(%a : tensor<0xf32>) outs(%e : tensor<0xf32>) -> tensor<0xf32>
  return %r : tensor<0xf32>
}

// -----

func.func @constant_operand(%a: tensor<4xf32>) -> tensor<4xf32> attributes {pruner.schedule = #pruner.schedule<cpu_map>} {
  %e = tensor.empty() : tensor<4xf32>
  %c = arith.constant dense<1.0> : tensor<4xf32>
  // expected-error @below {{operand #1 is neither an argument of the function nor the result of an op of the task}}
  %r = linalg.add ins(%a, %c : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @map_not_linear(%a: tensor<4xf32>) -> tensor<8xf32> attributes {pruner.schedule = #pruner.schedule<cpu_map>} {
  %e = tensor.empty() : tensor<8xf32>
  // expected-error @below {{the map of operand #0 is not a sum of dimensions times constants}}
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0 floordiv 2)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

func.func @reads_output(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> attributes {pruner.schedule = #pruner.schedule<cpu_map>} {
  // expected-error @below {{the body reads its init operand}}
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @start(%a: tensor<4x4xf32>) -> tensor<4xf32> attributes {pruner.schedule = #pruner.schedule<cpu_tile>} {
  %e = tensor.empty() : tensor<4xf32>
  // expected-error @below {{the accumulator starts neither from a filled tensor nor from an argument}}
  %r = linalg.reduce {arith.addf} ins(%a : tensor<4x4xf32>) outs(%e : tensor<4xf32>) dimensions = [1]
  return %r : tensor<4xf32>
}

// -----

func.func @large(%a: tensor<4194304x4194304xi8>, %b: tensor<4194304x4194304xi8>, %c: tensor<4194304x4194304xi8>) -> tensor<4194304x4194304xi8> attributes {pruner.schedule = #pruner.schedule<cpu_tile>} {
  // expected-error @below {{the 4194304x4194304x4194304 points exceed the limit of 281474976710656}}
  %r = linalg.matmul ins(%a, %b : tensor<4194304x4194304xi8>, tensor<4194304x4194304xi8>) outs(%c : tensor<4194304x4194304xi8>) -> tensor<4194304x4194304xi8>
  return %r : tensor<4194304x4194304xi8>
}
