//===- ApplyRecordsTest.cpp - which records are applied -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ApplyRecords.h"
#include "RecordFixtures.h"

using namespace pruner;
using namespace pruner::test;

namespace {

struct ApplyRecords : TuneFixture {
  /// The command of the runner; "none" for no worker.
  std::string runner;
  unsigned pools = 0;
  std::unique_ptr<WorkerPool> pool;

  /// Returns the schedule that is applied to the first task; "" for none.
  std::string applied(bool unmeasured = false) {
    diagnostics.clear();
    for (const ModuleTask &task : tasks) {
      mlir::func::FuncOp function = task.function;
      function->removeAttr(PrunerDialect::getScheduleAttrName());
    }
    auto workers = [&]() -> WorkerPool * {
      if (runner == "none")
        return nullptr;
      ++pools;
      WorkerPoolOptions options;
      options.builders = 1;
      options.builder.program = options.runner.program = PRUNER_WORKER;
      if (!runner.empty())
        options.runner.arguments = {runner};
      pool = std::make_unique<WorkerPool>(options);
      return pool.get();
    };
    auto store = [&] { return &database; };
    ApplyOptions options;
    options.unmeasured = unmeasured;
    options.what = "record";
    options.verboseRemarks = true;
    options.workers = workers;
    options.store = store;
    auto number = applyBestRecords(
        database, environment, tasks, options, [](llvm::Error error) {
          ADD_FAILURE() << toString(std::move(error));
          return mlir::failure();
        });
    EXPECT_TRUE(mlir::succeeded(number));
    mlir::func::FuncOp function = task().function;
    auto attribute = function->getAttrOfType<ScheduleAttr>(
        PrunerDialect::getScheduleAttrName());
    std::string text;
    if (attribute)
      llvm::raw_string_ostream(text) << attribute;
    EXPECT_EQ(*number, text.empty() ? 0u : 1u);
    return text;
  }
  bool wasSaid(llvm::StringRef text) {
    return llvm::any_of(diagnostics, [&](const std::string &said) {
      return llvm::StringRef(said).contains(text);
    });
  }
};

TEST_F(ApplyRecords, AppliesTheFastestOfThisBuild) {
  store({makeRecord(schedules[0], 3e-3), makeRecord(schedules[1], 1e-3),
         makeOlder(schedules[2], 1e-4)});
  EXPECT_EQ(applied(), schedules[1]);
  EXPECT_EQ(pools, 0u);
}

// Invalid records are skipped, and the others are applied.
TEST_F(ApplyRecords, SkipsRecordsThatCannotBeTrue) {
  Record illegal = makeRecord(
      "#pruner.schedule<cpu_tile, tiles = [[1, 1, 999], [1, 1, 16], [48]], "
      "stages = [none, none], vector = 16, unroll = 2>",
      1e-4);
  Record other = makeRecord("#pruner.schedule<cpu_map, tiles = [[1, 1]], "
                            "stages = [none], vector = 1, unroll = 1>",
                            1e-4);
  Record noSchedule = makeRecord("#pruner.schedule<nonsense>", 1e-4);
  Record deep =
      makeRecord("#pruner.schedule<" + std::string(100000, '[') + ">", 1e-4);
  Record quick = makeRecord(schedules[1], 1e-300);
  Record future = makeRecord(schedules[2], 1e-3);
  future.strategy = kFinalStrategy.str();
  future.timestamp = "zzzz";
  Record next = future;
  next.timestamp = "2999-01-01T00:00:00Z";
  next.trial = trials++;
  store({illegal, other, noSchedule, deep, quick, future, next,
         makeRecord(schedules[0], 2e-3)});
  EXPECT_EQ(applied(), schedules[0]);
  EXPECT_TRUE(wasSaid("the schedule is illegal for the task and machine: R"));
  EXPECT_TRUE(wasSaid("cannot parse the schedule: #pruner.schedule<nons"));
  EXPECT_TRUE(
      wasSaid("a time is 1e-300 s, but no code runs this task in less"));
  EXPECT_TRUE(wasSaid("invalid time stamp 'zzzz'"));
  EXPECT_TRUE(wasSaid("the time stamp 2999-01-01T00:00:00Z is in the future"));
  size_t warnings = llvm::count_if(diagnostics, [](const std::string &said) {
    return llvm::StringRef(said).ends_with("; the record is not used");
  });
  EXPECT_EQ(warnings, 7u);
}

TEST_F(ApplyRecords, VerifiesOlderRecordsAgainOnce) {
  store({makeOlder(schedules[0], 3e-3), makeOlder(schedules[1], 1e-3)});
  EXPECT_EQ(applied(), schedules[1]);
  EXPECT_EQ(pools, 1u);
  EXPECT_TRUE(wasSaid("its schedule was rebuilt and verified again"));
  // Its new record is of this build.
  EXPECT_EQ(applied(), schedules[1]);
  EXPECT_EQ(pools, 1u);
  std::vector<Record> records = get(database.all({}));
  ASSERT_EQ(records.size(), 3u);
  EXPECT_EQ(records[2].strategy, kReverifiedStrategy);
  EXPECT_EQ(records[2].generator, generatorIdentity());
  EXPECT_EQ(records[2].verification, verificationMethod);
  EXPECT_TRUE(records[2].verified);
}

TEST_F(ApplyRecords, AnotherMethodAndNoGeneratorAreOlder) {
  Record method = makeRecord(schedules[0], 1e-3);
  method.verification = "another method";
  store({method});
  EXPECT_EQ(applied(), schedules[0]);
  EXPECT_EQ(pools, 1u);
  Record none = makeRecord(schedules[1], 1e-3);
  none.generator = "";
  database = get(Database::open("", OpenMode::Create));
  store({none});
  EXPECT_EQ(applied(), schedules[1]);
  EXPECT_EQ(pools, 2u);
}

TEST_F(ApplyRecords, SkipsRecordsThatFailAgain) {
  runner = "--inject=wrong-result@run:0";
  store({makeOlder(schedules[0], 3e-3), makeOlder(schedules[1], 1e-3),
         makeOlder(schedules[2], 5e-3)});
  // Each pool counts its requests from 0: all three fail.
  EXPECT_EQ(applied(), "");
  EXPECT_EQ(pools, 3u);
  EXPECT_TRUE(wasSaid("failed when it was rebuilt and verified again: "
                      "wrong-result"));
  EXPECT_TRUE(wasSaid("the task is left unchanged"));
  // The failures are recorded, so a working runner is not tried either.
  runner = "";
  EXPECT_EQ(applied(), "");
  EXPECT_EQ(pools, 3u);
  store({makeOlder(schedules[3], 7e-3)});
  EXPECT_EQ(applied(), schedules[3]);
}

TEST_F(ApplyRecords, WithoutWorkers) {
  runner = "none";
  store({makeOlder(schedules[0], 1e-3)});
  EXPECT_EQ(applied(), "");
  EXPECT_TRUE(wasSaid("it is not applied, because it was not verified again"));
  EXPECT_EQ(applied(/*unmeasured=*/true), schedules[0]);
  EXPECT_TRUE(wasSaid("applied without being verified again"));
  EXPECT_EQ(get(database.all({})).size(), 1u);
}

TEST_F(ApplyRecords, PredictionsAreComputedAgain) {
  Record lie = makeRecord(schedules[0], 1), other = makeRecord(schedules[1], 1);
  for (Record *record : {&lie, &other}) {
    record->status = MeasureStatus::Unmeasured;
    record->times.clear();
    record->verified = false;
    record->verification = "";
  }
  other.psaLatency = 1e-6;
  auto best = [&](double claimed) {
    lie.psaLatency = claimed;
    std::vector<Record> records = {other, lie};
    return bestRecord(records, environment, task(), /*unmeasured=*/true)
        ->schedule;
  };
  EXPECT_EQ(best(1e-300), best(1e300));
}

} // namespace
