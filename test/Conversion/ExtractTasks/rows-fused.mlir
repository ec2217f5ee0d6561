// Work along the rows that only one reduction of a chain reads is fused into
// that reduction, so no buffer is needed between the two ops.
// RUN: pruner-opt %s --pruner-normalize --pruner-extract-tasks=min-elements=1 --split-input-file | FileCheck %s

#id = affine_map<(a, c) -> (a, c)>
#row = affine_map<(a, c) -> (a)>
#one = affine_map<(a) -> (a)>

// A layer norm with its variance in f64, as torch-mlir writes it. No f64 tensor
// is as large as the input.
// CHECK-LABEL: func.func @f64_variance
// CHECK-NEXT: call @task_rows_16x96
// CHECK: func.func private @task_rows_16x96
// CHECK-NOT: 16x96xf64
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}}"reduction"]} ins(%arg0 : tensor<16x96xf32>) outs(%{{.*}} : tensor<16xf64>)
// CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %[[ACC:.*]]: f64):
// CHECK-NEXT: %[[W:.*]] = arith.extf %[[X]] : f32 to f64
// CHECK-NEXT: arith.addf %[[W]], %[[ACC]] : f64
// CHECK: %[[MEAN:.*]] = linalg.generic {{.*}} ins(%[[SUM]] : tensor<16xf64>)
// CHECK: linalg.generic {{.*}}"reduction"]} ins(%arg0, %[[MEAN]] : tensor<16x96xf32>, tensor<16xf64>) outs(%{{.*}} : tensor<16xf64>)
// CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %[[MU:.*]]: f64, %[[ACC:.*]]: f64):
// CHECK-NEXT: %[[W:.*]] = arith.extf %[[X]] : f32 to f64
// CHECK-NEXT: %[[D:.*]] = arith.subf %[[W]], %[[MU]] : f64
// CHECK-NEXT: %[[Q:.*]] = arith.mulf %[[D]], %[[D]] : f64
// CHECK-NEXT: arith.addf %[[Q]], %[[ACC]] : f64
// CHECK: linalg.generic {{.*}}"reduction"]} ins(%arg0 : tensor<16x96xf32>) outs(%{{.*}} : tensor<16xf32>)
// CHECK-NOT: 16x96xf64
// CHECK: return
func.func @f64_variance(%x: tensor<16x96xf32>) -> tensor<16x96xf32> {
  %zero = arith.constant 0.0 : f64
  %zero_f32 = arith.constant 0.0 : f32
  %count = arith.constant 96.0 : f64
  %count_f32 = arith.constant 96.0 : f32
  %epsilon = arith.constant 1.0e-5 : f32
  %e1 = tensor.empty() : tensor<16xf64>
  %e2 = tensor.empty() : tensor<16x96xf64>
  %s1 = tensor.empty() : tensor<16xf32>
  %s2 = tensor.empty() : tensor<16x96xf32>
  %wide = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<16x96xf32>) outs(%e2 : tensor<16x96xf64>) {
  ^bb0(%in: f32, %out: f64):
    %r = arith.extf %in : f32 to f64
    linalg.yield %r : f64
  } -> tensor<16x96xf64>
  %f = linalg.fill ins(%zero : f64) outs(%e1 : tensor<16xf64>) -> tensor<16xf64>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%wide : tensor<16x96xf64>) outs(%f : tensor<16xf64>) {
  ^bb0(%in: f64, %acc: f64):
    %r = arith.addf %in, %acc : f64
    linalg.yield %r : f64
  } -> tensor<16xf64>
  %mean = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]}
      ins(%sum : tensor<16xf64>) outs(%e1 : tensor<16xf64>) {
  ^bb0(%in: f64, %out: f64):
    %r = arith.divf %in, %count : f64
    linalg.yield %r : f64
  } -> tensor<16xf64>
  %centred = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%wide, %mean : tensor<16x96xf64>, tensor<16xf64>) outs(%e2 : tensor<16x96xf64>) {
  ^bb0(%in: f64, %mu: f64, %out: f64):
    %r = arith.subf %in, %mu : f64
    linalg.yield %r : f64
  } -> tensor<16x96xf64>
  %squares = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%centred, %centred : tensor<16x96xf64>, tensor<16x96xf64>) outs(%e2 : tensor<16x96xf64>) {
  ^bb0(%in: f64, %same: f64, %out: f64):
    %r = arith.mulf %in, %same : f64
    linalg.yield %r : f64
  } -> tensor<16x96xf64>
  %total = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%squares : tensor<16x96xf64>) outs(%f : tensor<16xf64>) {
  ^bb0(%in: f64, %acc: f64):
    %r = arith.addf %in, %acc : f64
    linalg.yield %r : f64
  } -> tensor<16xf64>
  %inverse = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]}
      ins(%total : tensor<16xf64>) outs(%s1 : tensor<16xf32>) {
  ^bb0(%in: f64, %out: f32):
    %v = arith.divf %in, %count : f64
    %t = arith.truncf %v : f64 to f32
    %b = arith.addf %t, %epsilon : f32
    %r = math.rsqrt %b : f32
    linalg.yield %r : f32
  } -> tensor<16xf32>
  %g = linalg.fill ins(%zero_f32 : f32) outs(%s1 : tensor<16xf32>) -> tensor<16xf32>
  %sum_f32 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<16x96xf32>) outs(%g : tensor<16xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %r = arith.addf %in, %acc : f32
    linalg.yield %r : f32
  } -> tensor<16xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum_f32, %inverse : tensor<16x96xf32>, tensor<16xf32>, tensor<16xf32>) outs(%s2 : tensor<16x96xf32>) {
  ^bb0(%in: f32, %s: f32, %i: f32, %out: f32):
    %m = arith.divf %s, %count_f32 : f32
    %d = arith.subf %in, %m : f32
    %r = arith.mulf %d, %i : f32
    linalg.yield %r : f32
  } -> tensor<16x96xf32>
  return %y : tensor<16x96xf32>
}

// -----

#id = affine_map<(a, c) -> (a, c)>
#row = affine_map<(a, c) -> (a)>

// The exponentials of a softmax have two readers and stay a separate op.
// CHECK-LABEL: func.func @two_readers
// CHECK: func.func private @task_rows_16x96
// CHECK: "reduction"]
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]
// CHECK: math.exp
// CHECK: "reduction"]
// CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %[[ACC:.*]]: f32):
// CHECK-NEXT: arith.addf
func.func @two_readers(%x: tensor<16x96xf32>) -> tensor<16x96xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<16xf32>
  %e2 = tensor.empty() : tensor<16x96xf32>
  %f = linalg.fill ins(%low : f32) outs(%e1 : tensor<16xf32>) -> tensor<16xf32>
  %m = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<16x96xf32>) outs(%f : tensor<16xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %r = arith.maximumf %acc, %in : f32
    linalg.yield %r : f32
  } -> tensor<16xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<16x96xf32>, tensor<16xf32>) outs(%e2 : tensor<16x96xf32>) {
  ^bb0(%in: f32, %max: f32, %out: f32):
    %d = arith.subf %in, %max : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<16x96xf32>
  %g = linalg.fill ins(%zero : f32) outs(%e1 : tensor<16xf32>) -> tensor<16xf32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<16x96xf32>) outs(%g : tensor<16xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %r = arith.addf %acc, %in : f32
    linalg.yield %r : f32
  } -> tensor<16xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%e, %s : tensor<16x96xf32>, tensor<16xf32>) outs(%e2 : tensor<16x96xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %r = arith.divf %in, %sum : f32
    linalg.yield %r : f32
  } -> tensor<16x96xf32>
  return %y : tensor<16x96xf32>
}

// -----

#id = affine_map<(a, c) -> (a, c)>
#row = affine_map<(a, c) -> (a)>

// A product of two tensors is not fused into its sum.
// CHECK-LABEL: func.func @product
// CHECK: arith.mulf
// CHECK-NEXT: linalg.yield
// CHECK: "reduction"]
// CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %[[ACC:.*]]: f32):
// CHECK-NEXT: arith.addf
func.func @product(%x: tensor<16x96xf32>, %w: tensor<16x96xf32>) -> tensor<16x96xf32> {
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<16xf32>
  %e2 = tensor.empty() : tensor<16x96xf32>
  %p = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %w : tensor<16x96xf32>, tensor<16x96xf32>) outs(%e2 : tensor<16x96xf32>) {
  ^bb0(%in: f32, %other: f32, %out: f32):
    %r = arith.mulf %in, %other : f32
    linalg.yield %r : f32
  } -> tensor<16x96xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e1 : tensor<16xf32>) -> tensor<16xf32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%p : tensor<16x96xf32>) outs(%f : tensor<16xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %r = arith.addf %acc, %in : f32
    linalg.yield %r : f32
  } -> tensor<16xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<16x96xf32>, tensor<16xf32>) outs(%e2 : tensor<16x96xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %r = arith.subf %in, %sum : f32
    linalg.yield %r : f32
  } -> tensor<16x96xf32>
  return %y : tensor<16x96xf32>
}

// -----

#id = affine_map<(a, c) -> (a, c)>
#row = affine_map<(a, c) -> (a)>
#column = affine_map<(a, c) -> (c)>

// Nor is a product behind casts to a wider type. An op that does more than
// multiply two tensors is fused into the sum.
// CHECK-LABEL: func.func @more_than_product
// CHECK: func.func private @task_rows_16x96
// CHECK: arith.extf
// CHECK-NEXT: arith.extf
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: linalg.yield
// CHECK: "reduction"]
// CHECK-NEXT: ^bb0(%[[X:.*]]: f64, %[[ACC:.*]]: f64):
// CHECK-NEXT: arith.addf
// CHECK: "reduction"]} ins(%arg0, %{{.*}}, %arg2 : tensor<16x96xf32>, tensor<16xf64>, tensor<96xf64>)
// CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %[[S:.*]]: f64, %[[V:.*]]: f64, %[[ACC:.*]]: f64):
// CHECK-NEXT: %[[W:.*]] = arith.extf %[[X]] : f32 to f64
// CHECK-NEXT: %[[D:.*]] = arith.subf %[[W]], %[[S]] : f64
// CHECK-NEXT: %[[P:.*]] = arith.mulf %[[D]], %[[V]] : f64
// CHECK-NEXT: arith.addf %[[ACC]], %[[P]] : f64
func.func @more_than_product(%x: tensor<16x96xf32>, %w: tensor<16x96xf32>, %v: tensor<96xf64>) -> tensor<16x96xf32> {
  %zero = arith.constant 0.0 : f64
  %e1 = tensor.empty() : tensor<16xf64>
  %e2 = tensor.empty() : tensor<16x96xf64>
  %p = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %w : tensor<16x96xf32>, tensor<16x96xf32>) outs(%e2 : tensor<16x96xf64>) {
  ^bb0(%in: f32, %other: f32, %out: f64):
    %a = arith.extf %in : f32 to f64
    %b = arith.extf %other : f32 to f64
    %r = arith.mulf %a, %b : f64
    linalg.yield %r : f64
  } -> tensor<16x96xf64>
  %f = linalg.fill ins(%zero : f64) outs(%e1 : tensor<16xf64>) -> tensor<16xf64>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%p : tensor<16x96xf64>) outs(%f : tensor<16xf64>) {
  ^bb0(%in: f64, %acc: f64):
    %r = arith.addf %acc, %in : f64
    linalg.yield %r : f64
  } -> tensor<16xf64>
  %q = linalg.generic {indexing_maps = [#id, #row, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s, %v : tensor<16x96xf32>, tensor<16xf64>, tensor<96xf64>) outs(%e2 : tensor<16x96xf64>) {
  ^bb0(%in: f32, %sum: f64, %scale: f64, %out: f64):
    %a = arith.extf %in : f32 to f64
    %d = arith.subf %a, %sum : f64
    %r = arith.mulf %d, %scale : f64
    linalg.yield %r : f64
  } -> tensor<16x96xf64>
  %t = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%q : tensor<16x96xf64>) outs(%f : tensor<16xf64>) {
  ^bb0(%in: f64, %acc: f64):
    %r = arith.addf %acc, %in : f64
    linalg.yield %r : f64
  } -> tensor<16xf64>
  %e3 = tensor.empty() : tensor<16x96xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %t : tensor<16x96xf32>, tensor<16xf64>) outs(%e3 : tensor<16x96xf32>) {
  ^bb0(%in: f32, %sum: f64, %out: f32):
    %n = arith.truncf %sum : f64 to f32
    %r = arith.subf %in, %n : f32
    linalg.yield %r : f32
  } -> tensor<16x96xf32>
  return %y : tensor<16x96xf32>
}

// -----

#id = affine_map<(a, c) -> (a, c)>
#row = affine_map<(a, c) -> (a)>

// Magnitudes that a maximum reads in another order than it reduces.
// CHECK-LABEL: func.func @largest
// CHECK: func.func private @task_rows_16x96
// CHECK-NOT: math.absf
// CHECK: "reduction"]} ins(%arg0 : tensor<96x16xf32>)
// CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %[[ACC:.*]]: f32):
// CHECK-NEXT: %[[M:.*]] = math.absf %[[X]] : f32
// CHECK-NEXT: arith.maximumf %[[ACC]], %[[M]] : f32
// CHECK-NOT: math.absf
// CHECK: return
func.func @largest(%x: tensor<96x16xf32>) -> tensor<16x96xf32> {
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<16xf32>
  %e2 = tensor.empty() : tensor<16x96xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(a, c) -> (c, a)>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<96x16xf32>) outs(%e2 : tensor<16x96xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.absf %in : f32
    linalg.yield %r : f32
  } -> tensor<16x96xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e1 : tensor<16xf32>) -> tensor<16xf32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%p : tensor<16x96xf32>) outs(%f : tensor<16xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %r = arith.maximumf %acc, %in : f32
    linalg.yield %r : f32
  } -> tensor<16xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(a, c) -> (c, a)>, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<96x16xf32>, tensor<16xf32>) outs(%e2 : tensor<16x96xf32>) {
  ^bb0(%in: f32, %max: f32, %out: f32):
    %r = arith.divf %in, %max : f32
    linalg.yield %r : f32
  } -> tensor<16x96xf32>
  return %y : tensor<16x96xf32>
}
