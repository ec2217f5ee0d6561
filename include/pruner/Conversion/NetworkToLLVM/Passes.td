//===- Passes.td - networks to buffers and loops ----------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_CONVERSION_NETWORKTOLLVM_PASSES
#define PRUNER_CONVERSION_NETWORKTOLLVM_PASSES

include "mlir/Pass/PassBase.td"

def PrunerHoistConstants : Pass<"pruner-hoist-constants", "mlir::ModuleOp"> {
  let summary = "Compute once what only constant arguments decide";
  let description = [{
    Of each public function @f with arguments marked `pruner.constant`,
    everything that depends on such arguments alone moves into a new function
    @f_prepare: packing weights for the schedules that were chosen, the scale
    and the shift of a batch norm, a transposed weight that several tasks read.
    @f takes the results instead, as arguments behind the others; constants that
    it no longer reads disappear from its arguments. Reshapes, which move no
    data, stay where they are read. Only tensors of static shape whose elements
    C has pass from one function to the other: numbers that are read from
    constant tensors, and what is computed of them, are computed in both; one
    that takes a loop passes in a tensor.
    Arguments without a `pruner.name` get their
    number as a name (`arg1`), since the numbers change in both functions.

    Before:

    ```mlir
    func.func @main(%x: tensor<64x256xf32>, %w: tensor<256x64xf32> {pruner.constant}) -> tensor<64x64xf32> {
      %p = call @task_pack1(%w) : (tensor<256x64xf32>) -> tensor<4x256x16xf32>
      ...
    ```

    After:

    ```mlir
    func.func @main(%x: tensor<64x256xf32> {pruner.name = "arg0"}, %p: tensor<4x256x16xf32> {pruner.constant, pruner.name = "prepared0"}) -> tensor<64x64xf32> {
      ...
    func.func @main_prepare(%w: tensor<256x64xf32> {pruner.constant, pruner.name = "arg1"}) -> (tensor<4x256x16xf32> {pruner.name = "prepared0"}) attributes {pruner.prepares = @main} {
      %p = call @task_pack1(%w) : (tensor<256x64xf32>) -> tensor<4x256x16xf32>
      return %p : tensor<4x256x16xf32>
    ```
  }];
  let statistics = [
    Statistic<"numHoisted", "hoisted", "Operations moved">,
    Statistic<"numPrepared", "prepared", "Tensors that networks take instead">
  ];
  let dependentDialects = ["mlir::tensor::TensorDialect"];
}

def PrunerCheckLowerable : Pass<"pruner-check-lowerable", "mlir::ModuleOp"> {
  let summary = "Refuse programs that cannot be lowered, before work is spent";
  let description = [{
    Compares every op and every type that the entry reaches with the list of
    those that `pruner-network-to-llvm` lowers (`Lowerable.cpp`): ops of linalg
    and tensor, arith, math and index on scalars, loops and branches, calls of
    functions with a body, the buffers and vectors of kernels; integers, index,
    f16, bf16, f32 and f64. Everything else is an error at the op, which says
    what is not lowered and what was expected. `pruner-tune` for a CPU begins
    with it, and so does lowering.

    ```mlir
    %u = linalg.winograd_filter_transform ...
    // error: 'linalg.winograd_filter_transform' op cannot be lowered: Winograd
    // transforms are not supported, expected the convolution
    ```
  }];
  let options = [
    Option<"entry", "entry", "std::string", "\"\"",
           "The function to begin with; by default, all public ones">
  ];
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

def PrunerLiftBranches : Pass<"pruner-lift-branches", "mlir::func::FuncOp"> {
  let summary = "Write branches between blocks as loops and conditions";
  let description = [{
    Upstream's transformation to structured control flow turns the blocks of the
    function, and of regions in it, into one block with `scf.if`,
    `scf.index_switch` and `scf.while`. Values that a path does not compute and
    nobody reads are zeros and tensors without contents. `scf.execute_region` is
    inlined.

    ```mlir
      cf.cond_br %c, ^a, ^b(%x : tensor<8xf32>)
    ^a:
      %y = linalg.exp ins(%x : ...)
      cf.br ^b(%y : tensor<8xf32>)
    ^b(%r: tensor<8xf32>):
    // becomes
      %r = scf.if %c -> (tensor<8xf32>) {
        %y = linalg.exp ins(%x : ...)
        scf.yield %y : tensor<8xf32>
      } else {
        scf.yield %x : tensor<8xf32>
      }
    ```
  }];
  let statistics = [Statistic<"numLifted", "lifted", "Regions of one block now">];
  let dependentDialects = ["mlir::arith::ArithDialect",
                           "mlir::cf::ControlFlowDialect",
                           "mlir::scf::SCFDialect",
                           "mlir::tensor::TensorDialect",
                           "mlir::ub::UBDialect"];
}

def PrunerSeparateInits : Pass<"pruner-separate-inits", "mlir::func::FuncOp"> {
  let summary = "Start no more than some results from one tensor";
  let description = [{
    Bufferization compares every use of what may be one buffer with every other
    one, so a thousand operations that overwrite one tensor, or each the result
    of the one before, take it minutes. Behind the first `limit` of these the
    others start from a `tensor.empty`, which again `limit` of them share. What
    is read or kept in part stays, up to `copy-limit` results; then it is copied.

    ```mlir
    %1 = linalg.exp ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>)
    %2 = linalg.abs ins(%1 : tensor<8xf32>) outs(%e : tensor<8xf32>)
    // becomes with limit=2
    %1 = linalg.exp ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>)
    %f = tensor.empty() : tensor<8xf32>
    %2 = linalg.abs ins(%1 : tensor<8xf32>) outs(%f : tensor<8xf32>)
    ```
  }];
  let options = [
    Option<"limit", "limit", "unsigned", /*default=*/"32",
           "The most tensors that may become one buffer, the first included">,
    Option<"copyLimit", "copy-limit", "unsigned", /*default=*/"128",
           "The same where the contents of the buffer are needed">
  ];
  let statistics = [
    Statistic<"numSeparated", "separated", "Inits replaced">,
    Statistic<"numCopied", "copied", "Inits copied">
  ];
  let dependentDialects = ["mlir::bufferization::BufferizationDialect",
                           "mlir::tensor::TensorDialect"];
}

def PrunerDropEmptyTensors : Pass<"pruner-drop-empty-tensors",
                                  "mlir::func::FuncOp"> {
  let summary = "Drop tensors without elements and what computes with them";
  let description = [{
    A dimension of extent zero makes a loop without iterations: the result of
    its op is what it started from. Padding and concatenation go on without the
    parts that are empty. Arguments and results of public functions that have no
    elements stay, as vectors of none, so that the others keep their places;
    LLVM's bare pointers cannot be made of every such shape.

    ```mlir
    func.func @f(%a: tensor<7x0xf32>, %b: tensor<0x9xf32>, %c: tensor<7x9xf32>) -> tensor<7x9xf32> {
      %r = linalg.matmul ins(%a, %b : ...) outs(%c : tensor<7x9xf32>) -> tensor<7x9xf32>
      return %r : tensor<7x9xf32>
    // becomes
    func.func @f(%a: tensor<0xf32>, %b: tensor<0xf32>, %c: tensor<7x9xf32>) -> tensor<7x9xf32> {
      return %c : tensor<7x9xf32>
    ```
  }];
  let statistics = [
    Statistic<"numDropped", "dropped", "Values and operations dropped">
  ];
  let dependentDialects = ["mlir::linalg::LinalgDialect",
                           "mlir::tensor::TensorDialect"];
}

def PrunerNormalizeStrides : Pass<"pruner-normalize-strides",
                                  "mlir::func::FuncOp"> {
  let summary = "Write strided slices so that their views are valid";
  let description = [{
    A stride between elements of which there is one means nothing, but buffers
    have it in their types, where it hides which dimensions of extent one a
    slice drops: bufferization then makes invalid views, or crashes. Such
    strides become one. Slices with others keep all dimensions, and a reshape
    drops those of extent one.

    ```mlir
    %s = tensor.extract_slice %x[1, 0] [2, 1] [1, 3] : tensor<5x3xf32> to tensor<2xf32>
    // becomes
    %s = tensor.extract_slice %x[1, 0] [2, 1] [1, 1] : tensor<5x3xf32> to tensor<2xf32>

    %s = tensor.extract_slice %x[1, 0] [2, 1] [2, 1] : tensor<5x3xf32> to tensor<2xf32>
    // becomes
    %t = tensor.extract_slice %x[1, 0] [2, 1] [2, 1] : tensor<5x3xf32> to tensor<2x1xf32>
    %s = tensor.collapse_shape %t [[0, 1]] : tensor<2x1xf32> into tensor<2xf32>
    ```
  }];
  let statistics = [Statistic<"numSlices", "slices", "Slices changed">];
  let dependentDialects = ["mlir::tensor::TensorDialect"];
}

def PrunerKeepPartialInits : Pass<"pruner-keep-partial-inits",
                                  "mlir::func::FuncOp"> {
  let summary = "Keep the elements of inits that their operations skip";
  let description = [{
    An operation that writes every second element leaves the others as they were
    in its init operand. Bufferization looks at the body alone: if that does not
    read the init, the result may get any buffer. Where the output map does not
    reach every element, the init is copied into a buffer for the result first.

    ```mlir
    %r = linalg.generic {indexing_maps = [(i) -> (i), (i) -> (i * 2)]} ins(%x : tensor<8xf32>) outs(%init : tensor<16xf32>)
    // becomes
    %c = bufferization.alloc_tensor() copy(%init) : tensor<16xf32>
    %r = linalg.generic {indexing_maps = [(i) -> (i), (i) -> (i * 2)]} ins(%x : tensor<8xf32>) outs(%c : tensor<16xf32>)
    ```
  }];
  let statistics = [Statistic<"numKept", "kept", "Inits copied">];
  let dependentDialects = ["mlir::bufferization::BufferizationDialect"];
}

def PrunerYieldInPlace : Pass<"pruner-yield-in-place", "mlir::func::FuncOp"> {
  let summary = "Give the tensors of loops and branches one buffer each";
  let description = [{
    What an iteration of `scf.for` or `scf.while` computes goes into the buffer
    that its tensor came in, and what the branches of `scf.if` or
    `scf.index_switch` compute into a buffer made in front of them. A select
    between two tensors becomes such a branch, and the regions of a loop that do
    not pass each other the same take along the buffers that the other one
    writes to. So no buffer outlives the block that it is
    made in, and each has its place in the workspace of the network. Copies of a
    buffer to itself, where a loop works in place anyway, disappear with
    bufferization.

    ```mlir
    %r = scf.for ... iter_args(%a = %x) -> tensor<64x64xf32> {
      %p = linalg.matmul ins(%a, %w : ...) outs(%zeros : tensor<64x64xf32>)
      scf.yield %p : tensor<64x64xf32>
    // becomes
    %r = scf.for ... iter_args(%a = %x) -> tensor<64x64xf32> {
      %p = linalg.matmul ins(%a, %w : ...) outs(%zeros : tensor<64x64xf32>)
      %y = linalg.copy ins(%p : tensor<64x64xf32>) outs(%a : tensor<64x64xf32>) -> tensor<64x64xf32>
      scf.yield %y : tensor<64x64xf32>
    ```
  }];
  let statistics = [Statistic<"numYields", "yields", "Tensors put into place">];
  let dependentDialects = ["mlir::bufferization::BufferizationDialect",
                           "mlir::linalg::LinalgDialect",
                           "mlir::scf::SCFDialect"];
}

def PrunerDecomposeAggregates : Pass<"pruner-decompose-aggregates",
                                     "mlir::func::FuncOp"> {
  let summary = "Write ops on whole tensors as structured linalg operations";
  let description = [{
    Replaces ops that have no loops of their own: `linalg.softmax` of floats by
    upstream's decomposition; `linalg.pack` by a pad, a reshape and a transpose,
    and `linalg.unpack` by their inverse, where tiles are constants;
    `tensor.bitcast` and `tensor.gather` by generics; `tensor.scatter` by loops
    that insert slices.

    ```mlir
    %r = tensor.gather %x[%i] gather_dims([0]) : (tensor<8x5xf32>, tensor<3x1xi64>) -> tensor<3x5xf32>
    // becomes
    %r = linalg.generic {indexing_maps = [(d0, d1) -> (d0, 0), (d0, d1) -> (d0, d1)], ...}
         ins(%i : tensor<3x1xi64>) outs(%e : tensor<3x5xf32>) {
    ^bb0(%n: i64, %out: f32):
      %row = arith.index_cast %n : i64 to index
      %column = linalg.index 1 : index
      %v = tensor.extract %x[%row, %column] : tensor<8x5xf32>
      linalg.yield %v : f32
    }
    ```
  }];
  let dependentDialects = ["mlir::arith::ArithDialect",
                           "mlir::linalg::LinalgDialect",
                           "mlir::scf::SCFDialect",
                           "mlir::tensor::TensorDialect"];
}

def PrunerCopyByLoops : Pass<"pruner-copy-by-loops", "mlir::func::FuncOp"> {
  let summary = "Write copies of strided buffers as structured operations";
  let description = [{
    A `memref.copy` between buffers that are not both contiguous becomes a call
    into MLIR's runtime library when it is lowered. As `linalg.copy` it becomes
    loops, and the code needs no library.

    ```mlir
    memref.copy %a, %b : memref<4x4xf32> to memref<4x4xf32, strided<[8, 1]>>
    // becomes
    linalg.copy ins(%a : memref<4x4xf32>)
               outs(%b : memref<4x4xf32, strided<[8, 1]>>)
    ```
  }];
  let dependentDialects = ["mlir::linalg::LinalgDialect"];
  let statistics = [Statistic<"numCopies", "copies", "copies rewritten">];
}

def PrunerUseBarePointers : Pass<"pruner-use-bare-pointers", "mlir::ModuleOp"> {
  let summary = "Let functions take tensors as bare pointers";
  let description = [{
    Marks every function `llvm.bareptr`: a buffer of static shape is passed as a
    pointer when the function is lowered. Functions that later passes add, such
    as the one that frees buffers of several possible owners, take buffers of
    any shape and are not marked.

    A call of a function without a body that returns a tensor is an error:
    nothing says who allocates the result.

    ```mlir
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32>
    // becomes
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {llvm.bareptr}
    ```
  }];
}

def PrunerOrderLoops : Pass<"pruner-order-loops"> {
  let summary = "Put a contiguous parallel loop innermost in reductions";
  let description = [{
    A reduction written as loops in the order of its dimensions walks most
    operands with large strides: a plain 1024^3 product takes seconds. The
    parallel loop along which the result is contiguous becomes the innermost one
    where it walks along rows of every other operand, too, which is the order a
    person would write; in a convolution that keeps channels outside it is the
    loop over the width. Each element of the result is still summed in the same
    order, so no result changes.

    ```mlir
    linalg.matmul            // loops m, n, k
    // becomes
    linalg.generic ...       // loops m, k, n
    ```
  }];
  let dependentDialects = ["mlir::linalg::LinalgDialect"];
}

//===----------------------------------------------------------------------===//
// Whole networks
//===----------------------------------------------------------------------===//

def PrunerRenameReserved : Pass<"pruner-rename-reserved", "mlir::ModuleOp"> {
  let summary = "Rename functions whose names libraries of networks use";
  let description = [{
    A network's functions have names of the user's choice. Those that the library
    uses itself (`pruner_run`, `pruner_metadata`, what its run-time library calls)
    and those that LLVM takes for functions of the C library (`malloc`, `expf`) get
    the prefix `network.`, with all their uses. Declarations keep their names: they
    mean what others define. Where `pruner.interface` names such an entry it gets
    the new name, and `name` says the old one.

    Before:
    ```mlir
    module attributes {pruner.interface = {entry = "malloc", ...}} {
      func.func @malloc(%x: tensor<8xf32>) -> tensor<8xf32> {
    ```
    After:
    ```mlir
    module attributes {pruner.interface = {entry = "network.malloc", name = "malloc", ...}} {
      func.func @network.malloc(%x: tensor<8xf32>) -> tensor<8xf32> {
    ```
  }];
  let statistics = [
    Statistic<"numRenamed", "num-renamed", "Number of symbols renamed">
  ];
}

def PrunerPrepareNetwork : Pass<"pruner-prepare-network", "mlir::ModuleOp"> {
  let summary = "Check a network's entry and bring its tasks into it";
  let description = [{
    A network is a module with one public function (or the one that `entry`
    names) of tensors of static shape. The pass refuses what cannot become a
    library, with a diagnostic at the entry, and functions with a schedule that
    is not applied, and then

    * writes the types of the entry on the module as `pruner.interface`, since
      lowering forgets them;
    * inlines the functions of tensors that the entry calls: the wrappers of
      tuned kernels and the tasks that were left as they were. Functions of
      memrefs, the kernels, stay functions;
    * gives each consumer its own `linalg.fill`: a shared one would be computed
      once and copied to all.

    Before:
    ```mlir
    func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
      %y = call @task(%x) : (tensor<8xf32>) -> tensor<8xf32>
    ```
    After:
    ```mlir
    module attributes {pruner.interface = {entry = "main",
        inputs = [tensor<8xf32>], outputs = [tensor<8xf32>]}} {
      func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
        %b = bufferization.to_buffer %x read_only : tensor<8xf32> to memref<8xf32>
        %out = memref.alloc() : memref<8xf32>
        call @task_kernel(%b, %out) : (memref<8xf32>, memref<8xf32>) -> ()
    ```
  }];
  let options = [
    Option<"entry", "entry", "std::string", /*default=*/"",
           "The network's function; not needed when only one is public">
  ];
  let statistics = [
    Statistic<"numInlined", "num-inlined", "Number of calls inlined">
  ];
  let dependentDialects = ["mlir::func::FuncDialect"];
}

def PrunerPrepareDynamic : Pass<"pruner-prepare-dynamic", "mlir::ModuleOp"> {
  let summary = "Make a network of dynamic shape a function of pointers";
  let description = [{
    The function `entry` of tensors gets the signature that a network of static
    shape has in the end: pointers to its inputs, to the size of the call as an
    i64, to its results and to a workspace, which it does not use. A pointer is
    a memref of one element. Every dynamic dimension of an argument or a result
    is of the size of the call; other functions become private.
    `pruner.interface` says what the pointers are, for `pruner-add-entry-point`.

    ```mlir
    func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
      return %x : tensor<?x4xf32>
    // becomes
    func.func @main(%x: memref<1xf32>, %n: memref<1xi64>, %r: memref<1xf32>, %w: memref<1xi8>) {
      %size = ... memref.load %n[%c0] ...
      %in = memref.reinterpret_cast %x to offset: [0], sizes: [%size, 4], strides: [4, 1]
      %t = bufferization.to_tensor %in restrict
      %out = memref.reinterpret_cast %r to offset: [0], sizes: [%size, 4], strides: [4, 1]
      bufferization.materialize_in_destination %t in restrict writable %out
      return
    ```
  }];
  let options = [
    Option<"entry", "entry", "std::string", /*default=*/"\"main\"",
           "The network's function">
  ];
  let dependentDialects = ["mlir::arith::ArithDialect",
                           "mlir::bufferization::BufferizationDialect",
                           "mlir::memref::MemRefDialect"];
}

def PrunerReturnAllocations : Pass<"pruner-return-allocations",
                                   "mlir::func::FuncOp"> {
  let summary = "Return buffers instead of reshaped views of them";
  let description = [{
    A result that is a reshaped view of an allocation becomes the allocation,
    in the shape of the result, and what fills it sees the view. The pass that
    turns results into arguments passes allocations through; of a view it makes
    a copy of the whole result. Most convolutions of networks end like that,
    once their batch of one was folded away.

    Before:
    ```mlir
    %a = memref.alloc() : memref<96x64xf32>
    call @f(%x, %a)
    %r = memref.expand_shape %a [[0, 1], [2, 3]] ... into memref<1x96x8x8xf32>
    return %r : memref<1x96x8x8xf32>
    ```
    After:
    ```mlir
    %r = memref.alloc() : memref<1x96x8x8xf32>
    %a = memref.collapse_shape %r [[0, 1], [2, 3]] ... into memref<96x64xf32>
    call @f(%x, %a)
    return %r : memref<1x96x8x8xf32>
    ```

    Only static shapes in row-major order; an allocation that is returned twice
    is moved for one of the results, and copied for the others.
  }];
  let statistics = [
    Statistic<"numMoved", "num-moved", "Number of results without a copy">
  ];
  let dependentDialects = ["mlir::memref::MemRefDialect"];
}

def PrunerOutlineOperations : Pass<"pruner-outline-operations",
                                   "mlir::ModuleOp"> {
  let summary = "Move linalg operations into functions of their own";
  let description = [{
    What no tuned kernel computes stays `linalg` between the calls. As loops of
    one function, hundreds of operations cost LLVM minutes. This pass runs after
    bufferization and makes a function of each operation on memrefs of static
    layout; equal operations on equal types share one. Constants move along.
    Copies between layouts become `linalg.copy` first, so that nothing is left to
    a run-time library. `pruner.work` says how much a function computes, the
    bytes of its operands and the extents of its loops.

    Before:
    ```mlir
    linalg.fill ins(%cst : f32) outs(%a : memref<8xf32>)
    linalg.fill ins(%cst : f32) outs(%b : memref<8xf32>)
    ```
    After:
    ```mlir
    call @op_fill_0(%a) : (memref<8xf32>) -> ()
    call @op_fill_0(%b) : (memref<8xf32>) -> ()
    ```
  }];
  let statistics = [
    Statistic<"numOutlined", "num-outlined", "Number of operations moved">,
    Statistic<"numFunctions", "num-functions", "Number of functions made">
  ];
  let dependentDialects = ["mlir::func::FuncDialect",
                           "mlir::linalg::LinalgDialect"];
}

def PrunerAnnotateCallees : Pass<"pruner-annotate-callees", "mlir::ModuleOp"> {
  let summary = "Promise LLVM what holds at every call of a private function";
  let description = [{
    Adds `llvm.noalias` to the memref arguments of private functions that at
    every call point to buffers apart from those of the other arguments (two
    arguments that are only read may share one), and `llvm.align` to those that
    at every call begin where an allocation, a global or an argument of a public
    function does. `pruner-annotate-pointers` promises the same for public
    functions, on behalf of their callers.
  }];
  let options = [
    Option<"alignment", "alignment", "unsigned", /*default=*/"64",
           "Alignment of buffers in bytes">
  ];
  let statistics = [
    Statistic<"numNoalias", "num-noalias", "Number of arguments with noalias">
  ];
}

def PrunerPlanMemory : Pass<"pruner-plan-memory", "mlir::func::FuncOp"> {
  let summary = "Place the buffers of a function in one workspace";
  let description = [{
    Every `memref.alloc` of static shape that nothing frees becomes a view of
    one workspace; buffers whose lifetimes do not overlap share bytes. Largest
    buffer first, each in the smallest gap that is free all its life
    (Pisarchyk and Lee, Efficient Memory Management for Deep Neural Net
    Inference, 2020, section 5: greedy by size). Buffers of dynamic shape get a
    `memref.dealloc` after their last use. A buffer that outlives its block is
    an error, and so is an operation that may pass a buffer on in a way that is
    not known: views, selects, regions and branches are.

    A buffer whose last use is that it is copied into a stretch of another one,
    as the operands of a concatenation are, becomes that stretch, if nothing
    else uses it in the meantime and it begins at a multiple of the alignment.
    The copy is erased.

    With `argument`, the workspace is a new last argument of a public function,
    so that a caller can keep it between calls. The argument carries its size in
    bytes as `pruner.workspace`.

    Before:
    ```mlir
    %a = memref.alloc() : memref<16xf32>
    call @f(%x, %a)
    %b = memref.alloc() : memref<16xf32>
    call @f(%a, %b)
    %c = memref.alloc() : memref<16xf32>
    call @f(%b, %c)
    ```
    After:
    ```mlir
    %w = memref.alloc() : memref<128xi8>
    %a = memref.view %w[%c0][] : memref<128xi8> to memref<16xf32>
    call @f(%x, %a)
    %b = memref.view %w[%c64][] : memref<128xi8> to memref<16xf32>
    call @f(%a, %b)
    %c = memref.view %w[%c0][] : memref<128xi8> to memref<16xf32>
    call @f(%b, %c)
    memref.dealloc %w
    ```
  }];
  let options = [
    Option<"argument", "argument", "bool", /*default=*/"false",
           "Take the workspace as last argument of public functions">,
    Option<"alignment", "alignment", "unsigned", /*default=*/"64",
           "Alignment of every buffer in bytes">
  ];
  let statistics = [
    Statistic<"numPlanned", "num-planned", "Number of buffers placed">,
    Statistic<"allBytes", "all-bytes", "Bytes of the buffers together">,
    Statistic<"workspaceBytes", "workspace-bytes", "Bytes of the workspaces">
  ];
  let dependentDialects = ["mlir::arith::ArithDialect",
                           "mlir::memref::MemRefDialect"];
}

def PrunerLowerChecks : Pass<"pruner-lower-checks", "mlir::ModuleOp"> {
  let summary = "Report failed assertions to the caller of a network";
  let description = [{
    A library must not end its process because a token id is out of range.
    Replaces `cf.assert` by a call of `pruner_network_fail(message)`, which does
    not return; the run-time library of networks leaves the network with an
    error code from there.

    Before:
    ```mlir
    cf.assert %ok, "index out of range"
    ```
    After:
    ```mlir
    scf.if %failed {
      llvm.call @pruner_network_fail(%message) : (!llvm.ptr) -> ()
    }
    ```
  }];
  let dependentDialects = ["mlir::LLVM::LLVMDialect", "mlir::arith::ArithDialect",
                           "mlir::scf::SCFDialect"];
}

def PrunerMarkCalls : Pass<"pruner-mark-calls", "mlir::ModuleOp"> {
  let summary = "Let the calls of a network be timed";
  let description = [{
    Runs on the LLVM dialect. In the function that `pruner.interface` names,
    behind each call of a function with a body and each copy: if
    `pruner_network_profiled` is not 0, `pruner_network_mark(n)` is called, n
    the number of the call. The run-time library adds the time since the last
    mark to it. In front of a call there is a mark of -1 where anything but
    arithmetic stands between it and the mark before, or where a block begins.
    Parallel regions of the function itself have no marks inside.

    `pruner.interface` gets `kernels`, dictionaries with `name` and, where they
    are known, `key`, `flops`, `bytes` (of `pruner.task` or `pruner.work`) and
    `seconds` (`pruner.seconds`), and `calls`, which of them each call runs.

    Before:
    ```mlir
    llvm.call @task_kernel(%x, %y) : (!llvm.ptr, !llvm.ptr) -> ()
    llvm.return
    ```
    After:
    ```mlir
      llvm.call @task_kernel(%x, %y) : (!llvm.ptr, !llvm.ptr) -> ()
      %p = llvm.mlir.addressof @pruner_network_profiled : !llvm.ptr
      %v = llvm.load volatile %p : !llvm.ptr -> i32
      %on = llvm.icmp "ne" %v, %zero : i32
      llvm.cond_br %on weights([1, 1048576]), ^mark, ^rest
    ^mark:
      llvm.call @pruner_network_mark(%site) : (i32) -> ()
      llvm.br ^rest
    ^rest:
      llvm.return
    ```
  }];
  let statistics = [Statistic<"numMarks", "num-marks", "Number of marks">];
  let dependentDialects = ["mlir::LLVM::LLVMDialect"];
}

def PrunerAddEntryPoint : Pass<"pruner-add-entry-point", "mlir::ModuleOp"> {
  let summary = "Give a lowered network the entry point that its library calls";
  let description = [{
    Runs on the LLVM dialect. Adds, for the function that `pruner.interface`
    names,

    * `void pruner_network_entry(const void *const *inputs,
      void *const *outputs, void *workspace)`, which takes the pointers from the
      two arrays;
    * `const int64_t pruner_network_facts[5]`: the numbers of inputs and of
      outputs, the bytes of the workspace, the most threads that a kernel can
      use, and the number of marked calls. The size of the workspace goes to
      `pruner.interface`, too.

    All functions become internal, so that a network may be called `main`.
  }];
  let dependentDialects = ["mlir::LLVM::LLVMDialect"];
}

#endif // PRUNER_CONVERSION_NETWORKTOLLVM_PASSES
