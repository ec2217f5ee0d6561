// Norms and softmax as torch-mlir writes them, on tensors of any rank: values
// per row keep a dimension of extent one. Each is one task. With demote-f64 the
// norm has no f64 and sums the row once for both means.
// RUN: pruner-opt %s --split-input-file --pruner-normalize --pruner-extract-tasks=min-elements=1 | FileCheck %s
// RUN: pruner-opt %s --split-input-file --pruner-normalize=demote-f64 --pruner-extract-tasks=min-elements=1 | FileCheck %s --check-prefix=DEMOTED

#id = affine_map<(d0, d1) -> (d0, d1)>
#one = affine_map<(d0, d1) -> (d0, 0)>
#last = affine_map<(d0, d1) -> (d1)>

// CHECK-LABEL: func.func @norm_2d(
// CHECK-NEXT: %[[R:.*]] = call @task_rows_16x96_{{.*}}(%arg0, %arg1, %arg2)
// CHECK-NEXT: return %[[R]]
// CHECK-NOT: 16x96xf64
// CHECK: return
// DEMOTED-LABEL: func.func @norm_2d(
// DEMOTED-NEXT: %[[R:.*]] = call @task_rows_16x96_{{.*}}(%arg0, %arg1, %arg2)
// DEMOTED-NEXT: return %[[R]]
// DEMOTED-NOT: f64
// DEMOTED-COUNT-2: "reduction"]
// DEMOTED-NOT: "reduction"]
// DEMOTED: return
func.func @norm_2d(%x: tensor<16x96xf32>, %scale: tensor<96xf32>, %shift: tensor<96xf32>) -> tensor<16x96xf32> {
  %zero = arith.constant 0.0 : f64
  %zero_f32 = arith.constant 0.0 : f32
  %epsilon = arith.constant 1.0e-05 : f64
  %n = arith.constant 96.0 : f64
  %n_f32 = arith.constant 96.0 : f32
  %e = tensor.empty() : tensor<16x96xf32>
  %ew = tensor.empty() : tensor<16x96xf64>
  %k = tensor.empty() : tensor<16x1xf32>
  %kw = tensor.empty() : tensor<16x1xf64>
  %fw = linalg.fill ins(%zero : f64) outs(%kw : tensor<16x1xf64>) -> tensor<16x1xf64>
  %f = linalg.fill ins(%zero_f32 : f32) outs(%k : tensor<16x1xf32>) -> tensor<16x1xf32>
  %wide = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<16x96xf32>) outs(%ew : tensor<16x96xf64>) {
  ^bb0(%in: f32, %out: f64):
    %r = arith.extf %in : f32 to f64
    linalg.yield %r : f64
  } -> tensor<16x96xf64>
  %sum = linalg.generic {indexing_maps = [#id, #one], iterator_types = ["parallel", "reduction"]}
      ins(%wide : tensor<16x96xf64>) outs(%fw : tensor<16x1xf64>) {
  ^bb0(%in: f64, %out: f64):
    %r = arith.addf %in, %out : f64
    linalg.yield %r : f64
  } -> tensor<16x1xf64>
  %mean = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum : tensor<16x1xf64>) outs(%kw : tensor<16x1xf64>) {
  ^bb0(%in: f64, %out: f64):
    %r = arith.divf %in, %n : f64
    linalg.yield %r : f64
  } -> tensor<16x1xf64>
  %centred = linalg.generic {indexing_maps = [#id, #one, #id], iterator_types = ["parallel", "parallel"]}
      ins(%wide, %mean : tensor<16x96xf64>, tensor<16x1xf64>) outs(%ew : tensor<16x96xf64>) {
  ^bb0(%in: f64, %m: f64, %out: f64):
    %r = arith.subf %in, %m : f64
    linalg.yield %r : f64
  } -> tensor<16x96xf64>
  %squares = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%centred, %centred : tensor<16x96xf64>, tensor<16x96xf64>) outs(%ew : tensor<16x96xf64>) {
  ^bb0(%in: f64, %same: f64, %out: f64):
    %r = arith.mulf %in, %same : f64
    linalg.yield %r : f64
  } -> tensor<16x96xf64>
  %total = linalg.generic {indexing_maps = [#id, #one], iterator_types = ["parallel", "reduction"]}
      ins(%squares : tensor<16x96xf64>) outs(%fw : tensor<16x1xf64>) {
  ^bb0(%in: f64, %out: f64):
    %r = arith.addf %in, %out : f64
    linalg.yield %r : f64
  } -> tensor<16x1xf64>
  %variance = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%total : tensor<16x1xf64>) outs(%kw : tensor<16x1xf64>) {
  ^bb0(%in: f64, %out: f64):
    %r = arith.divf %in, %n : f64
    linalg.yield %r : f64
  } -> tensor<16x1xf64>
  %narrow = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%variance : tensor<16x1xf64>) outs(%k : tensor<16x1xf32>) {
  ^bb0(%in: f64, %out: f32):
    %r = arith.truncf %in : f64 to f32
    linalg.yield %r : f32
  } -> tensor<16x1xf32>
  %sum_f32 = linalg.generic {indexing_maps = [#id, #one], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<16x96xf32>) outs(%f : tensor<16x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<16x1xf32>
  %mean_f32 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum_f32 : tensor<16x1xf32>) outs(%k : tensor<16x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.divf %in, %n_f32 : f32
    linalg.yield %r : f32
  } -> tensor<16x1xf32>
  %biased = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%narrow : tensor<16x1xf32>) outs(%k : tensor<16x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = arith.truncf %epsilon : f64 to f32
    %r = arith.addf %in, %t : f32
    linalg.yield %r : f32
  } -> tensor<16x1xf32>
  %inverse = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%biased : tensor<16x1xf32>) outs(%k : tensor<16x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.rsqrt %in : f32
    linalg.yield %r : f32
  } -> tensor<16x1xf32>
  %less = linalg.generic {indexing_maps = [#id, #one, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %mean_f32 : tensor<16x96xf32>, tensor<16x1xf32>) outs(%e : tensor<16x96xf32>) {
  ^bb0(%in: f32, %m: f32, %out: f32):
    %r = arith.subf %in, %m : f32
    linalg.yield %r : f32
  } -> tensor<16x96xf32>
  %unit = linalg.generic {indexing_maps = [#id, #one, #id], iterator_types = ["parallel", "parallel"]}
      ins(%less, %inverse : tensor<16x96xf32>, tensor<16x1xf32>) outs(%e : tensor<16x96xf32>) {
  ^bb0(%in: f32, %i: f32, %out: f32):
    %r = arith.mulf %in, %i : f32
    linalg.yield %r : f32
  } -> tensor<16x96xf32>
  %scaled = linalg.generic {indexing_maps = [#id, #last, #id], iterator_types = ["parallel", "parallel"]}
      ins(%unit, %scale : tensor<16x96xf32>, tensor<96xf32>) outs(%e : tensor<16x96xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %r = arith.mulf %in, %s : f32
    linalg.yield %r : f32
  } -> tensor<16x96xf32>
  %y = linalg.generic {indexing_maps = [#id, #last, #id], iterator_types = ["parallel", "parallel"]}
      ins(%scaled, %shift : tensor<16x96xf32>, tensor<96xf32>) outs(%e : tensor<16x96xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %r = arith.addf %in, %s : f32
    linalg.yield %r : f32
  } -> tensor<16x96xf32>
  return %y : tensor<16x96xf32>
}

// -----

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#one = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#last = affine_map<(d0, d1, d2) -> (d2)>

// CHECK-LABEL: func.func @norm_3d(
// CHECK-NEXT: %[[R:.*]] = call @task_rows_2x8x96_{{.*}}(%arg0, %arg1, %arg2)
// CHECK-NEXT: return %[[R]]
// CHECK-NOT: 2x8x96xf64
// CHECK: return
// DEMOTED-LABEL: func.func @norm_3d(
// DEMOTED-NEXT: %[[R:.*]] = call @task_rows_2x8x96_{{.*}}(%arg0, %arg1, %arg2)
// DEMOTED-NEXT: return %[[R]]
// DEMOTED-NOT: f64
// DEMOTED-COUNT-2: "reduction"]
// DEMOTED-NOT: "reduction"]
// DEMOTED: return
func.func @norm_3d(%x: tensor<2x8x96xf32>, %scale: tensor<96xf32>, %shift: tensor<96xf32>) -> tensor<2x8x96xf32> {
  %zero = arith.constant 0.0 : f64
  %zero_f32 = arith.constant 0.0 : f32
  %epsilon = arith.constant 1.0e-05 : f64
  %n = arith.constant 96.0 : f64
  %n_f32 = arith.constant 96.0 : f32
  %e = tensor.empty() : tensor<2x8x96xf32>
  %ew = tensor.empty() : tensor<2x8x96xf64>
  %k = tensor.empty() : tensor<2x8x1xf32>
  %kw = tensor.empty() : tensor<2x8x1xf64>
  %fw = linalg.fill ins(%zero : f64) outs(%kw : tensor<2x8x1xf64>) -> tensor<2x8x1xf64>
  %f = linalg.fill ins(%zero_f32 : f32) outs(%k : tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
  %wide = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<2x8x96xf32>) outs(%ew : tensor<2x8x96xf64>) {
  ^bb0(%in: f32, %out: f64):
    %r = arith.extf %in : f32 to f64
    linalg.yield %r : f64
  } -> tensor<2x8x96xf64>
  %sum = linalg.generic {indexing_maps = [#id, #one], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%wide : tensor<2x8x96xf64>) outs(%fw : tensor<2x8x1xf64>) {
  ^bb0(%in: f64, %out: f64):
    %r = arith.addf %in, %out : f64
    linalg.yield %r : f64
  } -> tensor<2x8x1xf64>
  %mean = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%sum : tensor<2x8x1xf64>) outs(%kw : tensor<2x8x1xf64>) {
  ^bb0(%in: f64, %out: f64):
    %r = arith.divf %in, %n : f64
    linalg.yield %r : f64
  } -> tensor<2x8x1xf64>
  %centred = linalg.generic {indexing_maps = [#id, #one, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%wide, %mean : tensor<2x8x96xf64>, tensor<2x8x1xf64>) outs(%ew : tensor<2x8x96xf64>) {
  ^bb0(%in: f64, %m: f64, %out: f64):
    %r = arith.subf %in, %m : f64
    linalg.yield %r : f64
  } -> tensor<2x8x96xf64>
  %squares = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%centred, %centred : tensor<2x8x96xf64>, tensor<2x8x96xf64>) outs(%ew : tensor<2x8x96xf64>) {
  ^bb0(%in: f64, %same: f64, %out: f64):
    %r = arith.mulf %in, %same : f64
    linalg.yield %r : f64
  } -> tensor<2x8x96xf64>
  %total = linalg.generic {indexing_maps = [#id, #one], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%squares : tensor<2x8x96xf64>) outs(%fw : tensor<2x8x1xf64>) {
  ^bb0(%in: f64, %out: f64):
    %r = arith.addf %in, %out : f64
    linalg.yield %r : f64
  } -> tensor<2x8x1xf64>
  %variance = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%total : tensor<2x8x1xf64>) outs(%kw : tensor<2x8x1xf64>) {
  ^bb0(%in: f64, %out: f64):
    %r = arith.divf %in, %n : f64
    linalg.yield %r : f64
  } -> tensor<2x8x1xf64>
  %narrow = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%variance : tensor<2x8x1xf64>) outs(%k : tensor<2x8x1xf32>) {
  ^bb0(%in: f64, %out: f32):
    %r = arith.truncf %in : f64 to f32
    linalg.yield %r : f32
  } -> tensor<2x8x1xf32>
  %sum_f32 = linalg.generic {indexing_maps = [#id, #one], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<2x8x96xf32>) outs(%f : tensor<2x8x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<2x8x1xf32>
  %mean_f32 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%sum_f32 : tensor<2x8x1xf32>) outs(%k : tensor<2x8x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.divf %in, %n_f32 : f32
    linalg.yield %r : f32
  } -> tensor<2x8x1xf32>
  %biased = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%narrow : tensor<2x8x1xf32>) outs(%k : tensor<2x8x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = arith.truncf %epsilon : f64 to f32
    %r = arith.addf %in, %t : f32
    linalg.yield %r : f32
  } -> tensor<2x8x1xf32>
  %inverse = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%biased : tensor<2x8x1xf32>) outs(%k : tensor<2x8x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.rsqrt %in : f32
    linalg.yield %r : f32
  } -> tensor<2x8x1xf32>
  %less = linalg.generic {indexing_maps = [#id, #one, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %mean_f32 : tensor<2x8x96xf32>, tensor<2x8x1xf32>) outs(%e : tensor<2x8x96xf32>) {
  ^bb0(%in: f32, %m: f32, %out: f32):
    %r = arith.subf %in, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x8x96xf32>
  %unit = linalg.generic {indexing_maps = [#id, #one, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%less, %inverse : tensor<2x8x96xf32>, tensor<2x8x1xf32>) outs(%e : tensor<2x8x96xf32>) {
  ^bb0(%in: f32, %i: f32, %out: f32):
    %r = arith.mulf %in, %i : f32
    linalg.yield %r : f32
  } -> tensor<2x8x96xf32>
  %scaled = linalg.generic {indexing_maps = [#id, #last, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%unit, %scale : tensor<2x8x96xf32>, tensor<96xf32>) outs(%e : tensor<2x8x96xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %r = arith.mulf %in, %s : f32
    linalg.yield %r : f32
  } -> tensor<2x8x96xf32>
  %y = linalg.generic {indexing_maps = [#id, #last, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%scaled, %shift : tensor<2x8x96xf32>, tensor<96xf32>) outs(%e : tensor<2x8x96xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %r = arith.addf %in, %s : f32
    linalg.yield %r : f32
  } -> tensor<2x8x96xf32>
  return %y : tensor<2x8x96xf32>
}

// -----

#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#one = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

// CHECK-LABEL: func.func @softmax(
// CHECK-NEXT: %[[R:.*]] = call @task_rows_2x4x16x16_{{.*}}(%arg0)
// CHECK-NEXT: return %[[R]]
func.func @softmax(%x: tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<2x4x16x16xf32>
  %k = tensor.empty() : tensor<2x4x16x1xf32>
  %f = linalg.fill ins(%low : f32) outs(%k : tensor<2x4x16x1xf32>) -> tensor<2x4x16x1xf32>
  %g = linalg.fill ins(%zero : f32) outs(%k : tensor<2x4x16x1xf32>) -> tensor<2x4x16x1xf32>
  %most = linalg.generic {indexing_maps = [#id, #one], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x : tensor<2x4x16x16xf32>) outs(%f : tensor<2x4x16x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.maximumf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x1xf32>
  %less = linalg.generic {indexing_maps = [#id, #one, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %most : tensor<2x4x16x16xf32>, tensor<2x4x16x1xf32>) outs(%e : tensor<2x4x16x16xf32>) {
  ^bb0(%in: f32, %m: f32, %out: f32):
    %r = arith.subf %in, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x16xf32>
  %power = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%less : tensor<2x4x16x16xf32>) outs(%e : tensor<2x4x16x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x16xf32>
  %sum = linalg.generic {indexing_maps = [#id, #one], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%power : tensor<2x4x16x16xf32>) outs(%g : tensor<2x4x16x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x1xf32>
  %y = linalg.generic {indexing_maps = [#id, #one, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%power, %sum : tensor<2x4x16x16xf32>, tensor<2x4x16x1xf32>) outs(%e : tensor<2x4x16x16xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %r = arith.divf %in, %s : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x16xf32>
  return %y : tensor<2x4x16x16xf32>
}
