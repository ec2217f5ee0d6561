//===- SlicedTask.h - a task in parts along its first dimension -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_VERIFICATION_SLICEDTASK_H
#define PRUNER_LIB_VERIFICATION_SLICEDTASK_H

#include "pruner/Builder/TaskProgram.h"

namespace pruner {

/// A task that computes a part of the first dimension of all results of another
/// one, with the same operations in the same order.
struct SlicedTask {
  TaskProgram task;
  /// The number of parts, which have equal extents.
  int64_t parts = 1;
  /// Whether an input is sliced along its first dimension, too. The others are
  /// used by all parts.
  std::vector<bool> slicesInput;
};

/// Slices `task` if values between its ops, as f64 with a bound for each, take
/// more than `bytes`: into as few parts as keep them below, or into single
/// positions. None if they take less, or if the ops of the parts would compute
/// much of the same.
std::optional<SlicedTask> sliceTask(const TaskProgram &task, int64_t bytes);

} // namespace pruner

#endif // PRUNER_LIB_VERIFICATION_SLICEDTASK_H
