//===- PsaGpuFixtures.h - fixtures of the cycle model's tests ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_TEST_UNIT_ANALYSIS_PSAGPUFIXTURES_H
#define PRUNER_TEST_UNIT_ANALYSIS_PSAGPUFIXTURES_H

#include "TaskFixtures.h"

#include "pruner/Analysis/Psa.h"
#include "pruner/Sketch/BuildProgram.h"

#include "gtest/gtest.h"

namespace pruner::test {

/// 108 SMs of 64 lanes.
inline Machine sixtyFourLanes() {
  Machine m = gpu();
  m.peakFlops = 2.0 * 108 * 64 * m.clockMHz * 1e6;
  return m;
}

/// 1024^3 in 256 blocks of 16x16 threads with 4x4 elements; 64 steps of 16.
inline Schedule tiles() {
  Schedule s;
  s.sketch = SketchId::SimtTile;
  s.tiles = {{1, 16, 2, 2}, {1, 16, 2, 2}, {8, 2}};
  s.stages = {StageLevel::Inner, StageLevel::Inner};
  s.vector = 4;
  s.unroll = 64;
  return s;
}

/// A scheduled task, and its times by statement.
struct Analysis {
  Analysis(const TaskDesc &task, const Schedule &schedule,
           const Machine &machine = sixtyFourLanes(), PsaOptions options = {})
      : program(summarize(task, buildTiledProgram(task, schedule))) {
    options.form = PsaForm::Throughput;
    report = analyzePsa(program, machine, options);
    EXPECT_EQ(report.seconds, psaSeconds(program, machine, options));
  }
  const StatementPsa &of(StatementKind kind, unsigned which = 0) const {
    for (unsigned i = 0; i < program.statements.size(); ++i)
      if (program.statements[i].kind == kind && which-- == 0)
        return report.statements[i];
    ADD_FAILURE() << "no such statement";
    return report.statements.front();
  }
  ProgramSummary program;
  PsaReport report;
};

} // namespace pruner::test

#endif // PRUNER_TEST_UNIT_ANALYSIS_PSAGPUFIXTURES_H
