//===- Passes.td - cutting a program into tasks ------------*- tablegen -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_CONVERSION_EXTRACTTASKS_PASSES
#define PRUNER_CONVERSION_EXTRACTTASKS_PASSES

include "mlir/Pass/PassBase.td"

def ExtractTasks : Pass<"pruner-extract-tasks", "mlir::ModuleOp"> {
  let summary = "Fuse elementwise work into contractions and outline the "
                "distinct results as task functions";
  let description = [{
    Greedy, in three steps, inside each block.

    1. Chains of elementwise generics become one generic. A producer is fused
       into its reader when it has no other reader and no point of it would be
       computed twice, that is, when both have the same number of points; pure
       broadcasts and permutations are fused into every reader. A producer that
       an earlier contraction can own is not pulled towards a later one.
    2. Each contraction (`linalg.matmul`, `linalg.batch_matmul`, or a generic
       that multiplies and adds) takes as *epilogue* the generic that alone
       reads its result at full size. When two contractions compete, the later
       one wins. It takes as *prologue* of an input the generic that computes
       it when nobody else reads that, and either the body is cheap (at most
       four of addf, subf, mulf, negf, min, max, cmpf; no division, no `math`
       op: a prologue runs once for every tile that reads the element) or the
       contraction reads every element of the input once.
    3. Elementwise generics left over, of at least `min-elements` points,
       become tasks of their own.

    Every task function has one canonical form: arguments in the order of their
    first use; constants first; then the prologues in the order of the inputs,
    each writing its result in order; the anchor; the epilogue, whose loops are
    the anchor's result dimensions in order (it may write its own result through
    a permutation, when it transposes); one result. `tensor.empty` and
    `linalg.fill` of a constant stand inside. Equal functions are one function:
    the key is a hash of the body without names and locations.

    ```mlir
    func.func @main(%x: tensor<128x64xf32>, %w: tensor<64x32xf32>, %b: tensor<32xf32>) {
      %0 = linalg.matmul ins(%x, %w : ...) outs(%zero : ...)
      %1 = linalg.generic ... ins(%0, %b : ...) { addf }
      %2 = linalg.generic ... ins(%1 : ...) { maximumf }
    // becomes
    func.func @main(%x: ..., %w: ..., %b: ...) {
      %0 = call @task_matmul_128x32x64_1f0c...(%x, %w, %b)
    func.func private @task_matmul_128x32x64_1f0c...(%arg0, %arg1, %arg2)
        attributes {no_inline, pruner.task = {key = "...", weight = 1, ...}} {
      %0 = linalg.matmul ...
      %1 = linalg.generic ... { addf, maximumf }
    ```

    Work that cannot be a task yet stays where it is, with one remark at the op
    that says why. Functions that already are tasks are left alone.
  }];
  let options = [
    Option<"minElements", "min-elements", "int64_t", "4096",
           "Elementwise work with fewer points than this stays in the model; "
           "a call would cost more than it could save">,
    Option<"elementwise", "elementwise", "bool", "true",
           "Make tasks of elementwise work without a contraction">
  ];
  let statistics = [
    Statistic<"numTasks", "tasks", "Groups outlined (calls inserted)">,
    Statistic<"numDistinct", "distinct-tasks", "Functions created">,
    Statistic<"numEpilogueOps", "epilogue-ops", "Elementwise ops fused as epilogue">,
    Statistic<"numPrologueOps", "prologue-ops", "Elementwise ops fused as prologue">,
    Statistic<"numPads", "pads", "Pads folded into the tasks that read them">,
    Statistic<"numPassedThrough", "passed-through",
              "Ops that work and were left outside tasks">
  ];
  let dependentDialects = ["mlir::func::FuncDialect", "mlir::arith::ArithDialect",
                           "mlir::tensor::TensorDialect",
                           "mlir::linalg::LinalgDialect"];
}

def ListTasks : Pass<"pruner-list-tasks", "mlir::ModuleOp"> {
  let summary = "Print a table of a module's tasks on stderr";
  let description = [{
    One line a task, the largest share of the arithmetic first: its function,
    weight (calls), argument and result shapes, GFLOP and MB of one call, and
    its share of the flops of all tasks. Then one line for each kind of linalg
    op that stayed outside. The IR is not changed.

    ```
    task                              weight  GFLOP     MB  share  shapes
    task_matmul_128x2048x512_5b...         6  0.269   5.51   35.1%  128x512 512x2048 2048 -> 128x2048 f32
    outside tasks: 53 x linalg.conv_2d_nchw_fchw (convolution)
    ```
  }];
}

#endif // PRUNER_CONVERSION_EXTRACTTASKS_PASSES
