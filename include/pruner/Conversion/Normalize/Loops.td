//===- Loops.td - loops of generics ------------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_CONVERSION_NORMALIZE_LOOPS
#define PRUNER_CONVERSION_NORMALIZE_LOOPS

include "mlir/Pass/PassBase.td"

def GeneralizeNamedOpsPass
    : Pass<"pruner-generalize-named-ops", "mlir::func::FuncOp"> {
  let summary = "Turn named ops into generics";
  let description = [{
    Rewrites every named op (`linalg.transpose`, `linalg.add`, `linalg.map`,
    convolutions, pooling, `linalg.reduce`, ...) as a `linalg.generic`. Later
    passes then handle one form only, and a convolution of batch one can lose
    its batch loop like any other generic. `linalg.fill`, `linalg.matmul` and
    `linalg.batch_matmul` keep their names.
    Ops on whole tensors are decomposed as in `pruner-decompose-aggregates`:
    `linalg.softmax` into four generics, `linalg.pack` and `linalg.unpack` into
    pads, reshapes and transposes, gathers and bitcasts into generics.

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
  let dependentDialects = ["mlir::arith::ArithDialect",
                           "mlir::scf::SCFDialect",
                           "mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"numGeneralized", "generalized", "Named ops turned into generics">
  ];
}

def FoldUnitDimsPass : Pass<"pruner-fold-unit-dims", "mlir::func::FuncOp"> {
  let summary = "Drop loops and dimensions of extent one from generics";
  let description = [{
    A batch of one, or the sum of a row that keeps its dimension, leads to maps
    such as `(d0, d1, d2) -> (d0, d1, 0)`, which are not projected permutations.
    Generics, pads, slices and concatenations lose those dimensions.
    `tensor.collapse_shape` and `tensor.expand_shape`, which move no data,
    connect them with their neighbors and mostly cancel. Named ops keep their
    rank, except that a `linalg.batch_matmul` with a batch of one becomes a
    `linalg.matmul`. Casts of a concatenation's
    operands that only drop a static size are removed as well.

    One kind of loop of extent one stays: the loop over the positions of a
    window that has one position in an input larger than itself. Without it the
    window's loop would be the only term of the input's coordinate, and such a
    loop must run over the whole input.

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

def RecognizeProductsPass
    : Pass<"pruner-recognize-products", "mlir::func::FuncOp"> {
  let summary = "Merge loops of products that can run as one loop";
  let description = [{
    A convolution by a 1x1 kernel is a matrix product: without its unit
    dimensions it multiplies weights and pixels. Two loops of a `linalg.generic`
    that sums products merge if every operand either has them next to each other
    or has neither, and if elementwise readers of the result can be collapsed in
    the same way, so that they can still be fused. `tensor.collapse_shape` and
    `tensor.expand_shape`, which move no data, connect the product with its
    neighbors. A generic that is then a plain matrix product becomes
    `linalg.matmul`. A kernel that skips pixels remains a convolution.

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

def InlineDequantizationPass
    : Pass<"pruner-inline-dequantization", "mlir::func::FuncOp"> {
  let summary = "Compute dequantized factors in the body of their product";
  let description = [{
    A weight-only model stores weights as narrow integers and multiplies by
    floats that are computed from them: `(w - zero point) * scale`. The scales
    and zero points belong to columns, or to groups of 32 to 128 terms of a sum.
    A product with few rows takes as long as reading its weights, so the floats
    must not go through memory. This pass moves their computation into the body
    of the product, which then reads the integers, scales and zero points. Every
    element keeps its arithmetic and its roundings.

    A product that reads its weights by a `tensor.collapse_shape` of groups
    gets one loop for the groups and one for the terms of a group. Other factors
    are expanded accordingly, which moves no data. This also applies to products
    with so many rows that the factor stays outside; it is then an op before the
    product that can be fused with it.

    ```mlir
    %d = linalg.generic {maps = [(n, g, k), (n, g)]}
        ins(%w, %s : tensor<512x8x32xi8>, tensor<512x8xf32>) { (sitofp w) * s }
    %c = tensor.collapse_shape %d [[0], [1, 2]]
    %r = linalg.generic {maps = [(m, k), (n, k) -> (m, n)]}
        ins(%x, %c : tensor<4x256xf32>, tensor<512x256xf32>) { acc + x * c }
    // becomes
    %e = tensor.expand_shape %x [[0], [1, 2]] : tensor<4x256xf32> into tensor<4x8x32xf32>
    %r = linalg.generic {maps = [(m, g, k), (n, g, k), (n, g) -> (m, n)]}
        ins(%e, %w, %s : ...) { acc + x * ((sitofp w) * s) }
    ```

    A tensor counts as dequantized if its elements are floats that casts,
    additions, products and bit operations compute from one narrower integer
    each, and from tensors that are broadcast.
  }];
  let options = [
    Option<"maxReuse", "max-reuse", "int64_t", /*default=*/"64",
           "Move the computation of a factor if the product reads each of its "
           "elements at most this often">
  ];
  let statistics = [
    Statistic<"numInlined", "inlined", "Ops moved into the bodies of products">
  ];
  let dependentDialects = ["mlir::affine::AffineDialect",
                           "mlir::tensor::TensorDialect"];
}

def SplitUpsampledInputsPass
    : Pass<"pruner-split-upsampled-inputs", "mlir::func::FuncOp"> {
  let summary = "Skip products with the zeros of a transposed convolution";
  let description = [{
    Exporters write a transposed convolution of stride s as a convolution of its
    input with s - 1 zeros between the elements. Most of its products are zero.
    Which filter elements meet elements of the input depends only on the
    position of the result modulo s, its phase p. Let the position be s y + p
    and the filter element u(p) + s i, where u(p) is the first filter element
    that meets an element of the input. Then

        sum over u of zeros[s y + p + u] filter[u]
          = sum over i of input[y + i + e(p)] filter[u(p) + s i]

    and e is linear in p, if necessary after starting some positions before the
    result. The pass therefore replaces the convolution by one operation with
    the loops y, p and i for each such dimension. It reads the original input,
    padded, and filters that a gather has rearranged; constant filters are
    rearranged ahead of time. If s does not divide the filter's extent, some
    phases have one tap more than others; a second operation on their slice
    computes these taps. The pass only removes products with zero, so results
    change only if the filter contains an infinity or NaN. Zeros that are only
    around the elements become a `tensor.pad`.

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
    Statistic<"numSplit", "split", "Operations changed to skip the zeros">
  ];
  let dependentDialects = ["mlir::arith::ArithDialect",
                           "mlir::tensor::TensorDialect",
                           "mlir::linalg::LinalgDialect"];
}

def SplitPaddedWindowsPass
    : Pass<"pruner-split-padded-windows", "mlir::func::FuncOp"> {
  let summary = "Skip products with the padding of a dilated convolution";
  let description = [{
    A window whose elements are far apart (`dilations`) has many of them in the
    padding. For example, of three elements at a distance of 24, over an input
    of 28, only one is inside for most positions of the result. If the padding
    is zero, these products are zero. The pass divides the result into boxes
    whose windows meet the input with the same filter elements. It computes each
    box by its own operation, which reads slices of the input and of the filter
    and no padding along the divided coordinates. The pass only removes products
    with zero, so results change only if the filter contains an infinity or NaN.
    A coordinate is divided if that alone removes at least a quarter of the
    multiply-adds; the padding of the others stays. The pass applies if it
    removes at least `min-saved` multiply-adds per box.

    ```mlir
    %p = tensor.pad %x low[0, 36] high[0, 36] ...
        : tensor<2048x28xf32> to tensor<2048x100xf32>
    %r = linalg.generic {indexing_maps = [(f, o, c, k) -> (c, o + k * 36),
                                          (f, o, c, k) -> (f, c, k),
                                          (f, o, c, k) -> (f, o)], ...}
        ins(%p, %w : tensor<2048x100xf32>, tensor<256x2048x3xf32>) ...
    // becomes
    %m = tensor.extract_slice %w[0, 0, 1] [256, 2048, 1] [1, 1, 1] ...
    %r = linalg.generic ... ins(%x, %m : tensor<2048x28xf32>,
                                         tensor<256x2048x1xf32>) ...
    ```
  }];
  let options = [
    Option<"minSaved", "min-saved", "int64_t", "10000000",
           "Smallest number of multiply-adds to remove per box">
  ];
  let statistics = [
    Statistic<"numSplit", "split", "Operations changed to skip their padding">
  ];
  let dependentDialects = ["mlir::tensor::TensorDialect",
                           "mlir::linalg::LinalgDialect"];
}

def FlattenWindowsPass : Pass<"pruner-flatten-windows", "mlir::func::FuncOp"> {
  let summary = "Make one loop of a window and the channels of its pixels";
  let description = [{
    The first convolution of an image network has few channels: the three bytes
    of a pixel are not a multiple of the four neighbors that a matrix
    instruction adds up. If channels are the last dimension, the pixels of a row
    of the window are contiguous, so that one loop can run over all of their
    channels. The last two dimensions of the image are then one, and the loop
    over the positions of the window moves by whole pixels. A pad of the image
    stays next to its reader. A constant filter with another order is
    transposed, which is done ahead of time.

    Applies to sums of products of integers of at most 16 bits, and of floats of
    16 bits, without dilation, if a pixel has less than 64 bytes, which are a
    row of the tiles of matrix instructions.

    ```mlir
    %r = linalg.generic {indexing_maps = [(h, w, f, y, x, c) -> (h * 2 + y, w * 2 + x, c),
                                          (h, w, f, y, x, c) -> (y, x, c, f),
                                          (h, w, f, y, x, c) -> (h, w, f)], ...}
        ins(%x, %w : tensor<230x230x3xi8>, tensor<7x7x3x64xi8>) ...
    // becomes
    %i = tensor.collapse_shape %x [[0], [1, 2]] : ... into tensor<230x690xi8>
    %f = tensor.collapse_shape %w [[0], [1, 2], [3]] : ... into tensor<7x21x64xi8>
    %r = linalg.generic {indexing_maps = [(h, w, f, y, k) -> (h * 2 + y, w * 6 + k),
                                          (h, w, f, y, k) -> (y, k, f),
                                          (h, w, f, y, k) -> (h, w, f)], ...}
        ins(%i, %f : tensor<230x690xi8>, tensor<7x21x64xi8>) ...
    ```
  }];
  let statistics = [
    Statistic<"numFlattened", "flattened", "Operations with one loop less">
  ];
  let dependentDialects = ["mlir::tensor::TensorDialect",
                           "mlir::linalg::LinalgDialect"];
}

#endif // PRUNER_CONVERSION_NORMALIZE_LOOPS
