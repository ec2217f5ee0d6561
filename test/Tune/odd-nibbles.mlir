// Bytes hold two numbers of 4 bits each, so an odd number of them has no type
// of an argument. The tuner says so before it measures.

// RUN: rm -f %t.db
// RUN: not pruner-opt %s --pruner-tune='trials=2 threads=1 finals=false db=%t.db' -o %t.mlir 2>&1 | FileCheck %s
// CHECK: error: argument 2 of @main has type 'tensor<7xi4>', expected a tensor of static shape with elements of 1, 8, 16, 32 or 64 bits, or of 4 bits that pruner-normalize stores as bytes: an even number in the last dimension, which all readers extend
// CHECK-NOT: tuning
// RUN: not ls %t.db

func.func @main(%w: tensor<64x64xf32>, %v: tensor<64x64xf32>, %t: tensor<7xi4>) -> (tensor<64x64xf32>) {
  %z = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e2 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %m = linalg.matmul ins(%w, %v : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %m : tensor<64x64xf32>
}
