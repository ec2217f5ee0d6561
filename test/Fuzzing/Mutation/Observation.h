//===- Observation.h - what a kernel made of its inputs ---------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_FUZZING_MUTATION_OBSERVATION_H
#define PRUNER_FUZZING_MUTATION_OBSERVATION_H

#include "Fuzzing/Schedules/KernelCode.h"
#include "pruner/Verification/Reference.h"

namespace pruner {

/// The inputs that kernels of one task run on: those of the check first.
struct ObservedSets {
  std::vector<const ReferenceSet *> sets;
  size_t checked = 0;
};

/// Outputs of one set, most tasks have one.
inline constexpr size_t maxObservedResults = 96;

/// What one kernel did, in memory that parent and child share.
struct Observation {
  enum class State { Building, Unbuilt, Running, Done } state = State::Building;
  struct Result {
    /// Largest |got - want| where the bound is finite; infinite beside a NaN.
    double difference;
    int64_t element; ///< Where that is.
    double got, want, bound;
    int64_t differing; ///< Elements with got != want.
    uint64_t hash;     ///< Of all bits.
  };
  Result results[maxObservedResults];
  size_t numResults = 0;
  /// Why the check refused it, why it would on other inputs, and what it did
  /// beside its outputs or how it ended; empty if it did not.
  char refused[400] = "", refusedElsewhere[400] = "", broken[400] = "";
};

/// Runs `code` on every set as a runner does (RunArtifact.h): guard zones,
/// poisoned outputs, inputs unchanged after it.
void observe(KernelCode &code, const TaskProgram &task,
             const ObservedSets &sets, Observation &seen);

} // namespace pruner

#endif // PRUNER_FUZZING_MUTATION_OBSERVATION_H
