//===- CpuBody.h - cycles of a statement on a core --------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_ANALYSIS_CPUBODY_H
#define PRUNER_LIB_ANALYSIS_CPUBODY_H

#include "pruner/Machine/Machine.h"
#include "pruner/Program/Summary.h"

#include <algorithm>

namespace pruner::detail {

/// The least side of the squares that the copying code transposes.
inline constexpr double kLeastSquare = 4;

/// Lines of a run after which the next ones are fetched ahead.
inline constexpr double kForeseenLines = 4;

/// A core's description, with its clock (Hz) and multiply-adds per cycle.
struct Core : CoreModel {
  double clock, fmaPerCycle;
  explicit Core(const Machine &machine) : CoreModel(machine.core) {
    double perFma = 2 * double(std::max<int64_t>(1, machine.lanes));
    clock = machine.clockMHz > 0 ? machine.clockMHz * 1e6
                                 : machine.peakFlops / (2 * perFma);
    fmaPerCycle = std::max(0.5, machine.peakFlops / (perFma * clock));
  }
};

/// What one execution of a statement's unrolled and vector loops issues.
struct Body {
  double points = 1, vectors = 1, arithmetic = 0, loads = 0, stores = 0;
  /// Of vectors that are transposed, one a cycle.
  double shuffles = 0;
  double cycles = 0;
  /// Lanes that are added up once the reduction is over.
  double reducedLanes = 1;
  /// Executions by the statement's own serial loops.
  double steps = 1;
};

/// Vector operations per point; a multiplication takes an addition with it.
double operationCost(const OpCounts &ops, const Core &core);

/// The body of a statement that computes. Its innermost reduction loop is
/// unrolled `unroll` times; `line` is in bytes.
Body computeBody(const ProgramSummary &program,
                 const StatementSummary &statement, const Machine &machine,
                 const Core &core, int64_t unroll, int64_t line);

/// Cycles that each execution of an accumulation's own loops takes beside its
/// steady state. Accumulators are fetched and put back, their lanes are added
/// up where those are of the reduction, halves at a time (a shuffle and an
/// addition), and the end of a long loop is mispredicted. Operands read in
/// place in short runs a long way apart come line by line from L2, unless L1
/// keeps them: runs at the same offset of their pages compete for the same
/// sets, so each takes the room of the distance modulo the page (as gcd).
double restartCycles(const ProgramSummary &program,
                     const StatementSummary &statement, const Body &body,
                     const Machine &machine, const Core &core, double line);

/// The body of a statement that fills a local buffer with elements of
/// `elementBytes`: a vector of it, or one element.
Body copyBody(const ProgramSummary &program, const StatementSummary &statement,
              const Machine &machine, const Core &core, double elementBytes);

} // namespace pruner::detail

#endif // PRUNER_LIB_ANALYSIS_CPUBODY_H
