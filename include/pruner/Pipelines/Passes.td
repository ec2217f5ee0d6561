//===- Passes.td - passes below phase 4 -------------------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_PIPELINES_PASSES
#define PRUNER_PIPELINES_PASSES

include "mlir/Pass/PassBase.td"

def PrunerExpandMath : Pass<"pruner-expand-math"> {
  let summary = "Write mathematical functions out in arithmetic";
  let description = [{
    Replaces the transcendental functions of the math dialect, on scalars and on
    vectors of any rank, by polynomial and rational approximations, so that the
    code calls no mathematical library and vectors stay vectors. f16 and bf16
    functions are computed in f32. f64 functions are left alone.

    Largest error of the f32 functions, measured against the C library in double
    precision over their useful range (`test/unit/Pipelines/MathTest.cpp` holds
    them to it):

    | function | range | largest error |
    |---|---|---|
    | exp | [-87, 88] | 1 ulp |
    | exp2 | [-30, 30] | 20 ulp |
    | expm1 | [-10, 10] | 3 ulp |
    | erf | [-6, 6] | 3e-7 absolute |
    | tanh | [-10, 10] | 5 ulp |
    | log, log2, log10 | [1e-30, 1e30] | 1, 2, 3 ulp |
    | log1p | [-0.9, 1e3] | 2 ulp |
    | sin, cos | [-100, 100] | 7e-6 absolute |
    | tan | [-1.4, 1.4] | 4e-6 absolute |
    | atan | [-50, 50] | 3e-6 absolute |
    | sinh, cosh | [0.5, 20], [-20, 20] | 2 ulp |
    | rsqrt | [1e-30, 1e30] | 2 ulp |

    `ceildivsi`, `floordivsi` and the like are written out too.

    Before:
    ```mlir
    %y = math.exp %x : vector<16xf32>
    ```
    After: multiply, round, a polynomial of `math.fma`, and a shift into the
    exponent.
  }];
  let options = [
    Option<"expandBf16", "expand-bf16", "bool", /*default=*/"false",
           "Convert between bf16 and f32 by integer arithmetic, for targets "
           "without such instructions">
  ];
  let dependentDialects = ["mlir::arith::ArithDialect",
                           "mlir::math::MathDialect", "mlir::scf::SCFDialect",
                           "mlir::vector::VectorDialect"];
}

def PrunerCheckDeviceMath : Pass<"pruner-check-device-math",
                                 "mlir::gpu::GPUModuleOp"> {
  let summary = "Refuse mathematical functions without a device instruction";
  let description = [{
    What `pruner-expand-math` left over and the device has no instruction for
    (f64 functions) would become calls to a library that is not linked. Reports
    each at its location.
  }];
}

def PrunerLowerVectors : Pass<"pruner-lower-vectors"> {
  let summary = "Lower vectors of several dimensions to one-dimensional ones";
  let description = [{
    Writes contractions as outer products of `vector.fma`, multi-dimensional
    reductions, transposes, shape casts, broadcasts and strided slices as
    operations on one-dimensional vectors, and transfers as (masked) loads and
    stores.

    Before:
    ```mlir
    %r = vector.outerproduct %a, %b, %c : vector<4xf32>, vector<8xf32>
    ```
    After: four `vector.fma` on `vector<8xf32>`.
  }];
  let dependentDialects = ["mlir::arith::ArithDialect",
                           "mlir::memref::MemRefDialect",
                           "mlir::scf::SCFDialect",
                           "mlir::vector::VectorDialect"];
}

def PrunerAnnotatePointers : Pass<"pruner-annotate-pointers"> {
  let summary = "Promise LLVM that kernel arguments do not alias and are aligned";
  let description = [{
    Adds `llvm.noalias`, `llvm.nonnull` and `llvm.align` to the memref arguments
    of public `func.func`s and of GPU kernels, and `llvm.align` to workgroup
    attributions that have none. The caller of the kernel keeps the promise:
    without it LLVM stores accumulators in every step of a reduction.

    Before:
    ```mlir
    func.func @k(%a: memref<8xf32>)
    ```
    After:
    ```mlir
    func.func @k(%a: memref<8xf32> {llvm.align = 64 : i64, llvm.noalias, llvm.nonnull})
    ```
  }];
  let options = [
    Option<"noalias", "noalias", "bool", /*default=*/"true",
           "Arguments point to distinct buffers">,
    Option<"alignment", "alignment", "unsigned", /*default=*/"64",
           "Alignment of every argument in bytes, 0 to promise none">,
    Option<"sharedAlignment", "shared-alignment", "unsigned", /*default=*/"128",
           "Alignment of workgroup attributions in bytes">
  ];
  let statistics = [
    Statistic<"numAnnotated", "num-annotated", "Number of arguments annotated">
  ];
}

def PrunerHoistAllocas : Pass<"pruner-hoist-allocas"> {
  let summary = "Give stack buffers inside loops one fixed slot";
  let description = [{
    Moves each `memref.alloca` of static shape from the loops of a function to
    the start of the innermost surrounding function, `omp.parallel` region or
    `scf.parallel` body, and aligns it. Left in a sequential loop it would take new stack in every
    iteration. The contents are undefined after an `alloca`, so no iteration
    can tell.

    Before:
    ```mlir
    scf.for %i = %c0 to %c8 step %c1 {
      %t = memref.alloca() : memref<16xf32>
    ```
    After:
    ```mlir
    %t = memref.alloca() {alignment = 64 : i64} : memref<16xf32>
    scf.for %i = %c0 to %c8 step %c1 {
    ```
  }];
  let options = [
    Option<"alignment", "alignment", "unsigned", /*default=*/"64",
           "Alignment in bytes where the op has none">
  ];
  let statistics = [
    Statistic<"numHoisted", "num-hoisted", "Number of buffers moved">
  ];
}

def PrunerConvertToLLVM : Pass<"pruner-convert-to-llvm", "mlir::ModuleOp"> {
  let summary = "Convert CPU kernels to the LLVM dialect in one conversion";
  let description = [{
    Converts func, cf, arith, index, math, memref, vector and omp together. One
    conversion instead of one pass for each leaves no casts behind and takes a
    fraction of the time. Memref arguments become bare pointers, so a kernel
    `@k(memref<4x4xf32>, memref<4xf32>)` is `void k(float *, float *)` in C.
  }];
  let options = [
    Option<"reassociate", "reassociate", "bool", /*default=*/"true",
           "Let LLVM add up the lanes of a vector in a tree">
  ];
  let dependentDialects = ["mlir::LLVM::LLVMDialect"];
}

def PrunerConvertToNVVM : Pass<"pruner-convert-to-nvvm",
                               "mlir::gpu::GPUModuleOp"> {
  let summary = "Convert GPU kernels to the NVVM and LLVM dialects";
  let description = [{
    The same for a `gpu.module`: its kernels take bare pointers, workgroup
    attributions become shared-memory globals, `known_block_size` becomes
    `nvvm.maxntid`.
  }];
  let options = [
    Option<"indexBitwidth", "index-bitwidth", "unsigned", /*default=*/"64",
           "Width of index arithmetic, 32 or 64; 32 needs fewer registers and "
           "buffers below 2 GiB">,
    Option<"minBlocksPerSM", "min-blocks-per-sm", "unsigned", /*default=*/"0",
           "Blocks that must fit on a multiprocessor (.minnctapersm), 0 to say "
           "nothing">
  ];
  let dependentDialects = ["mlir::LLVM::LLVMDialect", "mlir::NVVM::NVVMDialect",
                           "mlir::cf::ControlFlowDialect",
                           "mlir::memref::MemRefDialect"];
}

def PrunerKeepArguments : Pass<"pruner-keep-arguments", "mlir::func::FuncOp"> {
  let summary = "Forbid bufferization to write to tensor arguments";
  let description = [{
    Marks every tensor argument `bufferization.writable = false` and copies a
    result that is an argument or another result, so that each result gets a
    buffer of its own and the signature after bufferization follows from the
    signature before it.
  }];
  let dependentDialects = ["mlir::bufferization::BufferizationDialect"];
}

def PrunerDecomposeAggregates : Pass<"pruner-decompose-aggregates",
                                     "mlir::func::FuncOp"> {
  let summary = "Write softmax and its like as structured linalg operations";
  let description = [{
    Replaces every linalg operation that has no loop body of its own
    (`linalg.softmax`, packs and unpacks, the Winograd transforms) by upstream's
    decomposition of it.
  }];
  let dependentDialects = ["mlir::linalg::LinalgDialect",
                           "mlir::tensor::TensorDialect"];
}

def PrunerOrderLoops : Pass<"pruner-order-loops"> {
  let summary = "Put a contiguous parallel loop innermost in reductions";
  let description = [{
    A reduction written as loops in the order of its dimensions walks most
    operands with large strides: a plain 1024^3 product takes seconds. Where one
    parallel loop is contiguous for every operand it becomes the innermost one,
    which is the order a person would write. Each element of the result is
    still summed in the same order, so no result changes.

    ```mlir
    linalg.matmul            // loops m, n, k
    // becomes
    linalg.generic ...       // loops m, k, n
    ```
  }];
  let dependentDialects = ["mlir::linalg::LinalgDialect"];
}

#endif // PRUNER_PIPELINES_PASSES
