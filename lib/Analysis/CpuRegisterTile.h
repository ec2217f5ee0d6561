//===- CpuRegisterTile.h - cycles of a statement ----------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_ANALYSIS_CPUREGISTERTILE_H
#define PRUNER_LIB_ANALYSIS_CPUREGISTERTILE_H

#include "pruner/Machine/Machine.h"
#include "pruner/Program/Summary.h"

#include <algorithm>

namespace pruner::detail {

/// The smallest side of the squares that the generated copies transpose.
inline constexpr double kLeastSquare = 4;

/// Runs of at least this many lines are prefetched.
inline constexpr double kPrefetchedLines = 4;

/// The model of a core, with its clock (Hz) and multiply-adds per cycle.
struct Core : CoreModel {
  double clock, fmaPerCycle;
  explicit Core(const Machine &machine) : CoreModel(machine.core) {
    double perFma = 2 * double(std::max<int64_t>(1, machine.lanes));
    clock = machine.clockMHz > 0 ? machine.clockMHz * 1e6
                                 : machine.peakFlops / (2 * perFma);
    fmaPerCycle = std::max(0.5, machine.peakFlops / (perFma * clock));
  }
};

/// The resources of one step, which is one execution of a statement's unrolled
/// and vector loops.
struct RegisterTile {
  double points = 1, vectors = 1, arithmetic = 0, loads = 0, stores = 0;
  /// Shuffles that transpose vectors, one per cycle.
  double shuffles = 0;
  double cycles = 0;
  /// Lanes of a horizontal reduction after the reduction loop; 1 if there is
  /// none.
  double reducedLanes = 1;
  /// Steps in one execution of the statement's own serial loops.
  double steps = 1;
};

/// Vector operations per point. A multiplication includes one addition.
double operationCost(const OpCounts &ops, const Core &core);

/// The step of a statement that computes. Its innermost reduction loop is
/// unrolled `unroll` times; `line` is in bytes.
RegisterTile computeRegisterTile(const ProgramSummary &program,
                                 const StatementSummary &statement,
                                 const Machine &machine, const Core &core,
                                 int64_t unroll, int64_t line);

/// Cycles of each execution of a reduction loop in addition to its steps.
/// Accumulators are loaded and stored. Vectors along the reduction are reduced
/// horizontally, by halves (a shuffle and an addition each). The exit of a long
/// loop is mispredicted. Operands that are read in place in short runs, far
/// apart, come from L2 line by line unless L1 keeps them. Runs at the same
/// offset in their pages compete for the same sets, so each run occupies the
/// distance modulo the page (as gcd).
double loopPrologueCycles(const ProgramSummary &program,
                          const StatementSummary &statement,
                          const RegisterTile &tile, const Machine &machine,
                          const Core &core, double line);

/// The step of a statement that fills a local buffer with elements of
/// `elementBytes` bytes: one vector, or one element.
RegisterTile copyRegisterTile(const ProgramSummary &program,
                              const StatementSummary &statement,
                              const Machine &machine, const Core &core,
                              double elementBytes);

} // namespace pruner::detail

#endif // PRUNER_LIB_ANALYSIS_CPUREGISTERTILE_H
