// RUN: pruner-opt %s --pruner-extract-tasks --split-input-file | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// Only one product reads the normalized rows (sub, mul), so they become its
// prologue, as do f16 weights that are extended. 2*128*128*64 + 128*64*2 =
// 2113536 flops.
// CHECK-LABEL: func.func @normalized
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<128x64xf32>, %[[M:[a-z0-9]+]]: tensor<128xf32>, %[[R:[a-z0-9]+]]: tensor<128xf32>, %[[W:[a-z0-9]+]]: tensor<64x128xf16>
// CHECK-NEXT: call @[[TASK:task_matmul_[0-9a-fx_]+]](%[[X]], %[[M]], %[[R]], %[[W]])
// CHECK-NEXT: return
// CHECK: func.func private @[[TASK]](%[[A0:.*]]: tensor<128x64xf32>, %[[A1:.*]]: tensor<128xf32>, %[[A2:.*]]: tensor<128xf32>, %[[A3:.*]]: tensor<64x128xf16>)
// CHECK-SAME: flops = 2113536 : i64
// CHECK: %[[P:.*]] = linalg.generic {{.*}} ins(%[[A0]], %[[A1]], %[[A2]] :
// CHECK: arith.subf
// CHECK: arith.mulf
// CHECK: %[[Q:.*]] = linalg.generic {{.*}} ins(%[[A3]] :
// CHECK: arith.extf
// CHECK: linalg.fill
// CHECK: linalg.matmul ins(%[[P]], %[[Q]] :
func.func @normalized(%x: tensor<128x64xf32>, %mean: tensor<128xf32>, %rstd: tensor<128xf32>,
                      %w: tensor<64x128xf16>) -> tensor<128x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x64xf32>
  %c = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %mean : tensor<128x64xf32>, tensor<128xf32>) outs(%e : tensor<128x64xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %t = arith.subf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<128x64xf32>
  %n = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%c, %rstd : tensor<128x64xf32>, tensor<128xf32>) outs(%e : tensor<128x64xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %t = arith.mulf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<128x64xf32>
  %g = tensor.empty() : tensor<64x128xf32>
  %v = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<64x128xf16>) outs(%g : tensor<64x128xf32>) {
  ^bb0(%a: f16, %out: f32):
    %t = arith.extf %a : f16 to f32
    linalg.yield %t : f32
  } -> tensor<64x128xf32>
  %h = tensor.empty() : tensor<128x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%h : tensor<128x128xf32>) -> tensor<128x128xf32>
  %m = linalg.matmul ins(%n, %v : tensor<128x64xf32>, tensor<64x128xf32>)
                     outs(%f : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %m : tensor<128x128xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// A prologue runs once for each tile that reads it. An exponential is therefore
// not fused; it is a task of its own.
// CHECK-LABEL: func.func @expensive
// CHECK: %[[P:.*]] = call @task_elementwise_128x64_
// CHECK: call @task_matmul_128x128x64_{{[0-9a-f]+}}(%[[P]], %{{.*}})
func.func @expensive(%x: tensor<128x64xf32>, %w: tensor<64x128xf32>) -> tensor<128x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x64xf32>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<128x64xf32>) outs(%e : tensor<128x64xf32>) {
  ^bb0(%a: f32, %out: f32):
    %t = math.exp %a : f32
    linalg.yield %t : f32
  } -> tensor<128x64xf32>
  %h = tensor.empty() : tensor<128x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%h : tensor<128x128xf32>) -> tensor<128x128xf32>
  %m = linalg.matmul ins(%n, %w : tensor<128x64xf32>, tensor<64x128xf32>)
                     outs(%f : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %m : tensor<128x128xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// The same exponential in front of a product with one column is read once.
// CHECK-LABEL: func.func @expensive_once
// CHECK-NEXT: call @task_matmul_128x1x64_
// CHECK-NEXT: return
// CHECK: math.exp
// CHECK: linalg.matmul
func.func @expensive_once(%x: tensor<128x64xf32>, %w: tensor<64x1xf32>) -> tensor<128x1xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x64xf32>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<128x64xf32>) outs(%e : tensor<128x64xf32>) {
  ^bb0(%a: f32, %out: f32):
    %t = math.exp %a : f32
    linalg.yield %t : f32
  } -> tensor<128x64xf32>
  %h = tensor.empty() : tensor<128x1xf32>
  %f = linalg.fill ins(%zero : f32) outs(%h : tensor<128x1xf32>) -> tensor<128x1xf32>
  %m = linalg.matmul ins(%n, %w : tensor<128x64xf32>, tensor<64x1xf32>)
                     outs(%f : tensor<128x1xf32>) -> tensor<128x1xf32>
  return %m : tensor<128x1xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// Two products read it, so it is not computed twice.
// CHECK-LABEL: func.func @two_readers
// CHECK: %[[P:.*]] = call @task_elementwise_128x64_
// CHECK: call @[[T:task_matmul_128x128x64_[0-9a-f]+]](%[[P]], %{{.*}})
// CHECK: call @[[T]](%[[P]], %{{.*}})
// CHECK: func.func private @[[T]]
// CHECK-SAME: weight = 2 : i64
func.func @two_readers(%x: tensor<128x64xf32>, %w: tensor<64x128xf32>, %v: tensor<64x128xf32>)
    -> (tensor<128x128xf32>, tensor<128x128xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x64xf32>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<128x64xf32>) outs(%e : tensor<128x64xf32>) {
  ^bb0(%a: f32, %out: f32):
    %t = arith.addf %a, %a : f32
    linalg.yield %t : f32
  } -> tensor<128x64xf32>
  %h = tensor.empty() : tensor<128x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%h : tensor<128x128xf32>) -> tensor<128x128xf32>
  %m = linalg.matmul ins(%n, %w : tensor<128x64xf32>, tensor<64x128xf32>)
                     outs(%f : tensor<128x128xf32>) -> tensor<128x128xf32>
  %k = linalg.matmul ins(%n, %v : tensor<128x64xf32>, tensor<64x128xf32>)
                     outs(%f : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %m, %k : tensor<128x128xf32>, tensor<128x128xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// Widened numbers with two readers: each task reads the narrow ones.
// CHECK-LABEL: func.func @widened
// CHECK-NEXT: call @[[SUM:task_reduce_sum_128x64_[0-9a-f]+]](%arg0)
// CHECK-NEXT: call @[[MAX:task_reduce_max_128x64_[0-9a-f]+]](%arg0)
// CHECK-NEXT: return
// CHECK: @[[SUM]](%{{.*}}: tensor<128x64xf16>)
// CHECK: arith.extf
func.func @widened(%x: tensor<128x64xf16>) -> (tensor<128xf32>, tensor<128xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x64xf32>
  %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<128x64xf16>) outs(%e : tensor<128x64xf32>) {
  ^bb0(%a: f16, %out: f32):
    %t = arith.extf %a : f16 to f32
    linalg.yield %t : f32
  } -> tensor<128x64xf32>
  %h = tensor.empty() : tensor<128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%h : tensor<128xf32>) -> tensor<128xf32>
  %s = linalg.reduce { arith.addf } ins(%w : tensor<128x64xf32>) outs(%f : tensor<128xf32>) dimensions = [1]
  %m = linalg.reduce { arith.maximumf } ins(%w : tensor<128x64xf32>) outs(%f : tensor<128xf32>) dimensions = [1]
  return %s, %m : tensor<128xf32>, tensor<128xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// The rounding of a constant stays outside, where it is computed ahead of time,
// and its result is a constant of the task. That of an activation is a prologue.
// CHECK-LABEL: func.func @rounded
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<128x64xf32>, %[[W:[a-z0-9]+]]: tensor<64x128xf32> {pruner.constant}
// CHECK: %[[R:.*]] = linalg.generic {{.*}} ins(%[[W]] : tensor<64x128xf32>) outs(%{{.*}} : tensor<64x128xbf16>)
// CHECK: call @[[TASK:task_matmul_[0-9a-fx_]+]](%[[X]], %[[R]])
// CHECK: func.func private @[[TASK]](%[[A0:.*]]: tensor<128x64xf32>, %[[A1:.*]]: tensor<64x128xbf16> {pruner.constant})
// CHECK: %[[P:.*]] = linalg.generic {{.*}} ins(%[[A0]] :
// CHECK: arith.truncf
// CHECK: linalg.matmul ins(%[[P]], %[[A1]] :
func.func @rounded(%x: tensor<128x64xf32>, %w: tensor<64x128xf32> {pruner.constant}) -> (tensor<128x128xf32>, tensor<128x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x64xbf16>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<128x64xf32>) outs(%e : tensor<128x64xbf16>) {
  ^bb0(%p: f32, %out: bf16):
    %t = arith.truncf %p : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<128x64xbf16>
  %g = tensor.empty() : tensor<64x128xbf16>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<64x128xf32>) outs(%g : tensor<64x128xbf16>) {
  ^bb0(%p: f32, %out: bf16):
    %t = arith.truncf %p : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<64x128xbf16>
  %h = tensor.empty() : tensor<128x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%h : tensor<128x128xf32>) -> tensor<128x128xf32>
  %m = linalg.matmul ins(%a, %b : tensor<128x64xbf16>, tensor<64x128xbf16>)
                     outs(%f : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %m, %x : tensor<128x128xf32>, tensor<128x64xf32>
}
