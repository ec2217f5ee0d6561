//===- Passes.td - mathematical functions as arithmetic ----*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_CONVERSION_EXPANDMATH_PASSES
#define PRUNER_CONVERSION_EXPANDMATH_PASSES

include "mlir/Pass/PassBase.td"

def ExpandMathPass : Pass<"pruner-expand-math"> {
  let summary = "Write mathematical functions out in arithmetic";
  let description = [{
    Replaces the functions of the math dialect, on scalars and on vectors of any
    rank, by polynomials and other arithmetic. The code then calls no
    mathematical library, and vectors stay vectors. f16 and bf16 functions are
    computed in f32 and rounded once. f64 functions remain for
    `pruner-call-math-library`.

    Each f32 result is the correctly rounded one or its neighbor, for every
    argument. Special values follow C's Annex F: infinities, NaN, signs of zero,
    denormal arguments and results, and the powers of negative numbers.
    docs/results/Math.md lists the measured error of each function.

    * exp, exp2, expm1, log, log2, log10, log1p, tanh, erf, rsqrt, sin, cos and
      tan are computed in f32, where necessary in two parts. They use no table
      and, except for the last three, no branch. The last three reduce angles
      beyond 2^17 (Payne and Hanek) in a branch, which a vector takes if one of
      its lanes is beyond 2^17.
    * powf, cbrt, erfc, the hyperbolic and the inverse functions are computed
      in f64 and rounded once. powf and fpowi with exponents such as 2 become
      products and roots.

    `ceildivsi`, `floordivsi` and similar operations are expanded as well.

    Before:
    ```mlir
    %y = math.exp %x : vector<16xf32>
    ```
    After: clamps, a multiply-add that rounds to an integer, two that subtract
    it, a polynomial of `math.fma`, and a product with two powers of two whose
    bits are shifted into place.
  }];
  let dependentDialects = ["mlir::arith::ArithDialect",
                           "mlir::math::MathDialect", "mlir::scf::SCFDialect",
                           "mlir::ub::UBDialect",
                           "mlir::vector::VectorDialect"];
}

def ComputeInF32Pass : Pass<"pruner-compute-in-f32"> {
  let summary = "Compute bf16 in f32 and round after every operation";
  let description = [{
    For targets without bf16 arithmetic. Every operation of the arith and math
    dialects on bf16 becomes an f32 operation whose result is rounded to the
    nearest bf16, ties to even. Denormal numbers are kept; the conversions of
    AVX512-BF16 flush them. Sums, differences, products, quotients and square
    roots equal the exact result rounded once, because f32 has more than twice
    as many bits.

    A result is rounded in place, by integer arithmetic on the f32, and
    operations that compute with it use that f32. Operations that store or move
    the bf16 use the upper half of the f32. `scf.for` and `scf.if` carry the
    f32. Operations whose result is one of their operands or an integer
    (extrema, selections, floor, ...) do not round. The lanes of a
    `vector.reduction` that adds or multiplies are processed one at a time.

    No folding removes a rounding, with any fast-math flags.

    Before:
    ```mlir
    %q = arith.divf %x, %y : bf16
    %e = arith.cmpf oeq, %q, %m : bf16
    ```
    After:
    ```mlir
    %d = arith.divf %wx, %wy : f32
    %b = arith.bitcast %d : f32 to i32
    %u = arith.shrui %b, %c16 : i32
    %l = arith.andi %u, %c1 : i32
    %h = arith.addi %b, %c32767 : i32
    %s = arith.addi %h, %l : i32
    %r = arith.andi %s, %cff_ff_00_00 : i32
    %q = arith.bitcast %r : i32 to f32
    %e = arith.cmpf oeq, %q, %wm : f32
    ```
  }];
  let dependentDialects = ["mlir::arith::ArithDialect",
                           "mlir::math::MathDialect",
                           "mlir::vector::VectorDialect"];
}

def InvertDivisorsPass : Pass<"pruner-invert-divisors"> {
  let summary = "Divide vectors by one number with multiplications";
  let description = [{
    Replaces divisions of f32 vectors by a product with the reciprocal, if the
    divisor is a constant or a scalar that the innermost surrounding loop does
    not change (the sum of a softmax row). On x86 a division takes as long as
    ten products. LLVM does not replace these divisions, because one product
    would round twice.

    The reciprocal has two parts, 1 / d = (high + low) s, where s is a power of
    two (1 for constants, and for d between 2^-64 and 2^64). Then x / d = (x s)
    high + (x s) low with one fused multiply-add: two products for a constant,
    three for another d. Exact quotients stay exact. The error of the others is
    at most 0.5001 ulp, and at most 1 ulp where the quotient is below 2^-100,
    because x low may be denormal there. Infinite, zero, denormal and NaN
    operands give the result of a division.

    Before:
    ```mlir
    %d = arith.constant dense<3.0> : vector<8xf32>
    %q = arith.divf %x, %d : vector<8xf32>
    ```
    After:
    ```mlir
    %low = arith.constant 1.98682155E-8 : f32
    %high = arith.constant 0.333333313 : f32
    %l = vector.broadcast %low : f32 to vector<8xf32>
    %p = arith.mulf %x, %l : vector<8xf32>
    %h = vector.broadcast %high : f32 to vector<8xf32>
    %q = math.fma %x, %h, %p : vector<8xf32>
    ```
  }];
  let statistics = [
    Statistic<"numInverted", "num-inverted", "Number of divisions replaced">
  ];
  let dependentDialects = ["mlir::arith::ArithDialect",
                           "mlir::math::MathDialect",
                           "mlir::vector::VectorDialect"];
}

def CheckDeviceMathPass : Pass<"pruner-check-device-math",
                                 "mlir::gpu::GPUModuleOp"> {
  let summary = "Reject mathematical functions without a device instruction";
  let description = [{
    Functions that remain after `pruner-expand-math` and have no device
    instruction (f64 functions) would become calls to a library that is not
    linked. The pass reports each at its location.
  }];
}

def CallMathLibraryPass : Pass<"pruner-call-math-library", "mlir::ModuleOp"> {
  let summary = "Call the C library for functions of f64";
  let description = [{
    `pruner-expand-math` does not change f64 functions, and LLVM turns some of
    them into calls of the C library. This pass does the same for the others. In
    glibc 2.36 the `double` versions of sinh, cosh, tanh, their inverses, log10,
    cbrt and erfc can differ from the correctly rounded result by more than one
    ulp. For these the pass calls the `long double` (x87) version and rounds.
    Vectors are computed lane by lane. Scalable vectors and tensors do not
    change.

    Before:
    ```mlir
    %y = math.tanh %x : f64
    ```
    After:
    ```mlir
    %w = arith.extf %x : f64 to f80
    %l = func.call @tanhl(%w) : (f80) -> f80
    %y = arith.truncf %l : f80 to f64
    ```
  }];
  let dependentDialects = ["mlir::arith::ArithDialect",
                           "mlir::func::FuncDialect", "mlir::ub::UBDialect",
                           "mlir::vector::VectorDialect"];
}

#endif // PRUNER_CONVERSION_EXPANDMATH_PASSES
