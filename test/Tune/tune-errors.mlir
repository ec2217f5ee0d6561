// What has nothing to tune, or nothing that is in the form of a task, is said at
// its place, before anything is measured. Options: errors.test.
// RUN: pruner-opt %s --pruner-tune='threads=1 trials=1 db=%t.db' --split-input-file --verify-diagnostics
// RUN: not ls %t.db

// expected-warning @below {{pruner-tune: the module has no task to tune}}
module {
  func.func @identity(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
    return %a : tensor<8x8xf32>
  }
}

// -----

// expected-warning @below {{pruner-tune: the module has no task to tune}}
module {
  func.func @complex(%a: tensor<4x8xcomplex<f32>>, %b: tensor<8x4xcomplex<f32>>, %c: tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>> {
    // expected-remark @below {{'linalg.matmul' stays outside the tasks: element type 'complex<f32>' is not supported yet}}
    %r = linalg.matmul ins(%a, %b : tensor<4x8xcomplex<f32>>, tensor<8x4xcomplex<f32>>) outs(%c : tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
    return %r : tensor<4x4xcomplex<f32>>
  }
}

// -----

// The result is not the last op's.
func.func private @task(%a: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {pruner.task = {key = "0"}} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @below {{the task must return the result of its last op}}
  %r = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %f : tensor<8x8xf32>
}
