//===- SelectionTest.cpp - selection in large databases -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Common.h"

#include "pruner/Record/Choice.h"
#include "pruner/Support/Random.h"

using namespace llvm;
using namespace pruner;
using namespace pruner::test;

namespace {

struct SelectionTest : testing::Test {
  Database database = openDatabase("");

  static RecordQuery query() {
    Record record = makeRecord(0, 1);
    RecordQuery query;
    query.taskKey = record.taskKey;
    query.target = record.target;
    query.machineKey = record.machineKey;
    return query;
  }
  std::vector<Setting> settings(bool counted = false) {
    std::vector<BadRow> bad;
    return get(database.settings(query(), counted, bad));
  }
  size_t asked = 0; ///< Rows that were read, sound and judged.
  std::vector<Record> selected() {
    asked = 0;
    return get(database.select(settings(), /*unmeasured=*/false,
                               [&](const Record &) {
                                 ++asked;
                                 return true;
                               }))
        .records;
  }
};

/// A record of some run of a task that is tuned repeatedly.
static Record someRecord(Random &random, int64_t number) {
  Record record = makeRecord(int64_t(random.uniform(40)),
                             1e-3 * double(1 + random.uniform(1000)));
  record.runId = "run " + std::to_string(number / 20);
  record.trial = number;
  record.timestamp =
      "2026-01-" + std::to_string(10 + random.uniform(20)) + "T12:00:00Z";
  switch (random.uniform(12)) {
  case 0: {
    std::string schedule = record.schedule;
    record = makeFailure(number, MeasureStatus::RunCrash, "SIGSEGV");
    record.schedule = schedule;
    record.runId = "run";
    break;
  }
  case 1:
    record.status = MeasureStatus::WrongResult;
    record.verified = false;
    if (random.uniform(6))
      record.schedule = "#pruner.schedule<wrong>";
    break;
  case 2:
    record.schedule = kDefaultSchedule.str();
    record.verified = false;
    record.trial = -1 - number;
    break;
  case 3:
    record.strategy =
        (random.uniform(2) ? kFinalStrategy : kNetworkFinalStrategy).str();
    record.runId = "final " + std::to_string(number / 50);
    record.trial = -1 - number;
    break;
  default:
    break;
  }
  return record;
}

// The selected records lead to the same choice as all records.
TEST_F(SelectionTest, ChoicesEqualThoseFromAllRecords) {
  size_t kept = 0, finals = 0;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    database = openDatabase("");
    Random random(seed);
    std::vector<Record> records;
    for (int64_t n = 0; n < int64_t(20 + 4 * seed); ++n) {
      records.push_back(someRecord(random, n));
      if (seed % 3 == 0 && isOfFinal(records.back()))
        records.pop_back();
    }
    append(database, records);
    std::vector<Record> all = get(database.all({})), some = selected();
    Choice expected = chooseRecord(all), found = chooseRecord(some);
    EXPECT_EQ(found.keptDefault, expected.keptDefault) << seed;
    EXPECT_EQ(found.seconds, expected.seconds) << seed;
    ASSERT_EQ(bool(found.record), bool(expected.record)) << seed;
    if (found.record)
      EXPECT_EQ(describe(*found.record), describe(*expected.record)) << seed;
    EXPECT_EQ(finalists(some), finalists(all)) << seed;
    for (StringRef strategy : {kFinalStrategy, kNetworkFinalStrategy})
      EXPECT_EQ(describeAll(latestFinal(some, strategy)),
                describeAll(latestFinal(all, strategy)))
          << seed;
    kept += found.keptDefault;
    finals += !latestFinal(all, kFinalStrategy).empty();
  }
  EXPECT_GT(finals, 20u);
  EXPECT_LT(finals, 60u);
  EXPECT_LT(kept, 60u);
}

// The number of records that are read does not grow.
TEST_F(SelectionTest, FewRecordsAreRead) {
  size_t read[2];
  for (int round = 0; round < 2; ++round) {
    database = openDatabase("");
    std::vector<Record> records;
    for (int64_t n = 0; n < (round ? 6000 : 600); ++n) {
      // The same schedules repeatedly.
      Record record = makeRecord(n % 12, 1 + double(n) * 1e-3);
      record.trial = n;
      records.push_back(std::move(record));
    }
    append(database, records);
    selected();
    read[round] = asked;
  }
  EXPECT_EQ(read[0], read[1]);
  EXPECT_LE(read[0], 20u);
}

TEST_F(SelectionTest, RejectedRecordsAreSkipped) {
  append(database, {makeRecord(0, 1), makeRecord(1, 2), makeRecord(2, 3)});
  auto selection =
      get(database.select(settings(), false, [](const Record &record) {
        return record.trial != 0;
      }));
  EXPECT_EQ(chooseRecord(selection.records).record->trial, 1);
}

TEST_F(SelectionTest, SettingsAreDistinguishedAndCounted) {
  Record warm = makeRecord(0, 1), cold = makeRecord(1, 1),
         older = makeRecord(2, 1), elsewhere = makeRecord(3, 1),
         failed = makeFailure(4, MeasureStatus::RunCrash, "x"),
         final = makeRecord(5, 1);
  cold.cacheState = "16M 0 512K";
  older.generator = key("generator");
  elsewhere.machineKey = "another";
  final.strategy = kFinalStrategy.str();
  append(database, {warm, cold, older, elsewhere, failed, final});
  std::vector<Setting> found = settings(/*counted=*/true);
  ASSERT_EQ(found.size(), 3u);
  uint64_t trials = 0, failures = 0, finals = 0;
  for (const Setting &setting : found) {
    EXPECT_EQ(setting.example.machineKey, warm.machineKey);
    for (auto [status, count] : setting.trials)
      (status == MeasureStatus::Ok ? trials : failures) += count;
    for (auto [status, count] : setting.finals)
      finals += count;
  }
  EXPECT_EQ(trials, 3u);
  EXPECT_EQ(failures, 1u);
  EXPECT_EQ(finals, 1u);
  std::vector<BadRow> bad;
  EXPECT_EQ(get(database.settings({}, false, bad)).size(), 4u);
}

TEST_F(SelectionTest, BadRowsAreReported) {
  TempDirectory directory;
  std::string path = directory.file("t.db");
  database = openDatabase(path);
  append(database, {makeRecord(0, 1), makeRecord(1, 2)});
  runSql(path, "UPDATE records SET times = '[0.5]' WHERE id = 1");
  Selection selection = get(
      database.select(settings(), false, [](const Record &) { return true; }));
  ASSERT_EQ(selection.bad.size(), 1u);
  EXPECT_EQ(selection.bad[0].row, 1);
  ASSERT_EQ(selection.records.size(), 1u);
  EXPECT_EQ(selection.records[0].trial, 1);
}

// Counts by the index equal counts of rows.
TEST_F(SelectionTest, SummariesOfLargeDatabases) {
  std::vector<Record> records;
  for (int64_t n = 0; n < Database::kReadAsWhole + 1; ++n) {
    Record record = makeRecord(n, 1 + double(n % 997) * 1e-3);
    if (n % 10 == 3)
      record = makeFailure(n, MeasureStatus::RunCrash, "x");
    if (n % 3 == 1)
      record.taskKey = key("conv");
    if (n % 500 == 7)
      record.strategy = kFinalStrategy.str();
    record.facts = "";
    records.push_back(std::move(record));
  }
  std::map<std::string, uint64_t> counts;
  for (const Record &record : records)
    counts[record.taskKey] += !isOfFinal(record);
  StoredTask tasks[] = {makeTask("matmul"), makeTask("conv")};
  RecordBatch batch;
  batch.tasks = tasks;
  batch.records = records;
  get(database.append(batch));
  std::vector<TaskSummary> summaries = get(database.summarize());
  ASSERT_EQ(summaries.size(), 2u);
  for (const TaskSummary &summary : summaries) {
    uint64_t count = 0;
    for (auto [status, number] : summary.counts)
      count += number;
    EXPECT_EQ(count, counts[summary.task.key]);
    RecordQuery query;
    query.taskKey = summary.task.key;
    auto best = get(database.best(query));
    ASSERT_TRUE(best && summary.best);
    EXPECT_EQ(medianTime(*summary.best), medianTime(*best));
    EXPECT_EQ(isOfFinal(*summary.best), true);
  }
}

} // namespace
