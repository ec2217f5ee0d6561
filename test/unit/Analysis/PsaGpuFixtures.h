//===- PsaGpuFixtures.h - fixtures of the cycle model's tests ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_TEST_UNIT_ANALYSIS_PSAGPUFIXTURES_H
#define PRUNER_TEST_UNIT_ANALYSIS_PSAGPUFIXTURES_H

#include "PsaFixtures.h"

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
      : program(test::program(task, schedule)) {
    options.form = PsaForm::Throughput;
    report = analyzePsa(program, machine, options);
    EXPECT_EQ(report.seconds, psaSeconds(program, machine, options));
  }
  const StatementPsa &of(StatementKind kind, unsigned which = 0) const {
    return test::of(report, program, kind, which);
  }
  ProgramSummary program;
  PsaReport report;
};

} // namespace pruner::test

#endif // PRUNER_TEST_UNIT_ANALYSIS_PSAGPUFIXTURES_H
