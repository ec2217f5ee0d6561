// A three-layer perceptron: 784 inputs, two hidden layers with bias and ReLU,
// 10 outputs with a bias. Weights are laid out [in, out].

#rows = affine_map<(d0, d1) -> (d0, d1)>
#bias = affine_map<(d0, d1) -> (d1)>

func.func @main(%x: tensor<256x784xf32>,
                %w0: tensor<784x512xf32>, %b0: tensor<512xf32>,
                %w1: tensor<512x512xf32>, %b1: tensor<512xf32>,
                %w2: tensor<512x10xf32>, %b2: tensor<10xf32>) -> tensor<256x10xf32> {
  %zero = arith.constant 0.000000e+00 : f32
  %empty = tensor.empty() : tensor<256x512xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<256x512xf32>) -> tensor<256x512xf32>

  %m0 = linalg.matmul ins(%x, %w0 : tensor<256x784xf32>, tensor<784x512xf32>)
                      outs(%init : tensor<256x512xf32>) -> tensor<256x512xf32>
  %h0 = linalg.generic {indexing_maps = [#rows, #bias, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%m0, %b0 : tensor<256x512xf32>, tensor<512xf32>) outs(%empty : tensor<256x512xf32>) {
  ^bb0(%in: f32, %b: f32, %out: f32):
    %s = arith.addf %in, %b : f32
    %r = arith.maximumf %s, %zero : f32
    linalg.yield %r : f32
  } -> tensor<256x512xf32>

  %m1 = linalg.matmul ins(%h0, %w1 : tensor<256x512xf32>, tensor<512x512xf32>)
                      outs(%init : tensor<256x512xf32>) -> tensor<256x512xf32>
  %h1 = linalg.generic {indexing_maps = [#rows, #bias, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%m1, %b1 : tensor<256x512xf32>, tensor<512xf32>) outs(%empty : tensor<256x512xf32>) {
  ^bb0(%in: f32, %b: f32, %out: f32):
    %s = arith.addf %in, %b : f32
    %r = arith.maximumf %s, %zero : f32
    linalg.yield %r : f32
  } -> tensor<256x512xf32>

  %empty2 = tensor.empty() : tensor<256x10xf32>
  %init2 = linalg.fill ins(%zero : f32) outs(%empty2 : tensor<256x10xf32>) -> tensor<256x10xf32>
  %m2 = linalg.matmul ins(%h1, %w2 : tensor<256x512xf32>, tensor<512x10xf32>)
                      outs(%init2 : tensor<256x10xf32>) -> tensor<256x10xf32>
  %y = linalg.generic {indexing_maps = [#rows, #bias, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%m2, %b2 : tensor<256x10xf32>, tensor<10xf32>) outs(%empty2 : tensor<256x10xf32>) {
  ^bb0(%in: f32, %b: f32, %out: f32):
    %s = arith.addf %in, %b : f32
    linalg.yield %s : f32
  } -> tensor<256x10xf32>
  return %y : tensor<256x10xf32>
}
