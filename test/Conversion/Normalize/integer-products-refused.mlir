// RUN: pruner-opt %s --pruner-integer-products --split-input-file | FileCheck %s

// Each function breaks one condition of the pass, and does not change.

// -----

#id = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>

// A scale that differs along the reduction.
// CHECK-LABEL: func @scale_of_terms(
// CHECK:         linalg.matmul {{.*}} outs(%{{.*}} : tensor<4x8xf32>)
func.func @scale_of_terms(%x: tensor<4x16xi8>, %y: tensor<16x8xi8>, %o: tensor<16xf32>) -> tensor<4x8xf32> {
  %c = arith.constant 0.5 : f32
  %z = arith.constant 0.0 : f32
  %ea = tensor.empty() : tensor<4x16xf32>
  %a = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %o : tensor<4x16xi8>, tensor<16xf32>) outs(%ea : tensor<4x16xf32>) {
  ^bb0(%in: i8, %n: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %r = arith.mulf %0, %n : f32
    linalg.yield %r : f32
  } -> tensor<4x16xf32>
  %eb = tensor.empty() : tensor<16x8xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<16x8xi8>) outs(%eb : tensor<16x8xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.uitofp %in : i8 to f32
    %1 = arith.mulf %0, %c : f32
    linalg.yield %1 : f32
  } -> tensor<16x8xf32>
  %er = tensor.empty() : tensor<4x8xf32>
  %start = linalg.fill ins(%z : f32) outs(%er : tensor<4x8xf32>) -> tensor<4x8xf32>
  %r = linalg.matmul ins(%a, %b : tensor<4x16xf32>, tensor<16x8xf32>) outs(%start : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>

// A zero point that differs along the reduction.
// CHECK-LABEL: func @zero_points_of_terms(
// CHECK:         linalg.matmul {{.*}} outs(%{{.*}} : tensor<4x8xf32>)
func.func @zero_points_of_terms(%x: tensor<4x16xi8>, %y: tensor<16x8xi8>, %o: tensor<16xi8>) -> tensor<4x8xf32> {
  %c = arith.constant 0.5 : f32
  %z = arith.constant 0.0 : f32
  %ea = tensor.empty() : tensor<4x16xf32>
  %a = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %o : tensor<4x16xi8>, tensor<16xi8>) outs(%ea : tensor<4x16xf32>) {
  ^bb0(%in: i8, %n: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.extsi %n : i8 to i32
    %2 = arith.subi %0, %1 : i32
    %r = arith.sitofp %2 : i32 to f32
    linalg.yield %r : f32
  } -> tensor<4x16xf32>
  %eb = tensor.empty() : tensor<16x8xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<16x8xi8>) outs(%eb : tensor<16x8xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.uitofp %in : i8 to f32
    %1 = arith.mulf %0, %c : f32
    linalg.yield %1 : f32
  } -> tensor<16x8xf32>
  %er = tensor.empty() : tensor<4x8xf32>
  %start = linalg.fill ins(%z : f32) outs(%er : tensor<4x8xf32>) -> tensor<4x8xf32>
  %r = linalg.matmul ins(%a, %b : tensor<4x16xf32>, tensor<16x8xf32>) outs(%start : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// A zero point of unknown range: sums might overflow.
// CHECK-LABEL: func @unknown_zero_point(
// CHECK:         linalg.matmul {{.*}} outs(%{{.*}} : tensor<4x8xf32>)
func.func @unknown_zero_point(%x: tensor<4x16xi8>, %y: tensor<16x8xi8>, %o: i32) -> tensor<4x8xf32> {
  %c = arith.constant 0.5 : f32
  %z = arith.constant 0.0 : f32
  %ea = tensor.empty() : tensor<4x16xf32>
  %a = linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> ()>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %o : tensor<4x16xi8>, i32) outs(%ea : tensor<4x16xf32>) {
  ^bb0(%in: i8, %n: i32, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %n : i32
    %r = arith.sitofp %1 : i32 to f32
    linalg.yield %r : f32
  } -> tensor<4x16xf32>
  %eb = tensor.empty() : tensor<16x8xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<16x8xi8>) outs(%eb : tensor<16x8xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.uitofp %in : i8 to f32
    %1 = arith.mulf %0, %c : f32
    linalg.yield %1 : f32
  } -> tensor<16x8xf32>
  %er = tensor.empty() : tensor<4x8xf32>
  %start = linalg.fill ins(%z : f32) outs(%er : tensor<4x8xf32>) -> tensor<4x8xf32>
  %r = linalg.matmul ins(%a, %b : tensor<4x16xf32>, tensor<16x8xf32>) outs(%start : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// 2^31 < 65794 * 128 * 255.
// CHECK-LABEL: func @too_many_terms(
// CHECK:         linalg.matmul {{.*}} outs(%{{.*}} : tensor<4x8xf32>)
func.func @too_many_terms(%x: tensor<4x65794xi8>, %y: tensor<65794x8xi8>, %o: f32) -> tensor<4x8xf32> {
  %c = arith.constant 0.5 : f32
  %z = arith.constant 0.0 : f32
  %ea = tensor.empty() : tensor<4x65794xf32>
  %a = linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> ()>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %o : tensor<4x65794xi8>, f32) outs(%ea : tensor<4x65794xf32>) {
  ^bb0(%in: i8, %n: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %r = arith.mulf %0, %n : f32
    linalg.yield %r : f32
  } -> tensor<4x65794xf32>
  %eb = tensor.empty() : tensor<65794x8xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<65794x8xi8>) outs(%eb : tensor<65794x8xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.uitofp %in : i8 to f32
    %1 = arith.mulf %0, %c : f32
    linalg.yield %1 : f32
  } -> tensor<65794x8xf32>
  %er = tensor.empty() : tensor<4x8xf32>
  %start = linalg.fill ins(%z : f32) outs(%er : tensor<4x8xf32>) -> tensor<4x8xf32>
  %r = linalg.matmul ins(%a, %b : tensor<4x65794xf32>, tensor<65794x8xf32>) outs(%start : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// A difference that is no zero point.
// CHECK-LABEL: func @no_integer(
// CHECK:         linalg.matmul {{.*}} outs(%{{.*}} : tensor<4x8xf32>)
func.func @no_integer(%x: tensor<4x16xi8>, %y: tensor<16x8xi8>, %o: f32) -> tensor<4x8xf32> {
  %c = arith.constant 0.5 : f32
  %z = arith.constant 0.0 : f32
  %ea = tensor.empty() : tensor<4x16xf32>
  %a = linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> ()>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %o : tensor<4x16xi8>, f32) outs(%ea : tensor<4x16xf32>) {
  ^bb0(%in: i8, %n: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.subf %0, %c : f32
    %r = arith.mulf %1, %n : f32
    linalg.yield %r : f32
  } -> tensor<4x16xf32>
  %eb = tensor.empty() : tensor<16x8xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<16x8xi8>) outs(%eb : tensor<16x8xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.uitofp %in : i8 to f32
    %1 = arith.mulf %0, %c : f32
    linalg.yield %1 : f32
  } -> tensor<16x8xf32>
  %er = tensor.empty() : tensor<4x8xf32>
  %start = linalg.fill ins(%z : f32) outs(%er : tensor<4x8xf32>) -> tensor<4x8xf32>
  %r = linalg.matmul ins(%a, %b : tensor<4x16xf32>, tensor<16x8xf32>) outs(%start : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// Two roundings.
// CHECK-LABEL: func @two_scales(
// CHECK:         linalg.matmul {{.*}} outs(%{{.*}} : tensor<4x8xf32>)
func.func @two_scales(%x: tensor<4x16xi8>, %y: tensor<16x8xi8>, %o: f32) -> tensor<4x8xf32> {
  %c = arith.constant 0.5 : f32
  %z = arith.constant 0.0 : f32
  %ea = tensor.empty() : tensor<4x16xf32>
  %a = linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> ()>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %o : tensor<4x16xi8>, f32) outs(%ea : tensor<4x16xf32>) {
  ^bb0(%in: i8, %n: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %n : f32
    %r = arith.mulf %1, %c : f32
    linalg.yield %r : f32
  } -> tensor<4x16xf32>
  %eb = tensor.empty() : tensor<16x8xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<16x8xi8>) outs(%eb : tensor<16x8xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.uitofp %in : i8 to f32
    %1 = arith.mulf %0, %c : f32
    linalg.yield %1 : f32
  } -> tensor<16x8xf32>
  %er = tensor.empty() : tensor<4x8xf32>
  %start = linalg.fill ins(%z : f32) outs(%er : tensor<4x8xf32>) -> tensor<4x8xf32>
  %r = linalg.matmul ins(%a, %b : tensor<4x16xf32>, tensor<16x8xf32>) outs(%start : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// A sum of zero would change its sign.
// CHECK-LABEL: func @negative_scale(
// CHECK:         linalg.matmul {{.*}} outs(%{{.*}} : tensor<4x8xf32>)
func.func @negative_scale(%x: tensor<4x16xi8>, %y: tensor<16x8xi8>, %o: f32) -> tensor<4x8xf32> {
  %c = arith.constant -0.5 : f32
  %z = arith.constant 0.0 : f32
  %ea = tensor.empty() : tensor<4x16xf32>
  %a = linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> ()>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %o : tensor<4x16xi8>, f32) outs(%ea : tensor<4x16xf32>) {
  ^bb0(%in: i8, %n: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %r = arith.mulf %0, %n : f32
    linalg.yield %r : f32
  } -> tensor<4x16xf32>
  %eb = tensor.empty() : tensor<16x8xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<16x8xi8>) outs(%eb : tensor<16x8xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.uitofp %in : i8 to f32
    %1 = arith.mulf %0, %c : f32
    linalg.yield %1 : f32
  } -> tensor<16x8xf32>
  %er = tensor.empty() : tensor<4x8xf32>
  %start = linalg.fill ins(%z : f32) outs(%er : tensor<4x8xf32>) -> tensor<4x8xf32>
  %r = linalg.matmul ins(%a, %b : tensor<4x16xf32>, tensor<16x8xf32>) outs(%start : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// Zero times infinity is NaN.
// CHECK-LABEL: func @infinite_scale(
// CHECK:         linalg.matmul {{.*}} outs(%{{.*}} : tensor<4x8xf32>)
func.func @infinite_scale(%x: tensor<4x16xi8>, %y: tensor<16x8xi8>, %o: f32) -> tensor<4x8xf32> {
  %c = arith.constant 0x7F800000 : f32
  %z = arith.constant 0.0 : f32
  %ea = tensor.empty() : tensor<4x16xf32>
  %a = linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> ()>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %o : tensor<4x16xi8>, f32) outs(%ea : tensor<4x16xf32>) {
  ^bb0(%in: i8, %n: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %r = arith.mulf %0, %n : f32
    linalg.yield %r : f32
  } -> tensor<4x16xf32>
  %eb = tensor.empty() : tensor<16x8xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<16x8xi8>) outs(%eb : tensor<16x8xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.uitofp %in : i8 to f32
    %1 = arith.mulf %0, %c : f32
    linalg.yield %1 : f32
  } -> tensor<16x8xf32>
  %er = tensor.empty() : tensor<4x8xf32>
  %start = linalg.fill ins(%z : f32) outs(%er : tensor<4x8xf32>) -> tensor<4x8xf32>
  %r = linalg.matmul ins(%a, %b : tensor<4x16xf32>, tensor<16x8xf32>) outs(%start : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// A subnormal scale has few digits.
// CHECK-LABEL: func @subnormal_scale(
// CHECK:         linalg.matmul {{.*}} outs(%{{.*}} : tensor<4x8xf32>)
func.func @subnormal_scale(%x: tensor<4x16xi8>, %y: tensor<16x8xi8>, %o: f32) -> tensor<4x8xf32> {
  %c = arith.constant 0x00000100 : f32
  %z = arith.constant 0.0 : f32
  %ea = tensor.empty() : tensor<4x16xf32>
  %a = linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> ()>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %o : tensor<4x16xi8>, f32) outs(%ea : tensor<4x16xf32>) {
  ^bb0(%in: i8, %n: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %r = arith.mulf %0, %n : f32
    linalg.yield %r : f32
  } -> tensor<4x16xf32>
  %eb = tensor.empty() : tensor<16x8xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<16x8xi8>) outs(%eb : tensor<16x8xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.uitofp %in : i8 to f32
    %1 = arith.mulf %0, %c : f32
    linalg.yield %1 : f32
  } -> tensor<16x8xf32>
  %er = tensor.empty() : tensor<4x8xf32>
  %start = linalg.fill ins(%z : f32) outs(%er : tensor<4x8xf32>) -> tensor<4x8xf32>
  %r = linalg.matmul ins(%a, %b : tensor<4x16xf32>, tensor<16x8xf32>) outs(%start : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// The sum has more digits than the product of the scales.
// CHECK-LABEL: func @wide_sum(
// CHECK:         linalg.matmul {{.*}} outs(%{{.*}} : tensor<4x8xf64>)
func.func @wide_sum(%x: tensor<4x16xi8>, %y: tensor<16x8xi8>, %o: f32) -> tensor<4x8xf64> {
  %c = arith.constant 0.5 : f32
  %z = arith.constant 0.0 : f64
  %ea = tensor.empty() : tensor<4x16xf32>
  %a = linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> ()>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %o : tensor<4x16xi8>, f32) outs(%ea : tensor<4x16xf32>) {
  ^bb0(%in: i8, %n: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %r = arith.mulf %0, %n : f32
    linalg.yield %r : f32
  } -> tensor<4x16xf32>
  %eb = tensor.empty() : tensor<16x8xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<16x8xi8>) outs(%eb : tensor<16x8xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.uitofp %in : i8 to f32
    %1 = arith.mulf %0, %c : f32
    linalg.yield %1 : f32
  } -> tensor<16x8xf32>
  %er = tensor.empty() : tensor<4x8xf64>
  %start = linalg.fill ins(%z : f64) outs(%er : tensor<4x8xf64>) -> tensor<4x8xf64>
  %r = linalg.matmul ins(%a, %b : tensor<4x16xf32>, tensor<16x8xf32>) outs(%start : tensor<4x8xf64>) -> tensor<4x8xf64>
  return %r : tensor<4x8xf64>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// The sum does not start from zero.
// CHECK-LABEL: func @start(
// CHECK:         linalg.matmul {{.*}} outs(%{{.*}} : tensor<4x8xf32>)
func.func @start(%x: tensor<4x16xi8>, %y: tensor<16x8xi8>, %o: f32) -> tensor<4x8xf32> {
  %c = arith.constant 0.5 : f32
  %p = arith.constant 1.000000e+00 : f32
  %z = arith.constant 0.0 : f32
  %ea = tensor.empty() : tensor<4x16xf32>
  %a = linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> ()>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %o : tensor<4x16xi8>, f32) outs(%ea : tensor<4x16xf32>) {
  ^bb0(%in: i8, %n: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %r = arith.mulf %0, %n : f32
    linalg.yield %r : f32
  } -> tensor<4x16xf32>
  %eb = tensor.empty() : tensor<16x8xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<16x8xi8>) outs(%eb : tensor<16x8xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.uitofp %in : i8 to f32
    %1 = arith.mulf %0, %c : f32
    linalg.yield %1 : f32
  } -> tensor<16x8xf32>
  %er = tensor.empty() : tensor<4x8xf32>
  %start = linalg.fill ins(%p : f32) outs(%er : tensor<4x8xf32>) -> tensor<4x8xf32>
  %r = linalg.matmul ins(%a, %b : tensor<4x16xf32>, tensor<16x8xf32>) outs(%start : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// Padding with another number than zero.
// CHECK-LABEL: func @padding(
// CHECK:         linalg.matmul {{.*}} outs(%{{.*}} : tensor<4x8xf32>)
func.func @padding(%x: tensor<4x16xi8>, %y: tensor<17x8xi8>, %o: f32) -> tensor<4x8xf32> {
  %c = arith.constant 0.5 : f32
  %p = arith.constant 1.000000e+00 : f32
  %z = arith.constant 0.0 : f32
  %ea = tensor.empty() : tensor<4x16xf32>
  %a = linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> ()>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %o : tensor<4x16xi8>, f32) outs(%ea : tensor<4x16xf32>) {
  ^bb0(%in: i8, %n: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %r = arith.mulf %0, %n : f32
    linalg.yield %r : f32
  } -> tensor<4x16xf32>
  %q = tensor.pad %a low[0, 1] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %p : f32
  } : tensor<4x16xf32> to tensor<4x17xf32>
  %eb = tensor.empty() : tensor<17x8xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<17x8xi8>) outs(%eb : tensor<17x8xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.uitofp %in : i8 to f32
    %1 = arith.mulf %0, %c : f32
    linalg.yield %1 : f32
  } -> tensor<17x8xf32>
  %er = tensor.empty() : tensor<4x8xf32>
  %start = linalg.fill ins(%z : f32) outs(%er : tensor<4x8xf32>) -> tensor<4x8xf32>
  %r = linalg.matmul ins(%q, %b : tensor<4x17xf32>, tensor<17x8xf32>) outs(%start : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// Padding would be -7, which no unsigned byte is.
// CHECK-LABEL: func @padding_below_zero(
// CHECK:         linalg.matmul {{.*}} outs(%{{.*}} : tensor<4x8xf32>)
func.func @padding_below_zero(%x: tensor<4x16xi8>, %y: tensor<17x8xi8>) -> tensor<4x8xf32> {
  %minus = arith.constant -7.0 : f32
  %half = arith.constant 0.5 : f32
  %z = arith.constant 0.0 : f32
  %ea = tensor.empty() : tensor<4x16xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x16xi8>) outs(%ea : tensor<4x16xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.uitofp %in : i8 to f32
    %1 = arith.subf %0, %minus : f32
    %2 = arith.mulf %1, %half : f32
    linalg.yield %2 : f32
  } -> tensor<4x16xf32>
  %q = tensor.pad %a low[0, 1] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<4x16xf32> to tensor<4x17xf32>
  %eb = tensor.empty() : tensor<17x8xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<17x8xi8>) outs(%eb : tensor<17x8xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    linalg.yield %0 : f32
  } -> tensor<17x8xf32>
  %er = tensor.empty() : tensor<4x8xf32>
  %start = linalg.fill ins(%z : f32) outs(%er : tensor<4x8xf32>) -> tensor<4x8xf32>
  %r = linalg.matmul ins(%q, %b : tensor<4x17xf32>, tensor<17x8xf32>) outs(%start : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}
