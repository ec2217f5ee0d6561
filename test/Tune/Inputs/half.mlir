func.func @main(%a: tensor<128x64xf16>, %b: tensor<64x96xf16>) -> tensor<128x96xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x96xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x96xf32>) -> tensor<128x96xf32>
  %c = linalg.matmul ins(%a, %b : tensor<128x64xf16>, tensor<64x96xf16>) outs(%init : tensor<128x96xf32>) -> tensor<128x96xf32>
  return %c : tensor<128x96xf32>
}
