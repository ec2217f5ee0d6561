//===- Arithmetic.td - what generics compute ---------------*- tablegen -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_CONVERSION_NORMALIZE_ARITHMETIC
#define PRUNER_CONVERSION_NORMALIZE_ARITHMETIC

include "mlir/Pass/PassBase.td"

def InlineConstants : Pass<"pruner-inline-constants", "mlir::func::FuncOp"> {
  let summary = "Move constant operands into the bodies of generics";
  let description = [{
    Scalar operands, and operands that have one constant element (a
    `tensor<f32>` zero read through a map to `()`, any splat, a fill), become
    scalars that the body captures. The factors of products and convolutions
    stay, as these are known by them; zero points are no factors. A scalar that
    is computed becomes a tensor without dimensions. And `arith.truncf` of a constant is
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
  let dependentDialects = ["mlir::arith::ArithDialect",
                           "mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"numOperands", "operands", "Constant operands moved into bodies">,
    Statistic<"numTruncations", "truncations", "Truncations of constants evaluated">
  ];
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

def ExpandWideProducts
    : Pass<"pruner-expand-wide-products", "mlir::func::FuncOp"> {
  let summary = "Write integer arithmetic with two results as ops with one";
  let description = [{
    In bodies of linalg ops: `arith.mulsi_extended` and `arith.mului_extended`,
    which requantization takes its scale by, become a product of twice the
    width, or of 64 bits four products of 32; `arith.addui_extended` a sum and
    a comparison. Bodies of tasks hold ops of one result only.

    ```mlir
    %low, %high = arith.mulsi_extended %x, %scale : i32
    // becomes
    %a = arith.extsi %x : i32 to i64
    %b = arith.extsi %scale : i32 to i64
    %p = arith.muli %a, %b : i64
    %s = arith.shrui %p, %c32 : i64
    %low = arith.trunci %p : i64 to i32
    %high = arith.trunci %s : i64 to i32
    ```
  }];
  let statistics = [
    Statistic<"numExpanded", "expanded", "Ops of two results written out">
  ];
  let dependentDialects = ["mlir::arith::ArithDialect"];
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

def ExpandPowers : Pass<"pruner-expand-powers", "mlir::func::FuncOp"> {
  let summary = "Turn small constant integer powers into products or powf";
  let description = [{
    `math.fpowi` with a constant exponent from 1 to 3 becomes multiplications, in
    the order of the compiler runtime's function; the op itself leaves it open.
    Two roundings are at most one unit in the last place off the correctly
    rounded power; more of them are not, so exponents from 4 to 8 become
    `math.powf`. So do those from 3 of f16 and bf16, whose functions are
    computed in f32 and rounded once.

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

#endif // PRUNER_CONVERSION_NORMALIZE_ARITHMETIC
