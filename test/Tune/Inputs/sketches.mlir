// A task for each sketch of a GPU.
func.func @product(%a: tensor<128x64xf32>, %b: tensor<64x128xf32>) -> tensor<128x128xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x128xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<128x128xf32>) -> tensor<128x128xf32>
  %c = linalg.matmul ins(%a, %b : tensor<128x64xf32>, tensor<64x128xf32>)
                     outs(%f : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %c : tensor<128x128xf32>
}
func.func @sum(%x: tensor<256x2048xf32>) -> tensor<256xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<256xf32>) -> tensor<256xf32>
  %s = linalg.reduce {arith.addf} ins(%x : tensor<256x2048xf32>) outs(%f : tensor<256xf32>) dimensions = [1]
  return %s : tensor<256xf32>
}
func.func @softmax(%x: tensor<64x320xf32>) -> tensor<64x320xf32> {
  %e = tensor.empty() : tensor<64x320xf32>
  %s = linalg.softmax dimension(1) ins(%x : tensor<64x320xf32>) outs(%e : tensor<64x320xf32>) -> tensor<64x320xf32>
  return %s : tensor<64x320xf32>
}
func.func @add(%x: tensor<128x128xf32>, %y: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %e = tensor.empty() : tensor<128x128xf32>
  %s = linalg.add ins(%x, %y : tensor<128x128xf32>, tensor<128x128xf32>) outs(%e : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %s : tensor<128x128xf32>
}
