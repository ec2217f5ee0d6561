// Convolutions: the map includes the padding, the stage fills elements outside,
// and vectors run along the channels or along the pixels.
// RUN: pruner-opt %s --pruner-tile=target=file:%S/Inputs/cpu.json | FileCheck %s

// CHECK-DAG: #[[CONV:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 + d5 - 1, d3 + d6 - 1)>
// CHECK-DAG: #[[CHANNELS:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d2, d3, d0)>
// CHECK-DAG: #[[PHASES:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2 mod 2, d2 floordiv 2)>

// CHECK-LABEL: func.func private @channels_kernel
// CHECK: pruner.stage "arg0.packed" operand 0
// CHECK-SAME: box [1, 4, 8, 8]
// CHECK-SAME: of #[[CONV]] shape [1, 4, 6, 6]
// CHECK-SAME: padding 0.000000e+00 : f32
// The weights of eight channels are contiguous.
// CHECK: pruner.stage "arg1.packed" operand 1
// CHECK-SAME: layout #[[CHANNELS]]
// CHECK: pruner.compute update
// CHECK-SAME: d1 vector 8)
func.func @channels(%x: tensor<1x4x6x6xf32>, %w: tensor<8x4x3x3xf32>) -> tensor<1x8x6x6xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile,
      tiles = [[1, 1, 1], [1, 1, 8], [1, 6, 1], [1, 1, 6], [4], [3], [3]],
      stages = [inner, inner], vector = 8, vector_dim = 1, unroll = 1>} {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %z : f32
  } : tensor<1x4x6x6xf32> to tensor<1x4x8x8xf32>
  %e = tensor.empty() : tensor<1x8x6x6xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x8x6x6xf32>) -> tensor<1x8x6x6xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%p, %w : tensor<1x4x8x8xf32>, tensor<8x4x3x3xf32>)
      outs(%f : tensor<1x8x6x6xf32>) -> tensor<1x8x6x6xf32>
  return %c : tensor<1x8x6x6xf32>
}

// Every second element of a row is a lane: the stage makes them contiguous.
// CHECK-LABEL: func.func private @strided_kernel
// CHECK: pruner.stage "arg0.packed" operand 0
// CHECK-SAME: layout #[[PHASES]]
// CHECK-SAME: -> memref<1x3x2x9xf32, #pruner.memory<local>>
func.func @strided(%x: tensor<4x17x17xf32>, %w: tensor<4x3x3xf32>) -> tensor<4x8x8xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile,
      tiles = [[1, 1, 1], [1, 1, 1], [1, 1, 8], [3], [3]],
      stages = [inner, none], vector = 8, unroll = 1>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %c = linalg.generic {
      indexing_maps = [affine_map<(c, h, w, i, j) -> (c, h * 2 + i, w * 2 + j)>,
                       affine_map<(c, h, w, i, j) -> (c, i, j)>,
                       affine_map<(c, h, w, i, j) -> (c, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<4x17x17xf32>, tensor<4x3x3xf32>) outs(%f : tensor<4x8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<4x8x8xf32>
  return %c : tensor<4x8x8xf32>
}

// The windows of pooling only define extents.
// CHECK-LABEL: func.func private @pool_kernel
// CHECK-SAME: (%[[X:.*]]: memref<1x4x8x8xf32>, %{{.*}}: memref<1x4x4x4xf32>)
// CHECK: pruner.compute update
// CHECK-SAME: ins(%[[X]] : memref<1x4x8x8xf32>)
func.func @pool(%x: tensor<1x4x8x8xf32>) -> tensor<1x4x4x4xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile,
      tiles = [[1, 1, 1], [1, 1, 1], [1, 1, 1], [1, 1, 4], [2], [2]],
      stages = [none], vector = 4, unroll = 1>} {
  %low = arith.constant 0xFF800000 : f32
  %window = tensor.empty() : tensor<2x2xf32>
  %e = tensor.empty() : tensor<1x4x4x4xf32>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %c = linalg.pooling_nchw_max {strides = dense<2> : vector<2xi64>}
      ins(%x, %window : tensor<1x4x8x8xf32>, tensor<2x2xf32>)
      outs(%f : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %c : tensor<1x4x4x4xf32>
}

// Lanes along the reduction: partial sums, combined at the end.
// CHECK-LABEL: func.func private @rows_kernel
// CHECK: pruner.compute update
// CHECK-SAME: loops (d1 serial 2 step 8, d0 unroll 4, d1 vector 8)
func.func @rows(%a: tensor<8x16xf32>) -> tensor<8xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 2, 4], [16]],
      stages = [none], vector = 8, vector_dim = 1, unroll = 2>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<8x16xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %r = arith.addf %acc, %x : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// If it costs a quarter at most, rows have room for whole vectors: 26 elements
// take 32. The nine of @strided would need 16, so they have no room.
// CHECK-LABEL: func.func private @room_kernel
// CHECK: pruner.stage "arg0.packed" operand 0
// CHECK-SAME: box [1, 3, 26]
// CHECK-SAME: -> memref<1x3x32xf32, #pruner.memory<local>>
func.func @room(%x: tensor<4x10x26xf32>, %w: tensor<4x3x3xf32>) -> tensor<4x8x24xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile,
      tiles = [[1, 1, 1], [1, 1, 1], [1, 1, 24], [3], [3]],
      stages = [inner, none], vector = 8, unroll = 1>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8x24xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4x8x24xf32>) -> tensor<4x8x24xf32>
  %c = linalg.generic {
      indexing_maps = [affine_map<(c, h, w, i, j) -> (c, h + i, w + j)>,
                       affine_map<(c, h, w, i, j) -> (c, i, j)>,
                       affine_map<(c, h, w, i, j) -> (c, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<4x10x26xf32>, tensor<4x3x3xf32>) outs(%f : tensor<4x8x24xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<4x8x24xf32>
  return %c : tensor<4x8x24xf32>
}
