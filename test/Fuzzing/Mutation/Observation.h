//===- Observation.h - observe the results of a kernel ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_FUZZING_MUTATION_OBSERVATION_H
#define PRUNER_FUZZING_MUTATION_OBSERVATION_H

#include "Fuzzing/Schedules/KernelCode.h"
#include "pruner/Verification/Reference.h"

namespace pruner {

/// The input sets for the kernels of one task: first those of the verification.
struct ObservedSets {
  std::vector<const ReferenceSet *> sets;
  size_t checked = 0;
};

/// Maximum number of observed results; most tasks have one output per set.
inline constexpr size_t maxObservedResults = 96;

/// The results of one kernel, in memory that parent and child share.
struct Observation {
  enum class State { Building, Unbuilt, Running, Done } state = State::Building;
  struct Result {
    /// Largest |got - want| where the bound is finite; infinite for an
    /// unexpected NaN.
    double difference;
    int64_t element; ///< Its position.
    double got, want, bound;
    int64_t differing; ///< Elements with got != want.
    uint64_t hash;     ///< Of all bits.
  };
  Result results[maxObservedResults];
  size_t numResults = 0;
  /// Why verification rejected it, why it would on other inputs, and what it
  /// wrote outside of its outputs or how it ended; empty if none of this
  /// happened.
  char rejected[400] = "", rejectedElsewhere[400] = "", broken[400] = "";
};

/// Runs `code` on every set as a runner does (RunArtifact.h): with guard zones
/// and poisoned outputs, and checks that inputs are unchanged.
void observe(KernelCode &code, const TaskProgram &task,
             const ObservedSets &sets, Observation &seen);

} // namespace pruner

#endif // PRUNER_FUZZING_MUTATION_OBSERVATION_H
