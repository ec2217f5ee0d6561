//===- Passes.td - mapped kernels to LLVM and NVVM ---------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_CONVERSION_KERNELTOLLVM_PASSES
#define PRUNER_CONVERSION_KERNELTOLLVM_PASSES

include "mlir/Pass/PassBase.td"

def RoundThroughF32Pass : Pass<"pruner-round-through-f32"> {
  let summary = "Convert to f16 and bf16 by way of f32 with a single rounding";
  let description = [{
    x86 has no conversion from f64 to f16 or bf16. LLVM would call a function of
    the compiler's runtime library, on which libraries of networks must not
    depend. Rounding to f32 and then to the narrow type is wrong if the first
    result is a tie of the second rounding. The first step therefore rounds to
    odd; the result then equals a single rounding to nearest even.

    ```mlir
    %h = arith.truncf %x : f64 to f16
    // becomes, without the bit that makes %s odd
    %s = arith.truncf %x : f64 to f32
    %h = arith.truncf %s : f32 to f16
    ```

    LLVM rounds two more operations to f32 first. The pass computes these by way
    of f64: conversions of integers of more than 24 bits to bf16, and fused
    multiply-adds of f16 and bf16, whose sum is also rounded to odd.

    A number of f32 that is rounded to tf32 (`arith.truncf to_nearest_away`) and
    extended again is rounded in its bits, because LLVM has no such type.
  }];
  let options = [
    Option<"onlyIntegers", "only-integers", "bool", /*default=*/"false",
           "Rewrite only conversions of integers, for targets that have the "
           "other conversions">
  ];
  let dependentDialects = ["mlir::arith::ArithDialect",
                           "mlir::math::MathDialect"];
}

def LowerVectorsPass : Pass<"pruner-lower-vectors"> {
  let summary = "Lower vectors of several dimensions to one-dimensional ones";
  let description = [{
    Rewrites contractions as outer products of `vector.fma`. Multi-dimensional
    reductions, transposes, shape casts, broadcasts and strided slices become
    operations on one-dimensional vectors. Transfers become (masked) loads and
    stores, row by row.

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

def AnnotatePointersPass : Pass<"pruner-annotate-pointers"> {
  let summary = "Promise LLVM that kernel arguments do not alias and are aligned";
  let description = [{
    Adds `llvm.noalias`, `llvm.nonnull` and `llvm.align` to the memref arguments
    of public `func.func`s and of GPU kernels, and `llvm.align` to workgroup
    attributions without alignment. The caller of the kernel must keep this
    promise. Without it LLVM stores accumulators in every step of a reduction.

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

def ExpandViewsPass : Pass<"pruner-expand-views"> {
  let summary = "Write views of buffers as offsets and strides";
  let description = [{
    Does the same as upstream's `expand-strided-metadata`, but visits only views
    instead of every operation of a kernel.

    Before:
    ```mlir
    %flat = memref.collapse_shape %a [[0, 1]] : memref<4x8xf32> into memref<32xf32>
    ```
    After:
    ```mlir
    %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %a : memref<4x8xf32> -> memref<f32>, index, index, index, index, index
    %flat = memref.reinterpret_cast %base to offset: [0], sizes: [32], strides: [1] : memref<f32> to memref<32xf32>
    ```
  }];
  let dependentDialects = ["mlir::affine::AffineDialect",
                           "mlir::arith::ArithDialect",
                           "mlir::memref::MemRefDialect"];
}

def HoistAllocasPass : Pass<"pruner-hoist-allocas"> {
  let summary = "Give stack buffers inside loops one fixed slot";
  let description = [{
    Moves each `memref.alloca` of static shape from the loops of a function to
    the start of the innermost surrounding function, `omp.parallel` region or
    `scf.parallel` body, and aligns it. In a sequential loop it would allocate
    new stack in every iteration. The contents are undefined after an `alloca`,
    so the move changes no result.

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

def ConvertToLLVMPass : Pass<"pruner-convert-to-llvm", "mlir::ModuleOp"> {
  let summary = "Convert CPU kernels to the LLVM dialect in one conversion";
  let description = [{
    Converts func, cf, arith, index, math, memref, vector and omp together. A
    single conversion leaves no casts and takes a fraction of the time of one
    pass per dialect. Memref arguments become bare pointers, so a kernel
    `@k(memref<4x4xf32>, memref<4xf32>)` is `void k(float *, float *)` in C.

    A maximum or minimum is NaN if an operand is NaN, as `arith.maximumf`
    requires. Of +0 and -0 it is either (the flag `nsz`), unless
    `no-signed-zeros` is off. On x86 this takes three instructions instead of
    five, and one instead of four with a constant
    (docs/design/decisions/0004-signs-of-zero.md).
  }];
  let options = [
    Option<"reassociate", "reassociate", "bool", /*default=*/"true",
           "Let LLVM add the lanes of a vector in a tree">,
    Option<"noSignedZeros", "no-signed-zeros", "bool", /*default=*/"true",
           "Allow either sign for a maximum or minimum of +0 and -0">
  ];
  let dependentDialects = ["mlir::LLVM::LLVMDialect"];
}

def ConvertToNVVMPass : Pass<"pruner-convert-to-nvvm",
                               "mlir::gpu::GPUModuleOp"> {
  let summary = "Convert GPU kernels to the NVVM and LLVM dialects";
  let description = [{
    Converts a `gpu.module`. Kernels take bare pointers, workgroup attributions
    become shared-memory globals, and `known_block_size` becomes `nvvm.maxntid`.
    Indices have 32 bits if all kernels are marked `pruner.narrow_indices`, else
    64. Narrow indices take fewer registers and instructions.
  }];
  let options = [
    Option<"indexBitwidth", "index-bitwidth", "unsigned", /*default=*/"0",
           "Width of indices, 32 or 64; 0 lets the attributes of the kernels "
           "decide">,
    Option<"minBlocksPerSM", "min-blocks-per-sm", "unsigned", /*default=*/"0",
           "Blocks that must fit on a multiprocessor (.minnctapersm), 0 for no "
           "requirement">
  ];
  let dependentDialects = ["mlir::LLVM::LLVMDialect", "mlir::NVVM::NVVMDialect",
                           "mlir::cf::ControlFlowDialect",
                           "mlir::memref::MemRefDialect"];
}

#endif // PRUNER_CONVERSION_KERNELTOLLVM_PASSES
