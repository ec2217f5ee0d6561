// RUN: pruner-opt %s --pruner-tile=target=nvidia:sm_80 | FileCheck %s
// RUN: pruner-opt %s --pruner-tile=target=nvidia:sm_80 | pruner-opt | FileCheck %s
// RUN: not pruner-opt %s --pruner-tile=target=nvidia:sm_75 2>&1 | FileCheck %s --check-prefix=CHIP
// CHIP: illegal schedule: R27: 'sm_75' has no mma_m16n8k16_f16 with registers of 32 bytes

// The last digits of a thread are the lanes of its warp: 8 rows, and 4 pairs of
// columns. The tile of a warp is contiguous, so copies are 8 elements apart, and
// the two warps along the rows 32. Buffers keep the order of the tensors.
// CHECK: #[[ACC:.*]] = affine_map<(d0, d1) -> (d0 floordiv 8, d1 floordiv 8, d1 mod 2)>
// CHECK: #[[SAME:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func.func private @product_kernel
// CHECK: pruner.band thread (%{{.*}} = d0 trips 2 step 32, %{{.*}} = d0 trips 8 step 1, %{{.*}} = d1 trips 4 step 2) {
// CHECK: pruner.alloc "acc" {{.*}} layout #[[ACC]] : memref<4x2x2xf32, #pruner.memory<local>>
// CHECK: pruner.band unroll (%{{.*}} = d0 trips 4 step 8, %{{.*}} = d1 trips 2 step 8) {
// CHECK: pruner.compute init
// CHECK: pruner.band serial (%{{.*}} = d2 trips 2 step 32) {
// CHECK: pruner.stage "arg0.shared" {{.*}} layout #[[SAME]] vector 8 threads 64 buffers 2 async {{.*}} -> memref<64x40xf16, #pruner.memory<shared>>
// CHECK: pruner.stage "arg1.shared" {{.*}} layout #[[SAME]] vector 8 threads 64 buffers 2 async {{.*}} -> memref<32x24xf16, #pruner.memory<shared>>
// CHECK: pruner.compute update {{.*}} loops (d2 serial 2 step 16, d0 unroll 1, d1 unroll 2, d2 dot 16) by "mma_m16n8k16_f16" ins(
// CHECK: arith.extf
// CHECK: pruner.compute finish
func.func @product(%a: tensor<64x64xf16>, %b: tensor<64x16xf16>) -> tensor<64x16xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile,
        tiles = [[1, 16, 4, 1], [1, 4, 2, 2], [1, 32]], stages = [inner, inner],
        vector = 8, unroll = 16, pad = 8, pipeline = 2, instruction = mma_m16n8k16_f16>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x16xf32>) -> tensor<64x16xf32>
  %r = linalg.matmul ins(%a, %b : tensor<64x64xf16>, tensor<64x16xf16>) outs(%f : tensor<64x16xf32>) -> tensor<64x16xf32>
  return %r : tensor<64x16xf32>
}
