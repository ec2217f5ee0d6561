//===- WorkerPoolTest.cpp - order, deadlines and limits -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Measure/WorkerPool.h"
#include "Tasks.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <sched.h>
#include <thread>

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
  // The reference was computed while the builders worked.
  EXPECT_LT(results[0].spent.reference, pool.runCosts().reference / 2);
  for (int good : {0, 2, 4, 5}) {
    EXPECT_TRUE(results[good].ok()) << results[good].reason;
    EXPECT_TRUE(results[good].run.verified &&
                results[good].run.exact.value_or(false));
    EXPECT_LE(results[good].run.errorOverBound.value_or(2), 1);
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

TEST(WorkerPool, ComparisonsDoNotBuildWhatWasMeasured) {
  WorkerPoolOptions options = poolOptions();
  // The first request builds; later ones would fail.
  options.builder.arguments = {
      "--inject=abort@build:1,abort@build:2,abort@build:3,abort@build:4"};
  options.builders = 1;
  WorkerPool pool(options);
  auto results = pool.measure(matmulJob(), {"plain"});
  ASSERT_TRUE(results[0].ok()) << results[0].reason;
  auto compared = pool.compare(matmulJob(), {"plain"}, 2);
  ASSERT_TRUE(compared[0].result.ok()) << compared[0].result.reason;
  EXPECT_TRUE(compared[0].result.run.verified);
  EXPECT_EQ(compared[0].seconds.size(), 2u);
  // The number of threads changes the code.
  MeasureJob other = matmulJob();
  other.threads = 2;
  EXPECT_EQ(int(pool.compare(other, {"plain"}, 2)[0].result.status),
            int(MeasureStatus::BuildCrash));
}

TEST(WorkerPool, SeveralJobsAtOnce) {
  WorkerPool pool(poolOptions());
  MeasureJob first = matmulJob(), wrong = matmulJob(), last = matmulJob();
  wrong.text = "func.func private @f()";
  wrong.key = "wrong";
  last.key = "last";
  last.bestSeconds = 1e-9;
  MeasureItem items[] = {{&first, "plain"},
                         {&wrong, "plain"},
                         {&last, "plain"},
                         {&first, "no schedule"},
                         {&first, "plain"}};
  auto results = pool.measure(items);
  ASSERT_EQ(results.size(), 5u);
  EXPECT_TRUE(results[0].ok()) << results[0].reason;
  EXPECT_FALSE(results[0].run.censored.value_or(false));
  EXPECT_EQ(int(results[1].status), int(MeasureStatus::BuildError));
  // The limit of each job comes from its own best candidate.
  EXPECT_TRUE(results[2].run.censored.value_or(false));
  EXPECT_EQ(int(results[3].status), int(MeasureStatus::BuildError));
  EXPECT_TRUE(results[4].ok()) << results[4].reason;
}

TEST(WorkerPool, BaselineScalesDeadlinesAndIsVerified) {
  WorkerPool pool(poolOptions());
  MeasureResult baseline = pool.baselines(matmulJob()).front();
  ASSERT_TRUE(baseline.ok()) << baseline.reason;
  EXPECT_TRUE(baseline.run.verified);
  EXPECT_GT(baseline.run.median, 0);
  EXPECT_FALSE(baseline.run.censored.value_or(false));
  // It is not repeated if something much faster is known.
  MeasureJob known = matmulJob();
  known.bestSeconds = 1e-9;
  EXPECT_TRUE(pool.baselines(known).front().run.censored.value_or(false));
  auto results = pool.measure(matmulJob(), {"plain"});
  EXPECT_TRUE(results[0].ok()) << results[0].reason;
}

TEST(WorkerPool, SlowCandidatesAreCensored) {
  WorkerPool pool(poolOptions());
  MeasureJob job = matmulJob();
  job.bestSeconds = 1e-9;
  auto results = pool.measure(job, {"plain"});
  ASSERT_TRUE(results[0].ok()) << results[0].reason;
  EXPECT_TRUE(results[0].run.censored.value_or(false));
  EXPECT_TRUE(results[0].run.verified);

  // Slow candidates are compared on two sets of inputs only.
  job.key = "large";
  job.text = matmulTask(384, 384, 384);
  results = pool.measure(job, {"plain"});
  ASSERT_TRUE(results[0].ok()) << results[0].reason;
  EXPECT_TRUE(results[0].run.censored.value_or(false));
  EXPECT_FALSE(results[0].run.verified);
  EXPECT_GT(results[0].run.median, 1e-3);
}

TEST(WorkerPool, TasksThatAreNotTasksAreErrors) {
  WorkerPool pool(poolOptions());
  MeasureJob job = matmulJob();
  job.text = "func.func private @f()";
  auto results = pool.measure(job, {"plain", "plain"});
  for (const MeasureResult &result : results) {
    EXPECT_EQ(int(result.status), int(MeasureStatus::BuildError));
    EXPECT_EQ(result.reason,
              "the worker rejected the task: expected a public function with a "
              "body in a task module");
  }
  // It does not delay the next job of the same key.
  EXPECT_TRUE(pool.measure(matmulJob(), {"plain"})[0].ok());
}

TEST(WorkerPool, GpuWithoutLoweringIsReported) {
  WorkerPool pool(poolOptions());
  MeasureJob job = matmulJob();
  job.target = "nvidia:sm_80";
  auto results = pool.measure(job, {"plain"});
  EXPECT_EQ(int(results[0].status), int(MeasureStatus::BuildError));
  EXPECT_EQ(results[0].reason,
            "schedule 'plain' is for a CPU, expected one for "
            "'nvidia:sm_80'");
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
  // A program that writes, but not the protocol.
  options.runner.exec = "echo hello; sleep 100";
  WorkerPool pool(options);
  auto results = pool.measure(matmulJob(), {"plain"});
  EXPECT_EQ(int(results[0].status), int(MeasureStatus::RunError));
  EXPECT_TRUE(llvm::StringRef(results[0].reason).contains("did not greet"))
      << results[0].reason;
}

/// A path that does not exist yet; the destructor removes its file.
namespace {
struct Mark {
  llvm::SmallString<128> path;
  Mark() {
    llvm::sys::fs::createUniquePath("/tmp/pruner-pool-test-%%%%%%%%", path,
                                    /*MakeAbsolute=*/true);
  }
  ~Mark() { llvm::sys::fs::remove(path); }
};
} // namespace

TEST(WorkerPool, WorkersThatDieGreetingAreStartedAgain) {
  Mark mark;
  std::string path = mark.path.c_str();
  WorkerPoolOptions options = poolOptions();
  options.runner.exec = "if [ -e " + path +
                        " ]; then exec " PRUNER_WORKER "; fi; touch " + path +
                        "; kill -SEGV $$";
  WorkerPool pool(options);
  auto results = pool.measure(matmulJob(), {"plain"});
  EXPECT_TRUE(results[0].ok()) << results[0].reason;
}

TEST(WorkerPool, MeasurementsOutliveTheLastWorker) {
  Mark mark;
  std::string path = mark.path.c_str();
  WorkerPoolOptions options = poolOptions();
  options.runner.startPause = 0.01;
  options.runner.exec = "if [ -e " + path + " ]; then exit 1; fi; touch " +
                        path + "; exec " PRUNER_WORKER " --inject=crash@run:1";
  WorkerPool pool(options);
  auto results = pool.measure(matmulJob(), {"plain", "plain", "plain"});
  EXPECT_TRUE(results[0].ok()) << results[0].reason;
  EXPECT_TRUE(results[0].run.verified);
  EXPECT_EQ(int(results[1].status), int(MeasureStatus::RunCrash));
  EXPECT_FALSE(results[1].noWorker);
  EXPECT_TRUE(results[2].noWorker);
  EXPECT_TRUE(llvm::StringRef(results[2].reason).contains("did not greet"))
      << results[2].reason;
}

TEST(WorkerPool, StopsTakeEffectDuringABatch) {
  Mark requests;
  WorkerPoolOptions options = poolOptions();
  options.runner.exec = "tee " + std::string(requests.path.c_str()) +
                        " | " PRUNER_WORKER " --inject=sleep@run:1";
  options.runSecondsUnknown = 100;
  // As soon as the second run has started.
  options.stopAsked = [&] {
    auto text = llvm::MemoryBuffer::getFile(requests.path);
    return text && (*text)->getBuffer().count("\"type\":\"run\"") == 2;
  };
  WorkerPool pool(options);
  auto start = std::chrono::steady_clock::now();
  auto results = pool.measure(matmulJob(), {"plain", "plain", "plain"});
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
  EXPECT_TRUE(results[0].ok()) << results[0].reason;
  EXPECT_TRUE(results[1].noWorker && results[2].noWorker);
}

// On a busy machine a candidate may take long without being slow.
TEST(WorkerPool, WaitingForACoreIsNotCounted) {
  if (!llvm::sys::fs::exists("/proc/self/schedstat"))
    GTEST_SKIP() << "this system does not count it";
  cpu_set_t set;
  ASSERT_EQ(sched_getaffinity(0, sizeof(set), &set), 0);
  unsigned cpu = 0;
  while (!CPU_ISSET(cpu, &set))
    ++cpu;
  WorkerPoolOptions options = poolOptions();
  options.runner.cpus = {cpu};
  options.runner.arguments = {"--inject=burn@run:1,sleep@run:2"};
  options.runSeconds = options.runSecondsUnknown = 1.5;
  options.runPerRequest = 0; // The first one also waits for the core.
  WorkerPool pool(options);
  std::atomic<bool> busy{true};
  std::vector<std::thread> others;
  std::vector<MeasureResult> results;
  // Other processes want the same core after the code is built.
  for (int i = 0; i < 3; ++i)
    others.emplace_back([&] {
      cpu_set_t one;
      CPU_ZERO(&one);
      CPU_SET(cpu, &one);
      sched_setaffinity(0, sizeof(one), &one);
      while (busy)
        ;
    });
  results = pool.measure(matmulJob(), {"plain", "plain", "plain"});
  busy = false;
  for (std::thread &other : others)
    other.join();
  EXPECT_TRUE(results[1].ok()) << results[1].reason;
  // Otherwise the test shows nothing.
  EXPECT_GT(results[1].runWallSeconds, options.runSecondsUnknown);
  // A process that does not want a core gets no additional time.
  EXPECT_EQ(int(results[2].status), int(MeasureStatus::RunTimeout));
  EXPECT_LT(results[2].runWallSeconds, 2 * (options.runSecondsUnknown + 1));
}

TEST(WorkerPool, ComparisonsAreInterleaved) {
  WorkerPoolOptions options = poolOptions();
  options.runner.arguments = {"--inject=crash@run:1,wrong-result@run:3"};
  WorkerPool pool(options);
  auto results = pool.compare(
      matmulJob(), {"default", "plain", tiled, "plain", "nonsense"}, 4);
  ASSERT_EQ(results.size(), 5u);
  for (int good : {0, 2}) {
    EXPECT_TRUE(results[good].result.ok()) << results[good].result.reason;
    EXPECT_TRUE(results[good].result.run.verified);
    ASSERT_EQ(results[good].seconds.size(), 4u);
    for (double seconds : results[good].seconds)
      EXPECT_GT(seconds, 0);
  }
  MeasureStatus expected[] = {MeasureStatus::Ok, MeasureStatus::RunCrash,
                              MeasureStatus::Ok, MeasureStatus::WrongResult,
                              MeasureStatus::BuildError};
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(int(results[i].result.status), int(expected[i])) << i;
  EXPECT_TRUE(results[1].seconds.empty());
}

/// Names of the files below `directory`, at any depth.
static std::vector<std::string> filesBelow(llvm::StringRef directory) {
  std::vector<std::string> files;
  std::error_code code;
  for (llvm::sys::fs::recursive_directory_iterator it(directory, code), end;
       it != end && !code; it.increment(code))
    if (it->type() == llvm::sys::fs::file_type::regular_file)
      files.push_back(it->path());
  return files;
}

TEST(WorkerPool, ReferencesOutliveWorkersButNotThePool) {
  llvm::SmallString<128> directory;
  ASSERT_FALSE(
      llvm::sys::fs::createUniqueDirectory("pruner-pool-test", directory));
  std::string old = getenv("TMPDIR") ? getenv("TMPDIR") : "";
  setenv("TMPDIR", directory.c_str(), 1);
  {
    WorkerPoolOptions options = poolOptions();
    options.runner.arguments = {"--inject=crash@run:0"};
    WorkerPool pool(options);
    auto results = pool.measure(matmulJob(), {"plain", "plain"});
    EXPECT_FALSE(results[0].ok());
    EXPECT_TRUE(results[1].ok()) << results[1].reason;
    EXPECT_EQ(filesBelow(directory).size(), 1u);
    // References beyond the limit are removed.
    options.referenceBytes = 1;
    WorkerPool small(options);
    small.measure(matmulJob(), {"plain"});
    EXPECT_EQ(filesBelow(directory).size(), 1u);
  }
  EXPECT_TRUE(filesBelow(directory).empty());
  old.empty() ? unsetenv("TMPDIR") : setenv("TMPDIR", old.c_str(), 1);
  llvm::sys::fs::remove_directories(directory);
}

TEST(WorkerProcess, AWorkerKeepsReferencesOfSeveralTasks) {
  llvm::SmallString<128> directory;
  ASSERT_FALSE(
      llvm::sys::fs::createUniqueDirectory("pruner-pool-test", directory));
  WorkerCommand command;
  command.program = PRUNER_WORKER;
  command.arguments = {"--reference-cache=" + std::string(directory)};
  WorkerProcess worker(command);
  TaskRequest first{0, "first", matmulTask(16, 24, 32), true, 0};
  TaskRequest second{1, "second", matmulTask(8, 8, 8), true, 0};
  // Whether a request was sent to the worker.
  auto asked = [&](const TaskRequest &task) {
    auto answer = worker.ensureTask(task, 20);
    EXPECT_TRUE(answer.reply) << answer.reason;
    return answer.reply && answer.reply->getAsObject();
  };
  EXPECT_TRUE(asked(first));
  EXPECT_FALSE(asked(first));
  EXPECT_TRUE(asked(second));
  EXPECT_EQ(filesBelow(directory).size(), 2u);
  for (const std::string &file : filesBelow(directory))
    llvm::sys::fs::remove(file);
  // Sent again, because the reference may have been dropped; a computed one is
  // stored.
  first.id = 2;
  EXPECT_TRUE(asked(first));
  EXPECT_TRUE(filesBelow(directory).empty());
  first.id = 3;
  first.seed = 1;
  EXPECT_TRUE(asked(first));
  EXPECT_EQ(filesBelow(directory).size(), 1u);
  worker.stop();
  llvm::sys::fs::remove_directories(directory);
}
