//===- Common.h - helpers of the database tests -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_TEST_UNIT_RECORD_COMMON_H
#define PRUNER_TEST_UNIT_RECORD_COMMON_H

#include "Sqlite.h"
#include "pruner/Record/Database.h"
#include "pruner/Record/RecordJson.h"
#include "pruner/Support/Hashing.h"
#include "pruner/Support/JsonLines.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include "gtest/gtest.h"

#include <sqlite3.h>

namespace pruner::test {

/// A directory that the destructor removes.
class TempDirectory {
public:
  TempDirectory() {
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("pruner-record", path));
  }
  ~TempDirectory() { llvm::sys::fs::remove_directories(path); }
  std::string file(llvm::StringRef name) const {
    return (path + "/" + name).str();
  }

  llvm::SmallString<128> path;
};

inline std::string key(llvm::StringRef name) { return contentHash(name); }

inline StoredTask makeTask(llvm::StringRef name) {
  StoredTask task;
  task.key = key(name);
  task.name = name.str();
  task.text = ("func.func @" + name + "() {\n  return\n}\n").str();
  task.flops = 2.0 * 128 * 128 * 128;
  task.bytes = 3.0 * 128 * 128 * 4;
  return task;
}

/// A verified record of task "matmul" whose median time is `seconds`.
inline Record makeRecord(int64_t trial, double seconds) {
  Record record;
  record.taskKey = key("matmul");
  record.schedule = "#pruner.schedule<tiles = [" + std::to_string(trial) + "]>";
  record.target = "cpu";
  record.machineKey = "x86_64 family 6 model 207, 2 cores";
  record.pipelineOptions = "opt-level=3";
  record.toolchain = "llvm 22.1.8, pruner 0.1.0";
  record.runId = "run";
  record.trial = trial;
  record.strategy = "draft-verify";
  record.seed = 0xfedcba9876543210;
  record.round = trial / 10;
  record.status = MeasureStatus::Ok;
  record.times = {seconds * 1.1, seconds * 0.9, seconds};
  record.verified = true;
  record.score = 0.1 + 1.0 / 3;
  record.psaLatency = 1.0 / 7;
  record.buildSeconds = 0.1;
  record.runSeconds = 0.2;
  record.facts = "{\"spills\":0,\"registers\":128}";
  record.timestamp = "2026-01-31T12:00:00Z";
  record.host = "a CPU";
  record.prunerVersion = "0.1.0";
  return record;
}

/// A record with all details that a runner may report in addition to its times.
inline Record makeDetailed(int64_t trial, double seconds) {
  Record record = makeRecord(trial, seconds);
  record.runsPerSample = 7 + trial;
  record.repeats = trial % 3;
  record.censored = trial % 2;
  record.noisy = trial % 3 == 2;
  record.exact = trial % 5 != 0;
  record.errorOverBound = 0.1 + 0.2 / double(trial + 1);
  return record;
}

inline Record makeFailure(int64_t trial, MeasureStatus status,
                          llvm::StringRef reason) {
  Record record = makeRecord(trial, 1);
  record.times.clear();
  record.verified = false;
  record.status = status;
  record.reason = reason.str();
  return record;
}

/// Every field of a record as text, for comparisons.
inline std::string describe(Record record) {
  llvm::Error error = normalizeRecord(record);
  return error ? toString(std::move(error)) : toJsonLine(toJson(record));
}

inline std::vector<std::string>
describeAll(const std::vector<Record> &records) {
  std::vector<std::string> texts;
  for (const Record &record : records)
    texts.push_back(describe(record));
  return texts;
}

/// The value; an error ends the test with its text.
template <typename T> T get(llvm::Expected<T> value) {
  if (!value) {
    std::string text = toString(value.takeError());
    fprintf(stderr, "unexpected error: %s\n", text.c_str());
    abort();
  }
  return std::move(*value);
}

template <typename T> std::string errorOf(llvm::Expected<T> value) {
  return value ? "no error" : toString(value.takeError());
}

inline Database openDatabase(llvm::StringRef path,
                             OpenMode mode = OpenMode::Create,
                             const DatabaseOptions &options = {}) {
  return get(Database::open(path, mode, options));
}

inline AppendCounts append(Database &database,
                           const std::vector<Record> &records) {
  RecordBatch batch;
  batch.records = records;
  return get(database.append(batch));
}

inline void writeFile(llvm::StringRef path, llvm::StringRef text) {
  std::error_code code;
  llvm::raw_fd_ostream os(path, code);
  ASSERT_FALSE(code);
  os << text;
}

inline std::string readFile(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : "<unreadable>";
}

/// Executes SQL like another program.
inline void runSql(llvm::StringRef path, llvm::StringRef sql) {
  sqlite3 *database = nullptr;
  ASSERT_EQ(sqlite3_open(path.str().c_str(), &database), SQLITE_OK);
  ASSERT_EQ(
      sqlite3_exec(database, sql.str().c_str(), nullptr, nullptr, nullptr),
      SQLITE_OK)
      << sqlite3_errmsg(database);
  sqlite3_close(database);
}

/// Turns the file `path` into a database of an older version with the rows of
/// `present`, using one of the scripts of test/Record/Inputs.
inline void makeOldDatabase(llvm::StringRef path, llvm::StringRef present,
                            llvm::StringRef script) {
  auto connection = get(Connection::open(
      path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, false, 0));
  sqlite3_limit(connection->handle(), SQLITE_LIMIT_ATTACHED, 1);
  std::string sql =
      ("ATTACH '" + present + "' AS present;").str() + readFile(script);
  llvm::Error error = connection->execute(sql.c_str());
  ASSERT_FALSE(bool(error)) << toString(std::move(error));
}

/// The results of check(), one line per row: "records 3: problem".
inline std::vector<std::string> problemsOf(Database &database) {
  std::vector<std::string> lines;
  for (const BadRow &row : get(database.check()))
    lines.push_back(row.table + " " + std::to_string(row.row) + ": " +
                    row.problem);
  return lines;
}

} // namespace pruner::test

#endif // PRUNER_TEST_UNIT_RECORD_COMMON_H
