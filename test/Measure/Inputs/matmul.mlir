func.func @matmul(%a: tensor<32x24xf32>, %b: tensor<24x40xf32>) -> tensor<32x40xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x40xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<32x40xf32>) -> tensor<32x40xf32>
  %r = linalg.matmul ins(%a, %b : tensor<32x24xf32>, tensor<24x40xf32>)
                     outs(%c : tensor<32x40xf32>) -> tensor<32x40xf32>
  return %r : tensor<32x40xf32>
}
