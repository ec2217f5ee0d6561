// RUN: pruner-machine --json cpu | %python %S/Inputs/cpu_rates.py 128 16 > %t.json
// RUN: pruner-opt %s --split-input-file --pruner-relax-accuracy='accuracy=winograd targets=file:%t.json' | FileCheck %s

// F(4x4, 3x3): 28 = 7 * 4. The padding stays in front of the reader of the
// image. The filter is transformed from constants alone.
// CHECK-DAG:   #[[TILE:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d3, d1 * 4 + d4, d2 * 4 + d5)>
// CHECK-DAG:   #[[RESULT:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d5, d1, d3, d0)>
// CHECK:       module attributes {pruner.accuracy = ["winograd"]}
// CHECK-LABEL: func @whole(
// CHECK-SAME:      %[[X:.*]]: tensor<96x28x28xf32>, %[[W:.*]]: tensor<128x96x3x3xf32> {pruner.constant}
// CHECK-DAG:     %[[P:.*]] = tensor.pad %[[X]] low[0, 1, 1] high[0, 1, 1]
// CHECK:         %[[B:.*]] = arith.constant dense<{{.*}}> : tensor<36x6x6xf32>
// CHECK:         %[[V:.*]] = linalg.generic {{.*}}#[[TILE]]{{.*}} ins(%[[B]], %[[P]] : tensor<36x6x6xf32>, tensor<96x30x30xf32>) outs(%{{.*}} : tensor<36x7x7x96xf32>)
// CHECK:         %[[G:.*]] = arith.constant dense<{{.*}}> : tensor<36x3x3xf32>
// CHECK:         %[[U:.*]] = linalg.generic {{.*}} ins(%[[G]], %[[W]] : tensor<36x3x3xf32>, tensor<128x96x3x3xf32>) outs(%{{.*}} : tensor<36x96x128xf32>)
// CHECK:         %[[VC:.*]] = tensor.collapse_shape %[[V]] {{\[\[}}0], [1, 2], [3]]
// CHECK:         %[[M:.*]] = linalg.batch_matmul ins(%[[VC]], %{{.*}} : tensor<36x49x96xf32>, tensor<36x96x128xf32>) outs(%{{.*}} : tensor<36x49x128xf32>)
// CHECK:         %[[ME:.*]] = tensor.expand_shape %[[M]] {{.*}} into tensor<36x7x7x128xf32>
// CHECK:         %[[A:.*]] = arith.constant dense<{{.*}}> : tensor<36x4x4xf32>
// CHECK:         %[[Y:.*]] = linalg.generic {{.*}}#[[RESULT]]{{.*}} ins(%[[A]], %[[ME]] : tensor<36x4x4xf32>, tensor<36x7x7x128xf32>) outs(%{{.*}} : tensor<128x7x4x7x4xf32>)
// CHECK:         %[[R:.*]] = tensor.collapse_shape %[[Y]] {{\[\[}}0], [1, 2], [3, 4]] : tensor<128x7x4x7x4xf32> into tensor<128x28x28xf32>
// CHECK:         return %[[R]]
#image = affine_map<(f, y, x, c, u, v) -> (c, y + u, x + v)>
#filter = affine_map<(f, y, x, c, u, v) -> (f, c, u, v)>
#result = affine_map<(f, y, x, c, u, v) -> (f, y, x)>
func.func @whole(%x: tensor<96x28x28xf32>, %w: tensor<128x96x3x3xf32> {pruner.constant}) -> tensor<128x28x28xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1] high[0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<96x28x28xf32> to tensor<96x30x30xf32>
  %e = tensor.empty() : tensor<128x28x28xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<128x28x28xf32>) -> tensor<128x28x28xf32>
  %r = linalg.generic {indexing_maps = [#image, #filter, #result],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%p, %w : tensor<96x30x30xf32>, tensor<128x96x3x3xf32>) outs(%z : tensor<128x28x28xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<128x28x28xf32>
  return %r : tensor<128x28x28xf32>
}

// -----

// Tiles exceed 27 x 30 by one and two elements, so the pads of the image, whose
// value is kept, become larger by as much. The bias and the maximum also
// compute what is cut off; the residual depends on the cropped dimensions, so
// its addition stays behind the slice.
// CHECK-LABEL: func @cropped(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<1x27x30x96xf32>, {{.*}}, %[[BIAS:[a-z0-9]*]]: tensor<128xf32>, %[[RES:[a-z0-9]*]]: tensor<1x27x30x128xf32>
// CHECK:         %[[P:.*]] = tensor.pad %[[X]] low[0, 1, 1, 0] high[0, 2, 3, 0]
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:      tensor.yield %[[HALF:.*]] : f32
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %[[P]] : tensor<36x6x6xf32>, tensor<1x30x34x96xf32>) outs(%{{.*}} : tensor<36x1x7x8x96xf32>)
// CHECK:         linalg.batch_matmul ins(%{{.*}} : tensor<36x56x96xf32>, tensor<36x96x128xf32>)
// CHECK:         %[[Y:.*]] = tensor.collapse_shape %{{.*}} : tensor<1x7x4x8x4x128xf32> into tensor<1x28x32x128xf32>
// CHECK:         %[[E:.*]] = linalg.generic {{.*}} ins(%[[Y]], %[[BIAS]] : tensor<1x28x32x128xf32>, tensor<128xf32>)
// CHECK:           arith.maximumf
// CHECK:         %[[S:.*]] = tensor.extract_slice %[[E]][0, 0, 0, 0] [1, 27, 30, 128] [1, 1, 1, 1]
// CHECK:         linalg.generic {{.*}} ins(%[[S]], %[[RES]] :
#id = affine_map<(n, y, x, f) -> (n, y, x, f)>
func.func @cropped(%x: tensor<1x27x30x96xf32>, %w: tensor<3x3x96x128xf32> {pruner.constant}, %b: tensor<128xf32>,
                   %s: tensor<1x27x30x128xf32>) -> tensor<1x27x30x128xf32> {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %half : f32
  } : tensor<1x27x30x96xf32> to tensor<1x29x32x96xf32>
  %e = tensor.empty() : tensor<1x27x30x128xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x27x30x128xf32>) -> tensor<1x27x30x128xf32>
  %0 = linalg.conv_2d_nhwc_hwcf ins(%p, %w : tensor<1x29x32x96xf32>, tensor<3x3x96x128xf32>)
      outs(%z : tensor<1x27x30x128xf32>) -> tensor<1x27x30x128xf32>
  %1 = linalg.generic {indexing_maps = [#id, affine_map<(n, y, x, f) -> (f)>, #id],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%0, %b : tensor<1x27x30x128xf32>, tensor<128xf32>) outs(%e : tensor<1x27x30x128xf32>) {
  ^bb0(%l: f32, %m: f32, %o: f32):
    %3 = arith.addf %l, %m : f32
    %4 = arith.maximumf %3, %zero : f32
    linalg.yield %4 : f32
  } -> tensor<1x27x30x128xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%1, %s : tensor<1x27x30x128xf32>, tensor<1x27x30x128xf32>) outs(%e : tensor<1x27x30x128xf32>) {
  ^bb0(%l: f32, %m: f32, %o: f32):
    %3 = arith.addf %l, %m : f32
    linalg.yield %3 : f32
  } -> tensor<1x27x30x128xf32>
  return %2 : tensor<1x27x30x128xf32>
}

// -----

// One dimension: 1x7 as F(2, 7), with rows and images of a batch as other
// dimensions, and groups.
// CHECK-DAG:   #[[SLIDE:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d2, d1, d5, d3, d4 * 2 + d6)>
// CHECK-LABEL: func @line(
// CHECK:         linalg.generic {{.*}}#[[SLIDE]]{{.*}} ins(%{{.*}}, %{{.*}} : tensor<8x8xf32>, tensor<2x3x128x7x28xf32>) outs(%{{.*}} : tensor<8x3x2x7x11x128xf32>)
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<8x7xf32>, tensor<3x128x128x7xf32>) outs(%{{.*}} : tensor<8x3x128x128xf32>)
// CHECK:         linalg.batch_matmul ins(%{{.*}} : tensor<24x154x128xf32>, tensor<24x128x128xf32>)
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<2x3x128x7x11x2xf32>)
// CHECK:         return %{{.*}} : tensor<2x3x128x7x22xf32>
func.func @line(%x: tensor<2x3x128x7x28xf32>, %w: tensor<3x128x128x7xf32> {pruner.constant}) -> tensor<2x3x128x7x22xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3x128x7x22xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x3x128x7x22xf32>) -> tensor<2x3x128x7x22xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(n, g, f, y, x, c, v) -> (g, f, c, v)>, affine_map<(n, g, f, y, x, c, v) -> (n, g, c, y, v + x)>,
                       affine_map<(n, g, f, y, x, c, v) -> (n, g, f, y, x)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%w, %x : tensor<3x128x128x7xf32>, tensor<2x3x128x7x28xf32>) outs(%z : tensor<2x3x128x7x22xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %0, %o : f32
    linalg.yield %1 : f32
  } -> tensor<2x3x128x7x22xf32>
  return %r : tensor<2x3x128x7x22xf32>
}

// -----

// A reader with other dimensions than the result stays behind the slice.
// CHECK-LABEL: func @broadcast(
// CHECK:         linalg.batch_matmul
// CHECK:         %[[S:.*]] = tensor.extract_slice %{{.*}} : tensor<28x28x128xf32> to tensor<27x28x128xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[S]] : tensor<27x28x128xf32>) outs(%{{.*}} : tensor<3x27x28x128xf32>)
func.func @broadcast(%x: tensor<29x30x96xf32>, %w: tensor<3x3x96x128xf32> {pruner.constant}) -> tensor<3x27x28x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<27x28x128xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<27x28x128xf32>) -> tensor<27x28x128xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(h, w, f, c, i, j) -> (h + i, w + j, c)>, affine_map<(h, w, f, c, i, j) -> (i, j, c, f)>, affine_map<(h, w, f, c, i, j) -> (h, w, f)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<29x30x96xf32>, tensor<3x3x96x128xf32>) outs(%z : tensor<27x28x128xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<27x28x128xf32>
  %o = tensor.empty() : tensor<3x27x28x128xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, h, w, f) -> (h, w, f)>, affine_map<(n, h, w, f) -> (n, h, w, f)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c : tensor<27x28x128xf32>) outs(%o : tensor<3x27x28x128xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = math.exp %a : f32
    linalg.yield %0 : f32
  } -> tensor<3x27x28x128xf32>
  return %r : tensor<3x27x28x128xf32>
}

// -----

// The second convolution reads the result of the first.
// CHECK-LABEL: func @chain(
// CHECK-COUNT-2: linalg.batch_matmul
// CHECK-NOT:     linalg.conv
func.func @chain(%x: tensor<1x64x58x58xf32>, %w: tensor<64x64x3x3xf32> {pruner.constant}) -> tensor<1x64x54x54xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<1x64x56x56xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x64x58x58xf32>, tensor<64x64x3x3xf32>)
      outs(%z0 : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
  %e1 = tensor.empty() : tensor<1x64x54x54xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1x64x54x54xf32>) -> tensor<1x64x54x54xf32>
  %1 = linalg.conv_2d_nchw_fchw ins(%0, %w : tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32>)
      outs(%z1 : tensor<1x64x54x54xf32>) -> tensor<1x64x54x54xf32>
  return %1 : tensor<1x64x54x54xf32>
}

// -----

// Strides, dilation, windows of one element, filters that are not constant,
// another start than zero, other types, few points, and tasks.
// CHECK-LABEL: func @stay(
// CHECK-NOT:     linalg.batch_matmul
func.func @stay(%x: tensor<1x64x58x58xf32>, %w: tensor<64x64x3x3xf32> {pruner.constant}, %v: tensor<64x64x3x3xf32>,
                %p: tensor<64x64x1x1xf32> {pruner.constant}, %h: tensor<1x64x58x58xf16>,
                %u: tensor<64x64x3x3xf16> {pruner.constant}, %s: tensor<1x2x58x58xf32>, %t: tensor<1x2x3x3xf32> {pruner.constant})
    -> (tensor<1x64x28x28xf32>, tensor<1x64x54x54xf32>, tensor<1x64x58x58xf32>, tensor<1x64x56x56xf32>,
        tensor<1x64x56x56xf32>, tensor<1x64x56x56xf16>, tensor<1x1x56x56xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %none = arith.constant 0.0 : f16
  %e28 = tensor.empty() : tensor<1x64x28x28xf32>
  %f28 = linalg.fill ins(%zero : f32) outs(%e28 : tensor<1x64x28x28xf32>) -> tensor<1x64x28x28xf32>
  %0 = linalg.conv_2d_nchw_fchw {strides = dense<2> : vector<2xi64>} ins(%x, %w : tensor<1x64x58x58xf32>, tensor<64x64x3x3xf32>)
      outs(%f28 : tensor<1x64x28x28xf32>) -> tensor<1x64x28x28xf32>
  %e54 = tensor.empty() : tensor<1x64x54x54xf32>
  %f54 = linalg.fill ins(%zero : f32) outs(%e54 : tensor<1x64x54x54xf32>) -> tensor<1x64x54x54xf32>
  %1 = linalg.conv_2d_nchw_fchw {dilations = dense<2> : vector<2xi64>} ins(%x, %w : tensor<1x64x58x58xf32>, tensor<64x64x3x3xf32>)
      outs(%f54 : tensor<1x64x54x54xf32>) -> tensor<1x64x54x54xf32>
  %e58 = tensor.empty() : tensor<1x64x58x58xf32>
  %f58 = linalg.fill ins(%zero : f32) outs(%e58 : tensor<1x64x58x58xf32>) -> tensor<1x64x58x58xf32>
  %2 = linalg.conv_2d_nchw_fchw ins(%x, %p : tensor<1x64x58x58xf32>, tensor<64x64x1x1xf32>)
      outs(%f58 : tensor<1x64x58x58xf32>) -> tensor<1x64x58x58xf32>
  %e56 = tensor.empty() : tensor<1x64x56x56xf32>
  %f56 = linalg.fill ins(%zero : f32) outs(%e56 : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
  %3 = linalg.conv_2d_nchw_fchw ins(%x, %v : tensor<1x64x58x58xf32>, tensor<64x64x3x3xf32>)
      outs(%f56 : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
  %ones = linalg.fill ins(%one : f32) outs(%e56 : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
  %4 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x64x58x58xf32>, tensor<64x64x3x3xf32>)
      outs(%ones : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
  %eh = tensor.empty() : tensor<1x64x56x56xf16>
  %fh = linalg.fill ins(%none : f16) outs(%eh : tensor<1x64x56x56xf16>) -> tensor<1x64x56x56xf16>
  %5 = linalg.conv_2d_nchw_fchw ins(%h, %u : tensor<1x64x58x58xf16>, tensor<64x64x3x3xf16>)
      outs(%fh : tensor<1x64x56x56xf16>) -> tensor<1x64x56x56xf16>
  %e1 = tensor.empty() : tensor<1x1x56x56xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1x1x56x56xf32>) -> tensor<1x1x56x56xf32>
  %6 = linalg.conv_2d_nchw_fchw ins(%s, %t : tensor<1x2x58x58xf32>, tensor<1x2x3x3xf32>)
      outs(%f1 : tensor<1x1x56x56xf32>) -> tensor<1x1x56x56xf32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<1x64x28x28xf32>, tensor<1x64x54x54xf32>, tensor<1x64x58x58xf32>,
      tensor<1x64x56x56xf32>, tensor<1x64x56x56xf32>, tensor<1x64x56x56xf16>, tensor<1x1x56x56xf32>
}
// CHECK-LABEL: func @task(
// CHECK:         linalg.conv_2d_nchw_fchw
func.func @task(%x: tensor<1x64x58x58xf32>, %w: tensor<64x64x3x3xf32> {pruner.constant}, %z: tensor<1x64x56x56xf32>)
    -> tensor<1x64x56x56xf32> attributes {pruner.task = {key = "0"}} {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%z : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x64x58x58xf32>, tensor<64x64x3x3xf32>)
      outs(%f : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
  return %0 : tensor<1x64x56x56xf32>
}
