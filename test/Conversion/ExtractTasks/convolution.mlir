// RUN: pruner-opt %s --pruner-extract-tasks --split-input-file | FileCheck %s
// RUN: pruner-opt %s --pruner-extract-tasks --split-input-file | pruner-opt --split-input-file -o /dev/null

// The map contains the strides. 2*1*4*3*3*3*3*3 = 1944 flops.
// CHECK-DAG: #[[IMAGE:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 * 2 + d5, d3 * 2 + d6)>
// CHECK-LABEL: func.func @strided
// CHECK: call @[[TASK:task_conv_2d_nchw_fchw_1x4x3x3x3x3x3_[0-9a-f]+]](%arg0, %arg1)
// CHECK: func.func private @[[TASK]](
// CHECK-SAME: flops = 1944 : i64
// CHECK: linalg.fill
// CHECK: linalg.generic {indexing_maps = [#[[IMAGE]],
// CHECK-SAME: ins(%{{.*}}, %{{.*}} : tensor<1x3x7x7xf32>, tensor<4x3x3x3xf32>)
func.func @strided(%i: tensor<1x3x7x7xf32>, %k: tensor<4x3x3x3xf32>) -> tensor<1x4x3x3xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x3x3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x3x3xf32>) -> tensor<1x4x3x3xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<2> : vector<2xi64>}
      ins(%i, %k : tensor<1x3x7x7xf32>, tensor<4x3x3x3xf32>)
      outs(%f : tensor<1x4x3x3xf32>) -> tensor<1x4x3x3xf32>
  return %c : tensor<1x4x3x3xf32>
}

// -----

// A named convolution and the equal generic are one task.
#image = affine_map<(n, f, h, w, c, y, x) -> (n, c, h + y * 2, w + x * 2)>
#filter = affine_map<(n, f, h, w, c, y, x) -> (f, c, y, x)>
#result = affine_map<(n, f, h, w, c, y, x) -> (n, f, h, w)>
// CHECK-LABEL: func.func @two_spellings
// CHECK: call @[[TASK:task_conv_2d_nchw_fchw_1x4x4x4x3x3x3_[0-9a-f]+]](%arg0, %arg1, %arg2)
// CHECK: call @[[TASK]](%arg0, %arg1, %arg3)
// CHECK: func.func private @[[TASK]](
// CHECK-SAME: weight = 2 : i64
// CHECK-NOT: func.func
func.func @two_spellings(%i: tensor<1x3x8x8xf32>, %k: tensor<4x3x3x3xf32>, %o: tensor<1x4x4x4xf32>,
                         %p: tensor<1x4x4x4xf32>) -> (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) {
  %c = linalg.conv_2d_nchw_fchw {dilations = dense<2> : tensor<2xi64>, a_note}
      ins(%i, %k : tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>)
      outs(%o : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %g = linalg.generic {indexing_maps = [#image, #filter, #result], doc = "dilated", library_call = "conv",
                       iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%i, %k : tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) outs(%p : tensor<1x4x4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x4x4x4xf32>
  return %c, %g : tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>
}

// -----

// Every kind of convolution has its own name.
// CHECK-LABEL: func.func @kinds
// CHECK: call @task_conv_1d_ncw_fcw_2x4x6x3x3_
// CHECK: call @task_conv_3d_ndhwc_dhwcf_1x2x2x2x4x3x3x3x3_
// CHECK: call @task_conv_2d_nhwc_hwcf_1x6x6x4x3x3x3_
// CHECK: call @task_conv_2d_nhwc_fhwc_1x6x6x4x3x3x3_
// CHECK: call @task_conv_2d_ngchw_gfchw_1x2x4x6x6x3x3x3_
// CHECK: call @task_depthwise_conv_2d_nchw_chw_1x6x6x3x3x3_
// CHECK: call @task_depthwise_conv_2d_nhwc_hwc_1x6x6x3x3x3_
func.func @kinds(%a: tensor<2x3x8xf32>, %ak: tensor<4x3x3xf32>, %ao: tensor<2x4x6xf32>,
                 %b: tensor<1x4x4x4x3xf32>, %bk: tensor<3x3x3x3x4xf32>, %bo: tensor<1x2x2x2x4xf32>,
                 %c: tensor<1x8x8x3xf32>, %ck: tensor<3x3x3x4xf32>, %dk: tensor<4x3x3x3xf32>, %co: tensor<1x6x6x4xf32>,
                 %g: tensor<1x2x3x8x8xf32>, %gk: tensor<2x4x3x3x3xf32>, %go: tensor<1x2x4x6x6xf32>,
                 %h: tensor<1x3x8x8xf32>, %hk: tensor<3x3x3xf32>, %ho: tensor<1x3x6x6xf32>, %io: tensor<1x6x6x3xf32>)
    -> (tensor<2x4x6xf32>, tensor<1x2x2x2x4xf32>, tensor<1x6x6x4xf32>, tensor<1x6x6x4xf32>, tensor<1x2x4x6x6xf32>,
        tensor<1x3x6x6xf32>, tensor<1x6x6x3xf32>) {
  %0 = linalg.conv_1d_ncw_fcw ins(%a, %ak : tensor<2x3x8xf32>, tensor<4x3x3xf32>)
                              outs(%ao : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
  %1 = linalg.conv_3d_ndhwc_dhwcf ins(%b, %bk : tensor<1x4x4x4x3xf32>, tensor<3x3x3x3x4xf32>)
                                  outs(%bo : tensor<1x2x2x2x4xf32>) -> tensor<1x2x2x2x4xf32>
  %2 = linalg.conv_2d_nhwc_hwcf ins(%c, %ck : tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>)
                                outs(%co : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  %3 = linalg.conv_2d_nhwc_fhwc ins(%c, %dk : tensor<1x8x8x3xf32>, tensor<4x3x3x3xf32>)
                                outs(%co : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  %4 = linalg.conv_2d_ngchw_gfchw ins(%g, %gk : tensor<1x2x3x8x8xf32>, tensor<2x4x3x3x3xf32>)
                                  outs(%go : tensor<1x2x4x6x6xf32>) -> tensor<1x2x4x6x6xf32>
  %5 = linalg.depthwise_conv_2d_nchw_chw ins(%h, %hk : tensor<1x3x8x8xf32>, tensor<3x3x3xf32>)
                                         outs(%ho : tensor<1x3x6x6xf32>) -> tensor<1x3x6x6xf32>
  %6 = linalg.depthwise_conv_2d_nhwc_hwc ins(%c, %hk : tensor<1x8x8x3xf32>, tensor<3x3x3xf32>)
                                         outs(%io : tensor<1x6x6x3xf32>) -> tensor<1x6x6x3xf32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<2x4x6xf32>, tensor<1x2x2x2x4xf32>, tensor<1x6x6x4xf32>, tensor<1x6x6x4xf32>, tensor<1x2x4x6x6xf32>, tensor<1x3x6x6xf32>, tensor<1x6x6x3xf32>
}

// -----

// Elements of one byte, sums of four bytes.
// CHECK-LABEL: func.func @bytes
// CHECK: call @[[TASK:task_conv_2d_nhwc_hwcf_1x6x6x4x3x3x3_[0-9a-f]+]]
// CHECK: func.func private @[[TASK]](%{{.*}}: tensor<1x8x8x3xi8>, %{{.*}}: tensor<3x3x3x4xi8>) -> tensor<1x6x6x4xi32>
// CHECK-SAME: bytes = 876 : i64, flops = 7776 : i64
func.func @bytes(%i: tensor<1x8x8x3xi8>, %k: tensor<3x3x3x4xi8>) -> tensor<1x6x6x4xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x6x6x4xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<1x6x6x4xi32>) -> tensor<1x6x6x4xi32>
  %c = linalg.conv_2d_nhwc_hwcf ins(%i, %k : tensor<1x8x8x3xi8>, tensor<3x3x3x4xi8>)
                                outs(%f : tensor<1x6x6x4xi32>) -> tensor<1x6x6x4xi32>
  return %c : tensor<1x6x6x4xi32>
}

// -----

#id = affine_map<(n, f, h, w) -> (n, f, h, w)>
#channel = affine_map<(n, f, h, w) -> (f)>

// Bias and ReLU are fused into one task.
// CHECK-LABEL: func.func @epilogue
// CHECK-NEXT: %[[C:.*]] = call @[[TASK:task_conv_2d_nchw_fchw_1x4x6x6x3x3x3_[0-9a-f]+]](%arg0, %arg1, %arg2)
// CHECK-NEXT: return %[[C]]
// CHECK: @[[TASK]]
// CHECK: linalg.generic
// CHECK: linalg.generic
// CHECK: arith.addf
// CHECK-NEXT: arith.maximumf
func.func @epilogue(%i: tensor<1x3x8x8xf32>, %k: tensor<4x3x3x3xf32>, %b: tensor<4xf32>) -> tensor<1x4x6x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x6x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%i, %k : tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>)
                                outs(%f : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  %r = linalg.generic {indexing_maps = [#id, #channel, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c, %b : tensor<1x4x6x6xf32>, tensor<4xf32>) outs(%e : tensor<1x4x6x6xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %s = arith.addf %x, %y : f32
    %m = arith.maximumf %s, %zero : f32
    linalg.yield %m : f32
  } -> tensor<1x4x6x6xf32>
  return %r : tensor<1x4x6x6xf32>
}
