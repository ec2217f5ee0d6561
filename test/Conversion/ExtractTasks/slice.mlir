// RUN: pruner-opt %s --pruner-normalize --pruner-extract-tasks 2>/dev/null | FileCheck %s
// RUN: pruner-opt %s --pruner-normalize --pruner-extract-tasks --pruner-list-tasks -o /dev/null 2>&1 | FileCheck %s --check-prefix=LIST


// Queries and keys are two blocks of columns of one product's result. The
// scores are one task, which reads both in place. It reads two thirds of the
// tensor with 96 columns, 2 * 65 * 32 floats, and writes 4 * 65 * 65, together
// 84240 bytes.
// CHECK-DAG: #[[Q:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, 0, d0, d3)>
// CHECK-DAG: #[[K:.*]] = affine_map<(d0, d1, d2, d3) -> (d2, 1, d0, d3)>
// CHECK-LABEL: func.func @scores
// CHECK-NOT: extract_slice
// CHECK: call @task_batch_matmul_4x65x65x8_{{[0-9a-f]+}}(%{{[a-z0-9_]+}}) : (tensor<65x3x4x8xf32>) -> tensor<4x65x65xf32>
// CHECK: return
// CHECK: linalg.generic {indexing_maps = [#[[Q]], #[[K]], #{{.*}}]
// LIST: task_batch_matmul_4x65x65x8_{{.*}} 1 {{.*}} 0.0842 {{.*}} 65x3x4x8 -> 4x65x65 f32
func.func @scores(%qkv: tensor<65x96xf32>) -> tensor<4x65x65xf32> {
  %zero = arith.constant 0.0 : f32
  %q = tensor.extract_slice %qkv[0, 0] [65, 32] [1, 1] : tensor<65x96xf32> to tensor<65x32xf32>
  %k = tensor.extract_slice %qkv[0, 32] [65, 32] [1, 1] : tensor<65x96xf32> to tensor<65x32xf32>
  %qh = tensor.expand_shape %q [[0], [1, 2]] output_shape [65, 4, 8] : tensor<65x32xf32> into tensor<65x4x8xf32>
  %kh = tensor.expand_shape %k [[0], [1, 2]] output_shape [65, 4, 8] : tensor<65x32xf32> into tensor<65x4x8xf32>
  %e = tensor.empty() : tensor<4x65x8xf32>
  %qt = linalg.transpose ins(%qh : tensor<65x4x8xf32>) outs(%e : tensor<4x65x8xf32>) permutation = [1, 0, 2]
  %f = tensor.empty() : tensor<4x8x65xf32>
  %kt = linalg.transpose ins(%kh : tensor<65x4x8xf32>) outs(%f : tensor<4x8x65xf32>) permutation = [1, 2, 0]
  %g = tensor.empty() : tensor<4x65x65xf32>
  %h = linalg.fill ins(%zero : f32) outs(%g : tensor<4x65x65xf32>) -> tensor<4x65x65xf32>
  %s = linalg.batch_matmul ins(%qt, %kt : tensor<4x65x8xf32>, tensor<4x8x65xf32>) outs(%h : tensor<4x65x65xf32>) -> tensor<4x65x65xf32>
  return %s : tensor<4x65x65xf32>
}
