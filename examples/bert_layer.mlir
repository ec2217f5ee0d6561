// One encoder layer of BERT-base on a sequence of 128: hidden size 768, 12 heads
// of 64, feed-forward size 3072 with GELU (erf), post layer norms. Weights are
// arguments, laid out [out, in] as torch.nn.Linear has them. %mask is added to
// the attention scores: 0 where a token may be attended, a large negative number
// where not.

#id2 = affine_map<(d0, d1) -> (d0, d1)>
#row2 = affine_map<(d0, d1) -> (d0)>
#col2 = affine_map<(d0, d1) -> (d1)>
#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#row3 = affine_map<(d0, d1, d2) -> (d0, d1)>
#col3 = affine_map<(d0, d1, d2) -> (d2)>
#id1 = affine_map<(d0) -> (d0)>

func.func @main(%x: tensor<128x768xf32>,
                %mask: tensor<128xf32>,
                %wq: tensor<768x768xf32>,
                %bq: tensor<768xf32>,
                %wk: tensor<768x768xf32>,
                %bk: tensor<768xf32>,
                %wv: tensor<768x768xf32>,
                %bv: tensor<768xf32>,
                %wo: tensor<768x768xf32>,
                %bo: tensor<768xf32>,
                %g1: tensor<768xf32>,
                %be1: tensor<768xf32>,
                %wi: tensor<3072x768xf32>,
                %bi: tensor<3072xf32>,
                %wf: tensor<768x3072xf32>,
                %bf: tensor<768xf32>,
                %g2: tensor<768xf32>,
                %be2: tensor<768xf32>) -> tensor<128x768xf32> {
  %zero = arith.constant 0.000000e+00 : f32
  %one = arith.constant 1.000000e+00 : f32
  %half = arith.constant 5.000000e-01 : f32
  %rsqrt2 = arith.constant 0.707106769 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %scale = arith.constant 1.250000e-01 : f32
  %width = arith.constant 7.680000e+02 : f32
  %eps = arith.constant 9.99999996E-13 : f32

  // Projections.
  %e_768x768 = tensor.empty() : tensor<768x768xf32>
  %q_t = linalg.transpose ins(%wq : tensor<768x768xf32>) outs(%e_768x768 : tensor<768x768xf32>) permutation = [1, 0]
  %e_128x768 = tensor.empty() : tensor<128x768xf32>
  %zero_128x768 = linalg.fill ins(%zero : f32) outs(%e_128x768 : tensor<128x768xf32>) -> tensor<128x768xf32>
  %q_m = linalg.matmul ins(%x, %q_t : tensor<128x768xf32>, tensor<768x768xf32>) outs(%zero_128x768 : tensor<128x768xf32>) -> tensor<128x768xf32>
  %q = linalg.generic {indexing_maps = [#id2, #col2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%q_m, %bq : tensor<128x768xf32>, tensor<768xf32>) outs(%e_128x768 : tensor<128x768xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<128x768xf32>
  %k_t = linalg.transpose ins(%wk : tensor<768x768xf32>) outs(%e_768x768 : tensor<768x768xf32>) permutation = [1, 0]
  %k_m = linalg.matmul ins(%x, %k_t : tensor<128x768xf32>, tensor<768x768xf32>) outs(%zero_128x768 : tensor<128x768xf32>) -> tensor<128x768xf32>
  %k = linalg.generic {indexing_maps = [#id2, #col2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%k_m, %bk : tensor<128x768xf32>, tensor<768xf32>) outs(%e_128x768 : tensor<128x768xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<128x768xf32>
  %v_t = linalg.transpose ins(%wv : tensor<768x768xf32>) outs(%e_768x768 : tensor<768x768xf32>) permutation = [1, 0]
  %v_m = linalg.matmul ins(%x, %v_t : tensor<128x768xf32>, tensor<768x768xf32>) outs(%zero_128x768 : tensor<128x768xf32>) -> tensor<128x768xf32>
  %v = linalg.generic {indexing_maps = [#id2, #col2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%v_m, %bv : tensor<128x768xf32>, tensor<768xf32>) outs(%e_128x768 : tensor<128x768xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<128x768xf32>

  // Heads: [S, heads, 64] to [heads, S, 64]; the keys also transposed.
  %q_h = tensor.expand_shape %q [[0], [1, 2]] output_shape [128, 12, 64] : tensor<128x768xf32> into tensor<128x12x64xf32>
  %k_h = tensor.expand_shape %k [[0], [1, 2]] output_shape [128, 12, 64] : tensor<128x768xf32> into tensor<128x12x64xf32>
  %v_h = tensor.expand_shape %v [[0], [1, 2]] output_shape [128, 12, 64] : tensor<128x768xf32> into tensor<128x12x64xf32>
  %e_12x128x64 = tensor.empty() : tensor<12x128x64xf32>
  %qh = linalg.transpose ins(%q_h : tensor<128x12x64xf32>) outs(%e_12x128x64 : tensor<12x128x64xf32>) permutation = [1, 0, 2]
  %e_12x64x128 = tensor.empty() : tensor<12x64x128xf32>
  %kh = linalg.transpose ins(%k_h : tensor<128x12x64xf32>) outs(%e_12x64x128 : tensor<12x64x128xf32>) permutation = [1, 2, 0]
  %vh = linalg.transpose ins(%v_h : tensor<128x12x64xf32>) outs(%e_12x128x64 : tensor<12x128x64xf32>) permutation = [1, 0, 2]

  // Scores and softmax.
  %e_12x128x128 = tensor.empty() : tensor<12x128x128xf32>
  %zero_12x128x128 = linalg.fill ins(%zero : f32) outs(%e_12x128x128 : tensor<12x128x128xf32>) -> tensor<12x128x128xf32>
  %qk = linalg.batch_matmul ins(%qh, %kh : tensor<12x128x64xf32>, tensor<12x64x128xf32>) outs(%zero_12x128x128 : tensor<12x128x128xf32>) -> tensor<12x128x128xf32>
  %score = linalg.generic {indexing_maps = [#id3, #col3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%qk, %mask : tensor<12x128x128xf32>, tensor<128xf32>) outs(%e_12x128x128 : tensor<12x128x128xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %scale : f32
    %s = arith.addf %m, %b : f32
    linalg.yield %s : f32
  } -> tensor<12x128x128xf32>
  %e_12x128 = tensor.empty() : tensor<12x128xf32>
  %lowest_12x128 = linalg.fill ins(%lowest : f32) outs(%e_12x128 : tensor<12x128xf32>) -> tensor<12x128xf32>
  %max = linalg.generic {indexing_maps = [#id3, #row3], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%score : tensor<12x128x128xf32>) outs(%lowest_12x128 : tensor<12x128xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %m = arith.maximumf %a, %acc : f32
    linalg.yield %m : f32
  } -> tensor<12x128xf32>
  %exp = linalg.generic {indexing_maps = [#id3, #row3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%score, %max : tensor<12x128x128xf32>, tensor<12x128xf32>) outs(%e_12x128x128 : tensor<12x128x128xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %d = arith.subf %a, %b : f32
    %e = math.exp %d : f32
    linalg.yield %e : f32
  } -> tensor<12x128x128xf32>
  %zero_12x128 = linalg.fill ins(%zero : f32) outs(%e_12x128 : tensor<12x128xf32>) -> tensor<12x128xf32>
  %sum = linalg.generic {indexing_maps = [#id3, #row3], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%exp : tensor<12x128x128xf32>) outs(%zero_12x128 : tensor<12x128xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.addf %a, %acc : f32
    linalg.yield %s : f32
  } -> tensor<12x128xf32>
  %prob = linalg.generic {indexing_maps = [#id3, #row3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%exp, %sum : tensor<12x128x128xf32>, tensor<12x128xf32>) outs(%e_12x128x128 : tensor<12x128x128xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.divf %a, %b : f32
    linalg.yield %p : f32
  } -> tensor<12x128x128xf32>

  // Values, and the heads side by side again.
  %zero_12x128x64 = linalg.fill ins(%zero : f32) outs(%e_12x128x64 : tensor<12x128x64xf32>) -> tensor<12x128x64xf32>
  %pv = linalg.batch_matmul ins(%prob, %vh : tensor<12x128x128xf32>, tensor<12x128x64xf32>) outs(%zero_12x128x64 : tensor<12x128x64xf32>) -> tensor<12x128x64xf32>
  %e_128x12x64 = tensor.empty() : tensor<128x12x64xf32>
  %ctx_h = linalg.transpose ins(%pv : tensor<12x128x64xf32>) outs(%e_128x12x64 : tensor<128x12x64xf32>) permutation = [1, 0, 2]
  %ctx = tensor.collapse_shape %ctx_h [[0], [1, 2]] : tensor<128x12x64xf32> into tensor<128x768xf32>

  // Output projection, residual, layer norm.
  %o_t = linalg.transpose ins(%wo : tensor<768x768xf32>) outs(%e_768x768 : tensor<768x768xf32>) permutation = [1, 0]
  %o_m = linalg.matmul ins(%ctx, %o_t : tensor<128x768xf32>, tensor<768x768xf32>) outs(%zero_128x768 : tensor<128x768xf32>) -> tensor<128x768xf32>
  %o = linalg.generic {indexing_maps = [#id2, #col2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%o_m, %bo : tensor<128x768xf32>, tensor<768xf32>) outs(%e_128x768 : tensor<128x768xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<128x768xf32>
  %res1 = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%o, %x : tensor<128x768xf32>, tensor<128x768xf32>) outs(%e_128x768 : tensor<128x768xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<128x768xf32>
  %e_128 = tensor.empty() : tensor<128xf32>
  %zero_128 = linalg.fill ins(%zero : f32) outs(%e_128 : tensor<128xf32>) -> tensor<128xf32>
  %n1_sum = linalg.generic {indexing_maps = [#id2, #row2], iterator_types = ["parallel", "reduction"]}
      ins(%res1 : tensor<128x768xf32>) outs(%zero_128 : tensor<128xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.addf %a, %acc : f32
    linalg.yield %s : f32
  } -> tensor<128xf32>
  %n1_mean = linalg.generic {indexing_maps = [#id1, #id1], iterator_types = ["parallel"]}
      ins(%n1_sum : tensor<128xf32>) outs(%e_128 : tensor<128xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %m = arith.divf %a, %width : f32
    linalg.yield %m : f32
  } -> tensor<128xf32>
  %n1_c = linalg.generic {indexing_maps = [#id2, #row2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%res1, %n1_mean : tensor<128x768xf32>, tensor<128xf32>) outs(%e_128x768 : tensor<128x768xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %d = arith.subf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<128x768xf32>
  %n1_sq = linalg.generic {indexing_maps = [#id2, #row2], iterator_types = ["parallel", "reduction"]}
      ins(%n1_c : tensor<128x768xf32>) outs(%zero_128 : tensor<128xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %p = arith.mulf %a, %a : f32
    %s = arith.addf %p, %acc : f32
    linalg.yield %s : f32
  } -> tensor<128xf32>
  %n1_r = linalg.generic {indexing_maps = [#id1, #id1], iterator_types = ["parallel"]}
      ins(%n1_sq : tensor<128xf32>) outs(%e_128 : tensor<128xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %var = arith.divf %a, %width : f32
    %e = arith.addf %var, %eps : f32
    %r = math.rsqrt %e : f32
    linalg.yield %r : f32
  } -> tensor<128xf32>
  %n1 = linalg.generic {indexing_maps = [#id2, #row2, #col2, #col2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%n1_c, %n1_r, %g1, %be1 : tensor<128x768xf32>, tensor<128xf32>, tensor<768xf32>, tensor<768xf32>) outs(%e_128x768 : tensor<128x768xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32, %acc: f32):
    %n = arith.mulf %a, %b : f32
    %m = arith.mulf %n, %c : f32
    %s = arith.addf %m, %d : f32
    linalg.yield %s : f32
  } -> tensor<128x768xf32>

  // Feed-forward with GELU, residual, layer norm.
  %e_768x3072 = tensor.empty() : tensor<768x3072xf32>
  %i_t = linalg.transpose ins(%wi : tensor<3072x768xf32>) outs(%e_768x3072 : tensor<768x3072xf32>) permutation = [1, 0]
  %e_128x3072 = tensor.empty() : tensor<128x3072xf32>
  %zero_128x3072 = linalg.fill ins(%zero : f32) outs(%e_128x3072 : tensor<128x3072xf32>) -> tensor<128x3072xf32>
  %i_m = linalg.matmul ins(%n1, %i_t : tensor<128x768xf32>, tensor<768x3072xf32>) outs(%zero_128x3072 : tensor<128x3072xf32>) -> tensor<128x3072xf32>
  %i = linalg.generic {indexing_maps = [#id2, #col2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%i_m, %bi : tensor<128x3072xf32>, tensor<3072xf32>) outs(%e_128x3072 : tensor<128x3072xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<128x3072xf32>
  %gelu = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%i : tensor<128x3072xf32>) outs(%e_128x3072 : tensor<128x3072xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.mulf %a, %rsqrt2 : f32
    %e = math.erf %s : f32
    %p = arith.addf %e, %one : f32
    %h = arith.mulf %p, %half : f32
    %g = arith.mulf %a, %h : f32
    linalg.yield %g : f32
  } -> tensor<128x3072xf32>
  %e_3072x768 = tensor.empty() : tensor<3072x768xf32>
  %f_t = linalg.transpose ins(%wf : tensor<768x3072xf32>) outs(%e_3072x768 : tensor<3072x768xf32>) permutation = [1, 0]
  %f_m = linalg.matmul ins(%gelu, %f_t : tensor<128x3072xf32>, tensor<3072x768xf32>) outs(%zero_128x768 : tensor<128x768xf32>) -> tensor<128x768xf32>
  %f = linalg.generic {indexing_maps = [#id2, #col2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%f_m, %bf : tensor<128x768xf32>, tensor<768xf32>) outs(%e_128x768 : tensor<128x768xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<128x768xf32>
  %res2 = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%f, %n1 : tensor<128x768xf32>, tensor<128x768xf32>) outs(%e_128x768 : tensor<128x768xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<128x768xf32>
  %n2_sum = linalg.generic {indexing_maps = [#id2, #row2], iterator_types = ["parallel", "reduction"]}
      ins(%res2 : tensor<128x768xf32>) outs(%zero_128 : tensor<128xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.addf %a, %acc : f32
    linalg.yield %s : f32
  } -> tensor<128xf32>
  %n2_mean = linalg.generic {indexing_maps = [#id1, #id1], iterator_types = ["parallel"]}
      ins(%n2_sum : tensor<128xf32>) outs(%e_128 : tensor<128xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %m = arith.divf %a, %width : f32
    linalg.yield %m : f32
  } -> tensor<128xf32>
  %n2_c = linalg.generic {indexing_maps = [#id2, #row2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%res2, %n2_mean : tensor<128x768xf32>, tensor<128xf32>) outs(%e_128x768 : tensor<128x768xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %d = arith.subf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<128x768xf32>
  %n2_sq = linalg.generic {indexing_maps = [#id2, #row2], iterator_types = ["parallel", "reduction"]}
      ins(%n2_c : tensor<128x768xf32>) outs(%zero_128 : tensor<128xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %p = arith.mulf %a, %a : f32
    %s = arith.addf %p, %acc : f32
    linalg.yield %s : f32
  } -> tensor<128xf32>
  %n2_r = linalg.generic {indexing_maps = [#id1, #id1], iterator_types = ["parallel"]}
      ins(%n2_sq : tensor<128xf32>) outs(%e_128 : tensor<128xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %var = arith.divf %a, %width : f32
    %e = arith.addf %var, %eps : f32
    %r = math.rsqrt %e : f32
    linalg.yield %r : f32
  } -> tensor<128xf32>
  %n2 = linalg.generic {indexing_maps = [#id2, #row2, #col2, #col2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%n2_c, %n2_r, %g2, %be2 : tensor<128x768xf32>, tensor<128xf32>, tensor<768xf32>, tensor<768xf32>) outs(%e_128x768 : tensor<128x768xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32, %acc: f32):
    %n = arith.mulf %a, %b : f32
    %m = arith.mulf %n, %c : f32
    %s = arith.addf %m, %d : f32
    linalg.yield %s : f32
  } -> tensor<128x768xf32>
  return %n2 : tensor<128x768xf32>
}
