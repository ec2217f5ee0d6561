// int8 networks from TOSA: a convolution with its zero points, padding by one
// of them, and requantization is one task.
// RUN: pruner-opt %s --pruner-normalize --pruner-extract-tasks=min-elements=1 --split-input-file --verify-diagnostics | FileCheck %s

#bias = affine_map<(n, y, x, f) -> (f)>
#id = affine_map<(n, y, x, f) -> (n, y, x, f)>

// The scale is a product in two halves.
// CHECK-LABEL: func.func @rescaled
// CHECK: call @task_conv_2d_hw_fhw_
// CHECK-LABEL: func.func private @task_conv_2d_hw_fhw_
// CHECK: tensor.pad
// CHECK: linalg.generic
// CHECK: linalg.generic
// CHECK: arith.muli {{.*}} : i64
// CHECK-NOT: linalg.generic
func.func @rescaled(%x: tensor<1x14x14x8xi8>, %w: tensor<16x3x3x8xi8>, %b: tensor<16xi32>) -> tensor<1x14x14x16xi8> {
  %zx8 = arith.constant -5 : i8
  %zx = arith.constant -5 : i32
  %zw = arith.constant 0 : i32
  %scale = arith.constant 1073741824 : i32
  %six = arith.constant 6 : i32
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zx8 : i8
  } : tensor<1x14x14x8xi8> to tensor<1x16x16x8xi8>
  %e = tensor.empty() : tensor<1x14x14x16xi32>
  %start = linalg.generic {indexing_maps = [#bias, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%b : tensor<16xi32>) outs(%e : tensor<1x14x14x16xi32>) {
  ^bb0(%in: i32, %o: i32):
    linalg.yield %in : i32
  } -> tensor<1x14x14x16xi32>
  %0 = linalg.conv_2d_nhwc_fhwc_q ins(%padded, %w, %zx, %zw : tensor<1x16x16x8xi8>, tensor<16x3x3x8xi8>, i32, i32)
      outs(%start : tensor<1x14x14x16xi32>) -> tensor<1x14x14x16xi32>
  %f = tensor.empty() : tensor<1x14x14x16xi8>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%0 : tensor<1x14x14x16xi32>) outs(%f : tensor<1x14x14x16xi8>) {
  ^bb0(%in: i32, %o: i8):
    %low, %high = arith.mulsi_extended %in, %scale : i32
    %s = arith.shrsi %high, %six : i32
    %t = arith.trunci %s : i32 to i8
    linalg.yield %t : i8
  } -> tensor<1x14x14x16xi8>
  return %1 : tensor<1x14x14x16xi8>
}

// -----

// A pad with several readers is fused into each of their tasks.
// CHECK-LABEL: func.func @shared
// CHECK-NOT: tensor.pad
// CHECK: return
func.func @shared(%x: tensor<1x14x14x8xi8>, %w: tensor<16x3x3x8xi8>) -> (tensor<1x14x14x16xi32>, tensor<1x14x14x8xi8>) {
  %zx8 = arith.constant -5 : i8
  %zx = arith.constant -5 : i32
  %zw = arith.constant 0 : i32
  %least = arith.constant -128 : i8
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zx8 : i8
  } : tensor<1x14x14x8xi8> to tensor<1x16x16x8xi8>
  %e = tensor.empty() : tensor<1x14x14x16xi32>
  %start = linalg.fill ins(%zw : i32) outs(%e : tensor<1x14x14x16xi32>) -> tensor<1x14x14x16xi32>
  %0 = linalg.conv_2d_nhwc_fhwc_q ins(%padded, %w, %zx, %zw : tensor<1x16x16x8xi8>, tensor<16x3x3x8xi8>, i32, i32)
      outs(%start : tensor<1x14x14x16xi32>) -> tensor<1x14x14x16xi32>
  %window = tensor.empty() : tensor<3x3xi8>
  %f = tensor.empty() : tensor<1x14x14x8xi8>
  %g = linalg.fill ins(%least : i8) outs(%f : tensor<1x14x14x8xi8>) -> tensor<1x14x14x8xi8>
  %1 = linalg.pooling_nhwc_max ins(%padded, %window : tensor<1x16x16x8xi8>, tensor<3x3xi8>)
      outs(%g : tensor<1x14x14x8xi8>) -> tensor<1x14x14x8xi8>
  return %0, %1 : tensor<1x14x14x16xi32>, tensor<1x14x14x8xi8>
}
