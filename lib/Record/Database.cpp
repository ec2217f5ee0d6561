//===- Database.cpp - the tuning database ---------------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Record/Database.h"
#include "RecordRow.h"
#include "Schema.h"
#include "Sqlite.h"

#include "llvm/Support/FileSystem.h"

#include <sqlite3.h>

using namespace llvm;
using namespace pruner;

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

/// Opens a file for reading only. One that has a write-ahead log needs side
/// files even for that; where they cannot be made, and no log is left behind,
/// nobody can be writing and the main file is complete.
static Expected<std::unique_ptr<Connection>> openReadOnly(StringRef path,
                                                          int busySeconds) {
  int flags = SQLITE_OPEN_READONLY;
  auto connection =
      Connection::open(path, flags, /*immutable=*/false, busySeconds);
  if (!connection)
    return connection.takeError();
  Error error = prepareSchema(**connection, SchemaMode::Read);
  int code = (*connection)->lastCode();
  if (!error)
    return connection;
  if ((code != SQLITE_CANTOPEN && code != SQLITE_READONLY) ||
      sys::fs::exists(path + "-wal"))
    return error;
  consumeError(std::move(error));
  connection = Connection::open(path, flags, /*immutable=*/true, busySeconds);
  if (!connection)
    return connection.takeError();
  if (Error error = prepareSchema(**connection, SchemaMode::Read))
    return error;
  return connection;
}

/// The same; a file of an older version is brought up to ours in memory.
static Expected<std::unique_ptr<Connection>> openToRead(StringRef path,
                                                        int busySeconds) {
  auto connection = openReadOnly(path, busySeconds);
  if (!connection)
    return connection;
  Expected<bool> old = isOldSchema(**connection);
  if (!old)
    return old.takeError();
  if (!*old)
    return connection;
  auto copy = Connection::copyToMemory(**connection);
  if (!copy)
    return copy;
  if (Error error = prepareSchema(**copy, SchemaMode::Update))
    return error;
  if (Error error = (*copy)->execute("PRAGMA query_only = ON"))
    return error;
  return copy;
}

static Error limitSize(Connection &connection, uint64_t maxBytes) {
  Expected<int64_t> pageSize = connection.queryInteger("PRAGMA page_size");
  if (!pageSize)
    return pageSize.takeError();
  uint64_t pages = std::max<uint64_t>(maxBytes / *pageSize, 1);
  std::string sql = "PRAGMA max_page_count = " + std::to_string(pages);
  return connection.queryInteger(sql.c_str()).takeError();
}

Expected<Database> Database::open(StringRef path, OpenMode mode,
                                  const DatabaseOptions &options) {
  if (mode != OpenMode::Create && !sys::fs::exists(path))
    return createStringError("'" + path +
                             "': there is no such file; check the name");
  if (mode == OpenMode::ReadOnly) {
    auto connection = openToRead(path, options.busySeconds);
    if (!connection)
      return connection.takeError();
    return Database(std::move(*connection));
  }
  int flags = SQLITE_OPEN_READWRITE;
  if (mode == OpenMode::Create)
    flags |= SQLITE_OPEN_CREATE;
  auto connection =
      Connection::open(path, flags, /*immutable=*/false, options.busySeconds);
  if (!connection)
    return connection.takeError();
  // SQLite falls back to reading without a word.
  if (sqlite3_db_readonly((*connection)->handle(), "main") == 1)
    return makeSqliteError(path, "write it", SQLITE_READONLY,
                           sqlite3_errstr(SQLITE_READONLY));
  // The schema first: the log is a lasting change of the file, and what is not
  // ours must stay as it is.
  if (Error error = prepareSchema(**connection, mode == OpenMode::Create
                                                    ? SchemaMode::Create
                                                    : SchemaMode::Update))
    return error;
  if (Error error = prepareWriting(**connection, options.busySeconds))
    return error;
  if (options.maxBytes)
    if (Error error = limitSize(**connection, options.maxBytes))
      return error;
  return Database(std::move(*connection));
}

Database::Database(std::unique_ptr<Connection> connection)
    : connection(std::move(connection)) {}
Database::Database(Database &&) = default;
Database &Database::operator=(Database &&) = default;
Database::~Database() = default;

StringRef Database::path() const { return connection->path(); }

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static Error appendTasks(Connection &connection, ArrayRef<StoredTask> tasks) {
  auto insert = Statement::prepare(connection, insertTaskSql());
  if (!insert)
    return insert.takeError();
  for (StoredTask task : tasks) {
    if (Error error = normalizeTask(task))
      return error;
    bindTask(*insert, task);
    if (Error error = insert->run())
      return error;
  }
  return Error::success();
}

static Error appendRecords(Connection &connection, ArrayRef<Record> records,
                           AppendCounts &counts) {
  auto insert = Statement::prepare(connection, insertRecordSql());
  if (!insert)
    return insert.takeError();
  auto insertTask = Statement::prepare(connection, insertTaskSql());
  if (!insertTask)
    return insertTask.takeError();
  Expected<int64_t> last =
      connection.queryInteger("SELECT coalesce(max(id), 0) FROM records");
  if (!last)
    return last.takeError();
  for (Record record : records) {
    if (Error error = normalizeRecord(record))
      return createStringError(
          "'" + connection.path() + "': trial " + Twine(record.trial) +
          " of run '" + record.runId +
          "' cannot be stored: " + toString(std::move(error)));
    // A record may come before its task, as in a merge of partial exports.
    StoredTask task;
    task.key = record.taskKey;
    bindTask(*insertTask, task);
    if (Error error = insertTask->run())
      return error;
    bindRecord(*insert, *last + 1, record);
    if (Error error = insert->run())
      return error;
    if (!sqlite3_changes(connection.handle())) {
      ++counts.duplicates;
      continue;
    }
    ++counts.added;
    last = connection.queryInteger("SELECT max(id) FROM records");
    if (!last)
      return last.takeError();
  }
  return Error::success();
}

Expected<AppendCounts> Database::append(const RecordBatch &batch) {
  AppendCounts counts;
  Expected<Transaction> transaction = Transaction::begin(*connection);
  if (!transaction)
    return transaction.takeError();
  if (Error error = appendTasks(*connection, batch.tasks))
    return error;
  if (Error error = appendRecords(*connection, batch.records, counts))
    return error;
  if (Error error = transaction->commit())
    return error;
  return counts;
}
