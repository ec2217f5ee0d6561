func.func @main(%a: tensor<32x24xf32>, %b: tensor<24x40xf32>) -> tensor<32x40xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<32x40xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<32x40xf32>) -> tensor<32x40xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<32x24xf32>, tensor<24x40xf32>)
                     outs(%init : tensor<32x40xf32>) -> tensor<32x40xf32>
  return %0 : tensor<32x40xf32>
}
