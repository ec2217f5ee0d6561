// A sum of products that each step rounds to bf16, and a product in f32 whose
// activation is also read in f32, so that the task of the product rounds it.
func.func @main(%a: tensor<48x64xbf16>, %b: tensor<64x32xbf16>, %x: tensor<64x64xf32>,
                %w: tensor<64x64xf32> {pruner.constant}) -> (tensor<48x32xbf16>, tensor<64x64xf32>) {
  %zero16 = arith.constant 0.0 : bf16
  %e16 = tensor.empty() : tensor<48x32xbf16>
  %z16 = linalg.fill ins(%zero16 : bf16) outs(%e16 : tensor<48x32xbf16>) -> tensor<48x32xbf16>
  %0 = linalg.matmul ins(%a, %b : tensor<48x64xbf16>, tensor<64x32xbf16>) outs(%z16 : tensor<48x32xbf16>) -> tensor<48x32xbf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = linalg.matmul ins(%x, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%z : tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>,
                                        affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%1, %x : tensor<64x64xf32>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %3 = arith.addf %p, %q : f32
    linalg.yield %3 : f32
  } -> tensor<64x64xf32>
  return %0, %2 : tensor<48x32xbf16>, tensor<64x64xf32>
}
