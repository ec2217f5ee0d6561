//===- Passes.td - the normal form of a linalg program -----*- tablegen -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_CONVERSION_NORMALIZE_PASSES
#define PRUNER_CONVERSION_NORMALIZE_PASSES

include "mlir/Pass/PassBase.td"

def SimplifyModel : Pass<"pruner-simplify-model", "mlir::func::FuncOp"> {
  let summary = "Canonicalize and merge equal ops, except in tasks";
  let description = [{
    What `canonicalize` and `cse` do, but not in functions that are tasks: their
    form is what their key was made from.

    ```mlir
    %0 = tensor.empty() : tensor<4xf32>
    %1 = tensor.empty() : tensor<4xf32>
    // becomes, outside tasks
    %0 = tensor.empty() : tensor<4xf32>
    ```
  }];
}

def GeneralizeNamedOps
    : Pass<"pruner-generalize-named-ops", "mlir::func::FuncOp"> {
  let summary = "Turn named ops into generics";
  let description = [{
    Rewrites every named op (`linalg.transpose`, `linalg.add`, `linalg.map`,
    convolutions, pooling, `linalg.reduce`, ...) as a `linalg.generic`, so that
    later passes need to know one form only, and so that a convolution of batch
    one can lose its batch loop like any other generic. `linalg.fill`,
    `linalg.matmul` and `linalg.batch_matmul` keep their names.
    `linalg.softmax` becomes the four generics that it stands for; other ops
    that are no loop nest stay.

    ```mlir
    %1 = linalg.add ins(%a, %b : tensor<4x8xf32>, tensor<4x8xf32>)
                    outs(%0 : tensor<4x8xf32>) -> tensor<4x8xf32>
    // becomes
    %1 = linalg.generic {indexing_maps = [#id, #id, #id],
                         iterator_types = ["parallel", "parallel"]}
         ins(%a, %b : tensor<4x8xf32>, tensor<4x8xf32>)
         outs(%0 : tensor<4x8xf32>) {
    ^bb0(%x: f32, %y: f32, %out: f32):
      %s = arith.addf %x, %y : f32
      linalg.yield %s : f32
    } -> tensor<4x8xf32>
    ```
  }];
  let statistics = [
    Statistic<"numGeneralized", "generalized", "Named ops turned into generics">
  ];
}

def InlineConstants : Pass<"pruner-inline-constants", "mlir::func::FuncOp"> {
  let summary = "Move constant operands into the bodies of generics";
  let description = [{
    Scalar operands, and operands that have one constant element (a
    `tensor<f32>` zero read through a map to `()`, any splat, a fill), become
    scalars that the body captures, except in products and convolutions, which
    are known by their operands. And `arith.truncf` of a constant is
    evaluated, rounding to nearest even as the op itself does when
    it names no other mode. Upstream leaves inexact truncations alone, which
    makes an f32 body look as if it computed in f64.

    ```mlir
    %e = arith.constant 1.0e-12 : f64
    ... ins(%v) { ^bb0(%x: f32, %out: f32):
      %t = arith.truncf %e : f64 to f32
      %s = arith.addf %x, %t : f32
    // becomes
    %e = arith.constant 9.99999996E-13 : f32
    ... ins(%v) { ^bb0(%x: f32, %out: f32):
      %s = arith.addf %x, %e : f32
    ```
  }];
  let statistics = [
    Statistic<"numOperands", "operands", "Constant operands moved into bodies">,
    Statistic<"numTruncations", "truncations", "Truncations of constants evaluated">
  ];
}

def RaiseFills : Pass<"pruner-raise-fills", "mlir::func::FuncOp"> {
  let summary = "Turn generics that store one value everywhere into fills";
  let description = [{
    Exported index arithmetic has generics without inputs that yield a constant.
    As `linalg.fill` they are known to upstream's folds, and what is computed
    from them mostly disappears.

    ```mlir
    %r = linalg.generic {...} outs(%e : tensor<4xi64>) {
    ^bb0(%out: i64):
      linalg.yield %c0 : i64
    } -> tensor<4xi64>
    // becomes
    %r = linalg.fill ins(%c0 : i64) outs(%e : tensor<4xi64>) -> tensor<4xi64>
    ```
  }];
  let statistics = [
    Statistic<"numRaised", "raised", "Generics turned into fills">
  ];
}

def RaiseMinMax : Pass<"pruner-raise-min-max", "mlir::func::FuncOp"> {
  let summary = "Turn compare-and-select with a constant into maximumf or "
                "minimumf where that is exact";
  let description = [{
    An exported ReLU compares and selects. It is `arith.maximumf` if x is also
    selected when it is NaN (an unordered predicate), and if the zero that the
    select returns for a zero x is the larger one, as `arith.maximumf` says:
    `ugt` with a bound of +0, `uge` with -0, either with any other bound. A
    select that replaces NaN by the bound stays what it is.

    ```mlir
    %c = arith.cmpf ugt, %x, %zero : f32
    %r = arith.select %c, %x, %zero : f32
    // becomes
    %r = arith.maximumf %x, %zero : f32
    ```
  }];
  let statistics = [
    Statistic<"numRaised", "raised", "Selects replaced">
  ];
}

def ExpandPowers : Pass<"pruner-expand-powers", "mlir::func::FuncOp"> {
  let summary = "Turn small constant integer powers into products or powf";
  let description = [{
    `math.fpowi` with a constant exponent from 1 to 3 becomes multiplications, in
    the order of the compiler runtime's function; the op itself leaves it open.
    Two roundings are at most one unit in the last place off the correctly
    rounded power; more of them are not, so exponents from 4 to 8 become
    `math.powf`.

    ```mlir
    %r = math.fpowi %x, %c3 : f32, i64
    // becomes
    %s = arith.mulf %x, %x : f32
    %r = arith.mulf %x, %s : f32
    ```
  }];
  let statistics = [
    Statistic<"numExpanded", "expanded", "Powers turned into products">
  ];
  let dependentDialects = ["mlir::arith::ArithDialect"];
}

def NarrowCompares : Pass<"pruner-narrow-compares", "mlir::func::FuncOp"> {
  let summary = "Compare in the type of the data instead of a wider one";
  let description = [{
    A comparison of a widened value with another, or with a constant that the
    narrow type holds exactly, has the same outcome in the narrow type.

    ```mlir
    %w = arith.extf %x : f32 to f64
    %c = arith.cmpf oeq, %w, %infinity : f64
    // becomes
    %c = arith.cmpf oeq, %x, %infinity32 : f32
    ```
  }];
  let statistics = [
    Statistic<"numNarrowed", "narrowed", "Comparisons moved to a narrower type">
  ];
  let dependentDialects = ["mlir::arith::ArithDialect"];
}

def FoldRowGuards : Pass<"pruner-fold-row-guards", "mlir::func::FuncOp"> {
  let summary = "Ask a row's maximum whether all of the row is -infinity";
  let description = [{
    PyTorch's attention gives zeros, not NaN, for a row whose scores are all
    masked: it compares every score with -infinity and combines the answers of
    a row by `and`. When the row's maximum is at hand, as it is in a softmax,
    comparing it alone gives the same answer: a NaN makes both false.

    ```mlir
    %m = linalg.generic {(d0, d1), reduction d1} ins(%x : tensor<8x16xf32>) { maximumf }
    %e = linalg.generic {(d0, d1)} ins(%x : tensor<8x16xf32>) { cmpf oeq, -inf }
    %a = linalg.generic {(d0, d1), reduction d1} ins(%e : tensor<8x16xi1>) { andi }
    // becomes
    %m = linalg.generic {(d0, d1), reduction d1} ins(%x : tensor<8x16xf32>) { maximumf }
    %a = linalg.generic {(d0)} ins(%m : tensor<8xf32>) { cmpf oeq, -inf }
    ```
  }];
  let statistics = [
    Statistic<"numFolded", "folded", "Reductions by and that were replaced">
  ];
  let dependentDialects = ["mlir::arith::ArithDialect",
                           "mlir::tensor::TensorDialect"];
}

def HoistSlices : Pass<"pruner-hoist-slices", "mlir::func::FuncOp"> {
  let summary = "Slice a tensor before it is permuted, and reshape it before it "
                "is sliced";
  let description = [{
    Attention that computes queries, keys and values by one product moves the
    three to the front, a copy of all of them, and then slices. When the
    dimensions that a slice keeps have not changed places among themselves, the
    slice is taken from the tensor that was copied, and the copy dies with its
    last reader.

    ```mlir
    %t = linalg.generic ... ins(%x : tensor<65x3x1024xf32>) outs(%e : tensor<3x65x1024xf32>) { yield }
    %s = tensor.extract_slice %t[1, 0, 0] [1, 65, 1024] [1, 1, 1] : tensor<3x65x1024xf32> to tensor<65x1024xf32>
    // becomes
    %s = tensor.extract_slice %x[0, 1, 0] [65, 1, 1024] [1, 1, 1] : tensor<65x3x1024xf32> to tensor<65x1024xf32>
    ```

    Reshapes, which move no data, go in front of slices of unit stride, so that
    the slice faces what reads it. Where a dimension is both cut and expanded
    the cuts must lie between rows of the inner dimensions; where dimensions are
    collapsed, only the outermost of each group may be cut.

    ```mlir
    %s = tensor.extract_slice %x[0, 768] [128, 768] [1, 1] : tensor<128x2304xf32> to tensor<128x768xf32>
    %h = tensor.expand_shape %s [[0], [1, 2]] output_shape [128, 12, 64] : tensor<128x768xf32> into tensor<128x12x64xf32>
    // becomes
    %y = tensor.expand_shape %x [[0], [1, 2]] output_shape [128, 36, 64] : tensor<128x2304xf32> into tensor<128x36x64xf32>
    %h = tensor.extract_slice %y[0, 12, 0] [128, 12, 64] [1, 1, 1] : tensor<128x36x64xf32> to tensor<128x12x64xf32>
    ```
  }];
  let statistics = [
    Statistic<"numHoisted", "hoisted", "Slices taken from the tensor before it is copied">,
    Statistic<"numReshaped", "reshaped", "Reshapes moved in front of slices">
  ];
  let dependentDialects = ["mlir::tensor::TensorDialect"];
}

def DemoteF64 : Pass<"pruner-demote-f64", "mlir::func::FuncOp"> {
  let summary = "Compute in f32 what an f32 program computes in f64";
  let description = [{
    Exported variances are summed in f64, at half the speed of f32 on a CPU and
    a small fraction of it on most GPUs. This pass retypes every f64 inside a
    function that neither takes nor returns any. **It changes results** by the
    rounding of f32 and is therefore not part of `pruner-normalize` unless
    asked for (`demote-f64`).

    A function stays as it is, with a remark at the op, when an f64 constant
    would become infinite or zero, or when an op of a dialect other than
    linalg, tensor, arith and math has an f64 operand or result.

    ```mlir
    %w = linalg.generic ... ins(%x : tensor<8xf32>) outs(%e : tensor<8xf64>) { arith.extf }
    %s = linalg.generic ... ins(%w : tensor<8xf64>) outs(%z : tensor<f64>) { arith.addf }
    // becomes, after canonicalization
    %s = linalg.generic ... ins(%x : tensor<8xf32>) outs(%z : tensor<f32>) { arith.addf }
    ```
  }];
  let statistics = [
    Statistic<"numValues", "values", "Values retyped">
  ];
}

def RaiseBiasInits : Pass<"pruner-raise-bias-inits", "mlir::func::FuncOp"> {
  let summary = "Start sums from zero and add their bias behind";
  let description = [{
    The bias of an exported convolution is broadcast into its init operand. A
    contraction, convolution or summing pooling whose init is computed
    elementwise (a broadcast copy, most of all) starts from zero instead, and an elementwise generic
    behind it adds what was the init, read through the broadcast's own map. So
    all sums look alike, and the bias is an epilogue.

    This moves one addition from the start of a sum to its end. Floating-point
    results may differ in rounding, as they do under any schedule that splits
    the sum.

    ```mlir
    %b = linalg.broadcast ins(%bias : tensor<8xf32>) outs(%e : tensor<1x8x6x6xf32>) dimensions = [0, 2, 3]
    %r = linalg.conv_2d_nchw_fchw ins(%x, %w : ...) outs(%b : tensor<1x8x6x6xf32>)
    // becomes
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x6x6xf32>)
    %c = linalg.conv_2d_nchw_fchw ins(%x, %w : ...) outs(%z : tensor<1x8x6x6xf32>)
    %r = linalg.generic ... ins(%c, %bias : tensor<1x8x6x6xf32>, tensor<8xf32>) { arith.addf }
    ```
  }];
  let statistics = [
    Statistic<"numRaised", "raised", "Sums that start from zero now">
  ];
  let dependentDialects = ["mlir::arith::ArithDialect",
                           "mlir::tensor::TensorDialect",
                           "mlir::linalg::LinalgDialect"];
}

def EraseUnusedResults
    : Pass<"pruner-erase-unused-results", "mlir::func::FuncOp"> {
  let summary = "Erase results and operands of generics that nobody reads";
  let description = [{
    A maximum along a dimension often comes with the position of the maximum,
    which nobody reads. The result goes, with its init operand and its part of
    the body; operands that appear twice under the same map become one. An init
    operand that the body reads as if it were an input becomes an input.

    ```mlir
    %m:2 = linalg.generic ... outs(%a, %b : tensor<8xf32>, tensor<8xi64>)
    // becomes, when %m#1 has no reader
    %m = linalg.generic ... outs(%a : tensor<8xf32>)
    ```
  }];
  let statistics = [
    Statistic<"numResults", "results", "Results erased">,
    Statistic<"numOperands", "operands", "Operands erased">
  ];
}

def SplitUpsampledInputs
    : Pass<"pruner-split-upsampled-inputs", "mlir::func::FuncOp"> {
  let summary = "Do not multiply by the zeros of a transposed convolution";
  let description = [{
    Exporters write a transposed convolution of stride s as a convolution of
    its input with s - 1 zeros between the elements, most of whose products are
    zero. Which filter elements meet elements of the input depends on the
    position of the result modulo s alone, its phase. With the position as s y +
    p and the filter element as u(p) + s i, u(p) being the first that counts,

        sum over u of zeros[s y + p + u] filter[u]
          = sum over i of input[y + i + e(p)] filter[u(p) + s i]

    and e is linear in p (if need be after starting some positions before the
    result). So the pass makes one operation of it with the loops y, p and i
    for each such dimension, over the input itself, padded, and over filters
    that are rearranged by a gather; filters that are constant are so ahead of
    time. Where the filter's extent is no multiple of s, the phases that have a
    tap more than others get it from another operation, over their slice. All
    that is left out are products with zero: results change where the filter
    has an infinity or NaN. Zeros that are only around the elements become a
    `tensor.pad`.

    ```mlir
    %z = tensor.insert_slice %x into %zeros[0, 1] [4, 8] [1, 2]
        : tensor<4x8xf32> into tensor<4x17xf32>
    %r = linalg.generic {indexing_maps = [(f, o, c, u) -> (c, o + u),
                                          (f, o, c, u) -> (f, c, u),
                                          (f, o, c, u) -> (f, o)], ...}
        ins(%z, %w : tensor<4x17xf32>, tensor<6x4x2xf32>)
        outs(... : tensor<6x16xf32>)
    // becomes
    %v = linalg.generic ... outs(... : tensor<6x4x2x1xf32>) { tensor.extract %w[...] }
    %s = linalg.generic {indexing_maps = [(f, y, p, c, i) -> (c, y + i),
                                          (f, y, p, c, i) -> (f, c, p, i),
                                          (f, y, p, c, i) -> (f, y, p)], ...}
        ins(%x, %v : tensor<4x8xf32>, tensor<6x4x2x1xf32>)
        outs(... : tensor<6x8x2xf32>)
    %r = tensor.collapse_shape %s [[0], [1, 2]]
        : tensor<6x8x2xf32> into tensor<6x16xf32>
    ```
  }];
  let statistics = [
    Statistic<"numSplit", "split", "Operations that skip the zeros now">
  ];
  let dependentDialects = ["mlir::arith::ArithDialect",
                           "mlir::tensor::TensorDialect",
                           "mlir::linalg::LinalgDialect"];
}

def DeclareConstants : Pass<"pruner-declare-constants", "mlir::ModuleOp"> {
  let summary = "Say which arguments of the network never change";
  let description = [{
    Puts `pruner.constant` on arguments of the public function: those numbered
    in `arguments`, and those that the list of arguments in the file `names`
    (what `pruner_tools.export` writes) does not call inputs. That file's names become
    `pruner.name`. Schedules may then choose another layout for what depends on
    such arguments alone, and `pruner-hoist-constants` moves the work into a
    function that runs once.

    ```mlir
    func.func @main(%x: tensor<1x64xf32>, %w: tensor<64x32xf32>) -> tensor<1x32xf32>
    // with arguments=1
    func.func @main(%x: tensor<1x64xf32>, %w: tensor<64x32xf32> {pruner.constant}) -> tensor<1x32xf32>
    ```
  }];
  let options = [
    Option<"arguments", "arguments", "std::string", "\"\"",
           "Numbers and ranges of constant arguments: 1-5,8">,
    Option<"names", "names", "std::string", "\"\"",
           "JSON file with an array 'arguments' of objects with 'name' and "
           "'kind'">,
    Option<"entry", "entry", "std::string", "\"\"",
           "The network's function; empty: the only public one">
  ];
  let statistics = [
    Statistic<"numDeclared", "declared", "Arguments declared constant">
  ];
}

def FoldUnitDims : Pass<"pruner-fold-unit-dims", "mlir::func::FuncOp"> {
  let summary = "Drop loops and dimensions of extent one from generics";
  let description = [{
    A batch of one, or the sum of a row that keeps its dimension, makes maps
    such as `(d0, d1, d2) -> (d0, d1, 0)`, which are not projected permutations.
    Generics, pads, slices and concatenations lose those dimensions;
    `tensor.collapse_shape` and `tensor.expand_shape`, which move no data,
    connect them with their neighbours and mostly cancel. Named ops keep their
    rank. Casts of a concatenation's operands that only forget a size go as
    well.

    One loop of extent one stays: that over the positions of a window which has
    one position in an input larger than itself. Without it the window's loop
    would be the input's coordinate by itself, and as such would have to run
    over all of the input.

    ```mlir
    #id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
    #bc = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
    ... ins(%x, %m : tensor<1x128x512xf32>, tensor<1x128x1xf32>)
    // becomes
    #id = affine_map<(d0, d1) -> (d0, d1)>
    #bc = affine_map<(d0, d1) -> (d0)>
    ... ins(%x2, %m1 : tensor<128x512xf32>, tensor<128xf32>)
    ```
  }];
  let statistics = [
    Statistic<"numGenerics", "generics", "Generics that lost a unit dimension">
  ];
  let dependentDialects = ["mlir::affine::AffineDialect",
                           "mlir::tensor::TensorDialect"];
}

def RecognizeProducts
    : Pass<"pruner-recognize-products", "mlir::func::FuncOp"> {
  let summary = "Merge loops of products that always run together";
  let description = [{
    A convolution by a 1x1 kernel is a matrix product: without its unit
    dimensions it multiplies weights and pixels. Loops of a `linalg.generic`
    that sums up products merge when every operand has them side by side or not
    at all, and when elementwise readers of the result can be collapsed in the
    same way, so that they stay next to it; `tensor.collapse_shape` and
    `tensor.expand_shape`, which move no data, connect it with its neighbours.
    What is a plain matrix product then becomes `linalg.matmul`.
    A kernel that skips pixels remains a convolution.

    ```mlir
    %r = linalg.generic {indexing_maps = [(f, h, w, c) -> (c, h, w),
                                          (f, h, w, c) -> (f, c),
                                          (f, h, w, c) -> (f, h, w)]}
         ins(%x, %w : tensor<256x56x56xf32>, tensor<64x256xf32>) ...
    // becomes
    %p = tensor.collapse_shape %x [[0], [1, 2]] : tensor<256x56x56xf32> into tensor<256x3136xf32>
    %m = linalg.matmul ins(%w, %p : tensor<64x256xf32>, tensor<256x3136xf32>) ...
    %r = tensor.expand_shape %m [[0], [1, 2]] ...
    ```
  }];
  let statistics = [
    Statistic<"numCollapsed", "collapsed", "Products whose loops were merged">,
    Statistic<"numNamed", "named", "Products that became linalg.matmul">
  ];
  let dependentDialects = ["mlir::affine::AffineDialect",
                           "mlir::tensor::TensorDialect"];
}

def MoveReshapes : Pass<"pruner-move-reshapes", "mlir::func::FuncOp"> {
  let summary = "Collapse elementwise generics that sit behind a reshape";
  let description = [{
    A matrix product over flattened rows is expanded before its bias and
    activation are applied. An elementwise generic behind such a
    `tensor.expand_shape` (or in front of a `tensor.collapse_shape`) is
    collapsed to the rank of the tensor before (after) the reshape when all its
    maps keep the collapsed dimensions together; the reshape moves to the other
    side. Only elementwise generics change rank: products, reductions and
    convolutions never do. Other operands of the collapsed generic get a
    `tensor.collapse_shape`, which moves no data.

    The other way round behind a reduction: a convolution keeps its rank, and so
    does a matrix product of one row, so elementwise generics behind a
    `tensor.collapse_shape` of its result get that rank back, and those that
    have it are not collapsed.

    Two reshapes in a row become one, or none, where one suffices.

    ```mlir
    %e = tensor.expand_shape %mm [[0, 1], [2]] : tensor<256x512xf32> into tensor<2x128x512xf32>
    %g = linalg.generic {3 loops} ins(%e, %r : tensor<2x128x512xf32>, tensor<2x128x512xf32>)
    // becomes
    %c = tensor.collapse_shape %r [[0, 1], [2]] : tensor<2x128x512xf32> into tensor<256x512xf32>
    %h = linalg.generic {2 loops} ins(%mm, %c : tensor<256x512xf32>, tensor<256x512xf32>)
    %g = tensor.expand_shape %h [[0, 1], [2]] : tensor<256x512xf32> into tensor<2x128x512xf32>
    ```
  }];
  let statistics = [
    Statistic<"numCollapsed", "collapsed", "Elementwise generics collapsed">,
    Statistic<"numExpanded", "expanded", "Elementwise generics expanded">
  ];
  let dependentDialects = ["mlir::affine::AffineDialect",
                           "mlir::tensor::TensorDialect"];
}

def AbsorbTransposes : Pass<"pruner-absorb-transposes", "mlir::func::FuncOp"> {
  let summary = "Read operands of contractions through their indexing maps "
                "instead of a transposed copy";
  let description = [{
    When an operand of `linalg.matmul`, `linalg.batch_matmul` or a contraction
    written as `linalg.generic` is a permuted or broadcast copy of another
    tensor (`linalg.transpose`, `linalg.broadcast`, or a generic that only
    yields its input), the contraction reads the other tensor and its indexing
    map does the permutation. The named op stays where it can express the map;
    otherwise it becomes a `linalg.generic`. The copy dies when it has no other
    reader.

    ```mlir
    %t = linalg.transpose ins(%w : tensor<512x512xf32>) outs(%e : tensor<512x512xf32>) permutation = [1, 0]
    %r = linalg.matmul ins(%x, %t : ...) outs(%c : ...)
    // becomes
    %r = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>,
                                        affine_map<(d0, d1, d2) -> (d1, d2)>,
                                        affine_map<(d0, d1, d2) -> (d0, d1)>]
         ins(%x, %w : ...) outs(%c : ...)
    ```
  }];
  let statistics = [
    Statistic<"numAbsorbed", "absorbed", "Operands whose copy was absorbed">,
    Statistic<"numGeneralized", "generalized",
              "Named contractions that had to become generics">
  ];
}

def AbsorbSlices : Pass<"pruner-absorb-slices", "mlir::func::FuncOp"> {
  let summary = "Let linalg ops read slices through their indexing maps";
  let description = [{
    A generic, `linalg.matmul` or `linalg.batch_matmul` that reads a slice reads
    the tensor that was sliced instead, through a map that says where the slice
    lies; the named ops become generics. Which map depends on each dimension:

    * one element becomes a constant coordinate;
    * a block of s elements that begins at a multiple of s, in a dimension that
      is a multiple of s, becomes a constant coordinate, too: the tensor is seen
      with that dimension expanded to blocks, which moves no data;
    * any other part becomes the loop times the stride plus the offset, unless
      it begins at zero with stride one: a loop that is a coordinate by itself
      must run over all of the dimension. Products do not take such maps: their
      coordinates stay loops and constants.

    A slice that is a prefix of its tensor in memory stays, since it moves no
    data. So does one that would leave a loop without an extent.

    ```mlir
    %s = tensor.extract_slice %x[0, 512] [128, 256] [1, 1] : tensor<128x768xf32> to tensor<128x256xf32>
    %r = linalg.generic {indexing_maps = [#id, #id], ...} ins(%s : tensor<128x256xf32>) ...
    // becomes, with #block = affine_map<(d0, d1) -> (d0, 2, d1)>
    %y = tensor.expand_shape %x [[0], [1, 2]] output_shape [128, 3, 256] : tensor<128x768xf32> into tensor<128x3x256xf32>
    %r = linalg.generic {indexing_maps = [#block, #id], ...} ins(%y : tensor<128x3x256xf32>) ...
    ```
  }];
  let statistics = [
    Statistic<"numAbsorbed", "absorbed", "Operands that are read in place">
  ];
  let dependentDialects = ["mlir::linalg::LinalgDialect",
                           "mlir::tensor::TensorDialect"];
}

def GrowConcats : Pass<"pruner-grow-concats", "mlir::func::FuncOp"> {
  let summary = "Let concatenations that extend each other share one tensor";
  let description = [{
    Dense blocks join the results of all layers so far, again for every layer:
    each concatenation begins with all of the one before. Such a chain becomes
    one tensor of the final size into which each result is put once; what a
    shorter concatenation was is a prefix of it. This takes concatenations along
    the outermost dimension, where a prefix is one stretch of memory, and
    requires that what reads the shorter one comes before the longer one, so
    that the tensor can be extended in place.

    ```mlir
    %c = tensor.concat dim(0) %x, %y : (tensor<64x56x56xf32>, tensor<32x56x56xf32>) -> tensor<96x56x56xf32>
    %z = ... %c
    %d = tensor.concat dim(0) %x, %y, %z : (tensor<64x56x56xf32>, tensor<32x56x56xf32>, tensor<32x56x56xf32>) -> tensor<128x56x56xf32>
    // becomes
    %e = tensor.empty() : tensor<128x56x56xf32>
    %0 = tensor.insert_slice %x into %e[0, 0, 0] [64, 56, 56] [1, 1, 1] : tensor<64x56x56xf32> into tensor<128x56x56xf32>
    %1 = tensor.insert_slice %y into %0[64, 0, 0] [32, 56, 56] [1, 1, 1] : tensor<32x56x56xf32> into tensor<128x56x56xf32>
    %c = tensor.extract_slice %1[0, 0, 0] [96, 56, 56] [1, 1, 1] : tensor<128x56x56xf32> to tensor<96x56x56xf32>
    %z = ... %c
    %d = tensor.insert_slice %z into %1[96, 0, 0] [32, 56, 56] [1, 1, 1] : tensor<32x56x56xf32> into tensor<128x56x56xf32>
    ```
  }];
  let statistics = [
    Statistic<"numShared", "shared", "Concatenations that share a tensor">
  ];
  let dependentDialects = ["mlir::tensor::TensorDialect"];
}

#endif // PRUNER_CONVERSION_NORMALIZE_PASSES
