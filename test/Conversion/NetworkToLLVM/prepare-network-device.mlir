// RUN: pruner-opt %s --pruner-prepare-network='entry=gpu device' | FileCheck %s
// RUN: pruner-opt %s --pruner-prepare-network=entry=cpu --symbol-dce --verify-each=false | FileCheck %s --check-prefix=CPU
// RUN: pruner-opt %s --pruner-check-lowerable='entry=gpu launches' -o /dev/null
// RUN: not pruner-opt %s --pruner-check-lowerable=entry=gpu 2>&1 | FileCheck %s --check-prefix=LAUNCH

// In a network for a GPU kernels stay. In one for a CPU no function launches
// them, so they are erased.
// CHECK: module attributes {gpu.container_module
// CHECK: func.func private @task_kernel(
// CHECK: gpu.launch_func @kernels::@first
// CHECK: gpu.binary @kernels
// CHECK: gpu.module @more
// CPU-NOT: gpu.
// CPU: func.func @cpu(
// CPU-NOT: gpu.
module attributes {gpu.container_module} {
func.func private @task_kernel(%x: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  // LAUNCH: [[@LINE+1]]:3: error: 'gpu.launch_func' op cannot be lowered: a library runs on a CPU and cannot contain GPU ops
  gpu.launch_func @kernels::@first blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>)
  return
}
gpu.binary @kernels [#gpu.object<#nvvm.target, assembly = "">]
gpu.module @more {
}
func.func @gpu(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = memref.alloc() : memref<8xf32>
  call @task_kernel(%y) : (memref<8xf32>) -> ()
  %z = bufferization.to_tensor %y restrict writable : memref<8xf32> to tensor<8xf32>
  return %z : tensor<8xf32>
}
func.func @cpu(%x: tensor<8xf32>) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}
}
