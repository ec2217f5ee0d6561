// A layer norm as torch-mlir writes it. No length divides a vector's.
#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#one = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#last = affine_map<(d0, d1, d2) -> (d2)>
func.func @main(%x: tensor<3x7x37xf32>, %scale: tensor<37xf32>, %shift: tensor<37xf32>) -> tensor<3x7x37xf32> {
  %zero = arith.constant 0.0 : f64
  %zero_f32 = arith.constant 0.0 : f32
  %epsilon = arith.constant 1.0e-05 : f64
  %n = arith.constant 37.0 : f64
  %n_f32 = arith.constant 37.0 : f32
  %e = tensor.empty() : tensor<3x7x37xf32>
  %ew = tensor.empty() : tensor<3x7x37xf64>
  %k = tensor.empty() : tensor<3x7x1xf32>
  %kw = tensor.empty() : tensor<3x7x1xf64>
  %fw = linalg.fill ins(%zero : f64) outs(%kw : tensor<3x7x1xf64>) -> tensor<3x7x1xf64>
  %f = linalg.fill ins(%zero_f32 : f32) outs(%k : tensor<3x7x1xf32>) -> tensor<3x7x1xf32>
  %wide = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<3x7x37xf32>) outs(%ew : tensor<3x7x37xf64>) {
  ^bb0(%in: f32, %out: f64):
    %r = arith.extf %in : f32 to f64
    linalg.yield %r : f64
  } -> tensor<3x7x37xf64>
  %sum = linalg.generic {indexing_maps = [#id, #one], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%wide : tensor<3x7x37xf64>) outs(%fw : tensor<3x7x1xf64>) {
  ^bb0(%in: f64, %out: f64):
    %r = arith.addf %in, %out : f64
    linalg.yield %r : f64
  } -> tensor<3x7x1xf64>
  %mean = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%sum : tensor<3x7x1xf64>) outs(%kw : tensor<3x7x1xf64>) {
  ^bb0(%in: f64, %out: f64):
    %r = arith.divf %in, %n : f64
    linalg.yield %r : f64
  } -> tensor<3x7x1xf64>
  %centred = linalg.generic {indexing_maps = [#id, #one, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%wide, %mean : tensor<3x7x37xf64>, tensor<3x7x1xf64>) outs(%ew : tensor<3x7x37xf64>) {
  ^bb0(%in: f64, %m: f64, %out: f64):
    %r = arith.subf %in, %m : f64
    linalg.yield %r : f64
  } -> tensor<3x7x37xf64>
  %squares = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%centred, %centred : tensor<3x7x37xf64>, tensor<3x7x37xf64>) outs(%ew : tensor<3x7x37xf64>) {
  ^bb0(%in: f64, %same: f64, %out: f64):
    %r = arith.mulf %in, %same : f64
    linalg.yield %r : f64
  } -> tensor<3x7x37xf64>
  %total = linalg.generic {indexing_maps = [#id, #one], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%squares : tensor<3x7x37xf64>) outs(%fw : tensor<3x7x1xf64>) {
  ^bb0(%in: f64, %out: f64):
    %r = arith.addf %in, %out : f64
    linalg.yield %r : f64
  } -> tensor<3x7x1xf64>
  %variance = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%total : tensor<3x7x1xf64>) outs(%kw : tensor<3x7x1xf64>) {
  ^bb0(%in: f64, %out: f64):
    %r = arith.divf %in, %n : f64
    linalg.yield %r : f64
  } -> tensor<3x7x1xf64>
  %narrow = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%variance : tensor<3x7x1xf64>) outs(%k : tensor<3x7x1xf32>) {
  ^bb0(%in: f64, %out: f32):
    %r = arith.truncf %in : f64 to f32
    linalg.yield %r : f32
  } -> tensor<3x7x1xf32>
  %sum_f32 = linalg.generic {indexing_maps = [#id, #one], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<3x7x37xf32>) outs(%f : tensor<3x7x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<3x7x1xf32>
  %mean_f32 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%sum_f32 : tensor<3x7x1xf32>) outs(%k : tensor<3x7x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.divf %in, %n_f32 : f32
    linalg.yield %r : f32
  } -> tensor<3x7x1xf32>
  %biased = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%narrow : tensor<3x7x1xf32>) outs(%k : tensor<3x7x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = arith.truncf %epsilon : f64 to f32
    %r = arith.addf %in, %t : f32
    linalg.yield %r : f32
  } -> tensor<3x7x1xf32>
  %inverse = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%biased : tensor<3x7x1xf32>) outs(%k : tensor<3x7x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.rsqrt %in : f32
    linalg.yield %r : f32
  } -> tensor<3x7x1xf32>
  %less = linalg.generic {indexing_maps = [#id, #one, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %mean_f32 : tensor<3x7x37xf32>, tensor<3x7x1xf32>) outs(%e : tensor<3x7x37xf32>) {
  ^bb0(%in: f32, %m: f32, %out: f32):
    %r = arith.subf %in, %m : f32
    linalg.yield %r : f32
  } -> tensor<3x7x37xf32>
  %unit = linalg.generic {indexing_maps = [#id, #one, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%less, %inverse : tensor<3x7x37xf32>, tensor<3x7x1xf32>) outs(%e : tensor<3x7x37xf32>) {
  ^bb0(%in: f32, %i: f32, %out: f32):
    %r = arith.mulf %in, %i : f32
    linalg.yield %r : f32
  } -> tensor<3x7x37xf32>
  %scaled = linalg.generic {indexing_maps = [#id, #last, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%unit, %scale : tensor<3x7x37xf32>, tensor<37xf32>) outs(%e : tensor<3x7x37xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %r = arith.mulf %in, %s : f32
    linalg.yield %r : f32
  } -> tensor<3x7x37xf32>
  %y = linalg.generic {indexing_maps = [#id, #last, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%scaled, %shift : tensor<3x7x37xf32>, tensor<37xf32>) outs(%e : tensor<3x7x37xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %r = arith.addf %in, %s : f32
    linalg.yield %r : f32
  } -> tensor<3x7x37xf32>
  return %y : tensor<3x7x37xf32>
}
