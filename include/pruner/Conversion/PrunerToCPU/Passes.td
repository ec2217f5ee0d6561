//===- Passes.td - tiled programs to CPU code --------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_CONVERSION_PRUNERTOCPU_PASSES_TD
#define PRUNER_CONVERSION_PRUNERTOCPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertPrunerToCPUPass : Pass<"convert-pruner-to-cpu", "::mlir::ModuleOp"> {
  let summary = "Lower tiled programs for CPUs to loops and vectors";
  let description = [{
    Replaces every `pruner.kernel cpu` by `scf` loops, flat memrefs and 1-D
    vectors. Bands become loops; the `core` band becomes a parallel loop over
    `threads` equal shares. `pruner.stage` becomes a packing loop. A
    `pruner.compute update` becomes a micro-kernel whose accumulators are values
    of the reduction loop, so the loop loads only operands.

    Loops end at the end of the domain. If a register tile is cut there, a
    second version of the code with masked vectors and clamped rows computes it;
    the choice is made once per tile.

    In a chain between two products whose scores have a mask (attention), a
    block of rows may need only its first columns. If results are the same
    without the others, for NaN and infinities as well, the kernel searches the
    mask backwards for the last columns that some row of the block needs, and
    the loops of the block end after them. The proof needs that the scores of
    masked columns are minus infinity, so that their weights are zero. Where a
    factor is not finite, or so large that a score may overflow, all columns are
    computed; the kernel checks that once for the rows that use the factor.

    Before:

    ```mlir
    pruner.compute update at (%i, %j) loops (d2 serial 64, d0 unroll 1, d1 vector 8)
        ins(%A, %b : ...) outs(%acc : ...) maps [...] { ... }
    ```

    After:

    ```mlir
    %c = vector.load %acc[...] : memref<8xf32>, vector<8xf32>
    %r = scf.for %k = %c0 to %c64 step %c1 iter_args(%x = %c) -> (vector<8xf32>) {
      %a = memref.load %A[...] : memref<...>
      %v = vector.broadcast %a : f32 to vector<8xf32>
      %w = vector.load %b[...] : memref<...>, vector<8xf32>
      %m = arith.mulf %v, %w fastmath<contract> : vector<8xf32>
      %s = arith.addf %x, %m fastmath<contract> : vector<8xf32>
      scf.yield %s : vector<8xf32>
    }
    vector.store %r, %acc[...] : memref<8xf32>, vector<8xf32>
    ```
  }];
  let options = [
    Option<"threads", "threads", "unsigned", /*default=*/"1",
           "Shares into which the core band is divided; 1 makes plain loops.">,
  ];
  let statistics = [
    Statistic<"numKernels", "num-kernels", "Number of kernels lowered">,
    Statistic<"numGuarded", "num-guarded",
              "Number of statements with a second version for cut tiles">,
    Statistic<"numLimited", "num-limited",
              "Number of blocks of rows that end after the columns they need">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"];
}

#endif // PRUNER_CONVERSION_PRUNERTOCPU_PASSES_TD
