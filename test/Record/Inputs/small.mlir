func.func @main(%a: tensor<64x96xf32>, %b: tensor<64x96xf32>) -> tensor<64x96xf32> {
  %empty = tensor.empty() : tensor<64x96xf32>
  %0 = linalg.add ins(%a, %b : tensor<64x96xf32>, tensor<64x96xf32>)
                  outs(%empty : tensor<64x96xf32>) -> tensor<64x96xf32>
  return %0 : tensor<64x96xf32>
}
