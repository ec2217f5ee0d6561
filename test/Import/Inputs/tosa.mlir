// Two layers in TOSA: a convolution, a bound, and a product.
func.func @main(%x: tensor<1x6x7x4xf32> {pruner.name = "x"}, %w: tensor<5x3x3x4xf32> {pruner.name = "w"}, %b: tensor<5xf32> {pruner.name = "b"}, %m: tensor<1x5x8xf32> {pruner.name = "m"}) -> tensor<1x42x8xf32> {
  %zero = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = tosa.conv2d %x, %w, %b, %zero, %zero {acc_type = f32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x6x7x4xf32>, tensor<5x3x3x4xf32>, tensor<5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x7x5xf32>
  %1 = tosa.clamp %0 {min_val = 0.0 : f32, max_val = 6.0 : f32} : (tensor<1x6x7x5xf32>) -> tensor<1x6x7x5xf32>
  %shape = tosa.const_shape {values = dense<[1, 42, 5]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %2 = tosa.reshape %1, %shape : (tensor<1x6x7x5xf32>, !tosa.shape<3>) -> tensor<1x42x5xf32>
  %3 = tosa.matmul %2, %m, %zero, %zero : (tensor<1x42x5xf32>, tensor<1x5x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x42x8xf32>
  return %3 : tensor<1x42x8xf32>
}
