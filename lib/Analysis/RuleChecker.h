//===- RuleChecker.h - the rules of schedules -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_ANALYSIS_RULECHECKER_H
#define PRUNER_LIB_ANALYSIS_RULECHECKER_H

#include "pruner/Analysis/Legality.h"
#include "pruner/Sketch/Sketch.h"

namespace pruner {

/// Checks one schedule against the rules of Analysis/Legality.h. Each rule
/// relies on the rules before it in `shape`.
class RuleChecker {
public:
  RuleChecker(const TaskDesc &task, const Schedule &schedule)
      : task(task), schedule(schedule), sketch(sketchOf(schedule)),
        anchor(task.anchorStatement()) {}

  /// The rules that need no machine.
  MaybeViolation shape();
  MaybeViolation all(const Machine &machine);

private:
  // ShapeRules.cpp.
  MaybeViolation tileLists();
  MaybeViolation factorCounts();
  MaybeViolation tripsNotEmpty();

  // MachineRules.cpp.
  /// "6x16": the register tile in output order.
  std::string registerTile() const;
  /// CPU: the vector operations that each vector of the tile adds to the
  /// unrolled code of a map or a chain over rows.
  int64_t operationsPerVector() const;
  MaybeViolation cpu(const Machine &machine);
  MaybeViolation gpu(const Machine &machine);

  const TaskDesc &task;
  const Schedule &schedule;
  const Sketch &sketch;
  const StatementDesc &anchor;
};

} // namespace pruner

#endif // PRUNER_LIB_ANALYSIS_RULECHECKER_H
