func.func @main(%a: tensor<32x24xf32>, %b: tensor<24x40xf32>,
                %c: tensor<40x7xf32>) -> tensor<32x7xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<32x40xf32>
  %i0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<32x40xf32>) -> tensor<32x40xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<32x24xf32>, tensor<24x40xf32>)
                     outs(%i0 : tensor<32x40xf32>) -> tensor<32x40xf32>
  %e1 = tensor.empty() : tensor<32x7xf32>
  %i1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<32x7xf32>) -> tensor<32x7xf32>
  %1 = linalg.matmul ins(%0, %c : tensor<32x40xf32>, tensor<40x7xf32>)
                     outs(%i1 : tensor<32x7xf32>) -> tensor<32x7xf32>
  return %1 : tensor<32x7xf32>
}
