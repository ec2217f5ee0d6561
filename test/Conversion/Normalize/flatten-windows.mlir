// RUN: pruner-opt %s --pruner-flatten-windows --split-input-file | FileCheck %s

// Seven pixels of three channels are 21 neighbors. The pad stays in front of
// its reader.
// CHECK-DAG: #[[IMAGE:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 * 2 + d4, d2 * 6 + d5)>
// CHECK-DAG: #[[FILTER:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d5, d3)>
// CHECK-LABEL: func @first_convolution(
// CHECK-SAME:      %[[X:[a-z0-9]+]]: tensor<1x224x224x3xi8>, %[[W:[a-z0-9]+]]: tensor<7x7x3x64xi8>
// CHECK:         %[[FLAT:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0], [1], [2, 3]] : {{.*}} into tensor<1x224x672xi8>
// CHECK:         %[[PADDED:.*]] = tensor.pad %[[FLAT]] low[0, 3, 9] high[0, 3, 9]
// CHECK:         %[[COLUMNS:.*]] = tensor.collapse_shape %[[W]] {{\[\[}}0], [1, 2], [3]] : {{.*}} into tensor<7x21x64xi8>
// CHECK:         linalg.generic {indexing_maps = [#[[IMAGE]], #[[FILTER]], #{{.*}}], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
// CHECK-SAME:      ins(%[[PADDED]], %[[COLUMNS]] : tensor<1x230x690xi8>, tensor<7x21x64xi8>)
func.func @first_convolution(%x: tensor<1x224x224x3xi8>, %w: tensor<7x7x3x64xi8>, %init: tensor<1x112x112x64xi32>) -> tensor<1x112x112x64xi32> {
  %zero = arith.constant 0 : i8
  %p = tensor.pad %x low[0, 3, 3, 0] high[0, 3, 3, 0] {
  ^bb0(%n: index, %h: index, %v: index, %c: index):
    tensor.yield %zero : i8
  } : tensor<1x224x224x3xi8> to tensor<1x230x230x3xi8>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : vector<2xi64>}
      ins(%p, %w : tensor<1x230x230x3xi8>, tensor<7x7x3x64xi8>) outs(%init : tensor<1x112x112x64xi32>) -> tensor<1x112x112x64xi32>
  return %r : tensor<1x112x112x64xi32>
}

// -----

// Half of the bytes of a row of tiles.
// CHECK-LABEL: func @brain_floats(
// CHECK:         tensor.collapse_shape {{.*}} into tensor<1x32x512xbf16>
// CHECK:         tensor.collapse_shape {{.*}} into tensor<3x48x64xbf16>
func.func @brain_floats(%x: tensor<1x32x32x16xbf16>, %w: tensor<3x3x16x64xbf16>, %init: tensor<1x30x30x64xf32>) -> tensor<1x30x30x64xf32> {
  %r = linalg.conv_2d_nhwc_hwcf
      ins(%x, %w : tensor<1x32x32x16xbf16>, tensor<3x3x16x64xbf16>) outs(%init : tensor<1x30x30x64xf32>) -> tensor<1x30x30x64xf32>
  return %r : tensor<1x30x30x64xf32>
}

// -----

// Left alone: pixels apart from each other, f32, which no instruction adds up,
// long pixels, channels that come first, a filter that is not constant in
// another order.
// CHECK-NOT: tensor.collapse_shape
func.func @dilated(%x: tensor<1x32x32x3xi8>, %w: tensor<3x3x3x64xi8>, %init: tensor<1x28x28x64xi32>) -> tensor<1x28x28x64xi32> {
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<2> : vector<2xi64>}
      ins(%x, %w : tensor<1x32x32x3xi8>, tensor<3x3x3x64xi8>) outs(%init : tensor<1x28x28x64xi32>) -> tensor<1x28x28x64xi32>
  return %r : tensor<1x28x28x64xi32>
}

func.func @floats(%x: tensor<1x32x32x3xf32>, %w: tensor<3x3x3x64xf32>, %init: tensor<1x30x30x64xf32>) -> tensor<1x30x30x64xf32> {
  %r = linalg.conv_2d_nhwc_hwcf
      ins(%x, %w : tensor<1x32x32x3xf32>, tensor<3x3x3x64xf32>) outs(%init : tensor<1x30x30x64xf32>) -> tensor<1x30x30x64xf32>
  return %r : tensor<1x30x30x64xf32>
}

func.func @long_floats(%x: tensor<1x32x32x32xbf16>, %w: tensor<3x3x32x64xbf16>, %init: tensor<1x30x30x64xf32>) -> tensor<1x30x30x64xf32> {
  %r = linalg.conv_2d_nhwc_hwcf
      ins(%x, %w : tensor<1x32x32x32xbf16>, tensor<3x3x32x64xbf16>) outs(%init : tensor<1x30x30x64xf32>) -> tensor<1x30x30x64xf32>
  return %r : tensor<1x30x30x64xf32>
}

func.func @long(%x: tensor<1x32x32x64xi8>, %w: tensor<3x3x64x64xi8>, %init: tensor<1x30x30x64xi32>) -> tensor<1x30x30x64xi32> {
  %r = linalg.conv_2d_nhwc_hwcf
      ins(%x, %w : tensor<1x32x32x64xi8>, tensor<3x3x64x64xi8>) outs(%init : tensor<1x30x30x64xi32>) -> tensor<1x30x30x64xi32>
  return %r : tensor<1x30x30x64xi32>
}

func.func @first(%x: tensor<1x3x32x32xi8>, %w: tensor<64x3x3x3xi8>, %init: tensor<1x64x30x30xi32>) -> tensor<1x64x30x30xi32> {
  %r = linalg.conv_2d_nchw_fchw
      ins(%x, %w : tensor<1x3x32x32xi8>, tensor<64x3x3x3xi8>) outs(%init : tensor<1x64x30x30xi32>) -> tensor<1x64x30x30xi32>
  return %r : tensor<1x64x30x30xi32>
}

func.func @filter(%x: tensor<32x32x3xi8>, %w: tensor<64x3x3x3xi8>, %init: tensor<30x30x64xi32>) -> tensor<30x30x64xi32> {
  %r = linalg.generic {indexing_maps = [affine_map<(h, w, f, c, i, j) -> (h + i, w + j, c)>, affine_map<(h, w, f, c, i, j) -> (f, c, i, j)>, affine_map<(h, w, f, c, i, j) -> (h, w, f)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<32x32x3xi8>, tensor<64x3x3x3xi8>) outs(%init : tensor<30x30x64xi32>) {
  ^bb0(%p: i8, %q: i8, %s: i32):
    %m = arith.extsi %p : i8 to i32
    %n = arith.extsi %q : i8 to i32
    %t = arith.muli %m, %n : i32
    %u = arith.addi %s, %t : i32
    linalg.yield %u : i32
  } -> tensor<30x30x64xi32>
  return %r : tensor<30x30x64xi32>
}
