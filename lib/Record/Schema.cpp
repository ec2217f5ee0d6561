//===- Schema.cpp - the tables of a tuning database -----------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Schema.h"
#include "RecordRow.h"

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
/// Every row ends in the hash of all its values, so that a flipped bit, an
/// edited value or a row under another's number shows. No column is NOT NULL: a
/// row of an old file is kept whatever it holds.
static constexpr const char *kSchema = R"sql(
  CREATE TABLE tasks (
    key      TEXT PRIMARY KEY,
    name     TEXT,
    text     TEXT,
    flops    REAL,
    bytes    REAL,
    row_hash TEXT);
  CREATE TABLE records (
    id               INTEGER PRIMARY KEY,
    measurement      TEXT UNIQUE,
    identity         TEXT,
    task_key         TEXT REFERENCES tasks(key),
    schedule         TEXT,
    target           TEXT,
    machine_key      TEXT,
    pipeline_options TEXT,
    toolchain        TEXT,
    run_id           TEXT,
    trial            INTEGER,
    strategy         TEXT,
    seed             INTEGER,
    round            INTEGER,
    status           TEXT,
    reason           TEXT,
    times            TEXT,
    median           REAL,
    verified         INTEGER,
    score            REAL,
    psa_latency      REAL,
    build_seconds    REAL,
    run_seconds      REAL,
    facts            TEXT,
    timestamp        TEXT,
    host             TEXT,
    pruner_version   TEXT,
    generator        TEXT,
    verification     TEXT,
    row_hash         TEXT);
  CREATE INDEX records_by_task ON records (task_key, target, machine_key);
  CREATE INDEX records_by_identity ON records (identity, status);
  CREATE INDEX records_by_run ON records (run_id);
  CREATE INDEX records_best ON records (task_key, target, machine_key, median)
    WHERE status = 'ok' AND verified = 1;
  CREATE TABLE state (
    run_key  TEXT PRIMARY KEY,
    text     TEXT,
    row_hash TEXT);
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
  if (version.schema < 1 || version.schema > Database::kSchemaVersion)
    return createStringError(
        "'" + connection.path() + "': the database has schema version " +
        Twine(version.schema) + ", this version of Pruner reads and writes " +
        Twine(Database::kSchemaVersion) +
        "; export it to JSON lines with the Pruner that wrote it and import "
        "them into a new database");
  return Error::success();
}

/// The name and text of each table and index, a line each.
static Expected<std::string> tablesOf(Connection &connection) {
  return connection.queryText(
      "SELECT group_concat(type || ' ' || name || ' ' || tbl_name || ' ' ||"
      " coalesce(sql, ''), char(10)) FROM (SELECT * FROM sqlite_schema"
      " WHERE name NOT LIKE 'sqlite_stat%' ORDER BY type, name)");
}

/// Damage in the description of the tables would change what columns mean.
static Error checkTables(Connection &connection) {
  auto model = Connection::open(
      ":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, false, 0);
  if (!model)
    return model.takeError();
  if (Error error = (*model)->execute(kSchema))
    return error;
  Expected<std::string> expected = tablesOf(**model);
  if (!expected)
    return expected.takeError();
  Expected<std::string> found = tablesOf(connection);
  if (!found)
    return found.takeError();
  if (*found != *expected)
    return createStringError(
        "'" + connection.path() +
        "': its tables are not those of a tuning database of schema version " +
        Twine(Database::kSchemaVersion) +
        "; it is damaged or was changed by another program; keep a copy, and "
        "save what can be read with 'sqlite3 FILE .recover'");
  return Error::success();
}

static Error setVersion(Connection &connection) {
  std::string sql =
      "PRAGMA application_id = " + std::to_string(kApplicationId) +
      "; PRAGMA user_version = " + std::to_string(Database::kSchemaVersion);
  return connection.execute(sql.c_str());
}

/// Brings the tables of version 1, which had no hashes, into the present form,
/// every row as it is. To be called within a transaction.
static Error migrateFromVersion1(Connection &connection) {
  std::string columns = "id", values = "id";
  for (const RecordColumn &column : recordColumns()) {
    columns += ", " + column.name.str();
    bool added = column.name == "generator" || column.name == "verification";
    values += ", " + (added ? "''" : column.name.str());
  }
  std::string sql = R"sql(
    DROP INDEX records_by_task;
    DROP INDEX records_by_identity;
    DROP INDEX records_by_run;
    DROP INDEX records_best;
    ALTER TABLE records RENAME TO records_1;
    ALTER TABLE tasks RENAME TO tasks_1;
    ALTER TABLE state RENAME TO state_1;
  )sql";
  sql += kSchema;
  sql += R"sql(
    INSERT INTO tasks SELECT key, name, text, flops, bytes,
      pruner_row_hash(key, name, text, flops, bytes)
      FROM tasks_1 ORDER BY rowid;
    INSERT INTO state SELECT run_key, text, pruner_row_hash(run_key, text)
      FROM state_1 ORDER BY rowid;
  )sql";
  sql += "INSERT INTO records (" + columns + ", row_hash) SELECT " + values +
         ", pruner_row_hash(" + values + ") FROM records_1 ORDER BY id;";
  sql += "DROP TABLE records_1; DROP TABLE tasks_1; DROP TABLE state_1;";
  if (Error error = connection.execute(sql.c_str()))
    return createStringError(
        "schema version 1 cannot be brought up to " +
        Twine(Database::kSchemaVersion) +
        ", and the file was left as it is: " + toString(std::move(error)));
  return setVersion(connection);
}

Error pruner::prepareSchema(Connection &connection, SchemaMode mode) {
  Expected<FileVersion> version = readVersion(connection);
  if (!version)
    return version.takeError();
  bool create = mode == SchemaMode::Create && version->isEmpty();
  if (!create) {
    if (Error error = checkVersion(connection, *version))
      return error;
    if (version->schema == Database::kSchemaVersion)
      return checkTables(connection);
    if (mode == SchemaMode::Read)
      return Error::success();
  }
  // Tables are renamed, which must not be taken for a change of what refers to
  // them. The default, but a build of SQLite may have another.
  if (Error error = connection.execute("PRAGMA foreign_keys = OFF"))
    return error;
  Expected<Transaction> transaction = Transaction::begin(connection);
  if (!transaction)
    return transaction.takeError();
  // Another process may have been faster.
  version = readVersion(connection);
  if (!version)
    return version.takeError();
  if (version->isEmpty() && create) {
    if (Error error = connection.execute(kSchema))
      return error;
    if (Error error = setVersion(connection))
      return error;
  } else {
    if (Error error = checkVersion(connection, *version))
      return error;
    if (version->schema == 1)
      if (Error error = migrateFromVersion1(connection))
        return error;
  }
  if (Error error = checkTables(connection))
    return error;
  return transaction->commit();
}

Expected<bool> pruner::isOldSchema(Connection &connection) {
  Expected<FileVersion> version = readVersion(connection);
  if (!version)
    return version.takeError();
  return version->schema < Database::kSchemaVersion;
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
