// Convolutions with the channels first on tensor cores: the columns of a product
// are pixels of the image, the rows are filters. In both buffers the channels are
// the last coordinate, so that the terms of a pixel of the window are a chunk,
// which a load takes from any address. Each function is compiled twice, with an
// instruction and without, and the PTX machine computes the same integers by both.
// RUN: pruner-opt %s --pruner-tile=target=nvidia:sm_80 -o %t.tiled.mlir
// RUN: FileCheck %s --input-file=%t.tiled.mlir
// RUN: pruner-opt %t.tiled.mlir --convert-pruner-to-gpu --pruner-to-nvvm -o %t.mlir
// RUN: pruner-translate %t.mlir --to=ptx --chip=sm_80 -o %t.ptx
// RUN: pruner-emulate --ptx=%t.ptx --kernel=window_kernel --arguments=f16x11520,f16x9216,f32x8064 --grid=56 --block=32 --fill=random-int --poison=2 --print=2 > %t.window
// RUN: pruner-emulate --ptx=%t.ptx --kernel=window_plain_kernel --arguments=f16x11520,f16x9216,f32x8064 --grid=84 --block=32 --fill=random-int --poison=2 --print=2 | diff - %t.window
// RUN: pruner-emulate --ptx=%t.ptx --kernel=strided_kernel --arguments=f16x35520,f16x9216,f32x8064 --grid=56 --block=32 --fill=random-int --poison=2 --print=2 > %t.strided
// RUN: pruner-emulate --ptx=%t.ptx --kernel=strided_plain_kernel --arguments=f16x35520,f16x9216,f32x8064 --grid=84 --block=32 --fill=random-int --poison=2 --print=2 | diff - %t.strided

// CHECK: func.func private @window_kernel
// CHECK: by "mma_m16n8k16_f16"
// CHECK: func.func private @strided_kernel
// CHECK: by "mma_m16n8k16_f16"

func.func @window(%a: tensor<2x32x9x20xf16>, %b: tensor<32x32x3x3xf16>) -> tensor<2x32x7x18xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile,
        tiles = [[1, 1, 1, 1], [1, 8, 2, 1], [1, 1, 1, 1], [1, 4, 2, 2], [1, 16], [1, 1], [3, 1]], stages = [inner, inner],
        vector = 8, unroll = 16, pad = 8, pipeline = 2, instruction = mma_m16n8k16_f16>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x32x7x18xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x32x7x18xf32>) -> tensor<2x32x7x18xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>}
      ins(%a, %b : tensor<2x32x9x20xf16>, tensor<32x32x3x3xf16>) outs(%f : tensor<2x32x7x18xf32>) -> tensor<2x32x7x18xf32>
  return %r : tensor<2x32x7x18xf32>
}
func.func @window_plain(%a: tensor<2x32x9x20xf16>, %b: tensor<32x32x3x3xf16>) -> tensor<2x32x7x18xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile,
        tiles = [[1, 1, 1, 1], [1, 8, 1, 2], [1, 1, 1, 1], [1, 4, 1, 2], [1, 4], [1, 1], [3, 1]], stages = [inner, inner],
        vector = 1, unroll = 16>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x32x7x18xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x32x7x18xf32>) -> tensor<2x32x7x18xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>}
      ins(%a, %b : tensor<2x32x9x20xf16>, tensor<32x32x3x3xf16>) outs(%f : tensor<2x32x7x18xf32>) -> tensor<2x32x7x18xf32>
  return %r : tensor<2x32x7x18xf32>
}
func.func @strided(%a: tensor<2x32x15x37xf16>, %b: tensor<32x32x3x3xf16>) -> tensor<2x32x7x18xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile,
        tiles = [[1, 1, 1, 1], [1, 8, 2, 1], [1, 1, 1, 1], [1, 4, 2, 2], [1, 16], [1, 1], [3, 1]], stages = [inner, inner],
        vector = 8, unroll = 16, pad = 8, pipeline = 2, instruction = mma_m16n8k16_f16>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x32x7x18xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x32x7x18xf32>) -> tensor<2x32x7x18xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<2> : tensor<2xi64>}
      ins(%a, %b : tensor<2x32x15x37xf16>, tensor<32x32x3x3xf16>) outs(%f : tensor<2x32x7x18xf32>) -> tensor<2x32x7x18xf32>
  return %r : tensor<2x32x7x18xf32>
}
func.func @strided_plain(%a: tensor<2x32x15x37xf16>, %b: tensor<32x32x3x3xf16>) -> tensor<2x32x7x18xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile,
        tiles = [[1, 1, 1, 1], [1, 8, 1, 2], [1, 1, 1, 1], [1, 4, 1, 2], [1, 4], [1, 1], [3, 1]], stages = [inner, inner],
        vector = 1, unroll = 16>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x32x7x18xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x32x7x18xf32>) -> tensor<2x32x7x18xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<2> : tensor<2xi64>}
      ins(%a, %b : tensor<2x32x15x37xf16>, tensor<32x32x3x3xf16>) outs(%f : tensor<2x32x7x18xf32>) -> tensor<2x32x7x18xf32>
  return %r : tensor<2x32x7x18xf32>
}
