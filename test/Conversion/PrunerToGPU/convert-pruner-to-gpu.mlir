// A tile of 64x64 for 64 threads, 8x8 elements each in two virtual threads,
// reduction slices of 8.
// RUN: pruner-opt %s --pruner-tile --convert-pruner-to-gpu | FileCheck %s

// CHECK: module attributes {gpu.container_module}
// CHECK-LABEL: func.func private @task_kernel(
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C4:.*]] = arith.constant 4 : index
// CHECK-DAG: %[[C64:.*]] = arith.constant 64 : index
// CHECK: gpu.launch_func @task_kernel_module::@task_kernel blocks in (%[[C4]], %[[C1]], %[[C1]]) threads in (%[[C64]], %[[C1]], %[[C1]]) args(%arg0 : memref<128x64xf32>, %arg1 : memref<64x128xf32>, %arg2 : memref<128x128xf32>)

// CHECK-LABEL: gpu.func @task_kernel(
// CHECK-SAME: workgroup(%[[SA:.*]] : memref<512xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}, %[[SB:.*]] : memref<512xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel
// CHECK-SAME: known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 4, 1, 1>
// CHECK-SAME: pruner.block = array<i64: 64, 1, 1>, pruner.grid = array<i64: 4, 1, 1>, pruner.narrow_indices, pruner.shared_bytes = 4096 : i64

// The accumulators are 64 values of the loop over slices.
// CHECK: %{{.*}}:64 = scf.for {{.*}} iter_args(
// Loads of the next slice come before the barrier.
// CHECK-COUNT-4: vector.load {{.*}} {alignment = 16 : i64} : memref<8192xf32>, vector<4xf32>
// CHECK-NOT: store
// CHECK: gpu.barrier
// A is stored transposed, B as it is.
// CHECK-COUNT-8: memref.store {{.*}}, %[[SA]][
// CHECK-NOT: gpu.barrier
// CHECK-COUNT-2: vector.store {{.*}}, %[[SB]][{{.*}}] {alignment = 16 : i64}
// CHECK: gpu.barrier
// CHECK: vector.load %[[SA]][{{.*}}] {alignment = 16 : i64}
// CHECK: vector.load %[[SB]][{{.*}}] {alignment = 16 : i64}
// CHECK: %[[M:.*]] = arith.mulf {{.*}} fastmath<contract> : f32
// CHECK: arith.addf {{.*}}, %[[M]] fastmath<contract> : f32
// CHECK-NOT: gpu.barrier
// CHECK: scf.yield
// CHECK-NOT: scf.if
// CHECK-COUNT-16: vector.store {{.*}} {alignment = 16 : i64} : memref<16384xf32>, vector<4xf32>
// CHECK-NOT: memref.alloca
// CHECK: gpu.return

func.func @task(%A: tensor<128x64xf32>, %B: tensor<64x128xf32>) -> tensor<128x128xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile,
        tiles = [[2, 8, 1, 4], [1, 8, 2, 4], [2, 4]],
        stages = [inner, inner], vector = 4, unroll = 16>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x128xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<128x128xf32>) -> tensor<128x128xf32>
  %r = linalg.matmul ins(%A, %B : tensor<128x64xf32>, tensor<64x128xf32>)
                     outs(%f : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %r : tensor<128x128xf32>
}
