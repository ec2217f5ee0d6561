//===- Views.td - reshapes, transpositions and slices ------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_CONVERSION_NORMALIZE_VIEWS
#define PRUNER_CONVERSION_NORMALIZE_VIEWS

include "mlir/Pass/PassBase.td"

def CropNegativePadsPass : Pass<"pruner-crop-negative-pads", "mlir::func::FuncOp"> {
  let summary = "Replace padding by a negative amount by a slice";
  let description = [{
    Upstream assumes that `tensor.pad` copies into a larger tensor. If the
    result is smaller, bufferization writes out of bounds. If the result has the
    type of the source, the pad is folded, even if it moves all elements. For a
    pad with a negative or unknown amount, this pass first takes the slice of
    the source that remains in the result. Unknown amounts are computed at run
    time; the slice may be empty.

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

def DropEmptyTensorsPass
    : Pass<"pruner-drop-empty-tensors", "mlir::func::FuncOp"> {
  let summary = "Drop ops on tensors without elements";
  let description = [{
    A dimension of extent zero makes a loop without iterations, so the result of
    the op is its init operand. Padding around an empty tensor is a fill, and
    concatenation continues without the empty parts. Therefore no task reads an
    empty tensor.

    ```mlir
    func.func @f(%a: tensor<7x0xf32>, %b: tensor<0x9xf32>, %c: tensor<7x9xf32>) -> tensor<7x9xf32> {
      %r = linalg.matmul ins(%a, %b : ...) outs(%c : tensor<7x9xf32>) -> tensor<7x9xf32>
      return %r : tensor<7x9xf32>
    // becomes
    func.func @f(%a: tensor<7x0xf32>, %b: tensor<0x9xf32>, %c: tensor<7x9xf32>) -> tensor<7x9xf32> {
      return %c : tensor<7x9xf32>
    ```
  }];
  let statistics = [
    Statistic<"numDropped", "dropped", "Values and operations dropped">
  ];
  let dependentDialects = ["mlir::linalg::LinalgDialect",
                           "mlir::tensor::TensorDialect"];
}

def MoveChannelsLastPass : Pass<"pruner-move-channels-last", "mlir::ModuleOp"> {
  let summary = "Make channels the last dimension between operations";
  let description = [{
    Reorders the dimensions of the tensors between operations, so that a
    dimension becomes the last one. These dimensions become the last ones:

    * of products that have a matrix instruction on all targets by the types of
      their factors, and whose other factor is constant: the terms of the sum.
      Instructions add up neighbors in memory; with channels first, each task
      would transpose the image before its products. A product for a GPU must
      fill more than half of the rows and columns of an instruction of a warp.
      If a pixel has few channels, they become last if `pruner-flatten-windows`
      then saves a third of the instructions of CPUs;
    * of depthwise convolutions, if all targets are CPUs and the channels fill
      half a vector of f32: the channels. Vectors of channels need no lanes
      outside of the image and no shifted loads. In such a program also the
      terms of all sums of products with one constant factor, so that the
      tensors between the convolutions follow. A function does not change in
      this way unless the images and results of its depthwise convolutions have
      at least four times as many bytes as the tensors that would be copied into
      another order, and the images that would be read in another order.

    A dimension is followed through everything that moves along it in parallel:
    elementwise operations, pooling, padding, slices and reshapes that do not
    change it. All these tensors are reordered, and the loops of the operations
    in the same way. Arguments and results of functions keep their order; they
    are read through other maps, or transposed if their user is not a `linalg`
    operation. Tensors with two such dimensions do not change. Tasks do not
    change.

    ```mlir
    %p = tensor.pad %x low[0, 1, 1] high[0, 1, 1] {...} : tensor<64x56x56xi8> to tensor<64x58x58xi8>
    %y = linalg.generic {indexing_maps = [affine_map<(f, h, w, c, i, j) -> (c, h + i, w + j)>,
                                          affine_map<(f, h, w, c, i, j) -> (f, c, i, j)>,
                                          affine_map<(f, h, w, c, i, j) -> (f, h, w)>], ...}
           ins(%p, %weights : tensor<64x58x58xi8>, tensor<128x64x3x3xi8>)
           outs(%zero : tensor<128x56x56xi32>) {...} -> tensor<128x56x56xi32>
    // becomes, if %x is the result of an operation, and another convolution
    // reads the channels of %y
    %p = tensor.pad %x low[1, 1, 0] high[1, 1, 0] {...} : tensor<56x56x64xi8> to tensor<58x58x64xi8>
    %y = linalg.generic {indexing_maps = [affine_map<(h, w, f, c, i, j) -> (h + i, w + j, c)>,
                                          affine_map<(h, w, f, c, i, j) -> (f, c, i, j)>,
                                          affine_map<(h, w, f, c, i, j) -> (h, w, f)>], ...}
           ins(%p, %weights : tensor<58x58x64xi8>, tensor<128x64x3x3xi8>)
           outs(%zero : tensor<56x56x128xi32>) {...} -> tensor<56x56x128xi32>
    ```
  }];
  let options = [
    ListOption<"targets", "targets", "std::string",
               "The targets whose instructions count; none: 'cpu', this host">
  ];
  let dependentDialects = ["mlir::arith::ArithDialect",
                           "mlir::linalg::LinalgDialect",
                           "mlir::tensor::TensorDialect"];
  let statistics = [Statistic<"numMoved", "moved", "Tensors reordered">];
}

def MoveReshapesPass : Pass<"pruner-move-reshapes", "mlir::func::FuncOp"> {
  let summary = "Collapse elementwise generics after a reshape";
  let description = [{
    A matrix product over flattened rows is expanded before its bias and
    activation are applied. An elementwise generic after such a
    `tensor.expand_shape` (or before a `tensor.collapse_shape`) is collapsed to
    the rank of the tensor before (after) the reshape when all its maps keep the
    collapsed dimensions together; the reshape moves to the other side.
    Products, reductions and convolutions keep their rank. Other operands of the
    collapsed generic get a `tensor.collapse_shape`, which moves no data.

    After a reduction the pass does the opposite. A convolution and a matrix
    product of one row keep their rank. Elementwise generics after a
    `tensor.collapse_shape` of their result are therefore expanded to that rank,
    and those that already have it are not collapsed. Reductions of one tensor,
    as in a softmax, take this rank as well if the reshape merges none of the
    dimensions that they reduce. Elementwise generics before a
    `tensor.expand_shape` of a contraction's factor are expanded, too.

    Two consecutive reshapes become one or, where possible, none.

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

def SinkBroadcastsPass : Pass<"pruner-sink-broadcasts", "mlir::func::FuncOp"> {
  let summary = "Broadcast factors of contractions as late as possible";
  let description = [{
    Groups of attention heads share keys and values. Exporters repeat these for
    each head, merge groups and heads into one dimension, and transpose or scale
    the result before the product. This pass lets elementwise work on the way to
    a contraction compute the elements before the broadcast. If a
    `tensor.collapse_shape` merges the new dimension with another one, the
    contraction takes the rank before it. `pruner-absorb-transposes` can then
    absorb the broadcast.

    ```mlir
    %b = linalg.broadcast ins(%k : tensor<8x2048x128xf32>) outs(%e : tensor<8x4x2048x128xf32>) dimensions = [1]
    %c = tensor.collapse_shape %b [[0, 1], [2], [3]] : tensor<8x4x2048x128xf32> into tensor<32x2048x128xf32>
    %r = linalg.batch_matmul ins(%p, %c : tensor<32x1x2048xf32>, tensor<32x2048x128xf32>) outs(%i : tensor<32x1x128xf32>)
    // becomes
    %q = tensor.expand_shape %p [[0, 1], [2], [3]] : tensor<32x1x2048xf32> into tensor<8x4x1x2048xf32>
    %s = linalg.generic {5 loops} ins(%q, %b : tensor<8x4x1x2048xf32>, tensor<8x4x2048x128xf32>)
    %r = tensor.collapse_shape %s [[0, 1], [2], [3]] : tensor<8x4x1x128xf32> into tensor<32x1x128xf32>
    ```
  }];
  let dependentDialects = ["mlir::affine::AffineDialect",
                           "mlir::tensor::TensorDialect"];
}

def AbsorbTransposesPass : Pass<"pruner-absorb-transposes", "mlir::func::FuncOp"> {
  let summary = "Read operands of contractions through their indexing maps "
                "instead of a transposed copy";
  let description = [{
    When an operand of `linalg.matmul`, `linalg.batch_matmul` or a contraction
    written as `linalg.generic` is a permuted or broadcast copy of another
    tensor (`linalg.transpose`, `linalg.broadcast`, or a generic that only
    yields its input), the contraction reads the other tensor and its indexing
    yields its input), the contraction reads the other tensor and its indexing
    map does the permutation. A named op that can express the map stays a named
    op; otherwise it becomes a `linalg.generic`. The copy is erased if it has no
    other reader.

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

def AbsorbSlicesPass : Pass<"pruner-absorb-slices", "mlir::func::FuncOp"> {
  let summary = "Let linalg ops read slices through their indexing maps";
  let description = [{
    If a generic, `linalg.matmul` or `linalg.batch_matmul` reads a slice, it
    reads the sliced tensor instead, through a map that includes the position of
    the slice. The named ops become generics. The map depends on the dimension:

    * one element becomes a constant coordinate;
    * a block of s elements that begins at a multiple of s, in a dimension that
      is a multiple of s, becomes a constant coordinate, too: the dimension is
      expanded to blocks, which moves no data;
    * any other part becomes the loop times the stride plus the offset, unless
      it begins at zero with stride one: a loop that is the only term of a
      coordinate must run over the whole dimension. Products do not take such
      maps: their coordinates must be loops and constants.

    A slice that is a contiguous prefix of its tensor stays, because it moves no
    data. A slice of a `pruner.constant` stays, because it is taken once, ahead
    of all runs, and its reader can have it packed ahead. A slice whose
    absorption would leave a loop without an extent stays as well.

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

def HoistSlicesPass : Pass<"pruner-hoist-slices", "mlir::func::FuncOp"> {
  let summary = "Slice a tensor before it is permuted, and reshape it before it "
                "is sliced";
  let description = [{
    Attention that computes queries, keys and values by one product copies them
    so that this dimension of three comes first, and then slices. If the
    dimensions that a slice keeps have the same order before and after the copy,
    the slice is taken from the source of the copy. The copy is erased with its
    last reader.

    ```mlir
    %t = linalg.generic ... ins(%x : tensor<65x3x1024xf32>) outs(%e : tensor<3x65x1024xf32>) { yield }
    %s = tensor.extract_slice %t[1, 0, 0] [1, 65, 1024] [1, 1, 1] : tensor<3x65x1024xf32> to tensor<65x1024xf32>
    // becomes
    %s = tensor.extract_slice %x[0, 1, 0] [65, 1, 1024] [1, 1, 1] : tensor<65x3x1024xf32> to tensor<65x1024xf32>
    ```

    Reshapes, which move no data, move before slices of unit stride, so that the
    slice is next to its reader. If a dimension is both sliced and expanded, the
    cuts must lie between rows of the inner dimensions. If dimensions are
    collapsed, only the outermost of each group may be sliced.

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
    Statistic<"numReshaped", "reshaped", "Reshapes moved before slices">
  ];
  let dependentDialects = ["mlir::tensor::TensorDialect"];
}

def GrowConcatsPass : Pass<"pruner-grow-concats", "mlir::func::FuncOp"> {
  let summary = "Let concatenations that extend each other share one tensor";
  let description = [{
    Dense blocks concatenate the results of all previous layers, again for every
    layer: each concatenation begins with all of the previous one. Such a chain
    becomes one tensor of the final size, into which each result is inserted
    once. A shorter concatenation is then a prefix of it. The pass handles
    concatenations along the outermost dimension, where a prefix is contiguous.
    All readers of the shorter concatenation must come before the longer one, so
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
