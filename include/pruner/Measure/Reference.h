//===- Reference.h - what a task should compute -----------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_MEASURE_REFERENCE_H
#define PRUNER_MEASURE_REFERENCE_H

#include "pruner/Measure/Numerics.h"
#include "pruner/Measure/TaskProgram.h"
#include <string>
#include <vector>

namespace pruner {

/// What one result should be for one set of inputs.
struct ExpectedOutput {
  std::vector<double> want;
  /// Largest admissible |got - want| per element; empty if it is zero.
  std::vector<double> bound;
};

struct ReferenceSet {
  std::vector<std::vector<uint8_t>> inputs; ///< In the types of the task.
  std::vector<ExpectedOutput> outputs;
};

/// Two sets of inputs and what the task makes of them, by the unscheduled task
/// in double precision through plain loops.
///
/// The first set holds small integers and is compared exactly if the analysis
/// (Numerics.h) shows that no rounding can happen. The second, and the first
/// where that is not so, holds random reals. Their bound per element is, with n
/// = terms of the sum + operations around it and u of the accumulator,
///
///     n u / (1 - n u) sum|terms| + 2 u_out |want|
///
/// (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section
/// 3.1: any order of summation) for sums, products, extrema and selections;
/// with any other function in it
///
///     min(1/2, 16 (n u + 16 ops u_ops)) (|want| + root mean square of want)
///
/// which is wide beside rounding and narrow beside a missing term.
struct Reference {
  TaskNumerics numerics; ///< `exact` speaks of the first set.
  std::vector<ReferenceSet> sets;
};

/// Computes the reference of `task`, or reads it from `cacheDir` (if not empty)
/// where an earlier call with the same `text` and `seed` left it.
llvm::Expected<Reference> makeReference(const TaskProgram &task,
                                        llvm::StringRef text, int64_t seed,
                                        llvm::StringRef cacheDir);

/// Compares a result with what was expected. Returns nothing if it agrees, else
/// how many elements differ and the first one: index, expected, got.
/// `errorOverBound` becomes the largest error as a fraction of its bound.
std::optional<std::string> compareOutput(const TensorSpec &spec,
                                         const void *got,
                                         const ExpectedOutput &expected,
                                         double &errorOverBound);

/// Calls `function` with `arguments`, which must be at most maxArguments.
inline constexpr size_t maxKernelArguments = 48;
void invokeKernel(void *function, llvm::ArrayRef<void *> arguments);

} // namespace pruner

#endif // PRUNER_MEASURE_REFERENCE_H
