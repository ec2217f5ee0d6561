// Tasks that read blocks and other parts of tensors through their maps, as
// normalization leaves them. Every candidate computes the right result,
// whatever is staged.
//
// REQUIRES: full
// RUN: rm -rf %t && mkdir %t
// RUN: pruner-opt %s --pruner-normalize --pruner-extract-tasks --pruner-tune='trials=30 db=%t/t.db threads=1 strategy=random lower=false' -o /dev/null 2>&1 | FileCheck %s
// CHECK-DAG: {{^}}task_batch_matmul_4x65x65x8_{{[0-9a-f]+}} 1 {{.*}} {{[0-9]+}} 0{{( +left untuned)?$}}
// CHECK-DAG: {{^}}task_elementwise_96x200_{{[0-9a-f]+}} 1 {{.*}} {{[0-9]+}} 0{{( +left untuned)?$}}
// CHECK-DAG: {{^}}task_matmul_64x100x96_{{[0-9a-f]+}} 1 {{.*}} {{[0-9]+}} 0{{( +left untuned)?$}}

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%qkv: tensor<65x96xf32>, %x: tensor<96x300xf32>, %y: tensor<64x96xf32>) -> (tensor<4x65x65xf32>, tensor<96x200xf32>, tensor<64x100xf32>) {
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
  %a = tensor.extract_slice %x[0, 100] [96, 200] [1, 1] : tensor<96x300xf32> to tensor<96x200xf32>
  %b = tensor.extract_slice %x[0, 3] [96, 200] [1, 1] : tensor<96x300xf32> to tensor<96x200xf32>
  %c = tensor.empty() : tensor<96x200xf32>
  %d = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<96x200xf32>, tensor<96x200xf32>) outs(%c : tensor<96x200xf32>) {
  ^bb0(%in: f32, %in2: f32, %out: f32):
    %v = arith.subf %in, %in2 : f32
    linalg.yield %v : f32
  } -> tensor<96x200xf32>
  %w = tensor.extract_slice %x[0, 200] [96, 100] [1, 1] : tensor<96x300xf32> to tensor<96x100xf32>
  %z = tensor.empty() : tensor<64x100xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%z : tensor<64x100xf32>) -> tensor<64x100xf32>
  %m = linalg.matmul ins(%y, %w : tensor<64x96xf32>, tensor<96x100xf32>) outs(%z0 : tensor<64x100xf32>) -> tensor<64x100xf32>
  return %s, %d, %m : tensor<4x65x65xf32>, tensor<96x200xf32>, tensor<64x100xf32>
}
