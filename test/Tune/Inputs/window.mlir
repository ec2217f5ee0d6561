#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
func.func @main(%x: tensor<1x48x16x16xf32>, %w: tensor<48x48x3x3xf32> {pruner.constant}) -> tensor<1x48x14x14xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x48x14x14xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x48x14x14xf32>) -> tensor<1x48x14x14xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x48x16x16xf32>, tensor<48x48x3x3xf32>)
      outs(%z : tensor<1x48x14x14xf32>) -> tensor<1x48x14x14xf32>
  %m = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%r : tensor<1x48x14x14xf32>) outs(%e : tensor<1x48x14x14xf32>) {
  ^bb0(%a: f32, %out: f32):
    %0 = arith.maximumf %a, %zero : f32
    linalg.yield %0 : f32
  } -> tensor<1x48x14x14xf32>
  return %m : tensor<1x48x14x14xf32>
}
