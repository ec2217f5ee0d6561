// A layer, a softmax over its rows, and a convolution, in StableHLO.
func.func @main(%x: tensor<24x64xf32>, %w: tensor<64x32xf32>, %b: tensor<32xf32>, %image: tensor<1x9x9x8xf32>, %filter: tensor<3x3x8x16xf32>) -> (tensor<24x32xf32>, tensor<1x7x7x16xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<24x64xf32>, tensor<64x32xf32>) -> tensor<24x32xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<32xf32>) -> tensor<24x32xf32>
  %2 = stablehlo.add %0, %1 : tensor<24x32xf32>
  %3 = stablehlo.reduce(%2 init: %least) applies stablehlo.maximum across dimensions = [1] : (tensor<24x32xf32>, tensor<f32>) -> tensor<24xf32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<24xf32>) -> tensor<24x32xf32>
  %5 = stablehlo.subtract %2, %4 : tensor<24x32xf32>
  %6 = stablehlo.exponential %5 : tensor<24x32xf32>
  %7 = stablehlo.reduce(%6 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<24x32xf32>, tensor<f32>) -> tensor<24xf32>
  %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<24xf32>) -> tensor<24x32xf32>
  %9 = stablehlo.divide %6, %8 : tensor<24x32xf32>
  %10 = stablehlo.convolution(%image, %filter) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x9x9x8xf32>, tensor<3x3x8x16xf32>) -> tensor<1x7x7x16xf32>
  return %9, %10 : tensor<24x32xf32>, tensor<1x7x7x16xf32>
}
