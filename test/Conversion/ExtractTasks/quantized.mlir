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

// -----

// The residual of a block is a convolution of another shape. It is stored as
// bytes, which the other product dequantizes.
// CHECK-LABEL: func.func @downsampled
// CHECK: call @task_conv_2d{{.*}} -> tensor<16x4x4xi8>
// CHECK: tensor.collapse_shape {{.*}} : tensor<16x4x4xi8> into tensor<16x16xi8>
// CHECK: call @task_matmul{{.*}} -> tensor<16x16xf32>
// CHECK-LABEL: func.func private @task_conv_2d
// CHECK-NOT: arith.sitofp {{.*}} : i8
// CHECK-LABEL: func.func private @task_matmul
// CHECK: arith.sitofp {{.*}} : i8
#image = affine_map<(f, y, x, c) -> (c, y * 2, x * 2)>
#filter = affine_map<(f, y, x, c) -> (f, c)>
#result = affine_map<(f, y, x, c) -> (f, y, x)>
#planes = affine_map<(f, y, x) -> (f, y, x)>
#all = affine_map<(f, p) -> (f, p)>
func.func @downsampled(%x: tensor<8x8x8xi8>, %w: tensor<16x8xi8>, %v: tensor<16x8xf32>, %u: tensor<8x16xf32>) -> tensor<16x16xf32> {
  %zero = arith.constant 0 : i32
  %least = arith.constant -128.0 : f32
  %most = arith.constant 127.0 : f32
  %inverse = arith.constant 0.25 : f32
  %scale = arith.constant 4.0 : f32
  %e = tensor.empty() : tensor<16x4x4xi32>
  %start = linalg.fill ins(%zero : i32) outs(%e : tensor<16x4x4xi32>) -> tensor<16x4x4xi32>
  %c = linalg.generic {indexing_maps = [#image, #filter, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<8x8x8xi8>, tensor<16x8xi8>) outs(%start : tensor<16x4x4xi32>) {
  ^bb0(%a: i8, %b: i8, %o: i32):
    %s = arith.extsi %a : i8 to i32
    %t = arith.extsi %b : i8 to i32
    %p = arith.muli %s, %t : i32
    %r = arith.addi %o, %p : i32
    linalg.yield %r : i32
  } -> tensor<16x4x4xi32>
  %eb = tensor.empty() : tensor<16x4x4xi8>
  %q = linalg.generic {indexing_maps = [#planes, #planes], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%c : tensor<16x4x4xi32>) outs(%eb : tensor<16x4x4xi8>) {
  ^bb0(%a: i32, %o: i8):
    %s = arith.sitofp %a : i32 to f32
    %t = arith.mulf %s, %inverse : f32
    %m = arith.maximumf %t, %least : f32
    %n = arith.minimumf %m, %most : f32
    %r = arith.fptosi %n : f32 to i8
    linalg.yield %r : i8
  } -> tensor<16x4x4xi8>
  %ef = tensor.empty() : tensor<16x4x4xf32>
  %d = linalg.generic {indexing_maps = [#planes, #planes], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%q : tensor<16x4x4xi8>) outs(%ef : tensor<16x4x4xf32>) {
  ^bb0(%a: i8, %o: f32):
    %s = arith.sitofp %a : i8 to f32
    linalg.yield %s : f32
  } -> tensor<16x4x4xf32>
  %d2 = linalg.generic {indexing_maps = [#planes, #planes], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%d : tensor<16x4x4xf32>) outs(%ef : tensor<16x4x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.mulf %a, %scale : f32
    linalg.yield %s : f32
  } -> tensor<16x4x4xf32>
  %flat = tensor.collapse_shape %d2 [[0], [1, 2]] : tensor<16x4x4xf32> into tensor<16x16xf32>
  %zerof = arith.constant 0.0 : f32
  %em = tensor.empty() : tensor<16x16xf32>
  %sm = linalg.fill ins(%zerof : f32) outs(%em : tensor<16x16xf32>) -> tensor<16x16xf32>
  %m = linalg.matmul ins(%v, %u : tensor<16x8xf32>, tensor<8x16xf32>) outs(%sm : tensor<16x16xf32>) -> tensor<16x16xf32>
  %sum = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%m, %flat : tensor<16x16xf32>, tensor<16x16xf32>) outs(%em : tensor<16x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<16x16xf32>
  return %sum : tensor<16x16xf32>
}
