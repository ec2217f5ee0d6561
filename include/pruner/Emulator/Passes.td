//===- Passes.td - passes of the emulator ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_EMULATOR_PASSES_TD
#define PRUNER_EMULATOR_PASSES_TD

include "mlir/Pass/PassBase.td"

def EmulateKernelsPass
    : Pass<"pruner-emulate-kernels", "::mlir::ModuleOp"> {
  let summary = "Turn GPU kernels into host functions run by the emulator";
  let description = [{
    Replaces each `gpu.module` by one module per kernel, whose single function
    takes the arguments of the kernel, one buffer per workgroup allocation, and
    twelve indices: block, thread, block extent and grid extent. A barrier
    becomes a call that switches to another thread. Accesses to workgroup
    memory (and to global memory with `check-global`) are checked for races, and
    their indices are compared with the static shape of the memref.

    Before:

    ```mlir
    gpu.func @k(%x: memref<8xf32>)
        workgroup(%s: memref<8xf32, #gpu.address_space<workgroup>>) kernel {
      %t = gpu.thread_id x
      %v = memref.load %x[%t] : memref<8xf32>
      memref.store %v, %s[%t] : memref<8xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      gpu.return
    }
    ```

    After (checks off):

    ```mlir
    module @k {
      func.func @pruner_emulated(%x: memref<8xf32>, %s: memref<8xf32>,
          %bx: index, %by: index, %bz: index, %tx: index, ...) {
        %v = memref.load %x[%tx] : memref<8xf32>
        memref.store %v, %s[%tx] : memref<8xf32>
        %site = arith.constant 0 : i32
        call @pruner_emulator_barrier(%site) : (i32) -> ()
        return
      }
    }
    ```
  }];
  let options = [
    Option<"checkRaces", "check-races", "bool", "true",
           "Check accesses to workgroup memory for races">,
    Option<"checkGlobal", "check-global", "bool", "false",
           "Check accesses to global memory for races">,
    Option<"checkBounds", "check-bounds", "bool", "true",
           "Compare indices with the shape of the memref">,
    Option<"warpSize", "warp-size", "unsigned", "32", "Threads of a warp">,
    Option<"dynamicSharedBytes", "dynamic-shared-bytes", "int64_t", "0",
           "Bytes of gpu.dynamic_shared_memory">,
  ];
  let statistics = [
    Statistic<"numKernels", "kernels", "Kernels turned into host functions">,
    Statistic<"numSites", "sites", "Ops that the runtime can name">,
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::func::FuncDialect",
    "::mlir::gpu::GPUDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect",
  ];
}

#endif // PRUNER_EMULATOR_PASSES_TD
