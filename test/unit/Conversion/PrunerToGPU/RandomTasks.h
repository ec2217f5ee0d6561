//===- RandomTasks.h - small tasks and their meaning ---------- -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_TEST_UNIT_CONVERSION_PRUNERTOGPU_RANDOMTASKS_H
#define PRUNER_TEST_UNIT_CONVERSION_PRUNERTOGPU_RANDOMTASKS_H

#include "pruner/Program/Task.h"
#include "pruner/Support/Random.h"

#include <functional>
#include <string>
#include <vector>

namespace pruner::test {

/// The result of a statement for one element per input (and, for a reduction,
/// the partial result as the last argument).
using Body = std::function<float(llvm::ArrayRef<float>)>;

/// The text of a task function and the bodies of its statements. Bodies of
/// prologues come first, in the order of the inputs, then the anchor's.
struct RandomTask {
  std::string text;
  std::vector<Body> prologues;
  Body anchor, epilogue;
  /// The initial value of a reduction.
  float init = 0;
  /// Inputs are integers in this range.
  int least = -4, most = 4;
};

/// Matmul and batch matmul in all layouts, with and without prologue and
/// epilogue, f32 and f16 inputs; row maxima; elementwise with transposed and
/// broadcast operands. Extents are small and mostly divide nothing.
RandomTask randomTask(Random &random);

/// The value of every tensor of the task for the arguments `inputs`, computed
/// by loop nests from the iteration domains and indexing maps.
std::vector<std::vector<float>>
evaluate(const TaskDesc &desc, const RandomTask &task,
         const std::vector<std::vector<float>> &arguments);

} // namespace pruner::test

#endif // PRUNER_TEST_UNIT_CONVERSION_PRUNERTOGPU_RANDOMTASKS_H
