//===- Passes.td - outline the tasks of a program ----------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_CONVERSION_EXTRACTTASKS_PASSES
#define PRUNER_CONVERSION_EXTRACTTASKS_PASSES

include "mlir/Pass/PassBase.td"
include "pruner/Conversion/ExtractTasks/JoinProducts.td"

def ExtractTasksPass : Pass<"pruner-extract-tasks", "mlir::ModuleOp"> {
  let summary = "Fuse elementwise work and padding into reductions and outline "
                "the distinct results as task functions";
  let description = [{
    The pass is greedy and works inside each block, in three steps.

    1. Chains of elementwise generics become one generic. A producer is fused
       into its reader if it has no other reader and both have the same number
       of points, so no point is computed twice. Pure broadcasts and
       permutations are fused into every reader, and so are a few operations on
       tensors that are much smaller than the result (a causal mask, computed
       from positions), which cost less than to load it. A producer that an
       earlier contraction can take is not moved to a later one, unless it
       converts bytes to floats: the bytes take less memory between the two.
    2. Every op with a reduction becomes the *anchor* of a task: products,
       convolutions of any layout, stride, dilation and groups, pooling, and
       sums, products, maxima, minima and bit operations over any dimensions,
       named or generic. Three kinds of op are fused to an anchor:

       * The *epilogue* is the generic that is the only reader of the anchor's
         result and reads it at full size. If two anchors compete for it, the
         later one takes it.
       * A `tensor.pad` by a constant before an input is always fused, even if
         other ops read the padded tensor, because repeating a pad costs
         nothing.
       * The *prologue* of an input is the generic that computes it (or computes
         what is padded). It is fused if nothing else reads its result and one of
         two conditions holds: its body is cheap (at most six additions,
         products, comparisons, minima or maxima; no division and no `math` op,
         because a prologue runs once for every tile that reads the element), or
         the anchor reads every element of the input once. A cast to a wider type
         becomes the prologue of every anchor that reads it. A constant that
         is computed element by element stays in the model, where
         `pruner-hoist-constants` finds it, unless its type is wider than those
         of the inputs.

    3. The remaining elementwise generics of at least `min-elements` points
       become tasks of their own. Poolings and plain reductions of fewer points
       stay in the model.

    Operands may be read through any map whose coordinates are sums of loops
    times constants. Elements are floats of 16 to 64 bits, signless integers of
    8 to 64 bits, or i1. An anchor's result may depend on the order of its
    reduction loops only by rounding, so sums of f16 or bf16 must accumulate in
    f32.

    Every task function has one canonical form: arguments in the order of their
    first use; constants; the prologues and pads in the order of the inputs,
    each prologue writing its result in order; the anchor; the epilogue, whose
    loops are the anchor's result dimensions in order (it may write its own
    result through a permutation, if it transposes); one result. The function
    contains `tensor.empty`, `linalg.fill` of a constant and the windows of
    poolings. Named ops other than `linalg.matmul` and `linalg.batch_matmul`
    become generics, so that a convolution and its generic form are one task.
    Equal groups share one function: the key is a hash of the body without names
    and locations. The name of the function states the anchor's kind, which
    follows from its maps and body, and the extents of its loops.

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

    With the option `rows` the pass first looks for reductions of rows. Such
    reductions, with the elementwise ops between and after them, form a *chain
    over rows*, which is one task. An elementwise op along the rows that only
    one reduction reads becomes part of the body of that reduction, which avoids
    a buffer between the two. A product of two tensors is not fused in this way,
    because its reduction is tiled differently.

    ```mlir
    %w = linalg.generic ... ins(%x : tensor<16x96xf32>) { extf }
    %q = linalg.generic ... ins(%w, %mean : tensor<16x96xf64>, tensor<16xf64>) { subf, mulf }
    %s = linalg.generic ... ins(%q : tensor<16x96xf64>) outs(%z : tensor<16xf64>) { addf }
    // becomes
    %s = linalg.generic ... ins(%x, %mean : tensor<16x96xf32>, tensor<16xf64>) outs(%z : tensor<16xf64>)
         { extf, subf, mulf, addf }
    ```

    With the option `join-products=always` two products and the ops between them
    become one task, a *chain between products*: attention, or the two products
    of an MLP. Between the products is a chain over rows, or nothing. Each of
    these results has no other reader. The first product keeps its prologues and
    its epilogue, and the second its epilogue. A group remains separate tasks if
    it has padded inputs, if the second product has a prologue, or if the second
    product has no columns of its own. Such a task never stores the tensors
    between its ops as a whole.

    ```mlir
    %s = linalg.batch_matmul ins(%q, %k : tensor<12x128x64xf32>, tensor<12x64x128xf32>) ...
    %p = ... softmax of %s
    %o = linalg.batch_matmul ins(%p, %v : tensor<12x128x128xf32>, tensor<12x128x64xf32>) ...
    // becomes
    %o = call @task_chain_12x128x64x128_36d1...(%q, %k, %v)
    ```

    With `join-products=measure` both forms are kept, so that the tuner can
    choose one by measurements. Results between the products of fewer than
    `min-elements` elements stay in the fastest cache; such products stay
    separate. `join-products=large` does this only where a row is reduced between
    the products, as in attention, and the results of the first product have more
    than `cache-bytes` bytes. `pruner-choose-alternatives` replaces the op by the
    chosen form.

    ```mlir
    %o = pruner.alternatives -> tensor<12x128x64xf32>
      form "separate" {
        %s = func.call @task_batch_matmul_12x128x128x64_...(%q, %k)
        %p = func.call @task_rows_12x128x128_...(%s)
        %r = func.call @task_batch_matmul_12x128x64x128_...(%p, %v)
        pruner.results %r : tensor<12x128x64xf32>
      }
      form "joined" {
        %r = func.call @task_chain_12x128x64x128_36d1...(%q, %k, %v)
        pruner.results %r : tensor<12x128x64xf32>
      }
    ```

    An op that cannot be part of a task does not move, and the pass emits one
    remark with the reason at the op. The same holds for ops that copy tensors
    (`tensor.concat`, and slices that are arguments of a task, unless they are a
    prefix of their tensor). If an operand of a concatenation is contiguous in
    the result and has no other use, it is computed in place instead of copied.
    Generics that gather are fused into the elementwise generic that is their
    only reader and reads them at full size, unless that generic follows an
    anchor. Functions that already are tasks do not change.
  }];
  let options = [
    Option<"minElements", "min-elements", "int64_t", "4096",
           "Elementwise work with fewer points than this stays in the model; "
           "a call would cost more than it could save">,
    Option<"rows", "rows", "bool", "true",
           "Make one task of the reductions of rows and the elementwise ops "
           "between and after them (softmax, norms)">,
    JoinProductsOption<"Never", "">,
    Option<"cacheBytes", "cache-bytes", "int64_t", "1048576",
           "join-products=large: the size of the second-level cache">,
    Option<"elementwise", "elementwise", "bool", "true",
           "Make tasks of elementwise work without a contraction">
  ];
  let statistics = [
    Statistic<"numRowChains", "row-chains", "chains over rows">,
    Statistic<"numJoined", "joined-products", "chains between two products">,
    Statistic<"numTasks", "tasks", "Groups outlined (calls inserted)">,
    Statistic<"numDistinct", "distinct-tasks", "Functions created">,
    Statistic<"numEpilogueOps", "epilogue-ops", "Elementwise ops fused as epilogue">,
    Statistic<"numPrologueOps", "prologue-ops", "Elementwise ops fused as prologue">,
    Statistic<"numPads", "pads", "Pads folded into the tasks that read them">,
    Statistic<"numPassedThrough", "passed-through",
              "Ops with work that stay outside of tasks">
  ];
  let dependentDialects = ["pruner::PrunerDialect", "mlir::func::FuncDialect",
                           "mlir::arith::ArithDialect",
                           "mlir::tensor::TensorDialect",
                           "mlir::linalg::LinalgDialect"];
}

def ListTasksPass : Pass<"pruner-list-tasks", "mlir::ModuleOp"> {
  let summary = "Print a table of a module's tasks on stderr";
  let description = [{
    Prints one line per task, the largest share of the arithmetic first: the
    function, its weight (number of calls), argument and result shapes, GFLOP
    and MB of one call, and its share of the FLOP of all tasks. Then follow
    totals: all tasks; the products and convolutions among them without fused
    ops, and how many of those differ; and the part of the module's arithmetic,
    and of the bytes that its ops read and write, that is in tasks. At the end
    there is one line for each kind of op outside of the tasks. Each addition,
    product, comparison and so on counts once, on floats or integers, including
    padding. Reshapes, fills, empty tensors and slices that need no copy count
    as zero. The IR does not change.

    If a part of the program has several forms (`pruner.alternatives`), the
    shares and totals are those of the chosen form, or else the first one. Tasks
    of the other forms are listed with the weight `-`.

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
