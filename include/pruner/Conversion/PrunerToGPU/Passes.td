//===- Passes.td - tiled programs to GPU kernels -----------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_CONVERSION_PRUNERTOGPU_PASSES_TD
#define PRUNER_CONVERSION_PRUNERTOGPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertPrunerToGPUPass : Pass<"convert-pruner-to-gpu", "::mlir::ModuleOp"> {
  let summary = "Lower tiled programs for GPUs to kernels of the gpu dialect";
  let description = [{
    Outlines every `pruner.kernel gpu` into a `gpu.func` and launches it at the
    position of the kernel. The `gpu.func` takes the memrefs of the function in
    order. The launch is one-dimensional: the loops of the block band are the
    digits of the block index (last loop fastest), those of the thread band the
    digits of the thread index. `known_grid_size` and `known_block_size` state
    its size; `pruner.grid`, `pruner.block` and `pruner.shared_bytes` repeat it
    for tools. Staged buffers of more than 48 KiB are in dynamic shared memory,
    which the launch and `pruner.dynamic_shared_bytes` state. If a function has
    several kernels, the first gets the function's name, and the others get this
    name with a number. All are in one `gpu.module`, in the order of their
    launches.

    `vthread` and `unroll` bands are expanded. If a band contains only one
    statement, its loops join the register tile of that statement. A serial loop
    is expanded if its trip count times those of the loops inside is at most
    `unroll_max`. Accumulators are values of the remaining loops, never memory.
    Staged buffers are one-dimensional workgroup attributions. All threads of
    the block fill them, with vectors where source and destination are
    contiguous and aligned. No access leaves a tensor: an address outside is
    replaced by one inside, and the loaded value is not used.

    Copies with several buffers run ahead of the statements of their band. A
    step waits for its own copies at its only barrier. Then it starts the
    asynchronous copies of a later step (`nvgpu.device_async_copy`), which fill
    positions outside of the tensor with zeros. Copies that are not `async` load
    the elements of the next step before the statements and store them after
    these. If there are more elements than a thread can hold, they are stored at
    once.

    Every memref argument must be aligned to 16 bytes. The attribute
    `pruner.narrow_indices` of a kernel states that 32 bits hold all of its
    indices: its memrefs have at most 2^30 elements, and no statement computes
    with values of type `index`.

    Before:

    ```mlir
    pruner.kernel gpu domain (d0 = 4, d1 = 64) {
      pruner.band block (%i = d0 trips 4 step 1) {
        pruner.band thread (%j = d1 trips 32 step 2) {
          pruner.compute map at (%i, %j) loops (d0 unroll 1, d1 unroll 2)
              ins(%A : memref<4x64xf32>) outs(%B : memref<4x64xf32>)
              maps [affine_map<(d0, d1) -> (d0, d1)>,
                    affine_map<(d0, d1) -> (d0, d1)>] {
          ^bb0(%x: f32):
            %y = math.exp %x : f32
            pruner.yield %y : f32
          }
        }
      }
    }
    ```

    After (the kernel):

    ```mlir
    gpu.func @f(%A: memref<4x64xf32>, %B: memref<4x64xf32>) kernel
        attributes {known_block_size = array<i32: 32, 1, 1>,
                    known_grid_size = array<i32: 4, 1, 1>} {
      %a = memref.collapse_shape %A [[0, 1]] : memref<4x64xf32> into memref<256xf32>
      %b = memref.collapse_shape %B [[0, 1]] : memref<4x64xf32> into memref<256xf32>
      %block = gpu.block_id x
      %thread = gpu.thread_id x
      ... // %at = 64 * %block + 2 * %thread
      %x = vector.load %a[%at] {alignment = 8 : i64} : memref<256xf32>, vector<2xf32>
      ...
      vector.store %y, %b[%at] {alignment = 8 : i64} : memref<256xf32>, vector<2xf32>
      gpu.return
    }
    ```
  }];
  let statistics = [
    Statistic<"numKernels", "num-kernels", "Number of kernels lowered">,
    Statistic<"numBarriers", "num-barriers", "Number of barriers inserted">,
    Statistic<"numVectorCopies", "num-vector-copies",
              "Number of stages that load vectors">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
    "::mlir::nvgpu::NVGPUDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

#endif // PRUNER_CONVERSION_PRUNERTOGPU_PASSES_TD
