//===- AppendTest.cpp - no measurement is lost ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Common.h"

#include "pruner/Record/Exchange.h"

using namespace llvm;
using namespace pruner;
using namespace pruner::test;

namespace {

struct Append : testing::Test {
  TempDirectory directory;
  std::string path = directory.file("t.db");

  static Expected<AppendCounts> store(Database &database,
                                      const std::vector<Record> &records) {
    RecordBatch batch;
    batch.records = records;
    batch.fresh = true;
    return database.append(batch);
  }
  static std::vector<int64_t> trialsOf(Database &database) {
    std::vector<int64_t> trials;
    for (const Record &record : get(database.all({})))
      trials.push_back(record.trial);
    return trials;
  }
  using Trials = std::vector<int64_t>;
};

TEST_F(Append, FreshMeasurementsAreAllStored) {
  Database database = openDatabase(path);
  std::vector<Record> records = {makeRecord(0, 1), makeRecord(1, 2)};
  EXPECT_EQ(get(store(database, records)).added, 2u);
  // The same numbers and schedules, and the same number for another schedule.
  EXPECT_EQ(get(store(database, records)).added, 2u);
  Record other = makeRecord(9, 2);
  other.trial = 1;
  EXPECT_EQ(get(store(database, {other, other})).added, 2u);
  EXPECT_EQ(trialsOf(database), (Trials{0, 1, 2, 3, 4, 5}));
  // Numbers of records other than trials continue downwards.
  Record untuned = makeRecord(0, 5);
  untuned.trial = -1;
  EXPECT_EQ(get(store(database, {untuned, untuned})).added, 2u);
  EXPECT_EQ(trialsOf(database).back(), -2);
  EXPECT_TRUE(problemsOf(database).empty());
}

TEST_F(Append, AFreshMeasurementReplacesABadRow) {
  Database database = openDatabase(path);
  get(store(database, {makeRecord(0, 1), makeRecord(1, 2)}));
  runSql(path, "UPDATE records SET times = '[1]' WHERE id = 2");
  EXPECT_EQ(get(store(database, {makeRecord(1, 4)})).added, 1u);
  EXPECT_EQ(trialsOf(database), (Trials{0, 1}));
  EXPECT_TRUE(problemsOf(database).empty());
}

// There is no number behind the last one.
TEST_F(Append, ABadRowWithTheLastNumberStopsNoRun) {
  Database database = openDatabase(path);
  get(store(database, {makeRecord(0, 1), makeRecord(1, 2)}));
  runSql(path, "UPDATE records SET id = 9223372036854775807 WHERE id = 1");
  EXPECT_EQ(get(store(database, {makeRecord(0, 3), makeRecord(2, 4)})).added,
            2u);
  EXPECT_EQ(get(store(database, {makeRecord(3, 5)})).added, 1u);
  // What replaces the bad row has its number.
  EXPECT_EQ(trialsOf(database), (Trials{1, 2, 3, 0}));
  EXPECT_EQ(get(database.lastRecord()), 4);
}

TEST_F(Append, ImportsNameWhatIsAnotherMeasurement) {
  std::string lines = directory.file("t.jsonl");
  {
    Database other = openDatabase("");
    append(other, {makeRecord(0, 1), makeRecord(1, 2)});
    std::string text;
    raw_string_ostream os(text);
    ASSERT_FALSE(bool(exportJsonLines(other, os)));
    writeFile(lines, text);
  }
  Database database = openDatabase(path);
  append(database, {makeRecord(0, 1), makeRecord(1, 7)});
  ImportReport report = get(importJsonLines(database, lines));
  EXPECT_EQ(report.added, 0u);
  EXPECT_EQ(report.duplicates, 1u);
  ASSERT_EQ(report.bad.size(), 1u);
  EXPECT_EQ(report.bad[0].line, 3u);
  EXPECT_EQ(report.bad[0].reason,
            "trial 1 of run 'run' of task " + key("matmul") +
                ": another measurement with a different result has its run, "
                "number and identity");
}

TEST_F(Append, ARemovedFileIsSavedElsewhere) {
  Database database = openDatabase(path);
  get(store(database, {makeRecord(0, 1)}));
  EXPECT_EQ(toString(database.checkPlace()), "");
  for (const char *suffix : {"", "-wal", "-shm"})
    sys::fs::remove(path + suffix);
  EXPECT_EQ(errorOf(store(database, {makeRecord(1, 2)})),
            "'" + path +
                "': the file was removed or replaced while it was in use; its "
                "contents and all later measurements are in '" +
                path +
                ".saved'; move it back, or add its records to another database "
                "with 'pruner db merge'");
  // Also for the following records.
  EXPECT_NE(errorOf(store(database, {makeRecord(2, 3)})), "no error");
  Database saved = openDatabase(path + ".saved", OpenMode::ReadOnly);
  EXPECT_EQ(trialsOf(saved), (Trials{0, 1, 2}));
  EXPECT_TRUE(problemsOf(saved).empty());
  EXPECT_FALSE(sys::fs::exists(path));
}

TEST_F(Append, AReplacedFileIsLeftAlone) {
  std::string another = directory.file("another.db");
  {
    Database other = openDatabase(another);
    append(other, {makeRecord(7, 7)});
  }
  Database database = openDatabase(path);
  get(store(database, {makeRecord(0, 1)}));
  writeFile(path + ".saved", "somebody's");
  for (const char *suffix : {"-wal", "-shm"})
    sys::fs::remove(path + suffix);
  ASSERT_FALSE(sys::fs::rename(another, path));
  std::string problem = toString(database.checkPlace());
  EXPECT_NE(problem.find("are in '" + path + ".saved-2'"), std::string::npos)
      << problem;
  Database saved = openDatabase(path + ".saved-2", OpenMode::ReadOnly);
  EXPECT_EQ(trialsOf(saved), (Trials{0}));
  Database now = openDatabase(path, OpenMode::ReadOnly);
  EXPECT_EQ(trialsOf(now), (Trials{7}));
  EXPECT_EQ(readFile(path + ".saved"), "somebody's");
}

TEST_F(Append, OverwrittenRecordsAreKept) {
  for (bool empty : {false, true}) {
    sys::fs::remove(path);
    std::string another = directory.file("another.db");
    {
      Database other = openDatabase(another);
      append(other, {makeRecord(7, 7)});
    }
    DatabaseOptions options;
    options.keepStored = true;
    {
      Database database = openDatabase(path, OpenMode::Create, options);
      StoredTask task = makeTask("matmul");
      Record record = makeRecord(0, 1);
      RecordBatch batch;
      batch.tasks = task;
      batch.records = record;
      get(database.append(batch));
      for (const char *suffix : {"-wal", "-shm"})
        sys::fs::remove(path + suffix);
      // The same file with other contents.
      writeFile(path, empty ? "" : readFile(another));
      std::string problem = toString(database.checkPlace());
      std::string saved = path + ".saved" + (empty ? "-2" : "") + ".jsonl";
      EXPECT_NE(problem.find("the file was overwritten while it was in use"),
                std::string::npos)
          << problem;
      EXPECT_NE(problem.find("are in '" + saved + "'"), std::string::npos)
          << problem;
      Database fresh = openDatabase("");
      EXPECT_EQ(get(importJsonLines(fresh, saved)).added, 1u);
      EXPECT_EQ(describeAll(get(fresh.all({}))), describeAll({record}));
    }
    for (const char *suffix : {"", "-wal", "-shm"})
      sys::fs::remove(path + suffix);
    sys::fs::remove(another);
  }
}

} // namespace
