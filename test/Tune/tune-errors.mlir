// Modules without tasks, and invalid tasks, are reported at their location
// before anything is measured. For options see errors.test.
// RUN: pruner-opt %s --pruner-tune='threads=1 trials=1 db=%t.db' --split-input-file --verify-diagnostics
// RUN: not ls %t.db

// expected-warning @below {{pruner-tune: the module has no task to tune}}
module {
  func.func @identity(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
    return %a : tensor<8x8xf32>
  }
}

// -----

module {
  // expected-error @below {{argument 0 of @complex has type 'tensor<4x8xcomplex<f32>>', expected index, integers of at most 128 bits, f16, bf16, f32 or f64}}
  // expected-error @below {{argument 1 of @complex has type 'tensor<8x4xcomplex<f32>>', expected index, integers of at most 128 bits, f16, bf16, f32 or f64}}
  // expected-error @below {{argument 2 of @complex has type 'tensor<4x4xcomplex<f32>>', expected index, integers of at most 128 bits, f16, bf16, f32 or f64}}
  // expected-error @below {{result 0 of @complex has type 'tensor<4x4xcomplex<f32>>', expected index, integers of at most 128 bits, f16, bf16, f32 or f64}}
  func.func @complex(%a: tensor<4x8xcomplex<f32>>, %b: tensor<8x4xcomplex<f32>>, %c: tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>> {
    // expected-error @below {{'linalg.matmul' op cannot be lowered: result 0 has type 'tensor<4x4xcomplex<f32>>', expected index, integers of at most 128 bits, f16, bf16, f32 or f64}}
    %r = linalg.matmul ins(%a, %b : tensor<4x8xcomplex<f32>>, tensor<8x4xcomplex<f32>>) outs(%c : tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
    return %r : tensor<4x4xcomplex<f32>>
  }
}

// -----

// Next to a valid task: found before that is measured.
func.func @winograd(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %w: tensor<6x3x3x5xf32>) -> (tensor<64x64xf32>, tensor<6x6x5x6xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %g = tensor.empty() : tensor<6x6x5x6xf32>
  // expected-error @below {{'linalg.winograd_filter_transform' op cannot be lowered: Winograd transforms are not supported, expected the convolution}}
  %u = linalg.winograd_filter_transform fmr(F_4_3) ins(%w : tensor<6x3x3x5xf32>) outs(%g : tensor<6x6x5x6xf32>) -> tensor<6x6x5x6xf32>
  return %r, %u : tensor<64x64xf32>, tensor<6x6x5x6xf32>
}

// -----

// The result is not that of the last op.
func.func private @task(%a: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {pruner.task = {key = "0"}} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @below {{the task must return the result of its last op}}
  %r = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %f : tensor<8x8xf32>
}
