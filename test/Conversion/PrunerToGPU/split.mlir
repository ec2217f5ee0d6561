// Two kernels in one module, launched one after the other with the same
// arguments.
// RUN: pruner-opt %s --pruner-tile --convert-pruner-to-gpu | FileCheck %s
// RUN: pruner-opt %s --pruner-tile --convert-pruner-to-gpu --pruner-to-nvvm | FileCheck %s --check-prefix=NVVM

// CHECK-LABEL: func.func private @task_kernel(
// CHECK: gpu.launch_func @task_kernel_module::@task_kernel blocks in
// CHECK: gpu.launch_func @task_kernel_module::@task_kernel_2 blocks in
// CHECK-SAME: args(%arg0 : memref<7x100xf32>, %arg1 : memref<7xf32>, %arg2 : memref<4x7xf32>)

// The part of a block is its number in the workspace. The blocks of two rows
// are the faster digit.
// CHECK-LABEL: gpu.func @task_kernel(
// CHECK-SAME: known_block_size = array<i32: 16, 1, 1>, known_grid_size = array<i32: 16, 1, 1>
// CHECK: %[[WORK:.*]] = memref.collapse_shape %arg2
// CHECK: %[[BLOCK:.*]] = gpu.block_id x
// CHECK: %[[NUMBER:.*]] = arith.index_castui %[[BLOCK]] : index to i32
// CHECK: arith.divui %[[NUMBER]], %c4_i32 : i32
// CHECK: gpu.shuffle xor
// CHECK: scf.if
// CHECK: memref.store %{{.*}}, %[[WORK]][
// CHECK: gpu.return

// CHECK-LABEL: gpu.func @task_kernel_2(
// CHECK-SAME: known_block_size = array<i32: 7, 1, 1>, known_grid_size = array<i32: 1, 1, 1>
// CHECK: %[[WORK:.*]] = memref.collapse_shape %arg2
// CHECK: scf.for
// CHECK: memref.load %[[WORK]][
// CHECK: arith.addf
// CHECK: memref.store %{{.*}}, %arg1[

// NVVM: gpu.module @task_kernel_module
// NVVM: llvm.func @task_kernel({{.*}} nvvm.kernel
// NVVM: llvm.func @task_kernel_2({{.*}} nvvm.kernel

func.func @task(%a: tensor<7x100xf32>) -> tensor<7xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_row,
      tiles = [[2, 1], [8, 2]], stages = [none], unroll = 0, split = [4]>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<7xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<7xf32>) -> tensor<7xf32>
  %r = linalg.reduce ins(%a : tensor<7x100xf32>) outs(%f : tensor<7xf32>) dimensions = [1]
    (%x: f32, %y: f32) {
      %s = arith.addf %x, %y : f32
      linalg.yield %s : f32
    }
  return %r : tensor<7xf32>
}
