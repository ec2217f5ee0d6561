//===- MutationTestTest.cpp - the mutation test itself --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fuzzing/Mutation/MutationTest.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace pruner;

namespace {

MutationTestOptions small(const char *task) {
  MutationTestOptions options;
  options.tasks = {task};
  options.schedules = 4;
  options.count = options.mutantsPerTask = 12;
  return options;
}

/// A run and the log of its processes.
struct LoggedRun {
  explicit LoggedRun(const MutationTestOptions &options) {
    int file = -1;
    llvm::SmallString<128> path;
    EXPECT_FALSE(
        llvm::sys::fs::createTemporaryFile("mutants", "log", file, path));
    {
      llvm::raw_fd_ostream os(file, /*shouldClose=*/true);
      report = runMutationTest(options, os);
    }
    if (auto text = llvm::MemoryBuffer::getFile(path))
      log = (*text)->getBuffer().str();
    llvm::sys::fs::remove(path);
  }
  bool says(const char *words) const {
    return log.find(words) != std::string::npos;
  }

  MutationTestReport report;
  std::string log;
};

TEST(MutationTest, EveryMutantIsCountedOnce) {
  LoggedRun run(small("matmul"));
  MutantCounts sum = run.report.total();
  EXPECT_EQ(sum.made, 12u);
  EXPECT_EQ(sum.made, sum.unbuilt + sum.equivalent + sum.near + sum.relevant +
                          sum.unseen);
  EXPECT_GT(sum.relevant, 0u);
  EXPECT_EQ(run.report.totalRight().ran, 4u);
  EXPECT_EQ(run.report.totalRight().rejected, 0u);
  EXPECT_FALSE(run.report.interrupted);
  EXPECT_EQ(run.report.failedTasks, 0u);
}

TEST(MutationTest, AMutantDependsOnItsNumberAlone) {
  MutationTestOptions options = small("elementwise");
  options.verbose = true;
  LoggedRun whole(options);
  options.first = 7;
  options.count = 3;
  LoggedRun part(options);
  ASSERT_FALSE(part.log.empty());
  EXPECT_TRUE(whole.says(part.log.c_str())) << whole.log << "\nand\n"
                                            << part.log;
}

TEST(MutationTest, EmulatedKernelsHaveMutantsToo) {
  MutationTestOptions options = small("function");
  options.gpu = true;
  LoggedRun run(options);
  EXPECT_EQ(run.report.total().made, 12u);
  EXPECT_GT(run.report.total().rejected, 0u);
  EXPECT_EQ(run.report.totalRight().rejected, 0u) << run.log;
}

TEST(MutationTest, ACheckWithoutBoundsAcceptsMutants) {
  MutationTestOptions options = small("softmax");
  options.loosen = 1e30;
  options.kinds = {"scale", "operation"};
  LoggedRun run(options);
  EXPECT_FALSE(run.report.good());
  EXPECT_GT(run.report.total().survivors(), 0u);
  EXPECT_TRUE(run.says("SURVIVOR")) << run.log;
  EXPECT_TRUE(run.says(
      "repeat with: pruner-fuzz mutants --target=cpu --seed=1 --first="));
}

TEST(MutationTest, ARejectedCorrectKernelIsAFailure) {
  MutationTestOptions options = small("function");
  options.loosen = 0;
  LoggedRun run(options);
  EXPECT_GT(run.report.totalRight().rejected, 0u);
  EXPECT_FALSE(run.report.good());
  EXPECT_TRUE(run.says("CORRECT KERNEL REJECTED"));
}

} // namespace
