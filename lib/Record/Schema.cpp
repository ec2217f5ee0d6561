//===- Schema.cpp - the tables of a tuning database -----------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Schema.h"

#include "pruner/Record/Database.h"

#include <sqlite3.h>

#include <chrono>
#include <thread>

using namespace llvm;
using namespace pruner;

/// "PRNR", in the header field that SQLite keeps for applications.
static constexpr int64_t kApplicationId = 0x50524e52;

/// Rows are only ever added to `records`. `measurement` tells trials apart
/// (measurementHash), `identity` tells schedules in their setting apart
/// (identityHash). The partial index answers "the best" without a scan.
static constexpr const char *kSchema = R"sql(
  CREATE TABLE tasks (
    key   TEXT PRIMARY KEY NOT NULL,
    name  TEXT NOT NULL,
    text  TEXT NOT NULL,
    flops REAL NOT NULL,
    bytes REAL NOT NULL);
  CREATE TABLE records (
    id               INTEGER PRIMARY KEY,
    measurement      TEXT NOT NULL UNIQUE,
    identity         TEXT NOT NULL,
    task_key         TEXT NOT NULL REFERENCES tasks(key),
    schedule         TEXT NOT NULL,
    target           TEXT NOT NULL,
    machine_key      TEXT NOT NULL,
    pipeline_options TEXT NOT NULL,
    toolchain        TEXT NOT NULL,
    run_id           TEXT NOT NULL,
    trial            INTEGER NOT NULL,
    strategy         TEXT NOT NULL,
    seed             INTEGER NOT NULL,
    round            INTEGER NOT NULL,
    status           TEXT NOT NULL,
    reason           TEXT NOT NULL,
    times            TEXT NOT NULL,
    median           REAL,
    verified         INTEGER NOT NULL,
    score            REAL,
    psa_latency      REAL,
    build_seconds    REAL NOT NULL,
    run_seconds      REAL NOT NULL,
    facts            TEXT NOT NULL,
    timestamp        TEXT NOT NULL,
    host             TEXT NOT NULL,
    pruner_version   TEXT NOT NULL);
  CREATE INDEX records_by_task ON records (task_key, target, machine_key);
  CREATE INDEX records_by_identity ON records (identity, status);
  CREATE INDEX records_by_run ON records (run_id);
  CREATE INDEX records_best ON records (task_key, target, machine_key, median)
    WHERE status = 'ok' AND verified = 1;
  CREATE TABLE state (
    run_key TEXT PRIMARY KEY NOT NULL,
    text    TEXT NOT NULL);
)sql";

namespace {
struct FileVersion {
  int64_t application, schema, objects;
  bool isEmpty() const { return !application && !schema && !objects; }
};
} // namespace

static Expected<FileVersion> readVersion(Connection &connection) {
  // One statement sees one moment. In three, a database that another process
  // is just creating could look half made.
  Expected<Statement> statement = Statement::prepare(
      connection, "SELECT application_id, user_version,"
                  " (SELECT count(*) FROM sqlite_schema)"
                  " FROM pragma_application_id, pragma_user_version");
  if (!statement)
    return statement.takeError();
  Expected<bool> row = statement->step();
  if (!row)
    return row.takeError();
  return FileVersion{statement->integer(0), statement->integer(1),
                     statement->integer(2)};
}

static Error checkVersion(Connection &connection, const FileVersion &version) {
  if (version.isEmpty())
    return createStringError("'" + connection.path() +
                             "': the database is empty; give the name of a "
                             "tuning database");
  if (version.application != kApplicationId)
    return createStringError("'" + connection.path() +
                             "': this is an SQLite database of another "
                             "program, not a tuning database; give another "
                             "name");
  if (version.schema != Database::kSchemaVersion)
    return createStringError(
        "'" + connection.path() + "': the database has schema version " +
        Twine(version.schema) + ", this version of Pruner reads and writes " +
        Twine(Database::kSchemaVersion) +
        "; export it to JSON lines with the Pruner that wrote it and import "
        "them into a new database");
  return Error::success();
}

Error pruner::prepareSchema(Connection &connection, bool create) {
  Expected<FileVersion> version = readVersion(connection);
  if (!version)
    return version.takeError();
  if (!version->isEmpty() || !create)
    return checkVersion(connection, *version);
  Expected<Transaction> transaction = Transaction::begin(connection);
  if (!transaction)
    return transaction.takeError();
  // Another process may have been faster.
  version = readVersion(connection);
  if (!version)
    return version.takeError();
  if (!version->isEmpty())
    return checkVersion(connection, *version);
  std::string sql = kSchema;
  sql += "PRAGMA application_id = " + std::to_string(kApplicationId) + ";";
  sql += "PRAGMA user_version = " + std::to_string(Database::kSchemaVersion);
  if (Error error = connection.execute(sql.c_str()))
    return error;
  return transaction->commit();
}

Error pruner::prepareWriting(Connection &connection, int busySeconds) {
  using namespace std::chrono;
  // Changing the journal needs the file for itself, and SQLite does not wait
  // for that. A file system without shared memory refuses the log and keeps a
  // rollback journal, which is as safe and only slower.
  auto deadline = steady_clock::now() + seconds(busySeconds);
  while (true) {
    Expected<std::string> mode =
        connection.queryText("PRAGMA journal_mode = WAL");
    if (mode)
      break;
    int code = connection.lastCode();
    if ((code != SQLITE_BUSY && code != SQLITE_LOCKED) ||
        steady_clock::now() >= deadline)
      return mode.takeError();
    consumeError(mode.takeError());
    std::this_thread::sleep_for(milliseconds(5));
  }
  // FULL syncs the log at each commit. NORMAL would keep the file sound but
  // might lose the last batches when the machine loses power. A batch takes
  // seconds to measure and milliseconds to sync, so the safe choice is cheap.
  return connection.execute("PRAGMA synchronous = FULL;"
                            "PRAGMA foreign_keys = ON");
}
