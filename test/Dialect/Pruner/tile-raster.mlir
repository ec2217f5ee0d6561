// RUN: pruner-opt %s --pruner-tile | FileCheck %s

// Consecutive outermost tiles lie along d0, not along d1.
// CHECK-LABEL: func.func private @cores_kernel
// CHECK-SAME: raster = 0
// CHECK: pruner.band core (%{{.*}} = d1 trips 2 step 16, %{{.*}} = d0 trips 4 step 2) {
// CHECK-NEXT: pruner.band serial (%{{.*}} = d1 trips 2 step 8) {
func.func @cores(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 1, 2], [1, 2, 8], [16]],
      stages = [none, none], vector = 4, unroll = 1, raster = 0>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// Blocks that share a reduction stay separate; the threads keep their order.
// CHECK-LABEL: func.func private @blocks_kernel
// CHECK: pruner.band block (%{{.*}} = d2 trips 2 step 8, %{{.*}} = d1 trips 2 step 16, %{{.*}} = d0 trips 2 step 4) {
// CHECK: pruner.band thread (%{{.*}} = d0 trips 4 step 1, %{{.*}} = d1 trips 16 step 1) {
func.func @blocks(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile, tiles = [[1, 4, 1, 1], [1, 16, 1, 1], [1, 8]],
      stages = [none, none], vector = 1, unroll = 0, split = [2], raster = 0>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}
