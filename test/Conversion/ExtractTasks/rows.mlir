// Reductions of rows and the ops that use their results are one task.
// RUN: pruner-opt %s --pruner-normalize --pruner-extract-tasks=min-elements=1 | FileCheck %s

// CHECK-LABEL: func.func @softmax
// CHECK-NEXT: %[[R:.*]] = call @task_rows_12x128x128_{{.*}}(%arg0)
// CHECK-NEXT: return %[[R]]
func.func @softmax(%x: tensor<12x128x128xf32>) -> tensor<12x128x128xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<12x128xf32>
  %e3 = tensor.empty() : tensor<12x128x128xf32>
  %f = linalg.fill ins(%low : f32) outs(%e2 : tensor<12x128xf32>) -> tensor<12x128xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<12x128x128xf32>) outs(%f : tensor<12x128xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %r = arith.maximumf %acc, %in : f32
    linalg.yield %r : f32
  } -> tensor<12x128xf32>
  %e = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b)>, affine_map<(a, b, c) -> (a, b, c)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %m : tensor<12x128x128xf32>, tensor<12x128xf32>) outs(%e3 : tensor<12x128x128xf32>) {
  ^bb0(%in: f32, %max: f32, %out: f32):
    %d = arith.subf %in, %max : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<12x128x128xf32>
  %g = linalg.fill ins(%zero : f32) outs(%e2 : tensor<12x128xf32>) -> tensor<12x128xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%e : tensor<12x128x128xf32>) outs(%g : tensor<12x128xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %r = arith.addf %acc, %in : f32
    linalg.yield %r : f32
  } -> tensor<12x128xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b)>, affine_map<(a, b, c) -> (a, b, c)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%e, %s : tensor<12x128x128xf32>, tensor<12x128xf32>) outs(%e3 : tensor<12x128x128xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %r = arith.divf %in, %sum : f32
    linalg.yield %r : f32
  } -> tensor<12x128x128xf32>
  return %y : tensor<12x128x128xf32>
}

// The maximum has another reader, so it is a separate task.
// CHECK-LABEL: func.func @two_results
// CHECK: call @task_reduce_max
// CHECK: call @task_elementwise
func.func @two_results(%x: tensor<64x128xf32>) -> (tensor<64xf32>, tensor<64x128xf32>) {
  %low = arith.constant 0xFF800000 : f32
  %e1 = tensor.empty() : tensor<64xf32>
  %e2 = tensor.empty() : tensor<64x128xf32>
  %f = linalg.fill ins(%low : f32) outs(%e1 : tensor<64xf32>) -> tensor<64xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(a, c) -> (a, c)>, affine_map<(a, c) -> (a)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x128xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %r = arith.maximumf %acc, %in : f32
    linalg.yield %r : f32
  } -> tensor<64xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(a, c) -> (a, c)>, affine_map<(a, c) -> (a)>, affine_map<(a, c) -> (a, c)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<64x128xf32>, tensor<64xf32>) outs(%e2 : tensor<64x128xf32>) {
  ^bb0(%in: f32, %max: f32, %out: f32):
    %r = arith.subf %in, %max : f32
    linalg.yield %r : f32
  } -> tensor<64x128xf32>
  return %m, %y : tensor<64xf32>, tensor<64x128xf32>
}

// A layer norm as PyTorch exports it: the squares of its variance are a
// separate op, which reads no value per row.
// CHECK-LABEL: func.func @layer_norm
// CHECK-NEXT: %[[R:.*]] = call @task_rows_16x96_{{.*}}(%arg0, %arg1)
// CHECK-NEXT: return %[[R]]
func.func @layer_norm(%x: tensor<16x96xf32>, %scale: tensor<96xf32>) -> tensor<16x96xf32> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 96.0 : f32
  %epsilon = arith.constant 1.0e-5 : f32
  %e1 = tensor.empty() : tensor<16xf32>
  %e2 = tensor.empty() : tensor<16x96xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e1 : tensor<16xf32>) -> tensor<16xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(a, c) -> (a, c)>, affine_map<(a, c) -> (a)>],
      iterator_types = ["parallel", "reduction"]} ins(%x : tensor<16x96xf32>) outs(%f : tensor<16xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %r = arith.addf %in, %acc : f32
    linalg.yield %r : f32
  } -> tensor<16xf32>
  %mean = linalg.generic {indexing_maps = [affine_map<(a) -> (a)>, affine_map<(a) -> (a)>],
      iterator_types = ["parallel"]} ins(%sum : tensor<16xf32>) outs(%e1 : tensor<16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.divf %in, %count : f32
    linalg.yield %r : f32
  } -> tensor<16xf32>
  %centred = linalg.generic {indexing_maps = [affine_map<(a, c) -> (a, c)>, affine_map<(a, c) -> (a)>, affine_map<(a, c) -> (a, c)>],
      iterator_types = ["parallel", "parallel"]} ins(%x, %mean : tensor<16x96xf32>, tensor<16xf32>) outs(%e2 : tensor<16x96xf32>) {
  ^bb0(%in: f32, %m: f32, %out: f32):
    %r = arith.subf %in, %m : f32
    linalg.yield %r : f32
  } -> tensor<16x96xf32>
  %squares = linalg.generic {indexing_maps = [affine_map<(a, c) -> (a, c)>, affine_map<(a, c) -> (a, c)>],
      iterator_types = ["parallel", "parallel"]} ins(%centred : tensor<16x96xf32>) outs(%e2 : tensor<16x96xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %in : f32
    linalg.yield %r : f32
  } -> tensor<16x96xf32>
  %square_sum = linalg.generic {indexing_maps = [affine_map<(a, c) -> (a, c)>, affine_map<(a, c) -> (a)>],
      iterator_types = ["parallel", "reduction"]} ins(%squares : tensor<16x96xf32>) outs(%f : tensor<16xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %r = arith.addf %in, %acc : f32
    linalg.yield %r : f32
  } -> tensor<16xf32>
  %inverse = linalg.generic {indexing_maps = [affine_map<(a) -> (a)>, affine_map<(a) -> (a)>],
      iterator_types = ["parallel"]} ins(%square_sum : tensor<16xf32>) outs(%e1 : tensor<16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r0 = arith.divf %in, %count : f32
    %r1 = arith.addf %r0, %epsilon : f32
    %r = math.rsqrt %r1 : f32
    linalg.yield %r : f32
  } -> tensor<16xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(a, c) -> (a, c)>, affine_map<(a, c) -> (a)>, affine_map<(a, c) -> (c)>, affine_map<(a, c) -> (a, c)>],
      iterator_types = ["parallel", "parallel"]} ins(%centred, %inverse, %scale : tensor<16x96xf32>, tensor<16xf32>, tensor<96xf32>) outs(%e2 : tensor<16x96xf32>) {
  ^bb0(%in: f32, %i: f32, %s: f32, %out: f32):
    %r0 = arith.mulf %in, %i : f32
    %r = arith.mulf %r0, %s : f32
    linalg.yield %r : f32
  } -> tensor<16x96xf32>
  return %y : tensor<16x96xf32>
}
