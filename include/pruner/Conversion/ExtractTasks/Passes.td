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
  let summary = "Fuse elementwise work and padding into reductions and outline "
                "the distinct results as task functions";
  let description = [{
    Greedy, in three steps, inside each block.

    1. Chains of elementwise generics become one generic. A producer is fused
       into its reader when it has no other reader and no point of it would be
       computed twice, that is, when both have the same number of points; pure
       broadcasts and permutations are fused into every reader. A producer that
       an earlier contraction can own is not pulled towards a later one.
    2. Every op with a reduction is the *anchor* of a task: products,
       convolutions of any layout, stride, dilation and groups, pooling, and
       sums, products, maxima, minima and bit operations over any dimensions,
       named or generic. It takes as *epilogue* the generic that alone reads
       its result at full size. When two anchors compete, the later one wins.
       A `tensor.pad` by a constant in front of an input always comes along,
       even when others read the padded tensor: padding is free to do again.
       The anchor takes as *prologue* of an input the generic that computes it
       (or what is padded) when nobody else reads that, and either the body is
       cheap (at most six additions, products, comparisons, minima or maxima;
       no division, no `math` op: a prologue runs once for every tile that
       reads the element) or the anchor reads every element of the input once.
       A cast to a wider type becomes the prologue of every anchor that reads
       it.
    3. Elementwise generics left over, of at least `min-elements` points,
       become tasks of their own. Poolings and plain reductions of fewer points
       stay in the model, too.

    Operands may be read through any map whose coordinates are sums of loops
    times constants; elements are floats of 16 to 64 bits, signless integers of
    8 to 64 bits, or i1. An anchor's result may not depend on the order of its
    reduction loops but by rounding, so sums of f16 or bf16 must be kept in f32.

    Every task function has one canonical form: arguments in the order of their
    first use; constants first; then the prologues and pads in the order of the
    inputs, each prologue writing its result in order; the anchor; the epilogue,
    whose loops are the anchor's result dimensions in order (it may write its
    own result through a permutation, when it transposes); one result.
    `tensor.empty`, `linalg.fill` of a constant and the windows of poolings
    stand inside. Named ops other than `linalg.matmul` and
    `linalg.batch_matmul` are generics there, so that a convolution and its
    generic spelling are one task. Equal functions are one function: the key is
    a hash of the body without names and locations. A function's name tells the
    anchor's kind, found from its maps and body, and the extents of its loops.

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

    With the option `rows` reductions of rows, together with the elementwise ops
    between and behind them, are found first, and each such chain is one task.
    What it computes along the rows for one reduction alone becomes part of that
    reduction's body, so that no memory lies between them. A product of two
    tensors does not: its sums are tiled in other ways.

    ```mlir
    %w = linalg.generic ... ins(%x : tensor<16x96xf32>) { extf }
    %q = linalg.generic ... ins(%w, %mean : tensor<16x96xf64>, tensor<16xf64>) { subf, mulf }
    %s = linalg.generic ... ins(%q : tensor<16x96xf64>) outs(%z : tensor<16xf64>) { addf }
    // becomes
    %s = linalg.generic ... ins(%x, %mean : tensor<16x96xf32>, tensor<16xf64>) outs(%z : tensor<16xf64>)
         { extf, subf, mulf, addf }
    ```

    Work that cannot be a task stays where it is, with one remark at the op that
    says why; so do ops that copy tensors (`tensor.concat`, and slices that a
    task gets as its argument, unless they are a prefix of their tensor). An
    operand of a concatenation that is a stretch of it in memory, and that
    nothing else uses, is made where it belongs and not copied.
    Generics that gather are fused into the elementwise generic that alone reads
    them at full size, unless that follows an anchor. Functions that already are
    tasks are left alone.
  }];
  let options = [
    Option<"minElements", "min-elements", "int64_t", "4096",
           "Elementwise work with fewer points than this stays in the model; "
           "a call would cost more than it could save">,
    Option<"rows", "rows", "bool", "true",
           "Make one task of the reductions of rows and the elementwise ops "
           "between and behind them (softmax, norms)">,
    Option<"elementwise", "elementwise", "bool", "true",
           "Make tasks of elementwise work without a contraction">
  ];
  let statistics = [
    Statistic<"numRowChains", "row-chains", "chains over rows">,
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
    its share of the flops of all tasks. Then the totals: all tasks; the
    products and convolutions among them, without what is fused to them, and how
    many of those differ; the part of the module's arithmetic, and of the bytes
    that its ops read and write, that is in tasks. Then one line for each kind
    of op that stayed outside. Arithmetic counts each addition, product,
    comparison and the like once, on floats or integers, padding included;
    reshapes, fills, empty
    tensors and slices that need no copy count nothing. The IR
    is not changed.

    ```
    task                              weight  GFLOP     MB  share  shapes
    task_matmul_128x2048x512_5b...         6  0.269   5.51  35.1%  128x512 512x2048 2048 -> 128x2048 f32
    17 distinct tasks, 127 calls, 5.059192 GFLOP
    products and convolutions: 6 distinct in 7 tasks, 49 calls, 5.033689 GFLOP
    in tasks: 99.99% of 5.059586 GFLOP, 99.33% of 159.392384 MB
    outside tasks: 4 x linalg.generic (gather)
    ```
  }];
}

#endif // PRUNER_CONVERSION_EXTRACTTASKS_PASSES
