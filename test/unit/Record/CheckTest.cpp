//===- CheckTest.cpp - damaged rows ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Common.h"
#include "RecordRow.h"

using namespace llvm;
using namespace pruner;
using namespace pruner::test;

namespace {

const char *const kAltered = "the content does not match the hash of the row: "
                             "it was changed after it was written";

struct Check : testing::Test {
  TempDirectory directory;
  std::string path = directory.file("t.db");

  /// Three records of a task.
  void SetUp() override {
    Database database = openDatabase(path);
    std::vector<Record> records = {makeRecord(0, 1), makeRecord(1, 2),
                                   makeRecord(2, 3)};
    StoredTask task = makeTask("matmul");
    RecordBatch batch;
    batch.tasks = task;
    batch.records = records;
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
  /// Changes tables without updating the indices, as damage does.
  void runSqlWithoutIndices(const std::string &sql) {
    std::string sound = directory.file("sound.db");
    writeFile(sound, readFile(path));
    runSql(path, "PRAGMA writable_schema = ON; DELETE FROM sqlite_schema"
                 " WHERE name LIKE 'records!_%' ESCAPE '!'");
    runSql(path, sql);
    runSql(path, "PRAGMA writable_schema = ON; ATTACH '" + sound +
                     "' AS sound; INSERT INTO main.sqlite_schema"
                     " SELECT * FROM sound.sqlite_schema"
                     " WHERE name LIKE 'records!_%' ESCAPE '!'");
    sys::fs::remove(sound);
  }
  /// The error for a file with other objects.
  std::string othersOf(const std::string &others) {
    return "'" + path +
           "': its tables are not those of a tuning database of schema "
           "version 5: " +
           others +
           "; it is damaged or was changed by another program; save what is "
           "sound with 'pruner db repair', or what can be read with 'sqlite3 "
           "FILE .recover'";
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
  ASSERT_GT(columns.size(), 31u);
  std::string sound = readFile(path);
  for (const std::string &column : columns) {
    writeFile(path, sound);
    // A value that each column may hold, but that none of these has.
    EXPECT_EQ(
        problemsAfter("UPDATE records SET " + column + " = 7.25 WHERE id = 2"),
        Lines{std::string("records 2: ") + kAltered})
        << column;
    EXPECT_EQ(trials(), (Trials{0, 2})) << column;
  }
}

TEST_F(Check, SummariesAreOfSoundRows) {
  runSql(path, "UPDATE records SET target = 'another' WHERE id = 3;"
               "UPDATE records SET machine_key = 'another' WHERE id = 1");
  Database database = openDatabase(path, OpenMode::ReadOnly);
  std::vector<TaskSummary> summaries = get(database.summarize());
  ASSERT_EQ(summaries.size(), 1u);
  EXPECT_EQ(summaries[0].target, "cpu");
  EXPECT_EQ(summaries[0].counts[MeasureStatus::Ok], 1u);
  EXPECT_EQ(medianTime(*summaries[0].best), 2);
}

TEST_F(Check, SwappedRows) {
  EXPECT_EQ(problemsAfter("UPDATE records SET id = 9 WHERE id = 1;"
                          "UPDATE records SET id = 1 WHERE id = 3;"
                          "UPDATE records SET id = 3 WHERE id = 9"),
            (Lines{std::string("records 1: ") + kAltered,
                   std::string("records 3: ") + kAltered}));
  EXPECT_EQ(trials(), Trials{1});
}

// An index holds copies of columns, and a condition that a column equals a
// value lets SQLite use one for the other. Wherever a query reads its values,
// together they must be what was written.
TEST_F(Check, IndicesAreNotTrusted) {
  RecordQuery query;
  query.taskKey = key("matmul");
  query.target = "cpu";
  query.machineKey = makeRecord(0, 1).machineKey;
  query.toolchain = makeRecord(0, 1).toolchain;
  query.runId = "run";
  std::string sound = readFile(path);
  for (std::string change :
       {"verified = 0", "median = 0.5", "status = 'run-crash'", "run_id = ''",
        "task_key = 'a key'", "target = 'gpu'", "machine_key = 'another'",
        "identity = 'another'", "toolchain = 'another'"}) {
    writeFile(path, sound);
    runSqlWithoutIndices("UPDATE records SET " + change + " WHERE id = 1");
    Database database = openDatabase(path, OpenMode::ReadOnly);
    EXPECT_EQ(problemsOf(database).front(),
              std::string("records 1: ") + kAltered)
        << change;
    std::vector<Record> found = get(database.all(query));
    EXPECT_EQ(get(database.countByStatus(query))[MeasureStatus::Ok],
              found.size())
        << change;
    found.push_back(*get(database.best(query)));
    for (const Record &record : found)
      EXPECT_EQ(describe(record),
                describe(makeRecord(record.trial, record.trial + 1)))
          << change;
  }
}

// Indices that lead to the wrong row.
TEST_F(Check, ResultsMatchTheQuery) {
  RecordQuery query;
  query.taskKey = key("matmul");
  query.target = "cpu";
  query.machineKey = makeRecord(0, 1).machineKey;
  RecordQuery ofRun;
  ofRun.runId = "run";
  std::vector<Record> others(6, makeRecord(0, 1));
  others[0].taskKey = key("conv");
  others[1].target = "gpu";
  others[2].machineKey = "another";
  others[3].runId = "another";
  others[4].verified = false;
  others[5] = makeFailure(0, MeasureStatus::RunCrash, "SIGSEGV");
  std::string sound = readFile(path);
  for (size_t i = 0; i < others.size(); ++i) {
    std::string elsewhere = directory.file(std::to_string(i) + ".db");
    {
      Database other = openDatabase(elsewhere);
      append(other, {others[i]});
    }
    writeFile(path, sound);
    runSqlWithoutIndices("ATTACH '" + elsewhere +
                         "' AS other; DELETE FROM records WHERE id = 1;"
                         "INSERT INTO records SELECT * FROM other.records");
    Database database = openDatabase(path, OpenMode::ReadOnly);
    EXPECT_FALSE(problemsOf(database).empty()) << i;
    EXPECT_EQ(get(database.all({})).size(), 3u) << i;
    for (const Record &record : get(database.all(query))) {
      EXPECT_EQ(record.taskKey, query.taskKey) << i;
      EXPECT_EQ(record.target, query.target) << i;
      EXPECT_EQ(record.machineKey, query.machineKey) << i;
    }
    for (const Record &record : get(database.all(ofRun)))
      EXPECT_EQ(record.runId, "run") << i;
    EXPECT_EQ(get(database.best(query))->trial, i == 3 ? 0 : 1) << i;
    EXPECT_EQ(get(database.best(ofRun))->trial, i < 3 ? 0 : 1) << i;
  }
}

// Rows with valid hashes that no version of Pruner would have written.
TEST_F(Check, MeaninglessRows) {
  std::string hashed = "id";
  for (const RecordColumn &column : recordColumns())
    hashed += ", " + column.name.str();
  const std::string reseal =
      "; UPDATE records SET row_hash = pruner_row_hash(" + hashed +
      "); UPDATE tasks SET row_hash = pruner_row_hash(key, name, text, flops,"
      " bytes)";
  const std::pair<std::string, std::string> cases[] = {
      {"UPDATE records SET trial = 'many' WHERE id = 2",
       "records 2: the column 'trial' holds a text"},
      {"UPDATE records SET trial = 1.5 WHERE id = 2",
       "records 2: the column 'trial' holds a real number"},
      {"UPDATE records SET reason = NULL WHERE id = 2",
       "records 2: the column 'reason' holds nothing"},
      {"UPDATE records SET host = x'00' WHERE id = 2",
       "records 2: the column 'host' holds bytes"},
      {"UPDATE records SET verified = 7 WHERE id = 2",
       "records 2: 'verified' is 7"},
      {"UPDATE records SET runs_per_sample = 'many' WHERE id = 2",
       "records 2: the column 'runs_per_sample' holds a text"},
      {"UPDATE records SET runs_per_sample = 0 WHERE id = 2",
       "records 2: a sample must have at least 1 run, but has 0"},
      {"UPDATE records SET repeats = -1 WHERE id = 2",
       "records 2: the number of repeats must not be negative, but is -1"},
      {"UPDATE records SET censored = 7 WHERE id = 2",
       "records 2: 'censored' is 7"},
      {"UPDATE records SET noisy = -1 WHERE id = 2",
       "records 2: 'noisy' is -1"},
      {"UPDATE records SET exact = 2 WHERE id = 2", "records 2: 'exact' is 2"},
      {"UPDATE records SET error_over_bound = -1 WHERE id = 2",
       "records 2: the error over its bound must be finite and not negative, "
       "but is -1"},
      {"UPDATE records SET identity = 'another' WHERE id = 2",
       "records 2: the identity does not match the other columns"},
      {"UPDATE records SET status = 'fine' WHERE id = 2",
       "records 2: unknown status 'fine'"},
      {"UPDATE tasks SET key = 'matmul'",
       "tasks 1: the task key must be 32 hex digits, but is 'matmul'"},
      {"UPDATE tasks SET flops = -1", "tasks 1: the number of operations must "
                                      "be finite and not negative, but is -1"},
      {"UPDATE tasks SET bytes = NULL",
       "tasks 1: the column 'bytes' holds nothing"}};
  std::string sound = readFile(path);
  for (const auto &[sql, problem] : cases) {
    writeFile(path, sound);
    {
      auto connection = get(Connection::open(path, SQLITE_OPEN_READWRITE,
                                             /*immutable=*/false, 0));
      ASSERT_FALSE(bool(connection->execute((sql + reseal).c_str()))) << sql;
    }
    Database database = openDatabase(path, OpenMode::ReadOnly);
    EXPECT_EQ(problemsOf(database), Lines{problem});
    bool record = StringRef(problem).starts_with("records");
    bool task = StringRef(problem).starts_with("tasks");
    EXPECT_EQ(get(database.all({})).size(), record ? 2u : 3u) << sql;
    EXPECT_EQ(get(database.tasks()).size(), task ? 0u : 1u) << sql;
  }
}

TEST_F(Check, MissingRows) {
  EXPECT_EQ(problemsAfter("DELETE FROM records WHERE id = 2"),
            Lines{"records 2: the row is missing, and so are all before row "
                  "3"});
}

TEST_F(Check, Tasks) {
  EXPECT_EQ(problemsAfter("UPDATE tasks SET text = text || ' '"),
            Lines{std::string("tasks 1: ") + kAltered});
  Database database = openDatabase(path);
  EXPECT_TRUE(get(database.tasks()).empty());
  EXPECT_EQ(get(database.task(key("matmul"))), std::nullopt);
  // Stored again, they are restored.
  StoredTask task = makeTask("matmul");
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
  // The other one has another result than the stored one.
  EXPECT_EQ(counts.duplicates, 0u);
  EXPECT_EQ(counts.conflicts, std::vector<size_t>{1});
  EXPECT_TRUE(problemsOf(database).empty());
  EXPECT_EQ(get(database.all({}))[1].times, makeRecord(1, 4).times);
  append(database, {makeRecord(3, 5)});
  EXPECT_TRUE(problemsOf(database).empty());
}

TEST_F(Check, OtherTables) {
  EXPECT_EQ(errorOf(Database::open(path, OpenMode::ReadOnly)), "no error");
  runSql(path, "DROP INDEX records_by_run");
  EXPECT_EQ(errorOf(Database::open(path, OpenMode::ReadOnly)),
            othersOf("the index 'records_by_run' is missing"));
}

} // namespace
