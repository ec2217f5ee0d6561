// Products of bf16 whose results are rounded to bf16, behind an offset and a
// maximum.
#ij = affine_map<(i, j) -> (i, j)>
#j = affine_map<(i, j) -> (j)>
func.func @main(%a: tensor<96x64xbf16>, %b: tensor<64x80xbf16> {pruner.constant},
                %t: tensor<80xf32>) -> tensor<96x80xbf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<96x80xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<96x80xf32>) -> tensor<96x80xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<96x64xbf16>, tensor<64x80xbf16>) outs(%z : tensor<96x80xf32>) -> tensor<96x80xf32>
  %n = tensor.empty() : tensor<96x80xbf16>
  %1 = linalg.generic {indexing_maps = [#ij, #j, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%0, %t : tensor<96x80xf32>, tensor<80xf32>) outs(%n : tensor<96x80xbf16>) {
  ^bb0(%p: f32, %q: f32, %o: bf16):
    %2 = arith.addf %p, %q : f32
    %3 = arith.maximumf %2, %zero : f32
    %4 = arith.truncf %3 : f32 to bf16
    linalg.yield %4 : bf16
  } -> tensor<96x80xbf16>
  return %1 : tensor<96x80xbf16>
}
