// A constant is packed into whole panels before the kernel runs. The kernel
// reads this layout, and another function creates it from the tensor.
// RUN: pruner-opt %s --pruner-tile=target=file:%S/Inputs/cpu.json --split-input-file | FileCheck %s

// CHECK: #[[PANELS:.*]] = affine_map<(d0, d1) -> (d1 floordiv 8, d0, d1 mod 8)>
// CHECK-LABEL: func.func @weights(
// CHECK-SAME: %[[A:.*]]: tensor<8x16xf32>, %[[B:.*]]: tensor<16x20xf32> {pruner.constant})
// CHECK: %[[P:.*]] = call @weights_pack1(%[[B]]) : (tensor<16x20xf32>) -> tensor<3x16x8xf32>
// CHECK: %[[M:.*]] = bufferization.to_buffer %[[P]] read_only : tensor<3x16x8xf32> to memref<3x16x8xf32>
// CHECK: call @weights_kernel(%{{.*}}, %[[M]], %{{.*}})

// CHECK-LABEL: func.func private @weights_pack1(%{{.*}}: tensor<16x20xf32>) -> tensor<3x16x8xf32> attributes {pruner.pack}
// CHECK: call @weights_pack1_kernel

// The last panel has four columns of the tensor and four of zeros.
// CHECK-LABEL: func.func private @weights_pack1_kernel(
// CHECK-SAME: %[[FROM:.*]]: memref<16x20xf32>, %[[TO:.*]]: memref<3x16x8xf32>) attributes {pruner.work = {bytes = 2816 : i64, flops = 0 : i64}}
// CHECK: scf.for %[[I:.*]] =
// CHECK: scf.for %[[K:.*]] =
// CHECK: scf.for %[[J:.*]] =
// CHECK: %[[BLOCK:.*]] = arith.muli %[[I]], %c8
// CHECK: %[[COLUMN:.*]] = arith.addi %[[BLOCK]], %[[J]]
// CHECK: arith.cmpi ult, %[[COLUMN]], %c20
// CHECK: %[[E:.*]] = scf.if
// CHECK: memref.load %[[FROM]][%[[K]], %[[COLUMN]]]
// CHECK: memref.store %[[E]], %[[TO]][%[[I]], %[[K]], %[[J]]]

// CHECK-LABEL: func.func private @weights_kernel(
// CHECK-SAME: %{{.*}}: memref<8x16xf32>, %[[B:[a-z0-9]+]]: memref<3x16x8xf32>,
// CHECK: %[[P:.*]] = pruner.packed %[[B]] shape [16, 20] layout #[[PANELS]] : memref<3x16x8xf32>
// CHECK-NOT: pruner.stage
// CHECK: pruner.compute update
// CHECK-SAME: ins(%{{.*}}, %[[P]] :
func.func @weights(%a: tensor<8x16xf32>, %b: tensor<16x20xf32> {pruner.constant}) -> tensor<8x20xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 2, 4], [1, 2, 8], [16]],
      stages = [none, ahead], vector = 8, unroll = 2>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x20xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x20xf32>) -> tensor<8x20xf32>
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x20xf32>) outs(%f : tensor<8x20xf32>) -> tensor<8x20xf32>
  return %c : tensor<8x20xf32>
}

// -----

// If the panels equal the tensor, nothing is packed.
// CHECK-LABEL: func.func @plain(
// CHECK-NOT: pack
// CHECK: call @plain_kernel
// CHECK-NOT: pruner.packed
func.func @plain(%a: tensor<8x16xf32>, %b: tensor<16x8xf32> {pruner.constant}) -> tensor<8x8xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 2, 4], [1, 1, 8], [16]],
      stages = [none, ahead], vector = 8, unroll = 2>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %c : tensor<8x8xf32>
}

// -----

// A step of the reduction has one tap of all channels. Its weights are
// contiguous: taps come before channels.
// CHECK: #[[STEPS:.*]] = affine_map<(d0, d1, d2) -> (d0 floordiv 8, d2, d1, d0 mod 8)>
// CHECK-LABEL: func.func private @taps_kernel(
// CHECK: pruner.packed %{{.*}} shape [16, 4, 3] layout #[[STEPS]] : memref<2x3x4x8xf32>
// CHECK: pruner.band serial (%{{.*}} = d3 trips 3 step 1)
#image = affine_map<(f, o, c, k) -> (c, o + k)>
#filter = affine_map<(f, o, c, k) -> (f, c, k)>
#result = affine_map<(f, o, c, k) -> (f, o)>
func.func @taps(%x: tensor<4x10xf32>, %w: tensor<16x4x3xf32> {pruner.constant}) -> tensor<16x8xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 2, 8], [1, 4, 2], [4], [1]],
      stages = [none, ahead], vector = 8, vector_dim = 0, unroll = 2>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<16x8xf32>) -> tensor<16x8xf32>
  %c = linalg.generic {indexing_maps = [#image, #filter, #result],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<4x10xf32>, tensor<16x4x3xf32>) outs(%f : tensor<16x8xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<16x8xf32>
  return %c : tensor<16x8xf32>
}

// -----

// Both the channels and the taps are divided: each step of two channels and two
// taps is contiguous.
// CHECK: #[[BOTH:.*]] = affine_map<(d0, d1, d2) -> (d0 floordiv 8, d1 floordiv 2, d2 floordiv 2, d1 mod 2, d2 mod 2, d0 mod 8)>
// CHECK-LABEL: func.func private @steps_kernel(
// CHECK: pruner.packed %{{.*}} shape [16, 4, 4] layout #[[BOTH]] : memref<2x2x2x2x2x8xf32>
#image = affine_map<(f, o, c, k) -> (c, o + k)>
#filter = affine_map<(f, o, c, k) -> (f, c, k)>
#result = affine_map<(f, o, c, k) -> (f, o)>
func.func @steps(%x: tensor<4x11xf32>, %w: tensor<16x4x4xf32> {pruner.constant}) -> tensor<16x8xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 2, 8], [1, 4, 2], [2], [2]],
      stages = [none, ahead], vector = 8, vector_dim = 0, unroll = 2>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<16x8xf32>) -> tensor<16x8xf32>
  %c = linalg.generic {indexing_maps = [#image, #filter, #result],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<4x11xf32>, tensor<16x4x4xf32>) outs(%f : tensor<16x8xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<16x8xf32>
  return %c : tensor<16x8xf32>
}
