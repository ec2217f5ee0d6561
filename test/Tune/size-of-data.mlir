// A result whose size depends on the contents of an argument cannot be that of
// a library. The tuner says so before it measures.

// RUN: rm -f %t.db
// RUN: not pruner-opt %s --pruner-tune='trials=2 threads=1 finals=false db=%t.db' -o %t.mlir 2>&1 | FileCheck %s
// CHECK: error: result 0 of @main has type 'tensor<?x64xf32>', expected a tensor of static shape with elements of 1, 8, 16, 32 or 64 bits; functions for several sizes are made by pruner-specialize-shapes from the attribute 'pruner.range' of arguments
// CHECK-NOT: tuning
// RUN: not ls %t.db

func.func @main(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>, %k: tensor<index>) -> tensor<?x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  %z = arith.constant 0.0 : f32
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %m = linalg.matmul ins(%x, %y : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %n = tensor.extract %k[] : tensor<index>
  %s = tensor.extract_slice %m[0, 0] [%n, 64] [1, 1] : tensor<64x64xf32> to tensor<?x64xf32>
  return %s : tensor<?x64xf32>
}
