//===- CheckTest.cpp - rows that are not as they were written -------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Common.h"

using namespace llvm;
using namespace pruner;
using namespace pruner::test;

namespace {

const char *const kAltered = "the content does not hash to what the row says: "
                             "it was changed after it was written";

struct Check : testing::Test {
  TempDirectory directory;
  std::string path = directory.file("t.db");

  /// Three records of a task, and a state.
  void SetUp() override {
    Database database = openDatabase(path);
    std::vector<Record> records = {makeRecord(0, 1), makeRecord(1, 2),
                                   makeRecord(2, 3)};
    Task task = makeTask("matmul");
    std::pair<std::string, std::string> state("run", "text");
    RecordBatch batch;
    batch.tasks = task;
    batch.records = records;
    batch.state = state;
    get(database.append(batch));
    EXPECT_TRUE(problemsOf(database).empty());
  }

  std::vector<std::string> problemsAfter(StringRef sql) {
    runSql(path, sql);
    Database database = openDatabase(path, OpenMode::ReadOnly);
    return problemsOf(database);
  }
  std::vector<int64_t> trials() {
    std::vector<int64_t> trials;
    Database database = openDatabase(path, OpenMode::ReadOnly);
    for (const Record &record : get(database.all({})))
      trials.push_back(record.trial);
    return trials;
  }
  using Lines = std::vector<std::string>;
  using Trials = std::vector<int64_t>;
};

TEST_F(Check, EveryColumnCounts) {
  std::vector<std::string> columns;
  sqlite3 *database = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  auto collect = [](void *out, int, char **values, char **) {
    static_cast<std::vector<std::string> *>(out)->push_back(values[0]);
    return 0;
  };
  sqlite3_exec(database,
               "SELECT name FROM pragma_table_info('records')"
               " WHERE name <> 'id'",
               collect, &columns, nullptr);
  sqlite3_close(database);
  ASSERT_GT(columns.size(), 25u);
  std::string sound = readFile(path);
  for (const std::string &column : columns) {
    writeFile(path, sound);
    // A value that each column may hold, and that none of these does.
    EXPECT_EQ(
        problemsAfter("UPDATE records SET " + column + " = 7.25 WHERE id = 2"),
        Lines{std::string("records 2: ") + kAltered})
        << column;
    EXPECT_EQ(trials(), (Trials{0, 2})) << column;
  }
}

TEST_F(Check, RowsThatChangePlaces) {
  EXPECT_EQ(problemsAfter("UPDATE records SET id = 9 WHERE id = 1;"
                          "UPDATE records SET id = 1 WHERE id = 3;"
                          "UPDATE records SET id = 3 WHERE id = 9"),
            (Lines{std::string("records 1: ") + kAltered,
                   std::string("records 3: ") + kAltered}));
  EXPECT_EQ(trials(), Trials{1});
}

TEST_F(Check, RowsThatAreGone) {
  EXPECT_EQ(problemsAfter("DELETE FROM records WHERE id = 2"),
            Lines{"records 2: the row is missing, and all up to the one before "
                  "3"});
}

TEST_F(Check, TasksAndState) {
  EXPECT_EQ(problemsAfter("UPDATE tasks SET text = text || ' ';"
                          "UPDATE state SET text = 'another'"),
            (Lines{std::string("tasks 1: ") + kAltered,
                   std::string("state 1: ") + kAltered}));
  Database database = openDatabase(path);
  EXPECT_TRUE(get(database.tasks()).empty());
  EXPECT_EQ(get(database.task(key("matmul"))), std::nullopt);
  EXPECT_EQ(get(database.getState("run")), std::nullopt);
  // Stored again, they are as they were.
  Task task = makeTask("matmul");
  RecordBatch batch;
  batch.tasks = task;
  get(database.append(batch));
  EXPECT_EQ(get(database.task(key("matmul")))->text, task.text);
}

TEST_F(Check, ARowThatIsMeasuredAgainIsReplaced) {
  runSql(path, "UPDATE records SET times = '[0.001]', median = 0.001"
               " WHERE id = 2");
  Database database = openDatabase(path);
  EXPECT_EQ(get(database.best({}))->trial, 0);
  AppendCounts counts = append(database, {makeRecord(1, 4), makeRecord(2, 5)});
  EXPECT_EQ(counts.added, 1u);
  EXPECT_EQ(counts.duplicates, 1u);
  EXPECT_TRUE(problemsOf(database).empty());
  EXPECT_EQ(get(database.all({}))[1].times, makeRecord(1, 4).times);
  append(database, {makeRecord(3, 5)});
  EXPECT_TRUE(problemsOf(database).empty());
}

TEST_F(Check, OtherTables) {
  EXPECT_EQ(errorOf(Database::open(path, OpenMode::ReadOnly)), "no error");
  runSql(path, "DROP INDEX records_by_run");
  EXPECT_EQ(errorOf(Database::open(path, OpenMode::ReadOnly)),
            "'" + path +
                "': its tables are not those of a tuning database of schema "
                "version 2; it is damaged or was changed by another program; "
                "keep a copy, and save what can be read with 'sqlite3 FILE "
                ".recover'");
}

} // namespace
