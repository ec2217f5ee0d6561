// RUN: pruner-opt %s --pruner-extract-tasks --split-input-file | FileCheck %s

// A task that pads reads the tensor without its padding.
// CHECK-LABEL: func.func @folded
// CHECK-NEXT: call @[[TASK:task_conv_2d_nchw_fchw_1x4x8x8x3x3x3_[0-9a-f]+]](%arg0, %arg1)
// CHECK-NEXT: return
// CHECK: func.func private @[[TASK]](%[[X:.*]]: tensor<1x3x8x8xf32>, %[[K:.*]]: tensor<4x3x3x3xf32>)
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0.0
// CHECK-NEXT: %[[PAD:.*]] = tensor.pad %[[X]] low[0, 0, 1, 1] high[0, 0, 1, 1] {
// CHECK-NEXT: ^bb0
// CHECK-NEXT: tensor.yield %[[ZERO]]
// CHECK-NEXT: } : tensor<1x3x8x8xf32> to tensor<1x3x10x10xf32>
// CHECK: linalg.generic {{.*}} ins(%[[PAD]], %[[K]] :
func.func @folded(%x: tensor<1x3x8x8xf32>, %k: tensor<4x3x3x3xf32>) -> tensor<1x4x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x nofold low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x3x8x8xf32> to tensor<1x3x10x10xf32>
  %e = tensor.empty() : tensor<1x4x8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%p, %k : tensor<1x3x10x10xf32>, tensor<4x3x3x3xf32>)
                                outs(%f : tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  return %r : tensor<1x4x8x8xf32>
}

// -----

#id = affine_map<(n, c, h, w) -> (n, c, h, w)>
#channel = affine_map<(n, c, h, w) -> (c)>

// Cheap work in front of the pad is fused; its result is padded, not its input.
// CHECK-LABEL: func.func @prologue
// CHECK-NEXT: call @[[TASK:task_conv_2d_nchw_fchw_[0-9a-fx_]+]](%arg0, %arg1, %arg2)
// CHECK-NEXT: return
// CHECK: @[[TASK]](%[[X:.*]]: tensor<1x3x8x8xf32>, %[[S:.*]]: tensor<3xf32>, %[[K:.*]]: tensor<4x3x3x3xf32>)
// CHECK: %[[SCALED:.*]] = linalg.generic {{.*}} ins(%[[X]], %[[S]] :
// CHECK: %[[PAD:.*]] = tensor.pad %[[SCALED]]
// CHECK: linalg.generic {{.*}} ins(%[[PAD]], %[[K]] :
func.func @prologue(%x: tensor<1x3x8x8xf32>, %s: tensor<3xf32>, %k: tensor<4x3x3x3xf32>) -> tensor<1x4x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %g = tensor.empty() : tensor<1x3x8x8xf32>
  %n = linalg.generic {indexing_maps = [#id, #channel, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %s : tensor<1x3x8x8xf32>, tensor<3xf32>) outs(%g : tensor<1x3x8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %m = arith.mulf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<1x3x8x8xf32>
  %p = tensor.pad %n low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x3x8x8xf32> to tensor<1x3x10x10xf32>
  %e = tensor.empty() : tensor<1x4x8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%p, %k : tensor<1x3x10x10xf32>, tensor<4x3x3x3xf32>)
                                outs(%f : tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  return %r : tensor<1x4x8x8xf32>
}

// -----

#id = affine_map<(n, c, h, w) -> (n, c, h, w)>

// Two convolutions of a padded tensor: each task pads, neither computes the
// other's input, and the padded tensor is never stored.
// CHECK-LABEL: func.func @two_readers
// CHECK: %[[N:.*]] = call @task_elementwise_1x3x32x64_{{[0-9a-f]+}}(%arg0)
// CHECK-NOT: tensor.pad
// CHECK: call @[[TASK:task_conv_2d_nchw_fchw_[0-9a-fx_]+]](%[[N]], %arg1)
// CHECK: call @[[TASK]](%[[N]], %arg2)
// CHECK: @[[TASK]]
// CHECK: tensor.pad
func.func @two_readers(%x: tensor<1x3x32x64xf32>, %k: tensor<4x3x3x3xf32>, %l: tensor<4x3x3x3xf32>)
    -> (tensor<1x4x32x64xf32>, tensor<1x4x32x64xf32>, tensor<1x3x32x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %g = tensor.empty() : tensor<1x3x32x64xf32>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x : tensor<1x3x32x64xf32>) outs(%g : tensor<1x3x32x64xf32>) {
  ^bb0(%a: f32, %out: f32):
    %m = arith.addf %a, %a : f32
    linalg.yield %m : f32
  } -> tensor<1x3x32x64xf32>
  %p = tensor.pad %n low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x3x32x64xf32> to tensor<1x3x34x66xf32>
  %e = tensor.empty() : tensor<1x4x32x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x32x64xf32>) -> tensor<1x4x32x64xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%p, %k : tensor<1x3x34x66xf32>, tensor<4x3x3x3xf32>)
                                outs(%f : tensor<1x4x32x64xf32>) -> tensor<1x4x32x64xf32>
  %s = linalg.conv_2d_nchw_fchw ins(%p, %l : tensor<1x3x34x66xf32>, tensor<4x3x3x3xf32>)
                                outs(%f : tensor<1x4x32x64xf32>) -> tensor<1x4x32x64xf32>
  return %r, %s, %n : tensor<1x4x32x64xf32>, tensor<1x4x32x64xf32>, tensor<1x3x32x64xf32>
}

// -----

// The padding of a maximum is the smallest number, given inside the region.
// CHECK-LABEL: func.func @pooling
// CHECK-NEXT: call @[[TASK:task_pool_max_2d_1x3x32x32x3x3_[0-9a-f]+]](%arg0)
// CHECK-NEXT: return
// CHECK: func.func private @[[TASK]](%[[X:.*]]: tensor<1x3x64x64xf32>) -> tensor<1x3x32x32xf32>
// CHECK-NEXT: %[[LOW:.*]] = arith.constant 0xFF800000 : f32
// CHECK-NEXT: %[[PAD:.*]] = tensor.pad %[[X]]
// CHECK: tensor.yield %[[LOW]]
// CHECK: %[[WINDOW:.*]] = tensor.empty() : tensor<3x3xf32>
// CHECK: linalg.fill ins(%[[LOW]]
// CHECK: linalg.generic {{.*}} ins(%[[PAD]], %[[WINDOW]] :
func.func @pooling(%x: tensor<1x3x64x64xf32>) -> tensor<1x3x32x32xf32> {
  %low = arith.constant 0xFF800000 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 0, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    %l = arith.constant 0xFF800000 : f32
    tensor.yield %l : f32
  } : tensor<1x3x64x64xf32> to tensor<1x3x65x65xf32>
  %w = tensor.empty() : tensor<3x3xf32>
  %e = tensor.empty() : tensor<1x3x32x32xf32>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<1x3x32x32xf32>) -> tensor<1x3x32x32xf32>
  %r = linalg.pooling_nchw_max {strides = dense<2> : vector<2xi64>}
      ins(%p, %w : tensor<1x3x65x65xf32>, tensor<3x3xf32>)
      outs(%f : tensor<1x3x32x32xf32>) -> tensor<1x3x32x32xf32>
  return %r : tensor<1x3x32x32xf32>
}
