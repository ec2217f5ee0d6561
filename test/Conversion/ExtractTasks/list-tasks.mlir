// RUN: pruner-opt %s --pruner-extract-tasks --pruner-list-tasks -o /dev/null 2>&1 | FileCheck %s --match-full-lines

// Products (2*16*16*8 = 4096 flops, 2048 bytes) twice; a sum of rows (4096
// flops, 16384 + 256 bytes). Outside of tasks: 64 additions of a number to
// itself (2*256 bytes) and a copy of 2 * 32768 bytes. In tasks: 12288 of 12352
// flops, 20736 of 86784 bytes.
// CHECK: task weight GFLOP MB share shapes
// CHECK-NEXT: task_matmul_16x16x8_{{[0-9a-f]+}} 2 0.000004 0.0020 66.67% 16x8 8x16 -> 16x16 f32
// CHECK-NEXT: task_reduce_sum_64x64_{{[0-9a-f]+}} 1 0.000004 0.0166 33.33% 64x64 -> 64 f32
// CHECK-NEXT: 2 distinct tasks, 3 calls, 0.000012 GFLOP
// CHECK-NEXT: products and convolutions: 1 distinct in 1 tasks, 2 calls, 0.000008 GFLOP
// CHECK-NEXT: in tasks: 99.48% of 0.000012 GFLOP, 23.89% of 0.086784 MB
// CHECK-NEXT: outside tasks: 1 x linalg.generic (elementwise)
// CHECK-NEXT: outside tasks: 1 x tensor.concat (copy)

#id = affine_map<(d0) -> (d0)>
func.func @main(%x: tensor<16x8xf32>, %w: tensor<8x16xf32>, %v: tensor<8x16xf32>, %a: tensor<64x64xf32>, %s: tensor<64xf32>)
    -> (tensor<16x16xf32>, tensor<16x16xf32>, tensor<64xf32>, tensor<64xf32>, tensor<128x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %m = linalg.matmul ins(%x, %w : tensor<16x8xf32>, tensor<8x16xf32>) outs(%f : tensor<16x16xf32>) -> tensor<16x16xf32>
  %n = linalg.matmul ins(%x, %v : tensor<16x8xf32>, tensor<8x16xf32>) outs(%f : tensor<16x16xf32>) -> tensor<16x16xf32>
  %g = tensor.empty() : tensor<64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%g : tensor<64xf32>) -> tensor<64xf32>
  %r = linalg.reduce { arith.addf } ins(%a : tensor<64x64xf32>) outs(%z : tensor<64xf32>) dimensions = [1]
  %o = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%s, %s : tensor<64xf32>, tensor<64xf32>) outs(%g : tensor<64xf32>) {
  ^bb0(%in: f32, %other: f32, %out: f32):
    %t = arith.addf %in, %other : f32
    linalg.yield %t : f32
  } -> tensor<64xf32>
  %c = tensor.concat dim(0) %a, %a : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<128x64xf32>
  return %m, %n, %r, %o, %c : tensor<16x16xf32>, tensor<16x16xf32>, tensor<64xf32>, tensor<64xf32>, tensor<128x64xf32>
}
