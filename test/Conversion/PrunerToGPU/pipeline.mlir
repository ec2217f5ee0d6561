// Copies that run ahead of their use. Rows of B are contiguous in both
// memories: three buffers, filled by asynchronous copies. A is transposed: two
// buffers, filled through registers. Each step has one barrier.
// RUN: pruner-opt %s --pruner-tile=target=nvidia:sm_80 --convert-pruner-to-gpu | FileCheck %s
// The text can be read again.
// RUN: pruner-opt %s --pruner-tile=target=nvidia:sm_80 --convert-pruner-to-gpu | pruner-opt | FileCheck %s

// CHECK-LABEL: gpu.func @both_kernel(
// CHECK-SAME: %{{.*}}: memref<64x96xf32>, %{{.*}}: memref<96x64xf32>, %{{.*}}: memref<64x64xf32>)
// CHECK-SAME: workgroup(%[[B:.*]] : memref<864xf32, {{.*}}> {llvm.align = 16 : i64}, %[[A:.*]] : memref<576xf32, {{.*}}> {llvm.align = 16 : i64})
// CHECK-SAME: pruner.shared_bytes = 5760
// The first two steps of B and the first one of A.
// CHECK: nvgpu.device_async_copy %[[GB:.*]][%{{.*}}], %[[B]][%{{.*}}], 4 {bypassL1}
// CHECK-NEXT: nvgpu.device_async_create_group
// CHECK: nvgpu.device_async_copy %[[GB]][%{{.*}}], %[[B]][%{{.*}}], 4 {bypassL1}
// CHECK-NEXT: %[[GROUP:.*]] = nvgpu.device_async_create_group
// CHECK: vector.load %[[GA:.*]][%{{.*}}] {alignment = 16 : i64}
// CHECK-COUNT-4: memref.store %{{.*}}, %[[A]]
// CHECK-NOT: gpu.barrier
// CHECK: scf.for %[[T:.*]] = %c0{{.*}} to %c12{{.*}} iter_args({{.*}}%[[NUMBER:[a-z0-9]+]] = %c0_i32
// One group, that of the next step, stays pending.
// CHECK-NEXT: nvgpu.device_async_wait %[[GROUP]] {numGroups = 1 : i32}
// CHECK-NEXT: gpu.barrier
// CHECK: %[[MORE:.*]] = arith.cmpi slt, %[[T]], %c10
// CHECK: scf.if %[[MORE]] {
// CHECK: nvgpu.device_async_copy %[[GB]][%{{.*}}], %[[B]][%{{.*}}], 4 {bypassL1}
// CHECK-NEXT: }
// The group exists in the last steps, too.
// CHECK-NEXT: nvgpu.device_async_create_group
// CHECK: %[[NEXT:.*]] = arith.cmpi slt, %[[T]], %c11
// CHECK: %[[HELD:.*]] = scf.if %[[NEXT]] -> (vector<4xf32>) {
// CHECK: vector.load %[[GA]]
// CHECK: scf.for
// CHECK-NOT: gpu.barrier
// CHECK: vector.load %[[A]]
// CHECK: vector.load %[[B]]
// CHECK: scf.yield
// CHECK: scf.if %[[NEXT]] {
// CHECK: %[[LANE:.*]] = vector.extract %[[HELD]][0]
// CHECK: memref.store %[[LANE]], %[[A]]
// CHECK-NOT: gpu.barrier
// CHECK: gpu.return

// Older devices copy through registers.
// RUN: sed 's/pipeline = 3/pipeline = 2/' %s | pruner-opt --pruner-tile=target=nvidia:sm_75 --convert-pruner-to-gpu | FileCheck %s --check-prefix=OLD --implicit-check-not=nvgpu
// OLD-LABEL: gpu.func @both_kernel(
// OLD-NOT: gpu.barrier
// OLD: scf.for
// OLD-NEXT: gpu.barrier
// OLD: scf.if %{{.*}} -> (vector<4xf32>, vector<4xf32>)
// OLD-NOT: gpu.barrier
// OLD: gpu.return

// The steps stay a loop whatever `unroll` is.
// RUN: sed 's/unroll = 0/unroll = 1024/' %s | pruner-opt --pruner-tile=target=nvidia:sm_80 --convert-pruner-to-gpu | FileCheck %s --check-prefix=STEPS
// STEPS-LABEL: gpu.func @both_kernel(
// STEPS: scf.for
// STEPS-COUNT-1: gpu.barrier
// STEPS-NOT: gpu.barrier
// STEPS: gpu.return

func.func @both(%A: tensor<64x96xf32>, %B: tensor<96x64xf32>) -> tensor<64x64xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile,
        tiles = [[1, 8, 1, 4], [1, 8, 1, 4], [8, 1]],
        stages = [inner, inner], vector = 4, unroll = 0, pad = 4, pipeline = 3>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.matmul ins(%A, %B : tensor<64x96xf32>, tensor<96x64xf32>)
                     outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
