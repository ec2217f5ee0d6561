// Products of narrow numbers: bytes with and without signs, 16-bit integers and
// bf16. Rows, columns and the terms of sums are no whole tiles.
#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>
func.func @products(%a: tensor<37x63xi8>, %b: tensor<63x50xi8> {pruner.constant}, %w: tensor<37x95xi16>, %x: tensor<95x24xi16>,
                    %y: tensor<56x63xbf16>, %z: tensor<63x48xbf16> {pruner.constant})
    -> (tensor<37x50xi32>, tensor<37x50xi32>, tensor<37x24xi32>, tensor<56x48xf32>) {
  %zero = arith.constant 0 : i32
  %e0 = tensor.empty() : tensor<37x50xi32>
  %f0 = linalg.fill ins(%zero : i32) outs(%e0 : tensor<37x50xi32>) -> tensor<37x50xi32>
  %unsigned = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<37x63xi8>, tensor<63x50xi8>) outs(%f0 : tensor<37x50xi32>) {
  ^bb0(%p: i8, %q: i8, %s: i32):
    %0 = arith.extui %p : i8 to i32
    %1 = arith.extsi %q : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %s, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<37x50xi32>
  %signed = linalg.matmul ins(%a, %b : tensor<37x63xi8>, tensor<63x50xi8>) outs(%f0 : tensor<37x50xi32>) -> tensor<37x50xi32>
  %e1 = tensor.empty() : tensor<37x24xi32>
  %f1 = linalg.fill ins(%zero : i32) outs(%e1 : tensor<37x24xi32>) -> tensor<37x24xi32>
  %words = linalg.matmul ins(%w, %x : tensor<37x95xi16>, tensor<95x24xi16>) outs(%f1 : tensor<37x24xi32>) -> tensor<37x24xi32>
  %float = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<56x48xf32>
  %f2 = linalg.fill ins(%float : f32) outs(%e2 : tensor<56x48xf32>) -> tensor<56x48xf32>
  %brain = linalg.matmul ins(%y, %z : tensor<56x63xbf16>, tensor<63x48xbf16>) outs(%f2 : tensor<56x48xf32>) -> tensor<56x48xf32>
  return %unsigned, %signed, %words, %brain : tensor<37x50xi32>, tensor<37x50xi32>, tensor<37x24xi32>, tensor<56x48xf32>
}
