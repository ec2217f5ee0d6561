//===- Views.td - reshapes, transpositions and slices ------*- tablegen -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_CONVERSION_NORMALIZE_VIEWS
#define PRUNER_CONVERSION_NORMALIZE_VIEWS

include "mlir/Pass/PassBase.td"

def CropNegativePads : Pass<"pruner-crop-negative-pads", "mlir::func::FuncOp"> {
  let summary = "Cut off what is padded by a negative amount";
  let description = [{
    Upstream takes `tensor.pad` for a copy into something larger: bufferization
    writes outside of what is smaller, and a pad whose result has the type of
    its source is folded, though it may move all elements. A pad with an amount that is negative, or
    not known, first takes the slice of its source that is left in the result.
    Amounts that are not known are computed when the program runs; they may
    leave nothing of the source.

    ```mlir
    %p = tensor.pad %x low[-1] high[2] {...} : tensor<7xf32> to tensor<8xf32>
    // becomes
    %s = tensor.extract_slice %x[1] [6] [1] : tensor<7xf32> to tensor<6xf32>
    %p = tensor.pad %s low[0] high[2] {...} : tensor<6xf32> to tensor<8xf32>
    ```
  }];
  let statistics = [Statistic<"numCropped", "cropped", "Pads changed">];
  let dependentDialects = ["mlir::arith::ArithDialect",
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

#endif // PRUNER_CONVERSION_NORMALIZE_VIEWS
