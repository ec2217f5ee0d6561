//===- Buffers.td - buffers and calls of networks ----------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_CONVERSION_NETWORKTOLLVM_BUFFERS
#define PRUNER_CONVERSION_NETWORKTOLLVM_BUFFERS

include "mlir/Pass/PassBase.td"

def ReturnAllocationsPass : Pass<"pruner-return-allocations",
                                   "mlir::func::FuncOp"> {
  let summary = "Return buffers instead of reshaped views of them";
  let description = [{
    If a result is a reshaped view of an allocation, the allocation takes the
    shape of the result, and the ops that fill it use a view. The pass that
    turns results into arguments passes allocations through, but copies the
    whole result if it is a view. Most convolutions of networks end like that
    after their batch of one was folded.

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

    The pass handles static shapes in row-major order. An allocation that is
    returned twice is moved for one of the results and copied for the others.
  }];
  let statistics = [
    Statistic<"numMoved", "num-moved", "Number of results without a copy">
  ];
  let dependentDialects = ["mlir::memref::MemRefDialect"];
}

def OutlineOperationsPass : Pass<"pruner-outline-operations",
                                   "mlir::ModuleOp"> {
  let summary = "Move linalg operations into functions of their own";
  let description = [{
    Work outside of tuned kernels stays `linalg` between the calls. Hundreds of
    operations as loops of one function would take LLVM minutes. After
    bufferization, this pass makes a function of each operation on memrefs of
    static layout. Equal operations on equal types share one function. Constants
    move along. Copies between layouts become `linalg.copy` first, so that
    nothing needs a runtime library. `pruner.work` states the arithmetic of a
    function, the bytes of its operands and the extents of its loops.

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

def AnnotateCalleesPass : Pass<"pruner-annotate-callees", "mlir::ModuleOp"> {
  let summary = "State facts for LLVM that hold at every call of a private function";
  let description = [{
    Adds `llvm.noalias` to the memref arguments of private functions whose
    buffer differs from the buffers of all other arguments in every call (two
    arguments that are only read may share one). Adds `llvm.align` to arguments
    that begin, in every call, where an allocation, a global or an argument of a
    public function begins. `pruner-annotate-pointers` does the same for public
    functions, whose callers must keep the promise.
  }];
  let options = [
    Option<"alignment", "alignment", "unsigned", /*default=*/"64",
           "Alignment of buffers in bytes">
  ];
  let statistics = [
    Statistic<"numNoalias", "num-noalias", "Number of arguments with noalias">
  ];
}

def PlanMemoryPass : Pass<"pruner-plan-memory", "mlir::func::FuncOp"> {
  let summary = "Place the buffers of a function in one workspace";
  let description = [{
    Every `memref.alloc` of static shape that nothing frees becomes a view of
    one workspace. Buffers whose lifetimes do not overlap share bytes. The
    largest buffer is placed first, each in the smallest gap that is free during
    its whole life (Pisarchyk and Lee, Efficient Memory Management for Deep
    Neural Net Inference, 2020, section 5: greedy by size). Buffers of dynamic
    shape get a `memref.dealloc` after their last use. A buffer that outlives
    its block is an error. An operation that may pass on a buffer in an unknown
    way is an error as well; views, selects, regions and branches are supported.

    If the last use of a buffer is a copy into a contiguous part of another
    buffer, as for the operands of a concatenation, the buffer becomes that part
    and the copy is erased. This requires that nothing else uses the part in the
    meantime and that it begins at a multiple of the alignment.

    With `freed`, buffers that the function frees are placed as well. Two kernels
    for a GPU that share a reduction have such a buffer between them, and nothing
    is allocated in device memory during a run.

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
    Option<"freed", "freed", "bool", /*default=*/"false",
           "Place buffers that the function frees, too">,
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

def ParallelizeOperationsPass
    : Pass<"pruner-parallelize-operations", "mlir::ModuleOp"> {
  let summary = "Distribute large operations outside of tasks to threads";
  let description = [{
    An operation without a schedule, such as a gather, a copy or a resize,
    becomes plain loops, which one thread executes while the others wait. If the
    kernels of the module use several threads and the operation is large, this
    pass gives each of them a share: of the iterations of the outermost parallel
    loops, as many as have at least 64 together. The innermost loop stays. An
    operation whose body calls functions or may report an error stays on one
    thread.

    ```mlir
    func.func private @op(%x: memref<2x128x128xf32>, %y: memref<2x128x128xf32>) {
      linalg.copy ins(%x : memref<2x128x128xf32>) outs(%y : memref<2x128x128xf32>)
    // becomes
    func.func private @op(%x: memref<2x128x128xf32>, %y: memref<2x128x128xf32>) {
      scf.parallel (%n) = (%c0) to (%c4) step (%c1) {
        ...
        func.call @op_share(%x, %y, %begin, %end)
    ```
  }];
  let options = [
    Option<"leastWork", "least-work", "uint64_t", /*default=*/"65536",
           "Number of scalar operations from which on one is distributed">
  ];
  let statistics = [
    Statistic<"numParallel", "num-parallel", "Number of operations distributed">
  ];
  let dependentDialects = ["mlir::affine::AffineDialect",
                           "mlir::arith::ArithDialect",
                           "mlir::memref::MemRefDialect",
                           "mlir::scf::SCFDialect"];
}

#endif // PRUNER_CONVERSION_NETWORKTOLLVM_BUFFERS
