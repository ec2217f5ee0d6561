//===- Arithmetic.td - arithmetic of generics --------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_CONVERSION_NORMALIZE_ARITHMETIC
#define PRUNER_CONVERSION_NORMALIZE_ARITHMETIC

include "mlir/Pass/PassBase.td"

def InlineConstantsPass : Pass<"pruner-inline-constants", "mlir::func::FuncOp"> {
  let summary = "Move constant operands into the bodies of generics";
  let description = [{
    Scalar operands, and operands with one constant element (a `tensor<f32>`
    zero read through a map to `()`, any splat, a resource whose elements are
    all equal, a fill), become scalars that the body captures. The factors of
    products and convolutions stay operands, because later passes recognize
    these ops by them; zero points are not factors. A computed scalar becomes a
    tensor without dimensions. `arith.truncf` of a constant is evaluated,
    rounding to nearest even unless the op names another mode. Upstream does not
    fold inexact truncations, so an f32 body looks as if it computed in f64.

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

def IntegerProductsPass : Pass<"pruner-integer-products", "mlir::func::FuncOp"> {
  let summary = "Sum products of bytes instead of dequantized floats";
  let description = [{
    Exporters write a quantized product or convolution in f32: both factors are
    bytes that were *dequantized*, (x - p) s with a zero point p and a scale s,
    and the result is quantized again. The pass sums the products of the
    integers in i32 and multiplies the sum by the product of the scales:

        sum(fl((x - p) s) fl((y - q) t))    becomes    fl(sum((x - p) (y - q)) fl(s t))

    The bytes may be padded with 0.0, which is the zero point, reshaped, sliced
    and transposed between dequantization and the sum. Zero points and scales
    are constants, scalars, or tensors that do not depend on the reduction (one
    number for each output channel). Products in i32 and i64 of extended bytes
    are rewritten in the same way, exactly.

    ```mlir
    %a = linalg.generic ... ins(%x : tensor<4x16xi8>) {
      %0 = arith.sitofp %in : i8 to f32
      %1 = arith.subf %0, %c3 : f32
      %2 = arith.mulf %1, %c0.5 : f32
    %b = linalg.generic ... ins(%y, %scales : tensor<16x8xi8>, tensor<8xf32>) {
      %0 = arith.uitofp %in : i8 to f32
      %1 = arith.mulf %0, %in_1 : f32
    %r = linalg.matmul ins(%a, %b : tensor<4x16xf32>, tensor<16x8xf32>) ...
    // becomes
    %t = linalg.generic ... ins(%scales : tensor<8xf32>) { arith.mulf %in, %c0.5 }
    %i = linalg.generic ... ins(%x, %y : tensor<4x16xi8>, tensor<16x8xi8>) {
      %0 = arith.extsi %in : i8 to i32
      %1 = arith.subi %0, %c3 : i32
      %2 = arith.extui %in_1 : i8 to i32
      %3 = arith.muli %1, %2 : i32
      %4 = arith.addi %out, %3 : i32
    %r = linalg.generic ... ins(%i, %t : tensor<4x8xi32>, tensor<8xf32>) {
      %0 = arith.sitofp %in : i32 to f32
      %1 = arith.mulf %0, %in_1 : f32
    ```

    The pass applies if no sum can overflow: the number of terms times the
    largest products is less than 2^31, where a byte less a byte is at most 255.
    Constant scales must be positive, and they and the product of two must be
    normal numbers. The sum must start from zero, so `pruner-raise-bias-inits`
    runs first.

    **Rounding.** The integer sum is exact, and the result has three roundings
    instead of k + 2 for k terms. With u = 2^-24, both forms differ by at most

        ((k + 5) u + O(u^2)) sum(|(x - p) s (y - q) t|)

    A following rounding to an integer therefore gives another number only next
    to a tie. For scales that are computed at run time, the bound holds if they
    and their product are normal numbers. If one is infinite or NaN, or if the
    product overflows, every term that is not zero is infinite or NaN before,
    and so is the result after; if it is negative, a sum of zero becomes -0.0.
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::linalg::LinalgDialect",
                           "mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"numProducts", "products", "Sums changed to integers">
  ];
}

def PackNibblesPass : Pass<"pruner-pack-nibbles", "mlir::ModuleOp"> {
  let summary = "Store 4-bit integers two per byte";
  let description = [{
    Replaces constants of type `i4` by bytes, and also arguments of public
    functions that no function of the module calls. A byte holds two neighbors
    of the last dimension, whose extent must be even: the first one in its low
    half, the second one in its high half. Readers get the elements from a
    generic that shifts, with the amounts of shift in a table.
    `pruner-inline-dequantization` then moves it into products.

    ```mlir
    func.func @f(%w: tensor<512x256xi4>) {
      ... { arith.sitofp %in : i4 to f32 }
    // becomes
    func.func @f(%w: tensor<512x128xi8>) {
      %t = arith.constant dense<[28, 24]> : tensor<2xi32>
      %u = linalg.generic {maps = [(n, k, h) -> (n, k), (n, k, h) -> (h)]}
          ins(%w, %t : tensor<512x128xi8>, tensor<2xi32>) { (extsi w << (t & 28)) >> 28 }
      %v = tensor.collapse_shape %u [[0], [1, 2]] : tensor<512x128x2xi32> into tensor<512x256xi32>
      ... { arith.sitofp %in : i32 to f32 }
    ```

    Tensors are not changed if a reader does anything other than extend their
    elements, or if one reader extends them as signed and another one as
    unsigned numbers. Reshapes and copies in between take part.

    Programs that unpack bytes themselves get the same form: a `tensor.concat`
    of `w & 15` and `w >> 4` along a new last dimension becomes such a generic.
  }];
  let statistics = [
    Statistic<"numPacked", "packed", "Arguments and constants packed">,
    Statistic<"numUnstacked", "unstacked",
              "Concatenations of the halves of bytes replaced">
  ];
  let dependentDialects = ["mlir::arith::ArithDialect",
                           "mlir::linalg::LinalgDialect",
                           "mlir::tensor::TensorDialect"];
}

def SplitZeroPointsPass : Pass<"pruner-split-zero-points", "mlir::func::FuncOp"> {
  let summary = "Subtract zero points after sums of products";
  let description = [{
    A quantized product multiplies x - p and y - q with zero points p and q that
    do not depend on the reduction: constants, scalars, or one number for each
    channel of the result. The sum of these products over k terms is

        sum(x y) - q sum(x) - p sum(y) + k p q

    exactly, because integers are added modulo a power of two. The sum of x y is
    a product that matrix instructions compute. The others are reductions of one
    input; that of a constant input can be computed ahead of time. An input with
    windows, such as the image of a convolution, is first summed over its
    channels, and the windows add these sums.

    ```mlir
    %p = arith.subi %x, %seven : i32
    %m = arith.muli %p, %y : i32
    %r = arith.addi %sum, %m : i32
    // becomes
    %m = arith.muli %x, %y : i32
    %r = arith.addi %sum, %m : i32
    // and after the sum, with the sums of y along the reduction
    %c = arith.muli %sum_of_y, %seven : i32
    %d = arith.subi %result, %c : i32
    ```
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::linalg::LinalgDialect",
                           "mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"numSplit", "split", "Sums of products without zero points">
  ];
}

def NarrowComparesPass : Pass<"pruner-narrow-compares", "mlir::func::FuncOp"> {
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

def NarrowIntegersPass : Pass<"pruner-narrow-integers", "mlir::func::FuncOp"> {
  let summary = "Convert integers of 32 bits to floats instead of 64";
  let description = [{
    Exporters subtract a zero point in i64, and convert the difference to f32.
    If the bits of the operands show that 32 bits hold it, and each sum and
    difference before it, the arithmetic is done in i32. Vectors then have twice
    the lanes, and CPUs without AVX-512 can convert them.

    ```mlir
    %w = arith.extsi %x : i8 to i64
    %d = arith.subi %w, %c-128 : i64
    %f = arith.sitofp %d : i64 to f32
    // becomes
    %w = arith.extsi %x : i8 to i32
    %d = arith.subi %w, %c-128 : i32
    %f = arith.sitofp %d : i32 to f32
    ```
  }];
  let statistics = [
    Statistic<"numNarrowed", "narrowed", "Conversions of narrower integers">
  ];
  let dependentDialects = ["mlir::arith::ArithDialect"];
}

def ExpandWideProductsPass
    : Pass<"pruner-expand-wide-products", "mlir::func::FuncOp"> {
  let summary = "Expand integer ops with two results to ops with one";
  let description = [{
    In bodies of linalg ops, `arith.mulsi_extended` and `arith.mului_extended`,
    which requantization uses to multiply by its scale, become a product of
    twice the width. For 64 bits they become four products of 32 bits.
    `arith.addui_extended` becomes a sum and a comparison. Bodies of tasks may
    only contain ops with one result.

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
    Statistic<"numExpanded", "expanded", "Ops with two results expanded">
  ];
  let dependentDialects = ["mlir::arith::ArithDialect"];
}

def DemoteF64Pass : Pass<"pruner-demote-f64", "mlir::func::FuncOp"> {
  let summary = "Compute in f32 what an f32 program computes in f64";
  let description = [{
    Exported models sum variances in f64, at half the speed of f32 on a CPU and
    a small fraction of it on most GPUs. This pass retypes every f64 inside a
    function that neither takes nor returns any. **It changes results** by the
    rounding of f32. Therefore `pruner-normalize` runs it only with the option
    `demote-f64`.

    A function does not change, and the pass emits a remark at the op, if an f64
    constant would become infinite or zero, or if an op of a dialect other than
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

def ExpandPowersPass : Pass<"pruner-expand-powers", "mlir::func::FuncOp"> {
  let summary = "Turn small constant integer powers into products or powf";
  let description = [{
    `math.fpowi` with a constant exponent from 1 to 3 becomes multiplications,
    in the order of the compiler runtime's function; the op itself does not
    specify the order. With two roundings the error is at most one ulp from the
    correctly rounded power. With more it can be larger, so exponents from 4 to
    8 become `math.powf`. For f16 and bf16 exponents from 3 become `math.powf`,
    which is computed in f32 and rounded once.

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

def RaiseMinMaxPass : Pass<"pruner-raise-min-max", "mlir::func::FuncOp"> {
  let summary = "Turn compare-and-select with a constant into maximumf or "
                "minimumf where that is exact";
  let description = [{
    An exported ReLU compares and selects. It equals `arith.maximumf` if x is
    selected when it is NaN (an unordered predicate), and if the select returns
    the larger zero for a zero x, as `arith.maximumf` does: `ugt` with a bound
    of +0, `uge` with -0, either with any other bound. A select that replaces
    NaN by the bound does not change.

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

def RaiseFillsPass : Pass<"pruner-raise-fills", "mlir::func::FuncOp"> {
  let summary = "Turn generics that store one value everywhere into fills";
  let description = [{
    Exported index arithmetic contains generics without inputs that yield a
    constant. Upstream can fold `linalg.fill`, and most of the computations on
    such constants then disappear.

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

def RaiseBiasInitsPass : Pass<"pruner-raise-bias-inits", "mlir::func::FuncOp"> {
  let summary = "Start sums from zero and add their bias afterwards";
  let description = [{
    The bias of an exported convolution is broadcast into its init operand. This
    pass applies to a contraction, convolution or summing pooling whose init is
    computed elementwise (usually a broadcast copy). It starts the sum from
    zero, and an elementwise generic after it adds the original init, read
    through the broadcast's map. All sums then have the same form, and the bias
    is an epilogue.

    The pass moves one addition from the start of a sum to its end.
    Floating-point results may differ in rounding, as they do under any schedule
    that splits the sum.

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
    Statistic<"numRaised", "raised", "Sums changed to start from zero">
  ];
  let dependentDialects = ["mlir::arith::ArithDialect",
                           "mlir::tensor::TensorDialect",
                           "mlir::linalg::LinalgDialect"];
}

def FoldRowGuardsPass : Pass<"pruner-fold-row-guards", "mlir::func::FuncOp"> {
  let summary = "Test a row's maximum for -infinity instead of every element";
  let description = [{
    PyTorch's attention returns zeros instead of NaN for a row whose scores are
    all masked: it compares every score with -infinity and combines the results
    of a row by `and`. If the row's maximum is available, as in a softmax,
    comparing the maximum alone gives the same result. A NaN makes both false.

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
