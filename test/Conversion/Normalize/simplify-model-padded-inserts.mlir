// RUN: pruner-opt %s --pruner-simplify-model | FileCheck %s

// The input of a transposed convolution: elements three apart, with zeros
// around them. Upstream's canonicalization drops these zeros and shifts by as
// many elements instead of by three times as many.
// CHECK-LABEL: func @upsampled(
// CHECK:         %[[PADDED:.*]] = tensor.pad %{{.*}} low[2] high[1]
// CHECK:         tensor.insert_slice %[[PADDED]] into %{{.*}}[3] [7] [3]
func.func @upsampled(%x: tensor<4xf32>) -> tensor<29xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[2] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<4xf32> to tensor<7xf32>
  %empty = tensor.empty() : tensor<29xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<29xf32>) -> tensor<29xf32>
  %0 = tensor.insert_slice %padded into %zeros[3] [7] [3] : tensor<7xf32> into tensor<29xf32>
  return %0 : tensor<29xf32>
}
