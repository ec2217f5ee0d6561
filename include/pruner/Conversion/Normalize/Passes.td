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
  let summary = "Turn named elementwise and contraction ops into generics";
  let description = [{
    Rewrites every named op whose loops are all parallel (`linalg.transpose`,
    `linalg.broadcast`, `linalg.add`, `linalg.map`, ...) and every named
    contraction other than `linalg.matmul` and `linalg.batch_matmul` as a
    `linalg.generic`, so that later passes need to know one form only.
    `linalg.fill`, convolutions, pooling, `linalg.reduce`, `linalg.softmax` and
    the two matrix products keep their names.

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
    Operands that are splat constants (a `tensor<f32>` zero read through a map
    to `()`, for instance) become scalar constants, and `arith.truncf` of a
    constant is evaluated, rounding to nearest even as the op itself does when
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

def FoldUnitDims : Pass<"pruner-fold-unit-dims", "mlir::func::FuncOp"> {
  let summary = "Drop loops and dimensions of extent one from generics";
  let description = [{
    A batch of one makes maps such as `(d0, d1, d2) -> (d0, d1, 0)`, which are
    not projected permutations. Generics and pads lose those dimensions;
    `tensor.collapse_shape` and `tensor.expand_shape`, which move no data,
    connect them with their neighbours and mostly cancel. Named ops keep their
    rank.

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

    The other way round for the single row of `tensor<1xNxf32>`: a matrix
    product keeps its rank, so elementwise generics behind a
    `tensor.collapse_shape` that only drops unit dimensions of its result get
    those dimensions back.

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

#endif // PRUNER_CONVERSION_NORMALIZE_PASSES
