// Pads that cannot be part of a task, and positions where a pad is not allowed.
// RUN: pruner-opt %s --pruner-tile=target=file:%S/../Dialect/Pruner/Inputs/cpu.json -split-input-file -verify-diagnostics

func.func @computed_amount(%a: tensor<4x6xf32>) -> tensor<4xf32> attributes {pruner.schedule = #pruner.schedule<cpu_tile>} {
  %z = arith.constant 0.0 : f32
  %one = arith.constant 1 : index
  // expected-error @below {{padding by amounts that are not constants cannot be tuned}}
  %p = tensor.pad %a low[0, %one] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<4x6xf32> to tensor<4x8xf32>
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.reduce {arith.addf} ins(%p : tensor<4x8xf32>) outs(%f : tensor<4xf32>) dimensions = [1]
  return %r : tensor<4xf32>
}

// -----

func.func @cropped(%a: tensor<4x8xf32>) -> tensor<4xf32> attributes {pruner.schedule = #pruner.schedule<cpu_tile>} {
  %z = arith.constant 0.0 : f32
  // expected-error @below {{padding by negative amounts cannot be tuned}}
  %p = tensor.pad %a low[0, -1] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<4x8xf32> to tensor<4x7xf32>
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.reduce {arith.addf} ins(%p : tensor<4x7xf32>) outs(%f : tensor<4xf32>) dimensions = [1]
  return %r : tensor<4xf32>
}

// -----

func.func @numbered(%a: tensor<4x6xi64>) -> tensor<4xi64> attributes {pruner.schedule = #pruner.schedule<cpu_tile>} {
  %z = arith.constant 0 : i64
  // expected-error @below {{padding by a value that is not a constant cannot be tuned}}
  %p = tensor.pad %a low[0, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    %n = arith.index_cast %i : index to i64
    tensor.yield %n : i64
  } : tensor<4x6xi64> to tensor<4x8xi64>
  %e = tensor.empty() : tensor<4xi64>
  %f = linalg.fill ins(%z : i64) outs(%e : tensor<4xi64>) -> tensor<4xi64>
  %r = linalg.reduce {arith.addi} ins(%p : tensor<4x8xi64>) outs(%f : tensor<4xi64>) dimensions = [1]
  return %r : tensor<4xi64>
}

// -----

func.func @elementwise(%a: tensor<4x6xf32>) -> tensor<4x8xf32> attributes {pruner.schedule = #pruner.schedule<cpu_map>} {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %a low[0, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<4x6xf32> to tensor<4x8xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  // expected-error @below {{operand #0 is padded, but only inputs of a reduction may be padded}}
  %r = linalg.exp ins(%p : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}
