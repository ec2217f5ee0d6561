//===- MigrationTest.cpp - databases of earlier versions ------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Common.h"

#include "pruner/Record/Exchange.h"

#include <csignal>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace llvm;
using namespace pruner;
using namespace pruner::test;

namespace {

struct Migration : testing::Test {
  TempDirectory directory;
  std::string path = directory.file("t.db");

  /// A file of version 1 with the rows that the present version stores of
  /// `records`.
  void makeOld(const std::vector<Record> &records) {
    std::string present = directory.file("present.db");
    {
      Database database = openDatabase(present);
      StoredTask task = makeTask("matmul");
      std::pair<std::string, std::string> state("run", "text");
      RecordBatch batch;
      batch.tasks = task;
      batch.records = records;
      batch.state = state;
      get(database.append(batch));
    }
    runSql(path, "ATTACH '" + present + "' AS present;" +
                     readFile(PRUNER_TEST_VERSION1));
    EXPECT_EQ(version(), 1);
  }

  int64_t version() {
    sqlite3 *database = nullptr;
    int64_t value = -1;
    EXPECT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
    auto read = [](void *out, int, char **values, char **) {
      *static_cast<int64_t *>(out) = atoi(values[0]);
      return 0;
    };
    EXPECT_EQ(
        sqlite3_exec(database, "PRAGMA user_version", read, &value, nullptr),
        SQLITE_OK);
    sqlite3_close(database);
    return value;
  }
};

std::vector<Record> someRecords(int count) {
  std::vector<Record> records;
  for (int i = 0; i < count; ++i) {
    records.push_back(makeRecord(i, 1.0 / (i + 3)));
    if (i % 5 == 2)
      records.back() = makeFailure(i, MeasureStatus::RunCrash, "SIG\nSEGV");
    if (i % 7 == 3)
      records.back().score.reset();
    if (i % 11 == 4)
      records.back().runId = "";
  }
  return records;
}

TEST_F(Migration, NothingIsLost) {
  std::vector<Record> records = someRecords(40);
  makeOld(records);
  Database database = openDatabase(path, OpenMode::ReadWrite);
  EXPECT_EQ(version(), 2);
  EXPECT_TRUE(problemsOf(database).empty());
  EXPECT_EQ(describeAll(get(database.all({}))), describeAll(records));
  EXPECT_EQ(get(database.task(key("matmul")))->text, makeTask("matmul").text);
  EXPECT_EQ(*get(database.getState("run")), "text");
  // They are the measurements that they were.
  EXPECT_EQ(append(database, records).added, 0u);
}

TEST_F(Migration, ReadingLeavesTheFileAlone) {
  std::vector<Record> records = someRecords(40);
  makeOld(records);
  std::string before = readFile(path);
  {
    Database database = openDatabase(path, OpenMode::ReadOnly);
    EXPECT_EQ(describeAll(get(database.all({}))), describeAll(records));
    EXPECT_TRUE(problemsOf(database).empty());
    EXPECT_NE(
        errorOf(database.append({})).find("'" + path + "': cannot write it: "),
        std::string::npos);
  }
  EXPECT_EQ(readFile(path), before);
}

// What version 1 could not have written either is kept, named and not used.
TEST_F(Migration, UnreadableRowsAreKeptAndNamed) {
  makeOld(someRecords(3));
  runSql(path, "UPDATE records SET status = 'fine' WHERE id = 1;"
               "UPDATE records SET times = '[0]' WHERE id = 2");
  Database database = openDatabase(path);
  EXPECT_EQ(problemsOf(database),
            (std::vector<std::string>{
                "records 1: 'fine' is no status",
                "records 2: a time is 0 s, it must be finite and positive"}));
  EXPECT_EQ(get(database.all({})).size(), 1u);
  EXPECT_EQ(get(database.best({})), std::nullopt);
}

TEST_F(Migration, KilledInTheMiddle) {
  std::vector<Record> records = someRecords(3000);
  makeOld(records);
  std::vector<std::string> expected = describeAll(records);
  std::string old = readFile(path);
  unsigned cut = 0;
  for (int round = 0; round < 25; ++round) {
    writeFile(path, old);
    pid_t child = fork();
    if (child == 0) {
      consumeError(Database::open(path, OpenMode::ReadWrite).takeError());
      _exit(0);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(4 * round));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    // SQLite rolls the rest of a transaction back when it reads.
    int64_t found = version();
    ASSERT_TRUE(found == 1 || found == 2) << found;
    cut += found == 1;
    Database database = openDatabase(path, OpenMode::ReadWrite);
    ASSERT_EQ(describeAll(get(database.all({}))), expected) << round;
    ASSERT_TRUE(problemsOf(database).empty()) << round;
    for (const char *suffix : {"-wal", "-shm", "-journal"})
      sys::fs::remove(path + suffix);
  }
  EXPECT_GT(cut, 0u);
}

TEST_F(Migration, ByTwoAtOnce) {
  std::vector<Record> records = someRecords(500);
  makeOld(records);
  std::vector<std::thread> threads;
  std::vector<std::string> problems(4);
  for (std::string &problem : problems)
    threads.emplace_back(
        [&] { problem = errorOf(Database::open(path, OpenMode::ReadWrite)); });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::string &problem : problems)
    EXPECT_EQ(problem, "no error");
  EXPECT_EQ(describeAll(get(openDatabase(path).all({}))), describeAll(records));
}

} // namespace
