//===- Accuracy.td - types of products and sums ------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_CONVERSION_NORMALIZE_ACCURACY
#define PRUNER_CONVERSION_NORMALIZE_ACCURACY

include "mlir/Pass/PassBase.td"

def AbsorbExtensionsPass : Pass<"pruner-absorb-extensions", "mlir::func::FuncOp"> {
  let summary = "Extend narrow factors in the bodies of sums of products";
  let description = [{
    Exported networks in f16 and bf16 extend both factors of a product to f32 by
    separate ops. This pass moves the extensions into the body, through
    reshapes, slices and pads in between. The product then reads the narrow
    tensors, and instructions that multiply narrow numbers can compute it. No
    result changes. Products of which only one factor was extended do not
    change.

    ```mlir
    %a = linalg.generic ... ins(%x : tensor<128x512xbf16>) { arith.extf }
    %b = linalg.generic ... ins(%w : tensor<512x64xbf16>) { arith.extf }
    %r = linalg.matmul ins(%a, %b : tensor<128x512xf32>, tensor<512x64xf32>) outs(%z : tensor<128x64xf32>)
    // becomes
    %r = linalg.matmul ins(%x, %w : tensor<128x512xbf16>, tensor<512x64xbf16>) outs(%z : tensor<128x64xf32>)
    ```
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::linalg::LinalgDialect",
                           "mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"numAbsorbed", "absorbed", "Products that read narrow factors">
  ];
}

def RelaxAccuracyPass : Pass<"pruner-relax-accuracy", "mlir::ModuleOp"> {
  let summary = "Rewrite sums and products as the allowed accuracy permits";
  let description = [{
    By default a tuned program computes what its text says, with sums in any
    order. The option `accuracy`, and the attribute `pruner.accuracy` of the
    module, name *relaxations* that allow more. The pass applies them to the
    normalized program, and adds the names of the option to the attribute. Tasks
    do not change.

    In the bounds, r is the result, n the number of terms, u = 2^-24 the unit
    roundoff of f32, g = n u / (1 - n u), and l = 2^-126 the smallest normal
    number of f32 and bf16. All sums may be added in any order.

    `folded-scales`: additions, subtractions, multiplications and divisions of a
    tensor x of f32 by constants become x s + t, where s and t are tensors that
    are computed ahead of time. If x is a sum of products of which one factor is
    a constant with the dimensions of s, that factor is multiplied by s instead,
    and t is added. A batch norm after a convolution is then one addition. With
    k the number of operations, the result differs from the exact one by

        |r - (x s + t)| <= g (|x s| + T),  n = k + 2

    where T is the sum of the magnitudes of the offsets, each multiplied by the
    scales after it, and g takes this n. For a sum of n products p, x s is
    sum(p s), |x s| is sum(|p s|), and n is n + k + 2. This holds if no intermediate
    result is subnormal or infinite. Where an offset nearly cancels x, the
    original program is more accurate.

    `wide-sums`: a sum whose accumulator is f16 or bf16 accumulates in f32 and
    is rounded once, at its end. So are sums of products, whose products are not
    rounded. With v the unit roundoff of the type (2^-11 for f16, 2^-8 for bf16)
    and m its smallest positive number, the result differs from the exact sum of
    the terms t by

        |r - sum(t)| <= v |sum(t)| + (1 + v) g sum(|t|) + m

    for sums within the range of the type. This is less than the bound of the
    narrow sum, where v takes the place of u in g. Instructions may add products
    of bf16, so the terms with l of the bound below are added for these.

    `bf16-products`: both factors of a sum of products in f32 are rounded to
    bf16, to nearest, and the products are accumulated in f32. A factor x
    becomes x (1 + d) with |d| <= v = 2^-8. Instructions take subnormal numbers
    as zero, which adds at most l, and each of their steps may flush a result
    below l. Therefore, with p = sum(|x y|) and s = sum(|x| + |y|),

        |r - sum(x y)| <= (2 v + v^2) p + g (1 + v)^2 p
                          + (1 + g) (l (1 + v) s + n l^2 + 2 n l)

    if all factors are at most 2^127 (2 - 2^-8) in magnitude; larger ones become
    infinite. For normal numbers and short sums, that is less than p / 127. The
    rounding of a constant is evaluated, or computed ahead of time. The rounding
    of an activation is computed by its producer, if nothing else reads it, or
    else by the task that reads it. A product is rewritten only if every target
    has an instruction that computes bf16 x bf16 + f32, if the task can use it,
    and if the instruction and the conversions take at most two thirds of the
    time of multiply-adds in f32, by the costs in the description of the
    machine. Products of fewer than 65536 points do not change.

    `tf32-products`: both factors of a sum of products in f32 are rounded to
    tf32, to nearest, ties away from zero, in the body of the sum:

    ```mlir
    %p = arith.truncf %x to_nearest_away : f32 to tf32
    %q = arith.extf %p : tf32 to f32
    ```

    A factor x becomes x (1 + d) with |d| <= v = 2^-11, or differs by at most
    2^-137 if it is subnormal. The products are exact in f32. Tensor cores
    truncate terms and results instead of rounding them, which loses up to three
    units for each product. If a factor is subnormal, they may lose its product.
    Therefore, with p and s as above, and g of 3 n instead of n,

        |r - sum(x y)| <= (2 v + v^2) p + g (1 + v)^2 p + (1 + g) (l (1 + v) s + 2 n l)

    if all factors are at most 2^127 (2 - 2^-10) in magnitude; larger ones
    become infinite. For normal numbers and sums of at most 100 terms, that is
    less than p / 1000. A product is rewritten only if all targets are GPUs with
    tensor cores for tf32 (sm_80 and newer) whose rate is at least 1.5 times
    that of multiply-adds in f32: GPUs of data centers, but not GeForce. The
    task must be able to use the instruction, directly or with the channels
    moved last, which a constant factor permits (`pruner-move-channels-last`).
    Products of fewer than 65536 points do not change.

    `f16-sums`: a sum of at most 512 products of f16, in f32 or f16, accumulates
    in f16, and its products are not rounded. The body has the flag `contract`:

    ```mlir
    %p = arith.mulf %x, %y fastmath<contract> : f16
    %q = arith.addf %s, %p fastmath<contract> : f16
    ```

    Instructions add exact products to the accumulator in groups of any size and
    round each sum to f16. With v = 2^-11, n the number of products that are not
    zero, h = (n + 1) v / (1 - (n + 1) v), m = 2^-24 the smallest positive
    number of f16, and d the sum of |x y| over the products with a subnormal
    factor, next to which tensor cores may truncate other terms,

        |r - sum(x y)| <= h (sum(|x y|) + 2^-9 d) + 2^-9 d + n m

    if no partial sum leaves the range of f16; others become infinite. One more
    term counts if the sum does not begin with zero. With 512 products that is a
    third of sum(|x y|), and errors that occur are much smaller. An
    initial value in f32 is rounded to f16. A product is rewritten only if all
    targets are GPUs, if the task can use an instruction with f16 accumulators,
    and if these are at least 1.5 times as fast as f32 accumulators: on GeForce
    devices, but not on those of data centers. Sums that are f16 already are
    rewritten on both, because otherwise tensor cores cannot compute them.
    Products of fewer than 65536 points do not change.

    `bf16-tensors`: a result in f32 of an operation that a sum of products or a
    pooling reads is rounded to bf16, to nearest, for these and for all other
    operations that read it, so that its producer stores bf16. A result r
    becomes r (1 + d) with |d| <= v = 2^-8, or differs by at most 2^-134 if it
    is subnormal; where an instruction multiplied bf16 to compute r, a subnormal
    r becomes zero. Results of more than 2^127 (2 - 2^-8) in magnitude become
    infinite. Results with fewer than 4096 elements, and those that the function
    returns, do not change, and nothing depends on the targets.

    `winograd`: a convolution in f32 with a constant filter, whose windows of 3
    to 7 elements per dimension move by one element, is computed tile by tile.
    With r elements of a window and m = 2 or 4 results of a tile along a
    dimension, the algorithm of Toom and Cook needs n = m + r - 1 products
    instead of m r, at most 36 per tile over all dimensions: F(2x2, 3x3) has 16
    instead of 36, F(4x4, 3x3) has 36 instead of 144. The filter g is
    transformed by a matrix G, ahead of time, and the image d by B. A batched
    product sums up the channels c, and A transforms the products to the result:

        r = A^T sum_c((G g_c) * (B d_c))          (* multiplies elementwise)

    Over several dimensions, the matrices are Kronecker products. B and A are
    exact in f32; G is rounded once. Each of the four steps is a task that sums
    products, so that its error is at most gamma(k) = k u / (1 - k u) times the
    sum of the magnitudes of its k terms. With t products per tile, R elements
    of a window and C channels, the factors (1 + gamma) of the steps multiply,
    and (1 + gamma(j)) (1 + gamma(k)) <= 1 + gamma(j + k), so

        |r - exact| <= gamma(C + R + 2 t + 1) |A^T| sum_c((|G| |g_c|) * (|B| |d_c|))

    elementwise, as long as no step overflows or underflows. Unlike the bound of
    the direct sum, gamma(C R) sum(|g d|), it depends on all elements of the
    tile, not only on those of the window. If all |g| <= W and |d| <= D, the sum
    on the right is at most 64 C W D for F(2x2, 3x3) and 2304 C W D for F(4x4,
    3x3), where the direct sum has 9 C W D; in one dimension 8, 48 and 3. The
    errors that occur are much smaller, because signs cancel. An element of the
    image that is infinite or NaN makes all results of its tiles NaN or
    infinite. The time of both forms on each target, which must be a CPU, is
    predicted by the multiplications and additions of all steps, and by the bytes
    that the filter, the transformed image, and the products move. With the
    option `measure`, as in `pruner-tune`, a convolution becomes
    `pruner.alternatives` of the forms `direct` and `winograd`, each with the
    elementwise operations that follow, if the transformed form is predicted to
    take at most 1.25 times as long. Without the option, a convolution is
    rewritten if it is predicted to take at most 0.8 times as long. The task
    that transforms the image also pads it. If whole tiles exceed the result, a
    slice cuts off the excess, which its reader does in place if possible. The
    steps are always computed in f32, because the algorithm would amplify the
    errors of other roundings: a convolution whose factors `bf16-products`
    rounds is not rewritten, and an image that `bf16-tensors` rounds is
    transformed in f32.

    ```mlir
    %r = linalg.matmul ins(%x, %w : tensor<128x512xf32>, tensor<512x64xf32>) outs(%z : tensor<128x64xf32>)
    // becomes, with accuracy=bf16-products on a CPU with AMX-BF16
    %a = linalg.generic ... ins(%x : tensor<128x512xf32>) outs(%e : tensor<128x512xbf16>) { arith.truncf }
    %b = linalg.generic ... ins(%w : tensor<512x64xf32>) outs(%f : tensor<512x64xbf16>) { arith.truncf }
    %r = linalg.matmul ins(%a, %b : tensor<128x512xbf16>, tensor<512x64xbf16>) outs(%z : tensor<128x64xf32>)
    ```
  }];
  let options = [
    Option<"accuracy", "accuracy", "std::string", "\"\"",
           "A list of relaxations",
           "::llvm::cl::desc(accuracyHelp())">,
    ListOption<"targets", "targets", "std::string",
               "The targets that must profit; none: 'cpu', this host">,
    Option<"measure", "measure", "bool", "false",
           "Keep both forms of a part, as `pruner.alternatives`, where a "
           "measurement may decide">
  ];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::linalg::LinalgDialect",
                           "mlir::tensor::TensorDialect", "pruner::PrunerDialect"];
  let statistics = [
    Statistic<"numRewritten", "rewritten", "Ops rewritten">
  ];
}

#endif // PRUNER_CONVERSION_NORMALIZE_ACCURACY
