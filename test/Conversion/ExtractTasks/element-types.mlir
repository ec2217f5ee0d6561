// RUN: pruner-opt %s --pruner-extract-tasks --split-input-file | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#unit = affine_map<(d0, d1) -> (d0, 0)>
#even = affine_map<(d0, d1) -> (d0 * 2 + 1, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>

// All element types that a task supports. A comparison counts as one operation,
// a cast as none.
// CHECK-LABEL: func.func @numbers
// CHECK: call @[[DOUBLES:task_elementwise_64x64_[0-9a-f]+]](%arg0)
// CHECK: call @[[INTEGERS:task_elementwise_64x64_[0-9a-f]+]](%arg1)
// CHECK: call @[[MASK:task_elementwise_64x64_[0-9a-f]+]](%arg1, %arg2)
// CHECK: call @[[HALF:task_elementwise_64x64_[0-9a-f]+]](%arg3)
// CHECK: @[[DOUBLES]]({{.*}}flops = 4096 : i64
// CHECK: @[[INTEGERS]]({{.*}}flops = 0 : i64
// CHECK: @[[MASK]]({{.*}}bytes = 40960 : i64, flops = 4096 : i64
// CHECK: @[[HALF]]({{.*}}flops = 0 : i64
func.func @numbers(%d: tensor<64x64xf64>, %i: tensor<64x64xi64>, %m: tensor<64x64xi1>, %h: tensor<64x64xf16>)
    -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xi1>, tensor<64x64xbf16>) {
  %e = tensor.empty() : tensor<64x64xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%d : tensor<64x64xf64>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: f64, %out: f32):
    %s = arith.mulf %in, %in : f64
    %t = arith.truncf %s : f64 to f32
    linalg.yield %t : f32
  } -> tensor<64x64xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%i : tensor<64x64xi64>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: i64, %out: f32):
    %t = arith.sitofp %in : i64 to f32
    linalg.yield %t : f32
  } -> tensor<64x64xf32>
  %b = tensor.empty() : tensor<64x64xi1>
  %2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%i, %m : tensor<64x64xi64>, tensor<64x64xi1>) outs(%b : tensor<64x64xi1>) {
  ^bb0(%in: i64, %mask: i1, %out: i1):
    %c = arith.constant 0 : i64
    %t = arith.cmpi sge, %in, %c : i64
    %u = arith.andi %t, %mask : i1
    linalg.yield %u : i1
  } -> tensor<64x64xi1>
  %g = tensor.empty() : tensor<64x64xbf16>
  %3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%h : tensor<64x64xf16>) outs(%g : tensor<64x64xbf16>) {
  ^bb0(%in: f16, %out: bf16):
    %t = arith.extf %in : f16 to f32
    %u = arith.truncf %t : f32 to bf16
    linalg.yield %u : bf16
  } -> tensor<64x64xbf16>
  return %0, %1, %2, %3 : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xi1>, tensor<64x64xbf16>
}

// -----

// Products and windows may also accumulate in f16 and bf16.
// CHECK-LABEL: func.func @narrow_sums
// CHECK: call @task_matmul_64x64x64_{{[0-9a-f]+}}(%arg0
// CHECK: call @task_conv_2d_nhwc_hwcf_1x14x14x8x3x3x4_{{[0-9a-f]+}}(%arg1
func.func @narrow_sums(%a: tensor<64x64xf16>, %x: tensor<1x16x16x4xbf16>, %w: tensor<3x3x4x8xbf16>)
    -> (tensor<64x64xf16>, tensor<1x14x14x8xbf16>) {
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<64x64xf16>
  %i = linalg.fill ins(%zero : f16) outs(%e : tensor<64x64xf16>) -> tensor<64x64xf16>
  %0 = linalg.matmul ins(%a, %a : tensor<64x64xf16>, tensor<64x64xf16>)
                     outs(%i : tensor<64x64xf16>) -> tensor<64x64xf16>
  %none = arith.constant 0.0 : bf16
  %f = tensor.empty() : tensor<1x14x14x8xbf16>
  %j = linalg.fill ins(%none : bf16) outs(%f : tensor<1x14x14x8xbf16>) -> tensor<1x14x14x8xbf16>
  %1 = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x16x16x4xbf16>, tensor<3x3x4x8xbf16>)
                                outs(%j : tensor<1x14x14x8xbf16>) -> tensor<1x14x14x8xbf16>
  return %0, %1 : tensor<64x64xf16>, tensor<1x14x14x8xbf16>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#unit = affine_map<(d0, d1) -> (d0, 0)>
#odd = affine_map<(d0, d1) -> (d0 * 2 + 1, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>

// One row for all, every second row, and a result that is written transposed.
// CHECK-DAG: #[[UNIT:.*]] = affine_map<(d0, d1) -> (d1, 0)>
// CHECK-DAG: #[[ODD:.*]] = affine_map<(d0, d1) -> (d1 * 2 + 1, d0)>
// CHECK-LABEL: func.func @maps
// CHECK-NEXT: call @[[TASK:task_elementwise_64x64_[0-9a-f]+]](%arg0, %arg1)
// CHECK: @[[TASK]]
// CHECK: linalg.generic {indexing_maps = [#[[UNIT]], #[[ODD]], #{{.*}}]
func.func @maps(%a: tensor<64x1xf32>, %b: tensor<128x64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  %s = linalg.generic {indexing_maps = [#unit, #odd, #swap], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<64x1xf32>, tensor<128x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: f32, %other: f32, %out: f32):
    %t = arith.addf %in, %other : f32
    linalg.yield %t : f32
  } -> tensor<64x64xf32>
  return %s : tensor<64x64xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// The tensor that is read is also overwritten: it stays an argument.
// CHECK-LABEL: func.func @in_place
// CHECK-NEXT: call @[[TASK:task_elementwise_64x64_[0-9a-f]+]](%arg0)
// CHECK: @[[TASK]](%[[X:.*]]: tensor<64x64xf32>)
// CHECK: %[[E:.*]] = tensor.empty
// CHECK: linalg.generic {{.*}} ins(%[[X]] : tensor<64x64xf32>) outs(%[[E]] : tensor<64x64xf32>)
func.func @in_place(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<64x64xf32>) outs(%a : tensor<64x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = arith.addf %in, %in : f32
    linalg.yield %t : f32
  } -> tensor<64x64xf32>
  return %s : tensor<64x64xf32>
}
