//===- ArgumentBoxes.h - elements that are reduced together -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_VERIFICATION_ARGUMENTBOXES_H
#define PRUNER_LIB_VERIFICATION_ARGUMENTBOXES_H

#include "pruner/Builder/TaskProgram.h"

namespace pruner {

/// Divides an argument of a task into boxes, such that the elements of one box
/// are reduced together. The size of a box along a dimension is
///
/// * 1 if no op reduces over the dimension;
/// * the whole extent if an op does;
/// * twice the window if a window slides along it, so that each box contains a
///   whole window.
///
/// A tensor that is only mapped has boxes of one element.
class ArgumentBoxes {
public:
  ArgumentBoxes(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> sizes);

  /// The number of boxes.
  int64_t count() const { return boxes; }
  /// Elements of a box that is not cut off at an end.
  int64_t length() const { return most; }
  /// Whether some op reduces the argument.
  bool reduced() const { return most > 1; }
  /// Linear positions of the elements of a box, in row-major order.
  void elements(int64_t box, llvm::SmallVectorImpl<int64_t> &places) const;

private:
  llvm::SmallVector<int64_t, 4> shape, sizes;
  int64_t boxes = 1, most = 1;
};

/// One for each argument of `task`.
std::vector<ArgumentBoxes> argumentBoxes(const TaskProgram &task);

} // namespace pruner

#endif // PRUNER_LIB_VERIFICATION_ARGUMENTBOXES_H
