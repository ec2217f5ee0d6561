// RUN: pruner-opt %s --pruner-extract-tasks --split-input-file 2>/dev/null | FileCheck %s
// RUN: pruner-opt %s --pruner-extract-tasks --pruner-list-tasks --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=LIST

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// Two embeddings and their sum: one op reads both tables. It reads 128 numbers
// of 8 bytes twice, 128 rows of one table and both rows of the other, and
// writes its result: 2048 + 32768 + 512 + 32768 bytes.
// CHECK-LABEL: func.func @embeddings
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK-DAG: tensor.extract %arg2
// CHECK-DAG: tensor.extract %arg3
// CHECK: arith.addf
// CHECK: return
// LIST: in tasks: 0.00% of {{.*}} GFLOP, 0.00% of 0.068096 MB
// LIST-NEXT: outside tasks: 1 x linalg.generic (gather)
func.func @embeddings(%ids: tensor<128xi64>, %kinds: tensor<128xi64>, %words: tensor<999x64xf32>, %types: tensor<2x64xf32>) -> tensor<128x64xf32> {
  %e = tensor.empty() : tensor<128x64xf32>
  %a = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%ids : tensor<128xi64>) outs(%e : tensor<128x64xf32>) {
  ^bb0(%in: i64, %out: f32):
    %r = arith.index_cast %in : i64 to index
    %c = linalg.index 1 : index
    %v = tensor.extract %words[%r, %c] : tensor<999x64xf32>
    linalg.yield %v : f32
  } -> tensor<128x64xf32>
  %b = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%kinds : tensor<128xi64>) outs(%e : tensor<128x64xf32>) {
  ^bb0(%in: i64, %out: f32):
    %r = arith.index_cast %in : i64 to index
    %c = linalg.index 1 : index
    %v = tensor.extract %types[%r, %c] : tensor<2x64xf32>
    linalg.yield %v : f32
  } -> tensor<128x64xf32>
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<128x64xf32>, tensor<128x64xf32>) outs(%e : tensor<128x64xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %t = arith.addf %x, %y : f32
    linalg.yield %t : f32
  } -> tensor<128x64xf32>
  return %s : tensor<128x64xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// The epilogue of a product stays with it, and values with other readers are
// not fused.
// CHECK-LABEL: func.func @stays
// CHECK: %[[B:.*]] = linalg.generic
// CHECK: tensor.extract
// CHECK: call @task_matmul_{{.*}}(%arg2, %arg3, %[[B]])
// CHECK: call @task_elementwise_{{.*}}(%[[B]])
func.func @stays(%ids: tensor<128xi64>, %table: tensor<99x64xf32>, %x: tensor<128x32xf32>, %w: tensor<32x64xf32>) -> (tensor<128x64xf32>, tensor<128x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x64xf32>
  %b = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%ids : tensor<128xi64>) outs(%e : tensor<128x64xf32>) {
  ^bb0(%in: i64, %out: f32):
    %r = arith.index_cast %in : i64 to index
    %c = linalg.index 1 : index
    %v = tensor.extract %table[%r, %c] : tensor<99x64xf32>
    linalg.yield %v : f32
  } -> tensor<128x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<128x64xf32>) -> tensor<128x64xf32>
  %m = linalg.matmul ins(%x, %w : tensor<128x32xf32>, tensor<32x64xf32>) outs(%f : tensor<128x64xf32>) -> tensor<128x64xf32>
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%m, %b : tensor<128x64xf32>, tensor<128x64xf32>) outs(%e : tensor<128x64xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %t = arith.addf %p, %q : f32
    linalg.yield %t : f32
  } -> tensor<128x64xf32>
  %u = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%b : tensor<128x64xf32>) outs(%e : tensor<128x64xf32>) {
  ^bb0(%p: f32, %out: f32):
    %t = arith.negf %p : f32
    linalg.yield %t : f32
  } -> tensor<128x64xf32>
  return %s, %u : tensor<128x64xf32>, tensor<128x64xf32>
}
