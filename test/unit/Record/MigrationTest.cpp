//===- MigrationTest.cpp - databases of earlier versions ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Common.h"
#include "RecordRow.h"

#include "pruner/Record/Exchange.h"

#include "llvm/Support/Compiler.h"
#include <csignal>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace llvm;
using namespace pruner;
using namespace pruner::test;

namespace {

struct Migration : testing::TestWithParam<int> {
  TempDirectory directory;
  std::string path = directory.file("t.db");

  /// Creates a file of the older version with the rows that the current version
  /// stores for `records`.
  void makeOld(const std::vector<Record> &records) {
    std::string present = directory.file("present.db");
    {
      Database database = openDatabase(present);
      StoredTask task = makeTask("matmul");
      RecordBatch batch;
      batch.tasks = task;
      batch.records = records;
      get(database.append(batch));
    }
    makeOldDatabase(path, present,
                    PRUNER_TEST_SCRIPTS "version" + std::to_string(GetParam()) +
                        ".sql");
    EXPECT_EQ(version(), GetParam());
  }

  /// Changes rows and updates their hashes, if they have any.
  void runSqlAndReseal(const std::string &sql) {
    auto connection = get(Connection::open(path, SQLITE_OPEN_READWRITE,
                                           /*immutable=*/false, 0));
    std::string hashed = "id";
    for (const RecordColumn &column : recordColumns())
      if (column.since <= GetParam())
        hashed += ", " + column.name.str();
    ASSERT_FALSE(bool(connection->execute(sql.c_str())));
    if (GetParam() > 1)
      ASSERT_FALSE(bool(connection->execute(
          ("UPDATE records SET row_hash = pruner_row_hash(" + hashed + ")")
              .c_str())));
  }

  /// Some records with the fields of an older version.
  std::vector<Record> someRecords(int count);

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

std::vector<Record> Migration::someRecords(int count) {
  std::vector<Record> records;
  for (int i = 0; i < count; ++i) {
    records.push_back(makeRecord(i, 1.0 / (i + 3)));
    if (i % 5 == 2)
      records.back() = makeFailure(i, MeasureStatus::RunCrash, "SIG\nSEGV");
    if (i % 7 == 3)
      records.back().score.reset();
    if (i % 11 == 4)
      records.back().runId = "";
    if (GetParam() > 1 && i % 2) {
      records.back().generator = key("generator");
      records.back().verification = "a method";
    }
    if (GetParam() > 2 && i % 5 == 0)
      records.back().runsPerSample = i + 1;
    if (GetParam() > 3 && i % 3 == 0)
      records.back().cacheState = "16M 0 512K";
  }
  return records;
}

INSTANTIATE_TEST_SUITE_P(From, Migration, testing::Values(1, 2, 3, 4));

struct MigrationWithHashes : Migration {};

INSTANTIATE_TEST_SUITE_P(From, MigrationWithHashes, testing::Values(2, 3, 4));

TEST_P(Migration, NothingIsLost) {
  std::vector<Record> records = someRecords(40);
  makeOld(records);
  Database database = openDatabase(path, OpenMode::ReadWrite);
  EXPECT_EQ(version(), Database::kSchemaVersion);
  EXPECT_TRUE(problemsOf(database).empty());
  EXPECT_EQ(describeAll(get(database.all({}))), describeAll(records));
  EXPECT_EQ(get(database.task(key("matmul")))->text, makeTask("matmul").text);
  // They are the same measurements.
  EXPECT_EQ(append(database, records).added, 0u);
}

TEST_P(Migration, ReadingDoesNotChangeTheFile) {
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

// Rows that the older version would not have written either are kept, reported
// and not used.
TEST_P(Migration, UnreadableRowsAreKeptAndReported) {
  makeOld(someRecords(3));
  runSqlAndReseal("UPDATE records SET status = 'fine' WHERE id = 1;"
                  "UPDATE records SET times = '[0]' WHERE id = 2");
  Database database = openDatabase(path);
  EXPECT_EQ(problemsOf(database),
            (std::vector<std::string>{
                "records 1: unknown status 'fine'",
                "records 2: a time must be finite and positive, but is 0 s"}));
  EXPECT_EQ(get(database.all({})).size(), 1u);
  EXPECT_EQ(get(database.best({})), std::nullopt);
}

// A new hash would make the row valid.
TEST_P(MigrationWithHashes, AlteredRowsStayAltered) {
  const std::string altered = "the content does not match the hash of the row: "
                              "it was changed after it was written";
  std::vector<Record> records = someRecords(6);
  makeOld(records);
  runSql(path, "UPDATE records SET times = '[0.001]', median = 0.001"
               " WHERE id = 2;"
               "UPDATE records SET row_hash = NULL WHERE id = 4;"
               "UPDATE records SET row_hash = x'00' WHERE id = 5;"
               "UPDATE tasks SET text = text || ' '");
  const std::vector<std::string> expected = {
      "tasks 1: " + altered, "records 2: " + altered, "records 4: " + altered,
      "records 5: " + altered};
  {
    Database database = openDatabase(path, OpenMode::ReadOnly);
    EXPECT_EQ(problemsOf(database), expected);
  }
  Database database = openDatabase(path);
  EXPECT_EQ(problemsOf(database), expected);
  EXPECT_EQ(describeAll(get(database.all({}))),
            describeAll({records[0], records[2], records[5]}));
  // Measured again, they are restored.
  EXPECT_EQ(append(database, {records[1], records[3]}).duplicates, 0u);
  EXPECT_EQ(problemsOf(database), std::vector<std::string>{expected[3]});
}

TEST_P(Migration, MissingRowsStayMissing) {
  makeOld(someRecords(5));
  runSql(path, "DELETE FROM records WHERE id = 2");
  Database database = openDatabase(path);
  EXPECT_EQ(problemsOf(database),
            std::vector<std::string>{
                "records 2: the row is missing, and so are all before row 3"});
}

// Rows that SQLite cannot find would be lost without an error.
TEST_P(Migration, DamagedFilesAreUnchanged) {
  makeOld(someRecords(40));
  // An index that disagrees with its table.
  std::string kept = directory.file("kept.db");
  runSql(path, "PRAGMA writable_schema = ON; ATTACH '" + kept +
                   "' AS kept; CREATE TABLE kept.rows AS SELECT * FROM"
                   " main.sqlite_schema WHERE name = 'records_by_run';"
                   "DELETE FROM main.sqlite_schema"
                   " WHERE name = 'records_by_run'");
  runSql(path, "UPDATE records SET run_id = 'another' WHERE id = 2");
  runSql(path, "PRAGMA writable_schema = ON; ATTACH '" + kept +
                   "' AS kept; INSERT INTO main.sqlite_schema"
                   " SELECT * FROM kept.rows");
  std::string before = readFile(path);
  for (OpenMode mode : {OpenMode::ReadOnly, OpenMode::ReadWrite}) {
    std::string problem = errorOf(Database::open(path, mode));
    EXPECT_TRUE(StringRef(problem).starts_with(
        "'" + path + "': schema version " + std::to_string(GetParam()) +
        " cannot be updated to 5; the file is unchanged: it is "
        "damaged: "))
        << problem;
    EXPECT_EQ(readFile(path), before);
  }
}

// Foreign objects in an old file would be copied, or executed.
TEST_P(Migration, ForeignObjectsAreRejected) {
  makeOld(someRecords(3));
  runSql(path, "CREATE TRIGGER added AFTER INSERT ON records BEGIN"
               " DELETE FROM records; END");
  std::string before = readFile(path);
  for (OpenMode mode : {OpenMode::ReadOnly, OpenMode::ReadWrite}) {
    EXPECT_EQ(errorOf(Database::open(path, mode)),
              "'" + path + "': schema version " + std::to_string(GetParam()) +
                  " cannot be updated to 5; the file is unchanged: "
                  "its tables do not match that version: the trigger "
                  "'added' is not one of its objects");
    EXPECT_EQ(readFile(path), before);
  }
}

// A wrong version number would drop the hashes of rows.
TEST_P(Migration, TablesOfAnotherVersionAreUnchanged) {
  makeOld(someRecords(3));
  int other = GetParam() == 1 ? 2 : 1;
  runSql(path, "PRAGMA user_version = " + std::to_string(other));
  std::string problem = errorOf(Database::open(path, OpenMode::ReadWrite));
  EXPECT_TRUE(StringRef(problem).starts_with(
      "'" + path + "': schema version " + std::to_string(other) +
      " cannot be updated to 5; the file is unchanged: its tables do not match "
      "that version: the table '"))
      << problem;
  EXPECT_EQ(version(), other);
  std::string present = directory.file("new.db");
  {
    Database database = openDatabase(present);
  }
  runSql(present, "PRAGMA user_version = " + std::to_string(other));
  EXPECT_NE(errorOf(Database::open(present, OpenMode::ReadOnly))
                .find("its tables do not match that version"),
            std::string::npos);
}

TEST_P(Migration, KilledDuringMigration) {
  std::vector<Record> records = someRecords(3000);
  makeOld(records);
  std::vector<std::string> expected = describeAll(records);
  std::string old = readFile(path);
  unsigned cut = 0;
  // With AddressSanitizer, a round takes seconds.
  const int step = LLVM_ADDRESS_SANITIZER_BUILD ? 5 : 1;
  for (int round = 0; round < 25; round += step) {
    writeFile(path, old);
    pid_t child = fork();
    if (child == 0) {
      consumeError(Database::open(path, OpenMode::ReadWrite).takeError());
      _exit(0);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(4 * round));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    // SQLite rolls back the rest of a transaction when it reads.
    int64_t found = version();
    ASSERT_TRUE(found == GetParam() || found == Database::kSchemaVersion)
        << found;
    cut += found == GetParam();
    Database database = openDatabase(path, OpenMode::ReadWrite);
    ASSERT_EQ(describeAll(get(database.all({}))), expected) << round;
    ASSERT_TRUE(problemsOf(database).empty()) << round;
    for (const char *suffix : {"-wal", "-shm", "-journal"})
      sys::fs::remove(path + suffix);
  }
  EXPECT_GT(cut, 0u);
}

TEST_P(Migration, ConcurrentMigrations) {
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
