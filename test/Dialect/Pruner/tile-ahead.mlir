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
