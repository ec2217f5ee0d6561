// Two layers of attention with the same keys and values.
#ijk = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#ij = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @main(%q: tensor<2x64x32xf32>, %k: tensor<2x32x64xf32>, %v: tensor<2x64x32xf32>) -> tensor<2x64x32xf32> {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %wide = tensor.empty() : tensor<2x64x64xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%wide : tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
  %row = tensor.empty() : tensor<2x64xf32>
  %m0 = linalg.fill ins(%least : f32) outs(%row : tensor<2x64xf32>) -> tensor<2x64xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<2x64xf32>) -> tensor<2x64xf32>
  %narrow = tensor.empty() : tensor<2x64x32xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%narrow : tensor<2x64x32xf32>) -> tensor<2x64x32xf32>
  %s1 = linalg.batch_matmul ins(%q, %k : tensor<2x64x32xf32>, tensor<2x32x64xf32>) outs(%s0 : tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
  %most1 = linalg.generic {indexing_maps = [#ijk, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%s1 : tensor<2x64x64xf32>) outs(%m0 : tensor<2x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.maximumf %o, %a : f32
    linalg.yield %t : f32
  } -> tensor<2x64xf32>
  %e1 = linalg.generic {indexing_maps = [#ijk, #ij, #ijk], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s1, %most1 : tensor<2x64x64xf32>, tensor<2x64xf32>) outs(%wide : tensor<2x64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.subf %a, %b : f32
    %u = math.exp %t : f32
    linalg.yield %u : f32
  } -> tensor<2x64x64xf32>
  %sum1 = linalg.generic {indexing_maps = [#ijk, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%e1 : tensor<2x64x64xf32>) outs(%l0 : tensor<2x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %o, %a : f32
    linalg.yield %t : f32
  } -> tensor<2x64xf32>
  %p1 = linalg.generic {indexing_maps = [#ijk, #ij, #ijk], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%e1, %sum1 : tensor<2x64x64xf32>, tensor<2x64xf32>) outs(%wide : tensor<2x64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.divf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<2x64x64xf32>
  %r1 = linalg.batch_matmul ins(%p1, %v : tensor<2x64x64xf32>, tensor<2x64x32xf32>) outs(%r0 : tensor<2x64x32xf32>) -> tensor<2x64x32xf32>
  %s2 = linalg.batch_matmul ins(%r1, %k : tensor<2x64x32xf32>, tensor<2x32x64xf32>) outs(%s0 : tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
  %most2 = linalg.generic {indexing_maps = [#ijk, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%s2 : tensor<2x64x64xf32>) outs(%m0 : tensor<2x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.maximumf %o, %a : f32
    linalg.yield %t : f32
  } -> tensor<2x64xf32>
  %e2 = linalg.generic {indexing_maps = [#ijk, #ij, #ijk], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s2, %most2 : tensor<2x64x64xf32>, tensor<2x64xf32>) outs(%wide : tensor<2x64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.subf %a, %b : f32
    %u = math.exp %t : f32
    linalg.yield %u : f32
  } -> tensor<2x64x64xf32>
  %sum2 = linalg.generic {indexing_maps = [#ijk, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%e2 : tensor<2x64x64xf32>) outs(%l0 : tensor<2x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %o, %a : f32
    linalg.yield %t : f32
  } -> tensor<2x64xf32>
  %p2 = linalg.generic {indexing_maps = [#ijk, #ij, #ijk], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%e2, %sum2 : tensor<2x64x64xf32>, tensor<2x64xf32>) outs(%wide : tensor<2x64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.divf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<2x64x64xf32>
  %r2 = linalg.batch_matmul ins(%p2, %v : tensor<2x64x64xf32>, tensor<2x64x32xf32>) outs(%r0 : tensor<2x64x32xf32>) -> tensor<2x64x32xf32>
  return %r2 : tensor<2x64x32xf32>
}
