//===- WorkerPoolTest.cpp - order, deadlines and seams --------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Measure/WorkerPool.h"
#include "Tasks.h"
#include "llvm/ADT/StringRef.h"
#include "gtest/gtest.h"

using namespace pruner;

static WorkerPoolOptions poolOptions() {
  WorkerPoolOptions options;
  options.builder.program = options.runner.program = PRUNER_WORKER;
  options.builder.addressSpaceBytes = options.runner.addressSpaceBytes =
      uint64_t(4) << 30;
  return options;
}

static MeasureJob matmulJob() {
  MeasureJob job;
  job.key = "matmul";
  job.text = matmulTask(16, 24, 32);
  job.minSeconds = 0.001;
  return job;
}

static const char *tiled =
    "#pruner.schedule<cpu_tile, tiles = [[1, 2, 4], [1, 1, 8], [8]], "
    "stages = [none, none], vector = 8, unroll = 1>";

TEST(WorkerPool, ResultsComeInRequestOrder) {
  WorkerPool pool(poolOptions());
  auto results =
      pool.measure(matmulJob(), {"plain", "nonsense", "default",
                                 "#pruner.schedule<", tiled, "plain"});
  ASSERT_EQ(results.size(), 6u);
  for (int good : {0, 2, 4, 5}) {
    EXPECT_TRUE(results[good].ok()) << results[good].reason;
    EXPECT_TRUE(results[good].run.verified && results[good].run.exact);
    EXPECT_FALSE(results[good].build.artifact.empty());
  }
  EXPECT_EQ(results[4].build.entry, "matmul_kernel");
  EXPECT_EQ(int(results[1].status), int(MeasureStatus::BuildError));
  EXPECT_EQ(results[1].reason, "unknown schedule 'nonsense'");
  EXPECT_EQ(int(results[3].status), int(MeasureStatus::BuildError));
  // One runner and both builders, each started once.
  EXPECT_LE(pool.workerStarts(), 3u);
  ASSERT_TRUE(pool.runnerHello());
  EXPECT_EQ(pool.runnerHello()->protocol, workerProtocolVersion);
}

TEST(WorkerPool, BaselineScalesDeadlinesAndIsVerified) {
  WorkerPool pool(poolOptions());
  MeasureResult baseline = pool.baseline(matmulJob());
  ASSERT_TRUE(baseline.ok()) << baseline.reason;
  EXPECT_TRUE(baseline.run.verified);
  EXPECT_GT(baseline.run.median, 0);
  auto results = pool.measure(matmulJob(), {"plain"});
  EXPECT_TRUE(results[0].ok()) << results[0].reason;
}

TEST(WorkerPool, SlowCandidatesAreCensored) {
  WorkerPool pool(poolOptions());
  MeasureJob job = matmulJob();
  job.bestSeconds = 1e-9;
  auto results = pool.measure(job, {"plain"});
  ASSERT_TRUE(results[0].ok()) << results[0].reason;
  EXPECT_TRUE(results[0].run.censored);
  EXPECT_TRUE(results[0].run.verified);
}

TEST(WorkerPool, TasksThatAreNotTasksAreErrors) {
  WorkerPool pool(poolOptions());
  MeasureJob job = matmulJob();
  job.text = "func.func private @f()";
  auto results = pool.measure(job, {"plain", "plain"});
  for (const MeasureResult &result : results) {
    EXPECT_EQ(int(result.status), int(MeasureStatus::BuildError));
    EXPECT_EQ(result.reason,
              "the task was refused: a task module has one public function "
              "with a body, this one has none");
  }
  // The next job of the same key is not held up by it.
  EXPECT_TRUE(pool.measure(matmulJob(), {"plain"})[0].ok());
}

TEST(WorkerPool, GpuWithoutLoweringSaysSo) {
  WorkerPool pool(poolOptions());
  MeasureJob job = matmulJob();
  job.target = "nvidia:sm_80";
  auto results = pool.measure(job, {"plain"});
  EXPECT_EQ(int(results[0].status), int(MeasureStatus::BuildError));
  EXPECT_EQ(results[0].reason, "schedule 'plain' makes loops for a CPU, not a "
                               "kernel for 'nvidia:sm_80'");
}

TEST(WorkerPool, MissingWorkersAreErrorsNotHangs) {
  WorkerPoolOptions options = poolOptions();
  options.builder.program = "/no/such/worker";
  WorkerPool pool(options);
  auto results = pool.measure(matmulJob(), {"plain", "plain", "plain"});
  for (const MeasureResult &result : results) {
    EXPECT_EQ(int(result.status), int(MeasureStatus::BuildError));
    EXPECT_TRUE(llvm::StringRef(result.reason).contains("cannot start"))
        << result.reason;
  }
}

TEST(WorkerPool, RunnersBehindACommand) {
  WorkerPoolOptions options = poolOptions();
  auto runner =
      parseRunner(std::string("exec:exec ") + PRUNER_WORKER, options.runner);
  ASSERT_TRUE(bool(runner));
  options.runner = *runner;
  {
    WorkerPool pool(options);
    auto results = pool.measure(matmulJob(), {"plain"});
    EXPECT_TRUE(results[0].ok()) << results[0].reason;
  }
  // One that talks, but not the protocol.
  options.runner.exec = "echo hello; sleep 100";
  WorkerPool pool(options);
  auto results = pool.measure(matmulJob(), {"plain"});
  EXPECT_EQ(int(results[0].status), int(MeasureStatus::RunError));
  EXPECT_TRUE(llvm::StringRef(results[0].reason).contains("did not greet"))
      << results[0].reason;
}
