//===- Tensors.td - tensors before bufferization -----------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_CONVERSION_NETWORKTOLLVM_TENSORS
#define PRUNER_CONVERSION_NETWORKTOLLVM_TENSORS

include "mlir/Pass/PassBase.td"

def KeepArgumentsPass : Pass<"pruner-keep-arguments", "mlir::func::FuncOp"> {
  let summary = "Forbid bufferization to write to tensor arguments";
  let description = [{
    Marks every tensor argument `bufferization.writable = false`, and copies a
    result that is an argument or another result. Each result then gets its own
    buffer, and the signature before bufferization determines the signature
    after it.
  }];
  let dependentDialects = ["mlir::bufferization::BufferizationDialect"];
}

def LiftBranchesPass : Pass<"pruner-lift-branches", "mlir::func::FuncOp"> {
  let summary = "Convert branches between blocks to loops and conditions";
  let description = [{
    Upstream's transformation to structured control flow turns the blocks of the
    function, and of regions in it, into one block with `scf.if`,
    `scf.index_switch` and `scf.while`. Values that a path does not compute and
    that nothing reads become zeros and tensors without contents.
    `scf.execute_region` is inlined.

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

def SeparateInitsPass : Pass<"pruner-separate-inits", "mlir::func::FuncOp"> {
  let summary = "Limit the number of results that start from one tensor";
  let description = [{
    Bufferization compares all uses of values that may share a buffer in pairs.
    A thousand operations that overwrite one tensor, or a chain of a thousand
    operations, therefore take it minutes. After the first `limit` of them, the
    others start from a new `tensor.empty`, which again `limit` of them share.
    Operations that need the contents of the tensor keep it, up to `copy-limit`
    results; after these, the tensor is copied.

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
           "Largest number of tensors that may become one buffer">,
    Option<"copyLimit", "copy-limit", "unsigned", /*default=*/"128",
           "The same limit where the contents of the buffer are needed">
  ];
  let statistics = [
    Statistic<"numSeparated", "separated", "Inits replaced">,
    Statistic<"numCopied", "copied", "Inits copied">
  ];
  let dependentDialects = ["mlir::bufferization::BufferizationDialect",
                           "mlir::tensor::TensorDialect"];
}

def ExpandResourcesPass : Pass<"pruner-expand-resources",
                                 "mlir::func::FuncOp"> {
  let summary = "Write booleans and scalars of resources as dense elements";
  let description = [{
    A resource has a byte for each boolean, which LLVM's constants do not
    support, and upstream's lowering of memrefs without dimensions expects an
    element. Other resources are translated without changes.

    ```mlir
    %m = arith.constant dense_resource<mask> : tensor<4xi1>
    // becomes
    %m = arith.constant dense<[true, false, true, true]> : tensor<4xi1>
    ```
  }];
  let statistics = [
    Statistic<"numExpanded", "expanded", "Constants written as elements">
  ];
}

def FlattenEmptyArgumentsPass : Pass<"pruner-flatten-empty-arguments",
                                     "mlir::func::FuncOp"> {
  let summary = "Make empty arguments and results of public functions vectors";
  let description = [{
    LLVM's bare pointers do not support all shapes of tensors without elements.
    Arguments that nothing reads and results of such shapes become vectors of
    extent zero, so that the positions of the others do not change.

    ```mlir
    func.func @f(%a: tensor<7x0xf32>, %b: tensor<9xf32>) -> tensor<9xf32>
    // becomes
    func.func @f(%a: tensor<0xf32>, %b: tensor<9xf32>) -> tensor<9xf32>
    ```
  }];
  let dependentDialects = ["mlir::tensor::TensorDialect"];
}

def NormalizeStridesPass : Pass<"pruner-normalize-strides",
                                  "mlir::func::FuncOp"> {
  let summary = "Write strided slices so that their views are valid";
  let description = [{
    The stride of a dimension with one element has no meaning, but it appears in
    the type of the buffer. There it hides which unit dimensions a slice drops,
    and bufferization then creates invalid views or crashes. This pass sets such
    strides to one. Slices with other strides keep all dimensions, and a reshape
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

def KeepPartialInitsPass : Pass<"pruner-keep-partial-inits",
                                  "mlir::func::FuncOp"> {
  let summary = "Keep the elements of inits that their operations skip";
  let description = [{
    An operation that writes every second element leaves the other elements of
    its init operand unchanged. Bufferization only looks at the body: if the
    body does not read the init, the result may get any buffer. If the output
    map does not reach every element, this pass first copies the init into a
    buffer for the result.

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

def YieldInPlacePass : Pass<"pruner-yield-in-place", "mlir::func::FuncOp"> {
  let summary = "Use one buffer for each tensor of a loop or branch";
  let description = [{
    The result of an iteration of `scf.for` or `scf.while` is written to the
    buffer of the tensor that enters the iteration. The results of the branches
    of `scf.if` or `scf.index_switch` are written to a buffer that is made
    before them. A select between two tensors becomes such a branch. If the two
    regions of a loop pass each other different values, each region also carries
    the buffers that the other one writes to. As a result, no buffer outlives
    the block in which it is made, and every buffer has a position in the
    workspace of the network. Where a loop already works in place, the pass adds
    a copy of a buffer to itself, which bufferization removes.

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

def DecomposeAggregatesPass : Pass<"pruner-decompose-aggregates",
                                     "mlir::func::FuncOp"> {
  let summary = "Write ops on whole tensors as structured linalg operations";
  let description = [{
    Replaces ops that have no loops of their own:

    * `linalg.softmax` of floats by upstream's decomposition;
    * `linalg.pack` with constant tiles by a pad, a reshape and a transpose, and
      `linalg.unpack` by their inverse;
    * `tensor.bitcast` and `tensor.gather` by generics;
    * `tensor.scatter` by loops that insert slices.

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

def CopyByLoopsPass : Pass<"pruner-copy-by-loops", "mlir::func::FuncOp"> {
  let summary = "Write copies of strided buffers as structured operations";
  let description = [{
    If the buffers of a `memref.copy` are not both contiguous, its lowering
    calls MLIR's runtime library. A `linalg.copy` becomes loops instead, and the
    code needs no library.

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

def UseBarePointersPass : Pass<"pruner-use-bare-pointers", "mlir::ModuleOp"> {
  let summary = "Let functions take tensors as bare pointers";
  let description = [{
    Marks every function `llvm.bareptr`: lowering then passes a buffer of static
    shape as a pointer. Functions that later passes add, such as the one that
    frees buffers of several possible owners, take buffers of any shape and are
    not marked.

    A call of a function without a body that returns a tensor is an error,
    because it is unknown who allocates the result.

    ```mlir
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32>
    // becomes
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {llvm.bareptr}
    ```
  }];
}

def OrderLoopsPass : Pass<"pruner-order-loops"> {
  let summary = "Put a contiguous parallel loop innermost in reductions";
  let description = [{
    A reduction written as loops in the order of its dimensions accesses most
    operands with large strides: a plain 1024^3 product takes seconds. If a
    parallel loop runs along rows of the result and of every operand, it becomes
    the innermost loop. In a convolution with channels outside this is the loop
    over the width. Each element of the result is still summed in the same
    order, so no result changes.

    ```mlir
    linalg.matmul            // loops m, n, k
    // becomes
    linalg.generic ...       // loops m, k, n
    ```
  }];
  let dependentDialects = ["mlir::linalg::LinalgDialect"];
}

#endif // PRUNER_CONVERSION_NETWORKTOLLVM_TENSORS
