//===- DatabaseTest.cpp - store and query records -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Common.h"

#include "pruner/Support/Random.h"

using namespace llvm;
using namespace pruner;
using namespace pruner::test;

namespace {

struct DatabaseTest : testing::Test {
  TempDirectory directory;
  std::string path = directory.file("t.db");
  Database database = openDatabase(path);

  RecordQuery matmul() {
    Record record = makeRecord(0, 1);
    RecordQuery query;
    query.taskKey = record.taskKey;
    query.target = record.target;
    query.machineKey = record.machineKey;
    return query;
  }
  std::optional<int64_t> bestTrial(const RecordQuery &query) {
    std::optional<Record> record = get(database.best(query));
    return record ? std::optional(record->trial) : std::nullopt;
  }
  std::optional<int64_t> bestTrial() { return bestTrial(matmul()); }
};

TEST_F(DatabaseTest, RecordsRoundTripInOrder) {
  std::vector<Record> records;
  for (int i = 0; i < 30; ++i)
    records.push_back(makeRecord(i, 1.0 / (i + 3)));
  for (MeasureStatus status : allMeasureStatuses())
    if (status != MeasureStatus::Ok)
      records.push_back(makeFailure(records.size(), status, "because\n\"it\""));
  records[3].score.reset();
  records[3].psaLatency.reset();
  records[4].reason = std::string("a\0b", 3);
  records[5].seed = ~uint64_t(0);
  records[6].facts = "{}";
  Random(1).shuffle(records);
  EXPECT_EQ(append(database, records).added, records.size());
  EXPECT_EQ(describeAll(get(database.all({}))), describeAll(records));
  EXPECT_EQ(describeAll(get(openDatabase(path, OpenMode::ReadOnly).all({}))),
            describeAll(records));
}

TEST_F(DatabaseTest, QueriesSelect) {
  Record a = makeRecord(0, 1), b = makeRecord(1, 1), c = makeRecord(2, 1),
         d = makeRecord(3, 1), e = makeRecord(4, 1);
  b.taskKey = key("conv");
  c.target = "nvidia:sm_80";
  d.machineKey = "another machine";
  e.toolchain = "llvm 23";
  e.runId = "later";
  append(database, {a, b, c, d, e});
  EXPECT_EQ(get(database.all({})).size(), 5u);
  EXPECT_EQ(get(database.all(matmul())).size(), 2u);
  RecordQuery query;
  query.taskKey = b.taskKey;
  EXPECT_EQ(describeAll(get(database.all(query))), describeAll({b}));
  query = {};
  query.target = c.target;
  EXPECT_EQ(describeAll(get(database.all(query))), describeAll({c}));
  query = {};
  query.machineKey = d.machineKey;
  EXPECT_EQ(describeAll(get(database.all(query))), describeAll({d}));
  query = matmul();
  query.toolchain = e.toolchain;
  EXPECT_EQ(describeAll(get(database.all(query))), describeAll({e}));
  query = {};
  query.runId = "later";
  EXPECT_EQ(describeAll(get(database.all(query))), describeAll({e}));
  query.taskKey = "' OR 1 OR '";
  EXPECT_EQ(get(database.all(query)).size(), 0u);
}

TEST_F(DatabaseTest, BestIsTheSmallestMedian) {
  EXPECT_EQ(bestTrial(), std::nullopt);
  Record lucky = makeRecord(0, 3); // One fast repetition does not win.
  lucky.times = {0.1, 3, 3};
  append(database, {lucky, makeRecord(1, 2), makeRecord(2, 4)});
  EXPECT_EQ(bestTrial(), 1);
  append(database, {makeRecord(3, 2)}); // A tie: the older one stays.
  EXPECT_EQ(bestTrial(), 1);
  append(database, {makeRecord(4, 1.5)});
  EXPECT_EQ(bestTrial(), 4);
}

TEST_F(DatabaseTest, WrongOrUnverifiedNeverWins) {
  Record unverified = makeRecord(0, 0.001);
  unverified.verified = false;
  Record wrong = makeRecord(1, 0.002);
  wrong.status = MeasureStatus::WrongResult;
  wrong.verified = false;
  append(database, {unverified, wrong});
  int64_t trial = 2;
  for (MeasureStatus status : allMeasureStatuses())
    if (status != MeasureStatus::Ok)
      append(database, {makeFailure(trial++, status, "")});
  EXPECT_EQ(bestTrial(), std::nullopt);
  append(database, {makeRecord(100, 5)});
  EXPECT_EQ(bestTrial(), 100);
}

TEST_F(DatabaseTest, OneWrongResultExcludesASchedule) {
  append(database, {makeRecord(0, 1), makeRecord(1, 2)});
  EXPECT_EQ(bestTrial(), 0);
  // The same identity in another trial, in which a race became visible.
  Record race = makeRecord(0, 1);
  race.trial = 50;
  race.status = MeasureStatus::WrongResult;
  race.verified = false;
  append(database, {race});
  EXPECT_EQ(bestTrial(), 1);
  // A result on another machine does not count.
  race = makeRecord(1, 2);
  race.machineKey = "another machine";
  race.status = MeasureStatus::WrongResult;
  race.verified = false;
  append(database, {race});
  EXPECT_EQ(bestTrial(), 1);
}

TEST_F(DatabaseTest, BestDependsOnMachineTargetAndToolchain) {
  Record here = makeRecord(0, 5), faster = makeRecord(1, 1),
         gpu = makeRecord(2, 0.5), later = makeRecord(3, 4);
  faster.machineKey = "a faster machine";
  gpu.target = "nvidia:sm_90a";
  later.toolchain = "llvm 23";
  append(database, {here, faster, gpu, later});
  EXPECT_EQ(bestTrial(), 3);
  RecordQuery query = matmul();
  query.toolchain = here.toolchain;
  EXPECT_EQ(bestTrial(query), 0);
  query.toolchain = "llvm 24";
  EXPECT_EQ(bestTrial(query), std::nullopt);
}

TEST_F(DatabaseTest, TheSameTrialIsStoredOnce) {
  std::vector<Record> batch = {makeRecord(0, 1), makeRecord(1, 2)};
  EXPECT_EQ(append(database, batch).added, 2u);
  // A killed run repeats its last batch: times differ, the trial does not.
  Record again = makeRecord(1, 3);
  AppendCounts counts = append(database, {again, makeRecord(2, 3)});
  EXPECT_EQ(counts.added, 1u);
  EXPECT_EQ(counts.duplicates, 0u);
  EXPECT_EQ(counts.conflicts, std::vector<size_t>{0});
  EXPECT_EQ(append(database, batch).duplicates, 2u);
  EXPECT_EQ(describe(get(database.all({}))[1]), describe(batch[1]));
  // The same identity in another trial or run is another measurement.
  again.trial = 7;
  Record other = makeRecord(1, 3);
  other.runId = "another run";
  EXPECT_EQ(append(database, {again, other}).added, 2u);
}

TEST_F(DatabaseTest, ABatchIsAllOrNothing) {
  std::vector<Record> records = {makeRecord(0, 1), makeRecord(1, 1)};
  records[1].times = {-1};
  RecordBatch batch;
  StoredTask before = makeTask("conv"), task = makeTask("matmul");
  batch.tasks = before;
  get(database.append(batch));
  batch.tasks = task;
  batch.records = records;
  EXPECT_EQ(errorOf(database.append(batch)),
            "'" + path +
                "': trial 1 of run 'run' cannot be stored: a time must be "
                "finite and positive, but is -1 s");
  EXPECT_EQ(get(database.all({})).size(), 0u);
  ASSERT_EQ(get(database.tasks()).size(), 1u);
  EXPECT_EQ(get(database.tasks())[0].name, "conv");
}

TEST_F(DatabaseTest, DetailsOfTimesAreKept) {
  std::vector<Record> records;
  for (int64_t trial = 0; trial < 6; ++trial)
    records.push_back(makeDetailed(trial, 1));
  records.push_back(makeRecord(6, 1));
  append(database, records);
  EXPECT_EQ(describeAll(get(database.all({}))), describeAll(records));
  EXPECT_TRUE(problemsOf(database).empty());
}

// Short, and to the last bit.
TEST_F(DatabaseTest, TimesAreStoredAsTheShortestText) {
  Record record = makeRecord(0, 1);
  record.times = {1e-5,   0.1 + 0.2, std::numeric_limits<double>::denorm_min(),
                  2.5e-7, 3,         1.234567e-3};
  append(database, {record});
  EXPECT_EQ(get(database.all({}))[0].times, record.times);
  std::string text;
  sqlite3 *file = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &file), SQLITE_OK);
  auto read = [](void *out, int, char **values, char **) {
    *static_cast<std::string *>(out) = values[0];
    return 0;
  };
  sqlite3_exec(file, "SELECT times FROM records", read, &text, nullptr);
  sqlite3_close(file);
  EXPECT_EQ(text, "[1e-05,0.30000000000000004,5e-324,2.5e-07,3,0.001234567]");
}

TEST_F(DatabaseTest, TasksAreStoredOnce) {
  append(database, {makeRecord(0, 1)}); // Before its task is known.
  EXPECT_EQ(get(database.task(key("matmul")))->text, "");
  StoredTask matmul = makeTask("matmul"), conv = makeTask("conv");
  std::vector<StoredTask> tasks = {matmul, conv, matmul};
  tasks[2].name = "renamed";
  RecordBatch batch;
  batch.tasks = tasks;
  get(database.append(batch));
  std::vector<StoredTask> stored = get(database.tasks());
  ASSERT_EQ(stored.size(), 2u);
  EXPECT_EQ(stored[0].name, "matmul");
  EXPECT_EQ(stored[0].text, matmul.text);
  EXPECT_EQ(stored[0].flops, matmul.flops);
  EXPECT_EQ(stored[0].bytes, matmul.bytes);
  EXPECT_EQ(stored[1].key, key("conv"));
  EXPECT_EQ(get(database.task(key("none"))), std::nullopt);
}

TEST_F(DatabaseTest, CountsAndSummary) {
  Record unverified = makeRecord(9, 0.1);
  unverified.verified = false;
  append(database, {makeRecord(0, 2), makeRecord(1, 1), unverified,
                    makeFailure(2, MeasureStatus::BuildError, "x"),
                    makeFailure(3, MeasureStatus::RunTimeout, "x"),
                    makeFailure(4, MeasureStatus::RunTimeout, "x")});
  Record gpu = makeFailure(5, MeasureStatus::Unmeasured, "");
  gpu.target = "nvidia:sm_80";
  append(database, {gpu});
  StoredTask idle = makeTask("idle");
  RecordBatch batch;
  batch.tasks = idle;
  get(database.append(batch));
  std::map<MeasureStatus, uint64_t> expected = {{MeasureStatus::Ok, 3},
                                                {MeasureStatus::BuildError, 1},
                                                {MeasureStatus::RunTimeout, 2}};
  EXPECT_EQ(get(database.countByStatus(matmul())), expected);
  std::vector<TaskSummary> summaries = get(database.summarize());
  ASSERT_EQ(summaries.size(), 3u);
  EXPECT_EQ(summaries[0].target, "cpu");
  EXPECT_EQ(summaries[0].counts, expected);
  EXPECT_EQ(medianTime(*summaries[0].best), 1.0);
  EXPECT_EQ(summaries[1].target, "nvidia:sm_80");
  EXPECT_EQ(summaries[1].best, std::nullopt);
  EXPECT_EQ(summaries[2].task.name, "idle");
  EXPECT_TRUE(summaries[2].counts.empty());
}

} // namespace
