// Copies ahead of products of matrices: a share of them starts before each sum
// of the step, because loads of matrices wait for the copies before them. The
// last steps write zeros to buffers that no step reads.
// RUN: pruner-opt %s --pruner-tile=target=nvidia:sm_80 --convert-pruner-to-gpu -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir

// CHECK-LABEL: gpu.func @product_kernel(
// CHECK-SAME: workgroup(%[[A:[a-z0-9]+]] : memref<7680xf16, {{.*}}, %[[B:[a-z0-9]+]] : memref<6912xf16,
// CHECK: scf.for %[[T:.*]] = %c0{{.*}} to %c8
// CHECK: nvgpu.device_async_wait %{{.*}} {numGroups = 1 : i32}
// CHECK-NEXT: gpu.barrier
// CHECK: %[[MORE:.*]] = arith.cmpi slt, %[[T]], %c6
// CHECK-NOT: {{scf.if|nvgpu.ldmatrix|nvgpu.device_async_copy}}
// CHECK: %[[COUNT:.*]] = arith.select %[[MORE]], %c8{{.*}}, %c0
// CHECK: nvgpu.device_async_copy %{{.*}}, %[[A]][%{{.*}}], 8, %[[COUNT]] {bypassL1}
// CHECK: nvgpu.device_async_copy %{{.*}}, %[[A]][%{{.*}}], 8, %{{.*}} {bypassL1}
// CHECK-NOT: {{scf.if|nvgpu.device_async_copy}}
// CHECK: nvgpu.ldmatrix %[[A]]
// CHECK-COUNT-8: nvvm.mma.sync
// CHECK-NOT: {{scf.if|nvgpu.ldmatrix|nvvm.mma.sync}}
// CHECK: nvgpu.device_async_copy %{{.*}}, %[[B]][%{{.*}}], 8, %{{.*}} {bypassL1}
// CHECK: nvgpu.device_async_copy %{{.*}}, %[[B]][%{{.*}}], 8, %{{.*}} {bypassL1}
// CHECK-NEXT: nvgpu.device_async_create_group
// CHECK-NOT: {{scf.if|nvgpu.device_async_copy}}
// CHECK: nvgpu.ldmatrix %[[A]]
// CHECK-COUNT-8: nvvm.mma.sync
// CHECK-NOT: nvgpu
// CHECK: scf.yield
// CHECK-NEXT: }
// CHECK-NEXT: nvgpu.device_async_wait %{{.*}} {numGroups = 0 : i32}

// The same results as without copies ahead.
// RUN: pruner-opt %t.mlir --pruner-to-nvvm | pruner-translate --to=ptx --chip=sm_80 -o %t.ptx
// RUN: sed 's/pipeline = 3,//' %s | pruner-opt --pruner-tile=target=nvidia:sm_80 --convert-pruner-to-gpu --pruner-to-nvvm | pruner-translate --to=ptx --chip=sm_80 -o %t.plain.ptx
// RUN: pruner-emulate --ptx=%t.ptx --kernel=product_kernel --arguments=f16x16384,f16x16384,f32x4096 --grid=1 --block=128 --fill=random-int --poison=2 --print=2 > %t.product
// RUN: pruner-emulate --ptx=%t.plain.ptx --kernel=product_kernel --arguments=f16x16384,f16x16384,f32x4096 --grid=1 --block=128 --fill=random-int --poison=2 --print=2 | diff - %t.product

// If the sums are a loop, all copies start before it, under one condition.
// RUN: sed 's/unroll = 64/unroll = 0/' %s | pruner-opt --pruner-tile=target=nvidia:sm_80 --convert-pruner-to-gpu | FileCheck %s --check-prefix=LOOP
// LOOP-LABEL: gpu.func @product_kernel(
// LOOP: gpu.barrier
// LOOP: %[[MORE:.*]] = arith.cmpi slt, %{{.*}}, %c6
// LOOP: scf.if %[[MORE]] {
// LOOP-COUNT-2: nvgpu.device_async_copy %{{.*}}, %{{.*}}[%{{.*}}], 8 {bypassL1}
// LOOP: nvgpu.device_async_create_group
// LOOP-NOT: nvgpu.ldmatrix
// LOOP: scf.for
// LOOP-COUNT-8: nvvm.mma.sync
// LOOP-NOT: nvgpu.device_async

func.func @product(%A: tensor<64x256xf16>, %B: tensor<256x64xf16>) -> tensor<64x64xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile,
        tiles = [[1, 16, 4, 1], [1, 8, 4, 2], [1, 32]],
        stages = [inner, inner], vector = 8, unroll = 64, pad = 8, pipeline = 3,
        instruction = mma_m16n8k16_f16>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.matmul ins(%A, %B : tensor<64x256xf16>, tensor<256x64xf16>)
                     outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
