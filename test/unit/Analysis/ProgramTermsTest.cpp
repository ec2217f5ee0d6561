//===- ProgramTermsTest.cpp -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PsaFixtures.h"

#include "pruner/Analysis/ProgramTerms.h"
#include "pruner/Machine/KnownMachines.h"
#include "pruner/Sketch/BuildProgram.h"

#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

#include <cmath>
#include <set>

using namespace pruner;
using namespace pruner::test;

namespace {
struct Terms {
  std::vector<std::string> names = programTermNames();
  std::vector<float> values;

  double operator[](llvm::StringRef name) const {
    auto found = llvm::find(names, name);
    EXPECT_NE(found, names.end()) << name.str();
    return values.at(found - names.begin());
  }
};
} // namespace

static Schedule simtTile() {
  Schedule s;
  s.sketch = SketchId::SimtTile;
  s.tiles = {{1, 16, 2, 2}, {1, 16, 2, 2}, {8, 2}};
  s.stages = {StageLevel::Inner, StageLevel::Inner};
  s.unroll = 64;
  return s;
}

static Terms termsOf(const TaskDesc &task, const Schedule &schedule,
                     const Machine &machine) {
  ProgramSummary program = summarize(task, buildTiledProgram(task, schedule));
  Terms terms;
  terms.values = programTerms(program, machine);
  EXPECT_EQ(terms.values.size(), terms.names.size());
  EXPECT_FLOAT_EQ(terms.values[0], std::log2(psaSeconds(program, machine)));
  return terms;
}

TEST(ProgramTerms, NamesAreDistinct) {
  std::vector<std::string> names = programTermNames();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(),
            names.size());
}

// Values that can be computed by hand for 1024^3 in 64 x 64 blocks of 256
// threads with steps of 16.
TEST(ProgramTerms, OfAStagedProductOnAGpu) {
  TaskDesc task = matmul(1024, 1024, 1024);
  Terms terms = termsOf(task, simtTile(), *knownMachine("nvidia:a100-40"));
  auto log = [](double x) { return std::log2(x + 1); };
  EXPECT_NEAR(terms["operations_log2"], log(2.0 * 1024 * 1024 * 1024), 1e-5);
  EXPECT_NEAR(terms["grid_log2"], log(256), 1e-5);
  EXPECT_NEAR(terms["block_log2"], log(256), 1e-5);
  EXPECT_NEAR(terms["accumulators_log2"], log(16), 1e-5);
  EXPECT_NEAR(terms["shared.bytes_log2"], log(2 * 64 * 16 * 4), 1e-5);
  EXPECT_EQ(terms["copies"], 2);
  EXPECT_NEAR(terms["copy0.buffer.bytes_log2"], log(64 * 16 * 4), 1e-5);
  // Each of 256 blocks copies 64 x 1024 elements.
  EXPECT_NEAR(terms["copy0.bytes_log2"], log(256.0 * 64 * 1024 * 4), 1e-5);
  EXPECT_EQ(terms["operand0.level"], double(MemoryLevel::Shared));
  EXPECT_EQ(terms["result.level"], double(MemoryLevel::Local));
  EXPECT_EQ(terms["fetches_ahead"], 0);
}

// The shares of the main statement, copies and the rest add up to 1, because
// there is no gap between kernels. Missing parts are 0.
TEST(ProgramTerms, SharesAddUpAndMissingPartsAreZero) {
  TaskDesc task = matmul(512, 512, 512);
  Machine machine = *knownMachine("nvidia:a100-40");
  for (StageLevel stage : {StageLevel::Inner, StageLevel::None}) {
    Schedule schedule = simtTile();
    schedule.stages = {StageLevel::Inner, stage};
    Terms terms = termsOf(task, schedule, machine);
    EXPECT_NEAR(terms["main.share"] + terms["copy0.share"] +
                    terms["copy1.share"] + terms["rest.share"],
                1, 1e-5);
    if (stage == StageLevel::None) {
      EXPECT_EQ(terms["copies"], 1);
      EXPECT_EQ(terms["copy1.bytes_log2"], 0);
      EXPECT_EQ(terms["operand1.level"], double(MemoryLevel::Global));
    }
  }
}

// Every term of the device's model has its seconds in a column; the terms of
// the other kind of device are 0.
TEST(ProgramTerms, TermsOfTheModelHaveColumns) {
  TaskDesc task = matmul(480, 512, 512);
  auto column = [](const char *part, bool gpu, const ModelTerm *term) {
    return std::string(part) + (gpu ? ".gpu." : ".cpu.") + term->name.str() +
           ".share";
  };
  auto check = [&](const Schedule &schedule, const Machine &machine) {
    bool gpu = machine.isGpu();
    ProgramSummary program = summarize(task, buildTiledProgram(task, schedule));
    PsaReport report = analyzePsa(program, machine);
    Terms terms = termsOf(task, schedule, machine);
    for (auto [index, term] : llvm::enumerate(gpu ? gpuTerms() : cpuTerms())) {
      if (!term->hasColumns())
        continue;
      double seconds = 0;
      for (const StatementPsa &statement : report.statements)
        seconds += statement.termSeconds[index];
      EXPECT_NEAR(terms[column("total", gpu, term)], seconds / report.seconds,
                  1e-5)
          << term->name.str();
    }
    for (const ModelTerm *term : gpu ? cpuTerms() : gpuTerms()) {
      if (!term->hasColumns())
        continue;
      EXPECT_EQ(terms[column("total", !gpu, term)], 0);
      EXPECT_EQ(terms[column("main", !gpu, term)], 0);
    }
  };
  check(simtTile(), *knownMachine("nvidia:a100-40"));
  check(cpuTile(6, 16), cpu());
}
