// RUN: pruner-opt %s --pruner-extract-tasks | FileCheck %s
// RUN: pruner-opt %s --pruner-extract-tasks | pruner-opt --pruner-extract-tasks | FileCheck %s
// RUN: pruner-opt %s --pruner-extract-tasks > %t.once
// RUN: pruner-opt %t.once --pruner-extract-tasks > %t.twice
// RUN: cmp %t.once %t.twice
// RUN: pruner-opt %s --pruner-extract-tasks --pruner-list-tasks -o /dev/null 2>&1 | FileCheck %s --check-prefix=LIST

// Names, locations and shared inits do not distinguish tasks. A shape, a map, a
// constant or another order of operands does.
// CHECK-LABEL: func.func @first
// CHECK: call @[[A:task_matmul_8x8x16_[0-9a-f]+]](%arg0, %arg1)
// CHECK: call @[[A]](%arg0, %arg2)
// CHECK: call @[[B:task_matmul_8x8x16_[0-9a-f]+]](%arg0, %arg3)
// CHECK-LABEL: func.func @second
// CHECK: call @[[A]](%arg0, %arg1)
// CHECK: call @[[C:task_matmul_8x8x16_[0-9a-f]+]](%arg0, %arg1)
// CHECK: func.func private @[[A]](
// CHECK-SAME: weight = 3 : i64
// CHECK: func.func private @[[B]](
// CHECK-SAME: weight = 1 : i64
// CHECK: func.func private @[[C]](
// CHECK-SAME: weight = 1 : i64
// CHECK-NOT: func.func

// Three calls of 2*8*8*16 = 2048 flops and two of the same size.
// LIST: task weight GFLOP MB share shapes
// LIST-NEXT: task_matmul_8x8x16_{{[0-9a-f]+}} 3 0.000002 0.0013 60.00% 8x16 16x8 -> 8x8 f32
// LIST-NEXT: task_matmul_8x8x16_{{[0-9a-f]+}} 1 0.000002 0.0013 20.00% 8x16 8x16 -> 8x8 f32
// LIST-NEXT: task_matmul_8x8x16_{{[0-9a-f]+}} 1 0.000002 0.0013 20.00% 8x16 16x8 -> 8x8 f32
// LIST-NEXT: 3 distinct tasks, 5 calls, 0.000010 GFLOP
// LIST-NOT: outside
func.func @first(%x: tensor<8x16xf32>, %v: tensor<16x8xf32>, %w: tensor<16x8xf32>, %t: tensor<8x16xf32>)
    -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %a = linalg.matmul ins(%x, %v : tensor<8x16xf32>, tensor<16x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %b = linalg.matmul ins(%x, %w : tensor<8x16xf32>, tensor<16x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %c = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %t : tensor<8x16xf32>, tensor<8x16xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %a, %b, %c : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}

func.func @second(%x: tensor<8x16xf32>, %w: tensor<16x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %nought = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%nought : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %g = linalg.fill ins(%one : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %a = linalg.matmul ins(%x, %w : tensor<8x16xf32>, tensor<16x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %b = linalg.matmul ins(%x, %w : tensor<8x16xf32>, tensor<16x8xf32>) outs(%g : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %a, %b : tensor<8x8xf32>, tensor<8x8xf32>
}
