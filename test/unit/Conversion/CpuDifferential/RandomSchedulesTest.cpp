//===- RandomSchedulesTest.cpp - random schedules give equal results ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fuzzing/Schedules/ScheduleFuzz.h"

#include "gtest/gtest.h"
#include <cstdlib>

using namespace pruner;

static void check(FuzzOptions::Target target, const char *variable, int count) {
  const char *text = std::getenv(variable);
  FuzzOptions options;
  options.target = target;
  options.count = text ? std::max(1, std::atoi(text)) : count;
  if (const char *seed = std::getenv("PRUNER_FUZZ_SEED"))
    options.seed = std::strtoull(seed, nullptr, 10);
  llvm::errs() << "PRUNER_FUZZ_SEED=" << options.seed << "\n";
  // Many tasks instead of many schedules of each.
  options.schedulesPerTask = 5;
  FuzzReport report = runFuzz(options, llvm::errs());
  EXPECT_EQ(report.ran, options.count);
  EXPECT_EQ(report.wrong, 0u);
  // Many tasks are exact, and comparing all of them within bounds would hide
  // errors. Tasks with exponentials, divisions and roots are not exact.
  EXPECT_GT(4 * report.exact, report.ran);
}

TEST(Differential, CpuSchedulesOfRandomTasks) {
  check(FuzzOptions::Target::Cpu, "PRUNER_FUZZ_SCHEDULES", 150);
}

TEST(Differential, EmulatedGpuSchedulesOfRandomTasks) {
  check(FuzzOptions::Target::Gpu, "PRUNER_FUZZ_GPU_SCHEDULES", 40);
}

TEST(Differential, PtxOfRandomSchedules) {
  check(FuzzOptions::Target::Ptx, "PRUNER_FUZZ_PTX_SCHEDULES", 200);
}
