//===- PsaFixtures.h - fixtures of the analytical model's tests -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_TEST_UNIT_ANALYSIS_PSAFIXTURES_H
#define PRUNER_TEST_UNIT_ANALYSIS_PSAFIXTURES_H

#include "TaskFixtures.h"

#include "pruner/Analysis/Psa.h"
#include "pruner/Sketch/BuildProgram.h"

#include "gtest/gtest.h"

namespace pruner::test {

inline ProgramSummary program(const TaskDesc &task, const Schedule &schedule) {
  return summarize(task, buildTiledProgram(task, schedule));
}

inline double seconds(const TaskDesc &task, const Schedule &schedule,
                      const Machine &machine, PsaOptions options = {}) {
  return psaSeconds(program(task, schedule), machine, options);
}

inline const StatementPsa &of(const PsaReport &report,
                              const ProgramSummary &program, StatementKind kind,
                              unsigned which = 0) {
  for (unsigned i = 0; i < program.statements.size(); ++i)
    if (program.statements[i].kind == kind && which-- == 0)
      return report.statements[i];
  ADD_FAILURE() << "no such statement";
  return report.statements.front();
}

/// 480x512x512 mostly: a register tile, packed operands.
inline Schedule cpuTile(int64_t rows, int64_t columns, int64_t lanes = 8) {
  Schedule s;
  s.tiles = {{1, 8, rows}, {2, 4, columns}, {256}};
  s.stages = {StageLevel::Inner, StageLevel::Inner};
  s.vector = lanes;
  return s;
}

} // namespace pruner::test

#endif // PRUNER_TEST_UNIT_ANALYSIS_PSAFIXTURES_H
