// RUN: pruner-opt %s --pruner-extract-tasks --split-input-file | FileCheck %s

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#s = affine_map<(m, n, k) -> (n)>
#y = affine_map<(m, n, k) -> (m, n)>

// A product whose second factor is computed from a weight and its scale has the
// name of a product. Its scaling serves all rows and does not count:
// 2 * 4 * 8 * 16 operations.
// CHECK-LABEL: func.func private @task_matmul_4x8x16_
// CHECK-SAME: flops = 1024
func.func @product(%x: tensor<4x16xf32>, %w: tensor<8x16xi8>, %s: tensor<8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %r = linalg.generic {indexing_maps = [#x, #w, #s, #y], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w, %s : tensor<4x16xf32>, tensor<8x16xi8>, tensor<8xf32>) outs(%f : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: i8, %c: f32, %o: f32):
    %0 = arith.sitofp %b : i8 to f32
    %1 = arith.mulf %0, %c : f32
    %2 = arith.mulf %a, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#s = affine_map<(m, n, k) -> (n)>
#y = affine_map<(m, n, k) -> (m, n)>

// With one row every operation counts: 3 * 8 * 16. The reshape of a constant is
// a constant.
// CHECK-LABEL: func.func private @task_matmul_1x8x16_
// CHECK-SAME: %{{.*}}: tensor<1x16xf32>, %{{.*}}: tensor<8x16xi8> {pruner.constant}, %{{.*}}: tensor<8xf32>)
// CHECK-SAME: flops = 384
func.func @one_row(%x: tensor<1x16xf32>, %s: tensor<8xf32>) -> tensor<1x8xf32> {
  %zero = arith.constant 0.0 : f32
  %c = arith.constant dense_resource<w> : tensor<128xi8>
  %w = tensor.expand_shape %c [[0, 1]] output_shape [8, 16] : tensor<128xi8> into tensor<8x16xi8>
  %e = tensor.empty() : tensor<1x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8xf32>) -> tensor<1x8xf32>
  %r = linalg.generic {indexing_maps = [#x, #w, #s, #y], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w, %s : tensor<1x16xf32>, tensor<8x16xi8>, tensor<8xf32>) outs(%f : tensor<1x8xf32>) {
  ^bb0(%a: f32, %b: i8, %c1: f32, %o: f32):
    %0 = arith.sitofp %b : i8 to f32
    %1 = arith.mulf %0, %c1 : f32
    %2 = arith.mulf %a, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<1x8xf32>
  return %r : tensor<1x8xf32>
}
