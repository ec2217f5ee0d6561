// RUN: pruner-opt %s --pruner-tile=target=file:%S/Inputs/gpu.json | FileCheck %s

// 8x32x16 in blocks of 8x16: two virtual threads along columns, 4x4 threads,
// 2x2 elements each. 16 threads share the copies to shared memory; rows are
// padded by one element. In the accumulator, the elements of the virtual
// threads, 8 columns apart in the tensor, are adjacent.
// CHECK-DAG: #[[ACC:map[0-9]*]] = affine_map<(d0, d1) -> (d0, d1 floordiv 8, d1 mod 8)>
// CHECK-DAG: #[[SWAP:map[0-9]*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-LABEL: func.func private @matmul_kernel
// CHECK: pruner.kernel gpu domain (d0 = 8, d1 = 32, d2 = 16 reduction) unroll_max 16 {
// CHECK-NEXT: pruner.band block (%[[B:.*]] = d1 trips 2 step 16) {
// CHECK-NEXT: pruner.band thread (%[[I:.*]] = d0 trips 4 step 2, %[[J:.*]] = d1 trips 4 step 2) {
// CHECK-NEXT: %[[C:.*]] = pruner.alloc "acc" at (%[[B]], %[[I]], %[[J]]) shape [8, 32] layout #[[ACC]] : memref<2x2x2xf32, #pruner.memory<local>>
// CHECK-NEXT: pruner.band vthread (%[[V:.*]] = d1 trips 2 step 8) {
// CHECK-NEXT: pruner.compute init at (%[[B]], %[[I]], %[[J]], %[[V]]) loops (d0 unroll 2, d1 unroll 2) ins() outs(%[[C]]
// CHECK: pruner.band serial (%[[K:.*]] = d2 trips 4 step 4) {
// CHECK-NEXT: %[[SA:.*]] = pruner.stage "arg0.shared" operand 0 at (%[[B]], %[[K]]) box [8, 4] of #{{.*}} shape [8, 16] layout #[[SWAP]] vector 2 threads 16 ins(%arg0 : {{.*}} -> memref<4x9xf32, #pruner.memory<shared>>
// CHECK: %[[SB:.*]] = pruner.stage "arg1.shared" operand 1 at (%[[B]], %[[K]]) box [4, 16] {{.*}} -> memref<4x17xf32, #pruner.memory<shared>>
// CHECK: pruner.band serial (%{{.*}} = d2 trips 2 step 2) {
// CHECK-NEXT: pruner.band vthread
// CHECK-NEXT: pruner.compute update {{.*}} loops (d2 serial 2, d0 unroll 2, d1 unroll 2) ins(%[[SA]], %[[SB]] :
// CHECK: pruner.band vthread
// CHECK-NEXT: pruner.compute finish
func.func @matmul(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile,
      tiles = [[1, 4, 1, 2], [2, 4, 1, 2], [2, 2]], stages = [inner, inner], vector = 2, unroll = 16, pad = 1>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}

// Two blocks of 8 rows times two of 20 columns: blocks, threads, elements.
// CHECK-LABEL: func.func private @map_kernel
// CHECK: pruner.kernel gpu domain (d0 = 10, d1 = 37) {
// CHECK-NEXT: pruner.band block (%[[BI:.*]] = d0 trips 2 step 8, %[[BJ:.*]] = d1 trips 2 step 20) {
// CHECK-NEXT: pruner.band thread (%[[I:.*]] = d0 trips 8 step 1, %[[J:.*]] = d1 trips 10 step 2) {
// CHECK-NEXT: pruner.compute map at (%[[BI]], %[[BJ]], %[[I]], %[[J]]) loops (d0 unroll 1, d1 unroll 2)
func.func @map(%a: tensor<10x37xf16>) -> tensor<10x37xf16>
    attributes {pruner.schedule = #pruner.schedule<simt_map, tiles = [[8, 1], [10, 2]],
      stages = [none], vector = 1, unroll = 0>} {
  %e = tensor.empty() : tensor<10x37xf16>
  %r = linalg.exp ins(%a : tensor<10x37xf16>) outs(%e : tensor<10x37xf16>) -> tensor<10x37xf16>
  return %r : tensor<10x37xf16>
}
