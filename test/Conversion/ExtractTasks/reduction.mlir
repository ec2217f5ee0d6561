// RUN: pruner-opt %s --pruner-extract-tasks --split-input-file | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#col = affine_map<(d0, d1) -> (d1)>
#none = affine_map<(d0, d1) -> ()>

// Rows, columns, everything. A named reduction and the equal generic are one
// task.
// CHECK-LABEL: func.func @sums
// CHECK: call @[[ROWS:task_reduce_sum_64x128_[0-9a-f]+]](%arg0, %arg1)
// CHECK: call @[[ROWS]](%arg0, %arg1)
// CHECK: call @[[COLUMNS:task_reduce_sum_64x128_[0-9a-f]+]](%arg0, %arg2)
// CHECK: call @[[ALL:task_reduce_sum_64x128_[0-9a-f]+]](%arg0, %arg3)
// CHECK: func.func private @[[ROWS]]({{.*}}-> tensor<64xf32>
// CHECK-SAME: flops = 8192 : i64
// CHECK-SAME: weight = 2
// CHECK: func.func private @[[COLUMNS]]({{.*}}-> tensor<128xf32>
// CHECK: func.func private @[[ALL]]({{.*}}-> tensor<f32>
func.func @sums(%a: tensor<64x128xf32>, %r: tensor<64xf32>, %c: tensor<128xf32>, %s: tensor<f32>)
    -> (tensor<64xf32>, tensor<64xf32>, tensor<128xf32>, tensor<f32>) {
  %0 = linalg.reduce ins(%a : tensor<64x128xf32>) outs(%r : tensor<64xf32>) dimensions = [1]
    (%in: f32, %acc: f32) {
      %t = arith.addf %in, %acc : f32
      linalg.yield %t : f32
    }
  %1 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<64x128xf32>) outs(%r : tensor<64xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %t = arith.addf %in, %acc : f32
    linalg.yield %t : f32
  } -> tensor<64xf32>
  %2 = linalg.generic {indexing_maps = [#id, #col], iterator_types = ["reduction", "parallel"]}
      ins(%a : tensor<64x128xf32>) outs(%c : tensor<128xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %t = arith.addf %in, %acc : f32
    linalg.yield %t : f32
  } -> tensor<128xf32>
  %3 = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction", "reduction"]}
      ins(%a : tensor<64x128xf32>) outs(%s : tensor<f32>) {
  ^bb0(%in: f32, %acc: f32):
    %t = arith.addf %in, %acc : f32
    linalg.yield %t : f32
  } -> tensor<f32>
  return %0, %1, %2, %3 : tensor<64xf32>, tensor<64xf32>, tensor<128xf32>, tensor<f32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: func.func @kinds
// CHECK: call @task_reduce_max_64x128_
// CHECK: call @task_reduce_min_64x128_
// CHECK: call @task_reduce_max_64x128_
// CHECK: call @task_reduce_min_64x128_
// CHECK: call @task_reduce_product_64x128_
// CHECK: call @task_reduce_and_64x128_
// CHECK: call @task_reduce_sum_64x128_
func.func @kinds(%a: tensor<64x128xf16>, %b: tensor<64x128xi32>, %m: tensor<64x128xi1>, %c: tensor<64x128xbf16>,
                 %ar: tensor<64xf16>, %br: tensor<64xi32>, %mr: tensor<64xi1>, %cr: tensor<64xf32>)
    -> (tensor<64xf16>, tensor<64xf16>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi1>, tensor<64xf32>) {
  %0 = linalg.reduce { arith.maximumf } ins(%a : tensor<64x128xf16>) outs(%ar : tensor<64xf16>) dimensions = [1]
  %1 = linalg.reduce { arith.minnumf } ins(%a : tensor<64x128xf16>) outs(%ar : tensor<64xf16>) dimensions = [1]
  %2 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%b : tensor<64x128xi32>) outs(%br : tensor<64xi32>) {
  ^bb0(%in: i32, %acc: i32):
    %g = arith.cmpi sgt, %acc, %in : i32
    %t = arith.select %g, %acc, %in : i32
    linalg.yield %t : i32
  } -> tensor<64xi32>
  %3 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%b : tensor<64x128xi32>) outs(%br : tensor<64xi32>) {
  ^bb0(%in: i32, %acc: i32):
    %g = arith.cmpi sge, %in, %acc : i32
    %t = arith.select %g, %acc, %in : i32
    linalg.yield %t : i32
  } -> tensor<64xi32>
  %4 = linalg.reduce { arith.muli } ins(%b : tensor<64x128xi32>) outs(%br : tensor<64xi32>) dimensions = [1]
  %5 = linalg.reduce { arith.andi } ins(%m : tensor<64x128xi1>) outs(%mr : tensor<64xi1>) dimensions = [1]
  %6 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%c : tensor<64x128xbf16>) outs(%cr : tensor<64xf32>) {
  ^bb0(%in: bf16, %acc: f32):
    %x = arith.extf %in : bf16 to f32
    %q = arith.mulf %x, %x : f32
    %t = arith.addf %acc, %q : f32
    linalg.yield %t : f32
  } -> tensor<64xf32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<64xf16>, tensor<64xf16>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi1>, tensor<64xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#vec = affine_map<(d0) -> (d0)>

// A mean square: the square in front of the sum reads each number once, so it
// may be expensive. The division is behind the sum.
// CHECK-LABEL: func.func @mean_square
// CHECK-NEXT: call @[[TASK:task_reduce_sum_64x128_[0-9a-f]+]](%arg0)
// CHECK-NEXT: return
// CHECK: @[[TASK]]
// CHECK: math.powf
// CHECK: arith.addf
// CHECK: arith.divf
func.func @mean_square(%x: tensor<64x128xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %n = arith.constant 128.0 : f32
  %e = tensor.empty() : tensor<64x128xf32>
  %p = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x128xf32>) outs(%e : tensor<64x128xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = math.powf %in, %two : f32
    linalg.yield %t : f32
  } -> tensor<64x128xf32>
  %v = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%v : tensor<64xf32>) -> tensor<64xf32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%p : tensor<64x128xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %t = arith.addf %in, %acc : f32
    linalg.yield %t : f32
  } -> tensor<64xf32>
  %m = linalg.generic {indexing_maps = [#vec, #vec], iterator_types = ["parallel"]}
      ins(%s : tensor<64xf32>) outs(%v : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = arith.divf %in, %n : f32
    linalg.yield %t : f32
  } -> tensor<64xf32>
  return %m : tensor<64xf32>
}

// -----

#in = affine_map<(c, h, w, y, x) -> (c, h * 2 + y, w * 2 + x)>
#window = affine_map<(c, h, w, y, x) -> (y, x)>
#out = affine_map<(c, h, w, y, x) -> (c, h, w)>
#id = affine_map<(c, h, w) -> (c, h, w)>

// An average over windows that do not overlap reads each number once, so even
// an exponential may be fused. The window is not an argument.
// CHECK-LABEL: func.func @average
// CHECK-NEXT: call @[[TASK:task_pool_sum_2d_16x8x8x2x2_[0-9a-f]+]](%arg0)
// CHECK-NEXT: return
// CHECK: @[[TASK]](%{{.*}}: tensor<16x16x16xf32>) -> tensor<16x8x8xf32>
// CHECK: math.exp
// CHECK: tensor.empty() : tensor<2x2xf32>
// CHECK: arith.addf
// CHECK: arith.divf
func.func @average(%x: tensor<16x16x16xf32>, %w: tensor<2x2xf32>) -> tensor<16x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %four = arith.constant 4.0 : f32
  %g = tensor.empty() : tensor<16x16x16xf32>
  %p = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<16x16x16xf32>) outs(%g : tensor<16x16x16xf32>) {
  ^bb0(%in: f32, %o: f32):
    %t = math.exp %in : f32
    linalg.yield %t : f32
  } -> tensor<16x16x16xf32>
  %e = tensor.empty() : tensor<16x8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x8x8xf32>) -> tensor<16x8x8xf32>
  %s = linalg.generic {indexing_maps = [#in, #window, #out], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%p, %w : tensor<16x16x16xf32>, tensor<2x2xf32>) outs(%f : tensor<16x8x8xf32>) {
  ^bb0(%in: f32, %unused: f32, %acc: f32):
    %t = arith.addf %in, %acc : f32
    linalg.yield %t : f32
  } -> tensor<16x8x8xf32>
  %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : tensor<16x8x8xf32>) outs(%e : tensor<16x8x8xf32>) {
  ^bb0(%in: f32, %o: f32):
    %t = arith.divf %in, %four : f32
    linalg.yield %t : f32
  } -> tensor<16x8x8xf32>
  return %m : tensor<16x8x8xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// A comparison of floats and a select, with flags that allow reordering.
// CHECK-LABEL: func.func @flags
// CHECK: call @task_reduce_max_64x128_
// CHECK: call @task_reduce_min_64x128_
func.func @flags(%a: tensor<64x128xf32>, %r: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<64x128xf32>) outs(%r : tensor<64xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %g = arith.cmpf ogt, %in, %acc fastmath<nsz> : f32
    %t = arith.select %g, %in, %acc : f32
    linalg.yield %t : f32
  } -> tensor<64xf32>
  %1 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<64x128xf32>) outs(%r : tensor<64xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %g = arith.cmpf ugt, %in, %acc fastmath<nnan,nsz> : f32
    %t = arith.select %g, %acc, %in : f32
    linalg.yield %t : f32
  } -> tensor<64xf32>
  return %0, %1 : tensor<64xf32>, tensor<64xf32>
}
