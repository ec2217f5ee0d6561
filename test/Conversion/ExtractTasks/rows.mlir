// Reductions of rows and what uses their results are one task.
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

// The maximum has another reader: it stays a task of its own.
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
