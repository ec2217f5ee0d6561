// RUN: pruner-opt %s --pruner-extract-tasks=min-elements=16 --split-input-file | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>

// The first product has two readers, so its task ends with it. What one of them
// computes from it alone is in the epilogue of the second product.
// CHECK-LABEL: func @main(
// CHECK:         %[[A:.*]] = call @task_matmul_8x8x8_[[FIRST:[0-9a-f]+]](
// CHECK:         %[[B:.*]] = call @task_matmul_8x8x8_[[SECOND:[0-9a-f]+]](%[[A]]
// CHECK-NEXT:    return %[[B]]
// CHECK-NOT:     @task_elementwise
// CHECK:       func private @task_matmul_8x8x8_[[SECOND]](
// CHECK:         linalg.matmul
// CHECK:         linalg.generic
// CHECK-DAG:       arith.sitofp
// CHECK-DAG:       arith.addf
func.func @main(%x: tensor<8x8xi8>, %w: tensor<8x8xi8>) -> tensor<8x8xf32> {
  %zero = arith.constant 0 : i32
  %half = arith.constant 0.5 : f32
  %ei = tensor.empty() : tensor<8x8xi32>
  %ef = tensor.empty() : tensor<8x8xf32>
  %eb = tensor.empty() : tensor<8x8xi8>
  %start = linalg.fill ins(%zero : i32) outs(%ei : tensor<8x8xi32>) -> tensor<8x8xi32>
  %p = linalg.matmul ins(%x, %w : tensor<8x8xi8>, tensor<8x8xi8>) outs(%start : tensor<8x8xi32>) -> tensor<8x8xi32>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<8x8xi32>) outs(%eb : tensor<8x8xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.trunci %in : i32 to i8
    linalg.yield %0 : i8
  } -> tensor<8x8xi8>
  %real = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%q : tensor<8x8xi8>) outs(%ef : tensor<8x8xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %half : f32
    linalg.yield %1 : f32
  } -> tensor<8x8xf32>
  %r = linalg.matmul ins(%q, %w : tensor<8x8xi8>, tensor<8x8xi8>) outs(%start : tensor<8x8xi32>) -> tensor<8x8xi32>
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%r, %real : tensor<8x8xi32>, tensor<8x8xf32>) outs(%ef : tensor<8x8xf32>) {
  ^bb0(%in: i32, %in_1: f32, %out: f32):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.addf %0, %in_1 : f32
    linalg.yield %1 : f32
  } -> tensor<8x8xf32>
  return %s : tensor<8x8xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// The first product is quantized, and its bytes are dequantized for a sum that
// is part of the second one: the first task stores bytes.
// CHECK-LABEL: func @bytes(
// CHECK:         %[[A:.*]] = call @task_matmul_8x8x8_{{.*}} -> tensor<8x8xi8>
// CHECK:         %[[B:.*]] = call @task_matmul_8x8x8_{{.*}}(%{{.*}}, %[[A]]
// CHECK-NEXT:    return %[[B]]
func.func @bytes(%x: tensor<8x8xi8>, %w: tensor<8x8xi8>) -> tensor<8x8xf32> {
  %zero = arith.constant 0 : i32
  %half = arith.constant 0.5 : f32
  %three = arith.constant 3.0 : f32
  %none = arith.constant 0.0 : f32
  %ei = tensor.empty() : tensor<8x8xi32>
  %ef = tensor.empty() : tensor<8x8xf32>
  %eb = tensor.empty() : tensor<8x8xi8>
  %start = linalg.fill ins(%zero : i32) outs(%ei : tensor<8x8xi32>) -> tensor<8x8xi32>
  %p = linalg.matmul ins(%x, %w : tensor<8x8xi8>, tensor<8x8xi8>) outs(%start : tensor<8x8xi32>) -> tensor<8x8xi32>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<8x8xi32>) outs(%eb : tensor<8x8xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.trunci %in : i32 to i8
    linalg.yield %0 : i8
  } -> tensor<8x8xi8>
  // In two steps.
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%q : tensor<8x8xi8>) outs(%ef : tensor<8x8xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.subf %0, %three : f32
    linalg.yield %1 : f32
  } -> tensor<8x8xf32>
  %real = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%f : tensor<8x8xf32>) outs(%ef : tensor<8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %half : f32
    linalg.yield %0 : f32
  } -> tensor<8x8xf32>
  %r = linalg.matmul ins(%w, %x : tensor<8x8xi8>, tensor<8x8xi8>) outs(%start : tensor<8x8xi32>) -> tensor<8x8xi32>
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%r, %real : tensor<8x8xi32>, tensor<8x8xf32>) outs(%ef : tensor<8x8xf32>) {
  ^bb0(%in: i32, %in_1: f32, %out: f32):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.addf %0, %in_1 : f32
    linalg.yield %1 : f32
  } -> tensor<8x8xf32>
  return %s : tensor<8x8xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// Without a later product, the dequantization and what follows it stay in the
// epilogue.
// CHECK-LABEL: func @alone(
// CHECK:         %[[A:.*]] = call @task_matmul_8x8x8_{{.*}} -> tensor<8x8xf32>
// CHECK-NEXT:    return %[[A]]
func.func @alone(%x: tensor<8x8xi8>, %w: tensor<8x8xi8>) -> tensor<8x8xf32> {
  %zero = arith.constant 0 : i32
  %half = arith.constant 0.5 : f32
  %none = arith.constant 0.0 : f32
  %ei = tensor.empty() : tensor<8x8xi32>
  %ef = tensor.empty() : tensor<8x8xf32>
  %eb = tensor.empty() : tensor<8x8xi8>
  %start = linalg.fill ins(%zero : i32) outs(%ei : tensor<8x8xi32>) -> tensor<8x8xi32>
  %p = linalg.matmul ins(%x, %w : tensor<8x8xi8>, tensor<8x8xi8>) outs(%start : tensor<8x8xi32>) -> tensor<8x8xi32>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<8x8xi32>) outs(%eb : tensor<8x8xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.trunci %in : i32 to i8
    linalg.yield %0 : i8
  } -> tensor<8x8xi8>
  %real = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%q : tensor<8x8xi8>) outs(%ef : tensor<8x8xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %half : f32
    linalg.yield %1 : f32
  } -> tensor<8x8xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%real : tensor<8x8xf32>) outs(%ef : tensor<8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %none : f32
    linalg.yield %0 : f32
  } -> tensor<8x8xf32>
  return %s : tensor<8x8xf32>
}
