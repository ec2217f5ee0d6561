//===- SchemaTest.cpp - foreign objects in a database ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Schema.h"
#include "Common.h"
#include "Repair.h"
#include "SchemaObjects.h"

using namespace llvm;
using namespace pruner;
using namespace pruner::test;

namespace {

struct Schema : testing::Test {
  TempDirectory directory;
  std::string path = directory.file("t.db");

  void SetUp() override {
    Database database = openDatabase(path);
    append(database, {makeRecord(0, 1), makeRecord(1, 2)});
  }
  /// Inserts a row into sqlite_schema without the checks of SQLite.
  static std::string forge(const std::string &type, const std::string &name,
                           const std::string &table, const std::string &sql) {
    return "PRAGMA writable_schema = ON; INSERT INTO sqlite_schema VALUES('" +
           type + "', '" + name + "', '" + table + "', 0, '" + sql +
           "'); PRAGMA schema_version = 100";
  }
  void expectRefused(const std::string &others) {
    for (OpenMode mode :
         {OpenMode::ReadOnly, OpenMode::ReadWrite, OpenMode::Create}) {
      std::string problem = errorOf(Database::open(path, mode));
      EXPECT_NE(problem.find(": " + others + "; it is damaged"),
                std::string::npos)
          << problem << "\nexpected: " << others;
    }
  }
};

TEST_F(Schema, ForeignObjectsAreReported) {
  const std::pair<std::string, std::string> cases[] = {
      {"CREATE TRIGGER added AFTER INSERT ON records BEGIN DELETE FROM records;"
       " END",
       "the trigger 'added' is not one of its objects"},
      {forge("trigger", "sqlite_stat_x", "records",
             "CREATE TRIGGER sqlite_stat_x AFTER INSERT ON records BEGIN "
             "DELETE FROM records; END"),
       "the trigger 'sqlite_stat_x' is not one of its objects"},
      {forge("trigger", "sqlite_stat1", "records",
             "CREATE TRIGGER sqlite_stat1 AFTER INSERT ON records BEGIN "
             "DELETE FROM records; END"),
       "the trigger 'sqlite_stat1' is not one of its objects"},
      {"CREATE VIEW pragma_user_version AS SELECT 5 AS user_version",
       "the view 'pragma_user_version' is not one of its objects"},
      {"CREATE TABLE more (a, b AS (a + 1))",
       "the table 'more' is not one of its objects"},
      {"CREATE TABLE more (a PRIMARY KEY) WITHOUT ROWID",
       "the table 'more' is not one of its objects"},
      {"CREATE INDEX more ON records (abs(median))",
       "the index 'more' is not one of its objects"},
      {"CREATE TABLE \"two\n\"\"lines\" (a)",
       "the table 'two\\0A\\22lines' is not one of its objects"},
      {"DROP INDEX records_best; CREATE INDEX records_best ON records "
       "(setting, median COLLATE NOCASE, identity) WHERE " +
           kIsRightTrial.str(),
       "the index 'records_best' is defined differently"},
      {"DROP INDEX records_best; CREATE UNIQUE INDEX records_best ON records "
       "(setting, median, identity) WHERE " +
           kIsRightTrial.str(),
       "the index 'records_best' is defined differently"},
      {"PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql ="
       " replace(sql, 'name TEXT', 'name TEXT DEFAULT (random())') WHERE name ="
       " 'tasks'; PRAGMA schema_version = 100",
       "the table 'tasks' is defined differently"},
      {"ALTER TABLE tasks ADD COLUMN more CHECK (length(key) > 0)",
       "the table 'tasks' is defined differently"},
      {"ALTER TABLE tasks ADD COLUMN more AS (length(key))",
       "the table 'tasks' is defined differently"}};
  std::string sound = readFile(path);
  for (const auto &[sql, others] : cases) {
    writeFile(path, sound);
    runSql(path, sql);
    std::string before = readFile(path);
    expectRefused(others);
    EXPECT_EQ(readFile(path), before) << sql;
  }
}

TEST_F(Schema, ReplacedObjects) {
  for (std::string in : {"records_by_task", "tasks"}) {
    std::string sound = readFile(path);
    runSql(path, "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET"
                 " rootpage = (SELECT rootpage FROM sqlite_schema WHERE name ="
                 " '" +
                     in +
                     "') WHERE name = 'records_by_run';"
                     "PRAGMA schema_version = 100");
    std::string problem = errorOf(Database::open(path, OpenMode::ReadOnly));
    EXPECT_NE(problem.find("records_by_run"), std::string::npos) << problem;
    writeFile(path, sound);
  }
}

TEST_F(Schema, VirtualTablesAreNotOpened) {
  runSql(path, "CREATE VIRTUAL TABLE more USING fts5(text)");
  std::string problem = errorOf(Database::open(path, OpenMode::ReadOnly));
  EXPECT_NE(problem.find("the table 'more' is not one of its objects"),
            std::string::npos)
      << problem;
}

TEST_F(Schema, StatisticsAreAllowed) {
  runSql(path, "ANALYZE");
  Database database = openDatabase(path);
  EXPECT_EQ(append(database, {makeRecord(2, 3)}).added, 1u);
  EXPECT_TRUE(problemsOf(database).empty());
}

// Another program may change the file while it is open.
TEST_F(Schema, ObjectsAddedLaterAreRejectedByWrites) {
  Database database = openDatabase(path);
  EXPECT_EQ(append(database, {makeRecord(2, 3)}).added, 1u);
  runSql(path, "ANALYZE");
  EXPECT_EQ(append(database, {makeRecord(3, 3)}).added, 1u);
  runSql(path, "CREATE TRIGGER added AFTER INSERT ON records BEGIN"
               " DELETE FROM records; END");
  Record record = makeRecord(4, 3);
  RecordBatch batch;
  batch.records = record;
  std::string problem = errorOf(database.append(batch));
  EXPECT_NE(problem.find("the trigger 'added' is not one of its objects"),
            std::string::npos)
      << problem;
  EXPECT_EQ(get(database.all({})).size(), 4u);
}

// Statements that SQLite can be made to execute are limited in time.
TEST_F(Schema, StatementsAreLimited) {
  auto connection =
      get(Connection::open(path, SQLITE_OPEN_READWRITE, false, 0));
  Error error = connection->execute(
      "SELECT count(*) FROM (WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL"
      " SELECT x + 1 FROM c) SELECT x FROM c)");
  std::string problem = toString(std::move(error));
  EXPECT_NE(
      problem.find("it takes more steps than any sound file of this size"),
      std::string::npos)
      << problem;
  // And nothing of it is executed.
  EXPECT_TRUE(bool(connection->execute("CREATE TRIGGER added AFTER INSERT ON"
                                       " records BEGIN DELETE FROM records;"
                                       " END; INSERT INTO records (id) VALUES"
                                       " (77); SELECT * FROM nowhere")));
  EXPECT_EQ(get(connection->queryInteger("SELECT count(*) FROM records")), 3);
  EXPECT_TRUE(bool(connection->execute("ATTACH ':memory:' AS other")));
  EXPECT_TRUE(bool(connection->execute("SELECT load_extension('x')")));
  EXPECT_TRUE(bool(connection->execute(
      "PRAGMA writable_schema = ON; DELETE FROM sqlite_schema")));
}

// SQLite removes the file that is named at the end of a journal.
TEST_F(Schema, JournalsThatNameOtherFilesAreRejected) {
  std::string journal("\xd9\xd5\x05\xf9\x20\xa1\x63\xd7", 8);
  std::string other = directory.file("other");
  writeFile(other, "something");
  std::string end = other + std::string(8, '\0');
  end[other.size() + 3] = char(other.size());
  writeFile(path + "-journal",
            journal + std::string(504, '\0') + other + end + journal);
  std::string problem = errorOf(Database::open(path, OpenMode::ReadWrite));
  EXPECT_NE(problem.find("names another file to be removed"), std::string::npos)
      << problem;
  EXPECT_EQ(readFile(other), "something");
}

TEST_F(Schema, RepairTakesSoundRows) {
  {
    Database database = openDatabase(path);
    Record late = makeRecord(7, 3);
    late.timestamp = "2999-01-31T12:00:00Z";
    append(database, {late});
  }
  runSql(path, "UPDATE records SET times = '[1]' WHERE id = 1");
  runSql(path, forge("trigger", "sqlite_stat_x", "records",
                     "CREATE TRIGGER sqlite_stat_x AFTER INSERT ON records "
                     "BEGIN DELETE FROM records; END"));
  runSql(path, "DROP INDEX records_by_run");
  DatabaseOptions options;
  options.salvage = true;
  Database damaged = openDatabase(path, OpenMode::ReadOnly, options);
  EXPECT_EQ(damaged.otherObjects().vec(),
            (std::vector<std::string>{
                "the trigger 'sqlite_stat_x' is not one of its objects",
                "the index 'records_by_run' is missing"}));
  std::string name = directory.file("repaired.db");
  {
    Database repaired = openDatabase(name);
    int64_t now = *parseTimestamp("2026-05-01T00:00:00Z");
    RepairReport report = get(repairDatabase(damaged, &repaired, now));
    EXPECT_EQ(report.records, 2u);
    EXPECT_EQ(report.stamps,
              std::vector<std::string>{
                  "trial 7 of run 'run': the time stamp 2999-01-31T12:00:00Z "
                  "is in the future"});
  }
  Database repaired = openDatabase(name, OpenMode::ReadOnly);
  EXPECT_TRUE(problemsOf(repaired).empty());
  Record late = makeRecord(7, 3);
  late.timestamp = "2026-05-01T00:00:00Z";
  EXPECT_EQ(describeAll(get(repaired.all({}))),
            describeAll({makeRecord(1, 2), late}));
}

} // namespace
