// With `large`, both forms are made of attention whose scores leave the cache:
// 2 x 32 x 32 numbers of four bytes are 8192 bytes. Two products without a
// reduction of rows between them stay separate.
//
// RUN: pruner-opt %s --pruner-extract-tasks="join-products=large cache-bytes=8191 min-elements=1" | FileCheck %s --check-prefixes=CHECK,LARGE
// RUN: pruner-opt %s --pruner-extract-tasks="join-products=large cache-bytes=8192 min-elements=1" | FileCheck %s --check-prefixes=CHECK,SMALL

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#row = affine_map<(d0, d1, d2) -> (d0, d1)>

// CHECK-LABEL: func.func @attention(
// LARGE:         pruner.alternatives
// LARGE-NEXT:      form "separate"
// LARGE:           form "joined"
// LARGE-NEXT:        call @task_chain_2x32x16x32_
// SMALL-NOT:     pruner.alternatives
// SMALL-COUNT-3: call @task_
func.func @attention(%q: tensor<2x32x16xf32>, %k: tensor<2x16x32xf32>, %v: tensor<2x32x16xf32>) -> tensor<2x32x16xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<2x32x32xf32>
  %r = tensor.empty() : tensor<2x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x32x32xf32>) -> tensor<2x32x32xf32>
  %scores = linalg.batch_matmul ins(%q, %k : tensor<2x32x16xf32>, tensor<2x16x32xf32>) outs(%z : tensor<2x32x32xf32>) -> tensor<2x32x32xf32>
  %l = linalg.fill ins(%low : f32) outs(%r : tensor<2x32xf32>) -> tensor<2x32xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%scores : tensor<2x32x32xf32>) outs(%l : tensor<2x32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.maximumf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<2x32xf32>
  %exp = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%scores, %max : tensor<2x32x32xf32>, tensor<2x32xf32>) outs(%e : tensor<2x32x32xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %0 = arith.subf %a, %m : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x32x32xf32>
  %s = linalg.fill ins(%zero : f32) outs(%r : tensor<2x32xf32>) -> tensor<2x32xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%exp : tensor<2x32x32xf32>) outs(%s : tensor<2x32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<2x32xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%exp, %sum : tensor<2x32x32xf32>, tensor<2x32xf32>) outs(%e : tensor<2x32x32xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %0 = arith.divf %a, %m : f32
    linalg.yield %0 : f32
  } -> tensor<2x32x32xf32>
  %w = tensor.empty() : tensor<2x32x16xf32>
  %y = linalg.fill ins(%zero : f32) outs(%w : tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
  %out = linalg.batch_matmul ins(%p, %v : tensor<2x32x32xf32>, tensor<2x32x16xf32>) outs(%y : tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
  return %out : tensor<2x32x16xf32>
}

// CHECK-LABEL: func.func @products(
// CHECK-NOT:     pruner.alternatives
// CHECK:         call @task_matmul
// CHECK:         call @task_matmul
// CHECK:         return
func.func @products(%x: tensor<64x16xf32>, %a: tensor<16x64xf32>, %b: tensor<64x16xf32>) -> tensor<64x16xf32> {
  %zero = arith.constant 0.0 : f32
  %wide = tensor.empty() : tensor<64x64xf32>
  %narrow = tensor.empty() : tensor<64x16xf32>
  %w = linalg.fill ins(%zero : f32) outs(%wide : tensor<64x64xf32>) -> tensor<64x64xf32>
  %n = linalg.fill ins(%zero : f32) outs(%narrow : tensor<64x16xf32>) -> tensor<64x16xf32>
  %s = linalg.matmul ins(%x, %a : tensor<64x16xf32>, tensor<16x64xf32>) outs(%w : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.matmul ins(%s, %b : tensor<64x64xf32>, tensor<64x16xf32>) outs(%n : tensor<64x16xf32>) -> tensor<64x16xf32>
  return %r : tensor<64x16xf32>
}
