//===- FaultTest.cpp - cost of bad candidates -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Tasks.h"
#include "pruner/Measure/WorkerPool.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Compiler.h"
#include "gtest/gtest.h"
#include <csignal>
#include <dirent.h>
#include <fstream>
#include <optional>
#include <regex>
#include <unistd.h>

using namespace pruner;

namespace {
struct Case {
  const char *fault;
  bool building;
  MeasureStatus status;
  const char *reason; ///< Regular expression for the whole reason.
  /// Another possible result, depending on the speed of the machine.
  std::optional<std::pair<MeasureStatus, const char *>> otherwise =
      std::nullopt;

  bool matches(MeasureStatus found, const std::string &words) const {
    auto is = [&](MeasureStatus status, const char *pattern) {
      return found == status && std::regex_match(words, std::regex(pattern));
    };
    return is(status, reason) ||
           (otherwise && is(otherwise->first, otherwise->second));
  }
};
} // namespace

constexpr double deadline = 1.5;

const Case cases[] = {
    {"crash", true, MeasureStatus::BuildCrash, "SIGSEGV: access to 0x0"},
    {"illegal", true, MeasureStatus::BuildCrash, "SIG(ILL|TRAP)"},
    {"abort", true, MeasureStatus::BuildCrash, "SIGABRT: fatal: injected"},
    {"exit", true, MeasureStatus::BuildCrash, "exit code 3"},
    {"hang", true, MeasureStatus::BuildTimeout, "deadline of 1\\.5 s exceeded"},
    {"sleep", true, MeasureStatus::BuildTimeout,
     "deadline of 1\\.5 s exceeded"},
    {"allocate", true, MeasureStatus::OutOfMemory,
     "address space limit of 2 GiB"},
    {"overflow", true, MeasureStatus::BuildCrash,
     "SIGSEGV: stack overflow at 0x[0-9a-f]+"},
    {"garbage", true, MeasureStatus::BuildCrash,
     "the worker answered 'Segmentation fault \\(not really\\)', which is not "
     "a reply"},
    {"fork", true, MeasureStatus::BuildTimeout, "deadline of 1\\.5 s exceeded"},
    {"mute", true, MeasureStatus::BuildCrash, "the worker closed its output"},
    {"wrong-id", true, MeasureStatus::BuildCrash,
     "the worker answered a request that was not made"},
    {"crash", false, MeasureStatus::RunCrash, "SIGSEGV: access to 0x0"},
    {"illegal", false, MeasureStatus::RunCrash, "SIG(ILL|TRAP)"},
    {"abort", false, MeasureStatus::RunCrash, "SIGABRT: fatal: injected"},
    {"exit", false, MeasureStatus::RunCrash, "exit code 3"},
    {"hang", false, MeasureStatus::RunTimeout,
     "deadline of 1\\.5 s exceeded twice"},
    {"allocate", false, MeasureStatus::OutOfMemory,
     "address space limit of 2 GiB"},
    {"overflow", false, MeasureStatus::RunCrash,
     "SIGSEGV: stack overflow at 0x[0-9a-f]+"},
    {"garbage", false, MeasureStatus::RunCrash, "the worker answered .*"},
    // The stream ends at the length limit of a reply, which a machine reaches
    // before or after the deadline.
    {"flood",
     false,
     MeasureStatus::RunCrash,
     "the worker's reply is longer than 64 MiB",
     {{MeasureStatus::RunTimeout, "deadline of 1\\.5 s exceeded twice"}}},
    {"fork", false, MeasureStatus::RunTimeout,
     "deadline of 1\\.5 s exceeded twice"},
    {"wrong-result", false, MeasureStatus::WrongResult,
     "result 0, integers: 1 of 64 elements differ, the first at \\[4, 0\\]: "
     "expected -?[0-9]+, got .*"},
    {"write-after", false, MeasureStatus::RunCrash,
     "SIGSEGV: access to 0x[0-9a-f]+, 0 bytes past the end of argument 2"},
    {"write-input", false, MeasureStatus::WrongResult, "input 0 was changed"},
};

/// The number of processes that a killed worker may have left behind: processes
/// with our mark in their environment, which every child inherits.
static int strays(const std::string &mark) {
  int count = 0;
  DIR *proc = opendir("/proc");
  while (dirent *entry = readdir(proc)) {
    int pid = std::atoi(entry->d_name);
    if (pid <= 0 || pid == getpid())
      continue;
    std::ifstream file("/proc/" + std::to_string(pid) + "/environ",
                       std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(file)), {});
    count += text.find(mark) != std::string::npos;
  }
  closedir(proc);
  return count;
}

namespace {
class FaultCost : public testing::TestWithParam<Case> {};
} // namespace

TEST_P(FaultCost, IsBoundedAndNamed) {
  const Case &c = GetParam();
  if (LLVM_ADDRESS_SANITIZER_BUILD && llvm::StringRef(c.fault) == "allocate")
    GTEST_SKIP() << "AddressSanitizer allows no limit of the address space";
  std::string mark = "PRUNER_FAULT_TEST_" + std::to_string(getpid());
  setenv(mark.c_str(), "1", 1);
  std::vector<MeasureResult> results;
  unsigned starts;
  {
    WorkerPoolOptions options;
    options.builder.program = options.runner.program = PRUNER_WORKER;
    options.builder.addressSpaceBytes = options.runner.addressSpaceBytes =
        uint64_t(2) << 30;
    // Other load on the machine would count as well.
    options.builder.starvedFactor = options.runner.starvedFactor = 1;
    // The second of three candidates is the bad one.
    options.builder.arguments =
        options.runner.arguments = {std::string("--inject=") + c.fault + "@" +
                                    (c.building ? "build" : "run") + ":1"};
    options.builders = 1;
    (c.building ? options.buildSeconds : options.runSecondsUnknown) = deadline;
    options.runSeconds = options.runSecondsUnknown;
    WorkerPool pool(options);
    MeasureJob job;
    job.key = "matmul";
    job.text = matmulTask(8, 8, 8);
    job.minSeconds = 0.001;
    results = pool.measure(job, {"plain", "plain", "plain"});
    starts = pool.workerStarts();
  }
  ASSERT_EQ(results.size(), 3u);
  const MeasureResult &bad = results[1];
  EXPECT_TRUE(c.matches(bad.status, bad.reason))
      << stringifyMeasureStatus(bad.status).str() << ": " << bad.reason;
  // Late runs are repeated. A fault that is late only sometimes can be late the
  // first time and fail otherwise the second time.
  bool late = bad.status == MeasureStatus::RunTimeout ||
              (c.otherwise && c.otherwise->first == MeasureStatus::RunTimeout);
  EXPECT_LE(c.building ? bad.buildWallSeconds : bad.runWallSeconds,
            (late ? 2 : 1) * (deadline + 1));
  for (int good : {0, 2}) {
    EXPECT_TRUE(results[good].ok()) << results[good].reason;
    EXPECT_TRUE(results[good].run.verified);
    EXPECT_TRUE(results[good].run.exact.value_or(false));
    EXPECT_GT(results[good].run.median, 0);
  }
  // Exactly one worker was lost, except for a result that is only wrong, and
  // except for the last worker in a repeated run, after which no other is
  // needed.
  bool intact = llvm::StringRef(c.fault) == "wrong-result";
  EXPECT_EQ(starts, intact ? 2u : 3u);
  EXPECT_EQ(strays(mark), 0);
}

INSTANTIATE_TEST_SUITE_P(Each, FaultCost, testing::ValuesIn(cases),
                         [](const auto &info) {
                           std::string name =
                               std::string(info.param.building ? "Build_"
                                                               : "Run_") +
                               info.param.fault;
                           for (char &ch : name)
                             ch = ch == '-' ? '_' : ch;
                           return name;
                         });

TEST(FaultMany, HundredsOfFaultsDoNotEndTheTuner) {
  WorkerPoolOptions options;
  options.builder.program = options.runner.program = PRUNER_WORKER;
  options.builder.arguments = {
      "--inject=crash@build:0%5,abort@build:1%5,exit@build:2%5"};
  options.runner.arguments = {"--inject=overflow@run:3%5"};
  WorkerPool pool(options);
  MeasureJob job;
  job.key = "matmul";
  job.text = matmulTask(8, 8, 8);
  job.minSeconds = 0.001;
  std::vector<std::string> schedules(100, "plain");
  auto results = pool.measure(job, schedules);
  for (size_t i = 0; i < results.size(); ++i) {
    MeasureStatus expected[] = {
        MeasureStatus::BuildCrash, MeasureStatus::BuildCrash,
        MeasureStatus::BuildCrash, MeasureStatus::RunCrash, MeasureStatus::Ok};
    EXPECT_EQ(int(results[i].status), int(expected[i % 5]))
        << i << ": " << results[i].reason;
  }
}
