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
    runs_per_sample  INTEGER,
    repeats          INTEGER,
    censored         INTEGER,
    noisy            INTEGER,
    exact            INTEGER,
    error_over_bound REAL,
    cache_state      TEXT,
    row_hash         TEXT);
  CREATE INDEX records_by_task ON records (task_key, target, machine_key);
  CREATE INDEX records_by_identity ON records (identity, status);
  CREATE INDEX records_by_run ON records (run_id);
  CREATE INDEX records_best ON records (task_key, target, machine_key, median)
    WHERE status = 'ok' AND verified = 1;
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

/// The columns of records in a version of the schema but `id` and `row_hash`;
/// where `filled`, those that it lacks stand as what is stored where nothing is
/// known.
static std::string columnsOf(int version, bool filled) {
  std::string text;
  for (const RecordColumn &column : recordColumns()) {
    bool known = column.since <= version;
    StringRef unknown = column.kinds.contains('n') ? "NULL" : "''";
    if (known || filled)
      text += (", " + (known ? StringRef(column.name) : unknown)).str();
  }
  return text;
}

/// Copying leaves damage behind without a word: rows that SQLite no longer
/// finds, tables that are not what the version says.
static Error checkOld(Connection &connection, int version) {
  Expected<std::string> columns = connection.queryText(
      "SELECT group_concat(name, ', ') FROM pragma_table_info('records')");
  if (!columns)
    return columns.takeError();
  std::string expected = "id" + columnsOf(version, /*filled=*/false);
  if (version > 1)
    expected += ", row_hash";
  if (*columns != expected)
    return createStringError("its tables are not those of that version");
  Expected<std::string> damage =
      connection.queryText("PRAGMA integrity_check(1)");
  if (!damage)
    return damage.takeError();
  if (*damage != "ok")
    return createStringError("it is damaged: " + StringRef(*damage).trim());
  return Error::success();
}

/// Brings the tables of an older version into the present form, every row as it
/// is. Version 1 had no hashes. A row of version 2 gets a new one only if it
/// hashes to what it says; the old one of any other speaks against it for ever.
static Error copyTables(Connection &connection, int version) {
  std::string old = "id" + columnsOf(version, /*filled=*/false);
  std::string values = "id" + columnsOf(version, /*filled=*/true);
  std::string columns = "id" + columnsOf(Database::kSchemaVersion, false);
  std::string hash = "pruner_row_hash(" + values + ")";
  std::string taskHash = "pruner_row_hash(key, name, text, flops, bytes)";
  if (version > 1) {
    hash = "CASE WHEN row_hash IS pruner_row_hash(" + old + ") THEN " + hash +
           " ELSE row_hash END";
    taskHash = "row_hash";
  }
  std::string sql = R"sql(
    DROP INDEX records_by_task;
    DROP INDEX records_by_identity;
    DROP INDEX records_by_run;
    DROP INDEX records_best;
    ALTER TABLE records RENAME TO old_records;
    ALTER TABLE tasks RENAME TO old_tasks;
  )sql";
  if (version < 3)
    sql += "DROP TABLE state;";
  sql += kSchema;
  sql += "INSERT INTO tasks (rowid, key, name, text, flops, bytes, row_hash)"
         " SELECT rowid, key, name, text, flops, bytes, " +
         taskHash + " FROM old_tasks NOT INDEXED ORDER BY rowid;";
  sql += "INSERT INTO records (" + columns + ", row_hash) SELECT " + values +
         ", " + hash + " FROM old_records NOT INDEXED ORDER BY id;";
  sql += "DROP TABLE old_records; DROP TABLE old_tasks;";
  return connection.execute(sql.c_str());
}

/// To be called within a transaction.
static Error migrate(Connection &connection, int version) {
  Error error = checkOld(connection, version);
  if (!error)
    error = copyTables(connection, version);
  if (error)
    return createStringError(
        "'" + connection.path() + "': schema version " + Twine(version) +
        " cannot be brought up to " + Twine(Database::kSchemaVersion) +
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
    if (version->schema < Database::kSchemaVersion)
      if (Error error = migrate(connection, int(version->schema)))
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
