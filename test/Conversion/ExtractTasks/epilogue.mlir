// RUN: pruner-opt %s --pruner-extract-tasks --split-input-file | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#col = affine_map<(d0, d1) -> (d1)>

// Bias, first broadcast to a full tensor, then ReLU and a residual: one generic
// that reads product, bias and residual once. 2*128*32*64 + 128*32*(add, max,
// add) = 536576 flops; (128*64 + 64*32 + 32 + 128*32 + 128*32) * 4 = 73856
// bytes.
// CHECK-DAG: #[[ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[COL:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: func.func @bias_relu_residual
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<128x64xf32>, %[[W:[a-z0-9]+]]: tensor<64x32xf32>, %[[B:[a-z0-9]+]]: tensor<32xf32>, %[[R:[a-z0-9]+]]: tensor<128x32xf32>
// CHECK-NEXT: %[[C:.*]] = call @[[TASK:task_matmul_128x32x64_[0-9a-f]+]](%[[X]], %[[W]], %[[B]], %[[R]])
// CHECK-NEXT: return %[[C]]
// CHECK: func.func private @[[TASK]](%[[A0:.*]]: tensor<128x64xf32>, %[[A1:.*]]: tensor<64x32xf32>, %[[A2:.*]]: tensor<32xf32>, %[[A3:.*]]: tensor<128x32xf32>) -> tensor<128x32xf32>
// CHECK-SAME: no_inline
// CHECK-SAME: pruner.task = {bytes = 73856 : i64, flops = 536576 : i64, key = "{{[0-9a-f]+}}", weight = 1 : i64}
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[E0:.*]] = tensor.empty()
// CHECK-NEXT: %[[FILL:.*]] = linalg.fill ins(%[[ZERO]] : f32) outs(%[[E0]]
// CHECK-NEXT: %[[MM:.*]] = linalg.matmul ins(%[[A0]], %[[A1]] : {{.*}}) outs(%[[FILL]]
// CHECK-NEXT: %[[E1:.*]] = tensor.empty()
// CHECK-NEXT: %[[EPI:.*]] = linalg.generic {indexing_maps = [#[[ID]], #[[COL]], #[[ID]], #[[ID]]], iterator_types = ["parallel", "parallel"]}
// CHECK-SAME: ins(%[[MM]], %[[A2]], %[[A3]] : {{.*}}) outs(%[[E1]]
// CHECK: arith.addf
// CHECK-NEXT: arith.maximumf
// CHECK-NEXT: arith.addf
// CHECK-NEXT: linalg.yield
// CHECK: return %[[EPI]]
func.func @bias_relu_residual(%x: tensor<128x64xf32>, %w: tensor<64x32xf32>, %b: tensor<32xf32>,
                              %r: tensor<128x32xf32>) -> tensor<128x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<128x32xf32>) -> tensor<128x32xf32>
  %m = linalg.matmul ins(%x, %w : tensor<128x64xf32>, tensor<64x32xf32>)
                     outs(%f : tensor<128x32xf32>) -> tensor<128x32xf32>
  %bb = linalg.generic {indexing_maps = [#col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%b : tensor<32xf32>) outs(%e : tensor<128x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<128x32xf32>
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%m, %bb : tensor<128x32xf32>, tensor<128x32xf32>) outs(%e : tensor<128x32xf32>) {
  ^bb0(%in: f32, %c: f32, %out: f32):
    %t = arith.addf %in, %c : f32
    linalg.yield %t : f32
  } -> tensor<128x32xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<128x32xf32>) outs(%e : tensor<128x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = arith.maximumf %in, %zero : f32
    linalg.yield %t : f32
  } -> tensor<128x32xf32>
  %o = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %r : tensor<128x32xf32>, tensor<128x32xf32>) outs(%e : tensor<128x32xf32>) {
  ^bb0(%in: f32, %c: f32, %out: f32):
    %t = arith.addf %in, %c : f32
    linalg.yield %t : f32
  } -> tensor<128x32xf32>
  return %o : tensor<128x32xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// x * sigmoid(x): the product has two readers, but both are fused into one
// generic.
// CHECK-LABEL: func.func @silu
// CHECK-NEXT: call @task_matmul
// CHECK-NEXT: return
// CHECK: linalg.matmul
// CHECK: linalg.generic {{.*}} ins(%{{[0-9]+}} : tensor<128x128xf32>)
// CHECK: arith.negf
// CHECK: math.exp
// CHECK: arith.addf
// CHECK: arith.divf
// CHECK: arith.mulf
// CHECK-NOT: linalg.generic
func.func @silu(%x: tensor<128x64xf32>, %w: tensor<64x128xf32>) -> tensor<128x128xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<128x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<128x128xf32>) -> tensor<128x128xf32>
  %m = linalg.matmul ins(%x, %w : tensor<128x64xf32>, tensor<64x128xf32>)
                     outs(%f : tensor<128x128xf32>) -> tensor<128x128xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%m : tensor<128x128xf32>) outs(%e : tensor<128x128xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = arith.negf %in : f32
    %p = math.exp %n : f32
    %q = arith.addf %p, %one : f32
    %r = arith.divf %one, %q : f32
    linalg.yield %r : f32
  } -> tensor<128x128xf32>
  %o = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s, %m : tensor<128x128xf32>, tensor<128x128xf32>) outs(%e : tensor<128x128xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %t = arith.mulf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<128x128xf32>
  return %o : tensor<128x128xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// gate and up: each product takes the ops that depend only on it, and the later
// one also takes the product of both. The gate keeps its epilogue.
// CHECK-LABEL: func.func @gated
// CHECK: %[[G:.*]] = call @[[GATE:task_matmul_[0-9a-fx_]+]](%[[X:.*]], %{{.*}})
// CHECK-NEXT: %[[U:.*]] = call @[[UP:task_matmul_[0-9a-fx_]+]](%[[X]], %{{.*}}, %[[G]])
// CHECK-NEXT: return %[[U]]
// CHECK: @[[GATE]]
// CHECK: math.tanh
// CHECK: @[[UP]]
// CHECK: arith.mulf
func.func @gated(%x: tensor<128x64xf32>, %w: tensor<64x128xf32>, %v: tensor<64x128xf32>) -> tensor<128x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<128x128xf32>) -> tensor<128x128xf32>
  %m = linalg.matmul ins(%x, %w : tensor<128x64xf32>, tensor<64x128xf32>)
                     outs(%f : tensor<128x128xf32>) -> tensor<128x128xf32>
  %g = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%m : tensor<128x128xf32>) outs(%e : tensor<128x128xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = math.tanh %in : f32
    linalg.yield %n : f32
  } -> tensor<128x128xf32>
  %u = linalg.matmul ins(%x, %v : tensor<128x64xf32>, tensor<64x128xf32>)
                     outs(%f : tensor<128x128xf32>) -> tensor<128x128xf32>
  %o = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%g, %u : tensor<128x128xf32>, tensor<128x128xf32>) outs(%e : tensor<128x128xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %t = arith.mulf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<128x128xf32>
  return %o : tensor<128x128xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// A value with a second reader ends the epilogue: it is the task's result.
// CHECK-LABEL: func.func @shared
// CHECK: %[[S:.*]] = call @task_matmul_128x128x64_
// CHECK: %[[T:.*]] = call @task_elementwise_128x128_{{[0-9a-f]+}}(%[[S]])
// CHECK: return %[[S]], %[[T]]
func.func @shared(%x: tensor<128x64xf32>, %w: tensor<64x128xf32>) -> (tensor<128x128xf32>, tensor<128x128xf32>) {
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<128x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<128x128xf32>) -> tensor<128x128xf32>
  %m = linalg.matmul ins(%x, %w : tensor<128x64xf32>, tensor<64x128xf32>)
                     outs(%f : tensor<128x128xf32>) -> tensor<128x128xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%m : tensor<128x128xf32>) outs(%e : tensor<128x128xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = arith.mulf %in, %two : f32
    linalg.yield %n : f32
  } -> tensor<128x128xf32>
  %t = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<128x128xf32>) outs(%e : tensor<128x128xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = math.tanh %in : f32
    linalg.yield %n : f32
  } -> tensor<128x128xf32>
  return %s, %t : tensor<128x128xf32>, tensor<128x128xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>

// An epilogue that transposes: its loops are those of the product, and its
// result is written through the permutation.
// CHECK-DAG: #[[ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[SWAP:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-LABEL: func.func @transposed
// CHECK: linalg.matmul
// CHECK: linalg.generic {indexing_maps = [#[[ID]], #[[SWAP]]]
// CHECK-SAME: ins(%{{.*}} : tensor<128x32xf32>) outs(%{{.*}} : tensor<32x128xf32>)
func.func @transposed(%x: tensor<128x64xf32>, %w: tensor<64x32xf32>) -> tensor<32x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<128x32xf32>) -> tensor<128x32xf32>
  %m = linalg.matmul ins(%x, %w : tensor<128x64xf32>, tensor<64x32xf32>)
                     outs(%f : tensor<128x32xf32>) -> tensor<128x32xf32>
  %g = tensor.empty() : tensor<32x128xf32>
  %s = linalg.generic {indexing_maps = [#swap, #id], iterator_types = ["parallel", "parallel"]}
      ins(%m : tensor<128x32xf32>) outs(%g : tensor<32x128xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = math.tanh %in : f32
    linalg.yield %n : f32
  } -> tensor<32x128xf32>
  return %s : tensor<32x128xf32>
}

// -----

// A bias that is the init stays an argument instead of a fill.
// CHECK-LABEL: func.func @bias_as_init
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<128x64xf32>, %[[C:[a-z0-9]+]]: tensor<128x32xf32>, %[[W:[a-z0-9]+]]: tensor<64x32xf32>
// CHECK: call @[[TASK:task_matmul_[0-9a-fx_]+]](%[[X]], %[[W]], %[[C]])
// CHECK: @[[TASK]](%[[A0:.*]]: tensor<128x64xf32>, %[[A1:.*]]: tensor<64x32xf32>, %[[A2:.*]]: tensor<128x32xf32>)
// CHECK-NEXT: linalg.matmul ins(%[[A0]], %[[A1]] : {{.*}}) outs(%[[A2]]
func.func @bias_as_init(%x: tensor<128x64xf32>, %c: tensor<128x32xf32>, %w: tensor<64x32xf32>) -> tensor<128x32xf32> {
  %m = linalg.matmul ins(%x, %w : tensor<128x64xf32>, tensor<64x32xf32>)
                     outs(%c : tensor<128x32xf32>) -> tensor<128x32xf32>
  return %m : tensor<128x32xf32>
}
