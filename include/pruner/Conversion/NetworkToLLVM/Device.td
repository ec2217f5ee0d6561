//===- Device.td - networks in device memory ---------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_CONVERSION_NETWORKTOLLVM_DEVICE
#define PRUNER_CONVERSION_NETWORKTOLLVM_DEVICE

include "mlir/Pass/PassBase.td"

def SinkElementsPass : Pass<"pruner-sink-elements", "mlir::func::FuncOp"> {
  let summary = "Read elements of tensors in the bodies that use them";
  let description = [{
    In a network for a GPU no element of a tensor is read on the CPU. If the
    body of a linalg operation uses a scalar that is read from a tensor, or
    computed from such scalars, the reads and the computation are repeated in
    the body. A scalar input, such as the value of a `linalg.fill`, becomes a
    value that the body uses. Scalars on which loops or branches depend stay.

    Before:
    ```mlir
    %s = tensor.extract %scale[] : tensor<f32>
    %y = linalg.fill ins(%s : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    ```
    After:
    ```mlir
    %y = linalg.generic ... outs(%e : tensor<8xf32>) {
    ^bb0(%out: f32):
      %s = tensor.extract %scale[] : tensor<f32>
      linalg.yield %s : f32
    } -> tensor<8xf32>
    ```
  }];
  let statistics = [
    Statistic<"numSunk", "num-sunk", "Number of reads in bodies">
  ];
}

def OffloadOperationsPass : Pass<"pruner-offload-operations",
                                   "mlir::ModuleOp"> {
  let summary = "Make GPU kernels of the operations outside of tasks";
  let description = [{
    In a network for a GPU all tensors are in device memory. The operations that
    `pruner-outline-operations` has moved into functions therefore become
    kernels. One thread computes one element of each result, with loops over the
    reductions; consecutive threads compute consecutive elements. This is the
    default for operations without a schedule, such as slices, paddings and
    gathers.

    A `cf.assert` in the body of an operation, such as the check of an index,
    becomes a store of the number of its message to the status of the run, and
    the end of the thread. `pruner.checks` lists the messages; numbers begin
    with 1.

    An op that would access elements of a tensor on the CPU between kernels is
    an error at the op.

    Before:
    ```mlir
    func.func private @op_copy_0(%a: memref<16x8xf32, strided<[16, 1]>>, %b: memref<16x8xf32>) attributes {pruner.work = {...}} {
      linalg.copy ins(%a : memref<16x8xf32, strided<[16, 1]>>) outs(%b : memref<16x8xf32>)
      return
    }
    ```
    After:
    ```mlir
    func.func private @op_copy_0(%a: memref<16x8xf32, strided<[16, 1]>>, %b: memref<16x8xf32>) attributes {pruner.work = {...}} {
      gpu.launch_func @operation_kernels::@op_copy_0 blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1) args(%a : memref<16x8xf32, strided<[16, 1]>>, %b : memref<16x8xf32>)
      return
    }
    gpu.module @operation_kernels {
      gpu.func @op_copy_0(...) kernel
    ```
  }];
  let statistics = [
    Statistic<"numOffloaded", "num-offloaded", "Number of operations moved">
  ];
  let dependentDialects = ["mlir::affine::AffineDialect",
                           "mlir::arith::ArithDialect", "mlir::gpu::GPUDialect",
                           "mlir::memref::MemRefDialect",
                           "mlir::NVVM::NVVMDialect", "mlir::scf::SCFDialect"];
}

def LaunchKernelsPass : Pass<"pruner-launch-kernels", "mlir::ModuleOp"> {
  let summary = "Call the run-time library to launch kernels and copy tensors";
  let description = [{
    Replaces operations of host functions on device memory by calls of the
    run-time library of networks on GPUs (`lib/Runtime/Network/Device.c`):

    * `gpu.launch_func` by `pruner_network_launch(kernel, grid, block,
      dynamic shared bytes, arguments, number of arguments)`. The arguments are
      8 bytes each: the address of a buffer, or the bits of a scalar.
    * `memref.copy` by `pruner_network_copy(to, from, bytes)`.
    * `memref.get_global` by a view of `pruner_network_constant_memory()`, in
      which every constant has a place.

    The attribute `pruner.device` of the module lists the kernels by number,
    their dynamic shared memory, and the constants with their places.

    Before:
    ```mlir
    gpu.launch_func @task_kernel_module::@task_kernel blocks in (%c8, %c1, %c1) threads in (%c128, %c1, %c1) args(%x : memref<8xf32>)
    ```
    After:
    ```mlir
    %list = memref.alloca() : memref<1xi64>
    memref.store %address_of_x, %list[%c0] : memref<1xi64>
    call @pruner_network_launch(%kernel, %c8, %c1, %c1, %c128, %c1, %c1, %shared, %address_of_list, %count)
    ```
  }];
  let statistics = [
    Statistic<"numLaunches", "num-launches", "Number of launches">
  ];
  let dependentDialects = ["mlir::arith::ArithDialect",
                           "mlir::func::FuncDialect",
                           "mlir::memref::MemRefDialect"];
}

#endif // PRUNER_CONVERSION_NETWORKTOLLVM_DEVICE
