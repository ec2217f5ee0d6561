// Channels become the last dimension between operations for tensor cores: the sum
// and the columns of a product must be coordinates of the filter alone, and pixels
// its rows. Chips without tensor cores, and variable filters, keep the order.
//
// RUN: pruner-opt %s --pruner-move-channels-last=targets=nvidia:sm_80 | FileCheck %s
// RUN: pruner-opt %s --pruner-move-channels-last=targets=nvidia:sm_75 | FileCheck %s
// RUN: pruner-opt %s --pruner-move-channels-last=targets=nvidia:sm_70 | FileCheck %s --check-prefix=NONE --implicit-check-not='34x34x64'
// RUN: pruner-opt %s --pruner-move-channels-last=targets=nvidia:sm_80,nvidia:sm_70 | FileCheck %s --check-prefix=NONE --implicit-check-not='34x34x64'
//
// Search then draws tensor cores.
// RUN: pruner-opt %s --pruner-draft='lower=false target=nvidia:sm_80' | FileCheck %s --check-prefix=DRAFT

// CHECK-LABEL: func @constant_filter
// CHECK:         linalg.generic {{.*}} ins({{.*}} : tensor<2x32x36x36xf16>, tensor<64x32x3x3xf16>) outs({{.*}} : tensor<2x34x34x64xf32>)
// CHECK:         linalg.generic {{.*}} outs({{.*}} : tensor<2x34x34x64xf16>)
// CHECK:         linalg.generic {{.*}} ins({{.*}} : tensor<2x34x34x64xf16>, tensor<64x64x3x3xf16>) outs({{.*}} : tensor<2x64x32x32xf32>)
// NONE-LABEL: func @constant_filter
// NONE:         linalg.conv_2d_nchw_fchw
// NONE:         linalg.conv_2d_nchw_fchw
// DRAFT: func.func private @task_conv_2d_nchw_fchw_2x34x34x64x32x3x3
// DRAFT-SAME: instruction = mma_m16n8k16_f16
func.func @constant_filter(%x: tensor<2x32x36x36xf16>, %w: tensor<64x32x3x3xf16> {pruner.constant}, %v: tensor<64x64x3x3xf16> {pruner.constant}) -> tensor<2x64x32x32xf32> {
  %z = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<2x64x34x34xf32>
  %f = linalg.fill ins(%z : f32) outs(%d : tensor<2x64x34x34xf32>) -> tensor<2x64x34x34xf32>
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x32x36x36xf16>, tensor<64x32x3x3xf16>) outs(%f : tensor<2x64x34x34xf32>) -> tensor<2x64x34x34xf32>
  %h = tensor.empty() : tensor<2x64x34x34xf16>
  %1 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%0 : tensor<2x64x34x34xf32>) outs(%h : tensor<2x64x34x34xf16>) {
  ^bb0(%a: f32, %o: f16):
    %r = arith.maximumf %a, %z : f32
    %t = arith.truncf %r : f32 to f16
    linalg.yield %t : f16
  } -> tensor<2x64x34x34xf16>
  %e = tensor.empty() : tensor<2x64x32x32xf32>
  %g = linalg.fill ins(%z : f32) outs(%e : tensor<2x64x32x32xf32>) -> tensor<2x64x32x32xf32>
  %2 = linalg.conv_2d_nchw_fchw ins(%1, %v : tensor<2x64x34x34xf16>, tensor<64x64x3x3xf16>) outs(%g : tensor<2x64x32x32xf32>) -> tensor<2x64x32x32xf32>
  return %2 : tensor<2x64x32x32xf32>
}

// CHECK-LABEL: func @variable_filter
// CHECK:         linalg.conv_2d_nchw_fchw
// CHECK:         linalg.conv_2d_nchw_fchw
func.func @variable_filter(%x: tensor<2x32x36x36xf16>, %w: tensor<64x32x3x3xf16>, %v: tensor<64x64x3x3xf16>) -> tensor<2x64x32x32xf32> {
  %z = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<2x64x34x34xf32>
  %f = linalg.fill ins(%z : f32) outs(%d : tensor<2x64x34x34xf32>) -> tensor<2x64x34x34xf32>
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x32x36x36xf16>, tensor<64x32x3x3xf16>) outs(%f : tensor<2x64x34x34xf32>) -> tensor<2x64x34x34xf32>
  %h = tensor.empty() : tensor<2x64x34x34xf16>
  %1 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%0 : tensor<2x64x34x34xf32>) outs(%h : tensor<2x64x34x34xf16>) {
  ^bb0(%a: f32, %o: f16):
    %r = arith.maximumf %a, %z : f32
    %t = arith.truncf %r : f32 to f16
    linalg.yield %t : f16
  } -> tensor<2x64x34x34xf16>
  %e = tensor.empty() : tensor<2x64x32x32xf32>
  %g = linalg.fill ins(%z : f32) outs(%e : tensor<2x64x32x32xf32>) -> tensor<2x64x32x32xf32>
  %2 = linalg.conv_2d_nchw_fchw ins(%1, %v : tensor<2x64x34x34xf16>, tensor<64x64x3x3xf16>) outs(%g : tensor<2x64x32x32xf32>) -> tensor<2x64x32x32xf32>
  return %2 : tensor<2x64x32x32xf32>
}
