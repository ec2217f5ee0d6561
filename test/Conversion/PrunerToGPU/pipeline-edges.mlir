// Asynchronous copies at the edges of tensors.
// RUN: pruner-opt %s --pruner-tile=target=nvidia:sm_80 --convert-pruner-to-gpu -split-input-file | FileCheck %s

// The last step and the last block reach beyond B: a copy of no elements fills
// with zeros. It reads nothing, so its address need not be inside of B.
// CHECK-LABEL: gpu.func @cut_kernel(
// CHECK: scf.for
// CHECK: scf.if
// CHECK: %[[INSIDE:.*]] = arith.cmpi slt, %{{.*}}, %c98
// CHECK: %[[COUNT:.*]] = arith.select %{{.*}}, %c4{{.*}}, %c0
// CHECK-NOT: arith.select
// CHECK: nvgpu.device_async_copy %{{.*}}[%{{.*}}], %{{.*}}[%{{.*}}], 4, %[[COUNT]] {bypassL1}
func.func @cut(%A: tensor<64x98xf32>, %B: tensor<98x60xf32>) -> tensor<64x60xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile,
        tiles = [[1, 8, 1, 4], [1, 8, 1, 4], [8, 1]],
        stages = [none, inner], vector = 4, unroll = 0, pipeline = 2>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x60xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x60xf32>) -> tensor<64x60xf32>
  %r = linalg.matmul ins(%A, %B : tensor<64x98xf32>, tensor<98x60xf32>)
                     outs(%f : tensor<64x60xf32>) -> tensor<64x60xf32>
  return %r : tensor<64x60xf32>
}

// -----

// Zeros in front of the tensor, too (a fused tensor.pad). One chunk has the four
// channels of a pixel.
// CHECK-LABEL: gpu.func @zeros_kernel(
// CHECK: scf.for
// CHECK: arith.cmpi sge, %{{.*}}, %c0
// CHECK: %[[COUNT:.*]] = arith.select %{{.*}}, %c4{{.*}}, %c0
// CHECK-NOT: arith.select
// CHECK: nvgpu.device_async_copy %{{.*}}[%{{.*}}], %{{.*}}[%{{.*}}], 4, %[[COUNT]] {bypassL1}
func.func @zeros(%x: tensor<30x8xf32>, %w: tensor<3x8x16xf32>) -> tensor<30x16xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile,
        tiles = [[1, 8, 1, 1], [1, 8, 1, 2], [1, 1], [4, 1]],
        stages = [inner, inner], vector = 4, unroll = 0, pipeline = 2>} {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<30x8xf32> to tensor<32x8xf32>
  %e = tensor.empty() : tensor<30x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<30x16xf32>) -> tensor<30x16xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(y, c, k, j) -> (y + k, j)>,
                       affine_map<(y, c, k, j) -> (k, j, c)>,
                       affine_map<(y, c, k, j) -> (y, c)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%p, %w : tensor<32x8xf32>, tensor<3x8x16xf32>) outs(%f : tensor<30x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %c, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<30x16xf32>
  return %r : tensor<30x16xf32>
}

// -----

// The chunks of a thread are at different distances in the image, so each has an
// address of its own in all steps. What does not depend on the step is computed
// once.
// CHECK-LABEL: gpu.func @window_kernel(
// CHECK: nvgpu.device_async_copy %{{.*}}[%[[REST:[0-9]+]]], %{{.*}}, 8, %{{.*}} {bypassL1}
// CHECK: scf.for
// CHECK: %[[FROM:[0-9]+]] = arith.addi %[[REST]], %{{.*}} : index
// CHECK-NEXT: nvgpu.device_async_copy %{{.*}}[%[[FROM]]], %{{.*}}, 8, %{{.*}} {bypassL1}
func.func @window(%x: tensor<2x16x16x64xf16>, %w: tensor<3x3x64x32xf16>) -> tensor<2x14x14x32xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile,
        tiles = [[1, 1, 1, 1], [1, 2, 1, 1], [1, 8, 2, 1], [1, 4, 4, 2], [1, 1], [3, 1], [1, 16]], stages = [inner, inner],
        vector = 8, unroll = 16, pad = 8, pipeline = 2, instruction = mma_m16n8k16_f16>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x14x14x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x14x14x32xf32>) -> tensor<2x14x14x32xf32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<2xi64>}
      ins(%x, %w : tensor<2x16x16x64xf16>, tensor<3x3x64x32xf16>) outs(%f : tensor<2x14x14x32xf32>) -> tensor<2x14x14x32xf32>
  return %r : tensor<2x14x14x32xf32>
}

// -----

// Sixteen bytes are one chunk.
// CHECK-LABEL: gpu.func @bytes_kernel(
// CHECK: nvgpu.device_async_copy %{{.*}}[%{{.*}}], %{{.*}}[%{{.*}}], 16 {bypassL1} : memref<16384xi8>
func.func @bytes(%a: tensor<64x256xi8>, %b: tensor<256x64xi8>) -> tensor<64x64xi32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile,
        tiles = [[1, 16, 2, 1], [1, 8, 4, 2], [1, 64]], stages = [inner, inner],
        vector = 16, unroll = 16, pad = 16, pipeline = 2, instruction = mma_m16n8k32_s8>} {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<64x64xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<64x64xi32>) -> tensor<64x64xi32>
  %r = linalg.matmul ins(%a, %b : tensor<64x256xi8>, tensor<256x64xi8>)
                     outs(%f : tensor<64x64xi32>) -> tensor<64x64xi32>
  return %r : tensor<64x64xi32>
}
