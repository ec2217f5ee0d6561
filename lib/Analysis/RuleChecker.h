//===- RuleChecker.h - the rules of schedules -------------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_ANALYSIS_RULECHECKER_H
#define PRUNER_LIB_ANALYSIS_RULECHECKER_H

#include "pruner/Analysis/Legality.h"
#include "pruner/Analysis/Resources.h"
#include "pruner/Program/TiledProgram.h"

namespace pruner {

/// Checks one schedule; the rules are those of Analysis/Legality.h. Each rule
/// is a function that relies on those before it in `shape`.
class RuleChecker {
public:
  using Result = std::optional<Violation>;

  RuleChecker(const TaskDesc &task, const Schedule &schedule)
      : task(task), schedule(schedule), anchor(task.anchorStatement()),
        vectorDim(vectorDimension(task, schedule)) {}

  /// What needs no machine.
  Result shape();
  Result all(const Machine &machine);
  Result variantFitsTask();

private:
  // ShapeRules.cpp.
  Result fitsAcrossThreads(const std::string &name);
  Result rowThreads();
  Result tileLists();
  Result factorCounts();
  Result tripsNotEmpty();
  Result stages();
  Result prologues();
  Result packedAhead();
  Result vectors();
  Result order();
  Result split();
  Result prefetch();
  Result padding();

  // MachineRules.cpp.
  /// "6x16": the register tile in output order.
  std::string registerTile() const;
  Result cpu(const Machine &machine);
  Result cpuVector(const Machine &machine);
  Result gpu(const Machine &machine);
  Result gpuVector();

  bool isTile() const {
    return schedule.variant == Variant::CpuTile ||
           schedule.variant == Variant::SimtTile;
  }
  int64_t outputBytes() const {
    return byteWidth(task.tensors[anchor.output.tensor].type);
  }

  const TaskDesc &task;
  const Schedule &schedule;
  const StatementDesc &anchor;
  std::optional<unsigned> vectorDim;
};

namespace detail {
inline std::string text(int64_t number) { return std::to_string(number); }

RuleChecker::Result broken(unsigned rule, std::string message);
} // namespace detail

} // namespace pruner

#endif // PRUNER_LIB_ANALYSIS_RULECHECKER_H
