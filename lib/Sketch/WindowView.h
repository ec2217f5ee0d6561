//===- WindowView.h - windows of an input side by side ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Neighboring windows of a convolution overlap in memory: a coordinate of the
// image is the sum of a position of the window and of one inside of it. In the
// view of an input that this file describes, both are coordinates of their own,
// so that a copy of it has room for zeros after each window.

#ifndef PRUNER_LIB_SKETCH_WINDOWVIEW_H
#define PRUNER_LIB_SKETCH_WINDOWVIEW_H

#include "pruner/Sketch/BuildProgram.h"

namespace pruner {

struct WindowView {
  /// Anchor dimensions to coordinates of the view.
  AccessMap map;
  llvm::SmallVector<int64_t, 4> shape;
  /// Coordinates of the view to those of the tensor. A padded input may be
  /// left.
  AccessMap source;
};

/// The view of anchor input `input` whose last coordinates are the position of
/// the window and dimension `dim`; std::nullopt if the last coordinate of the
/// tensor is not the sum of `dim` and one parallel dimension.
std::optional<WindowView> windowView(const TaskDesc &task, unsigned input,
                                     unsigned dim);

/// Whether the terms of its sums are floats.
bool addsFloats(const MatrixInstruction &instruction);

/// Whether the copy of anchor input `input` is one of its `windowView` along
/// the sum. Beyond the extent of a sum of floats a must be zero, but beyond
/// most windows there are elements of the next one.
bool copiesWindows(const TaskDesc &task, const InstructionUse &use,
                   unsigned input);

} // namespace pruner

#endif // PRUNER_LIB_SKETCH_WINDOWVIEW_H
