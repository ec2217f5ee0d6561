//===- Database.cpp - the tuning database ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

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

/// Whether the file exists and is not empty.
static bool isThere(const Twine &path) {
  uint64_t size = 0;
  return !sys::fs::file_size(path, size) && size != 0;
}

/// Rolls back a transaction that its process did not end. Readers cannot do
/// this, because it writes.
static bool rollBack(StringRef path, int busySeconds) {
  auto connection = Connection::open(path, SQLITE_OPEN_READWRITE,
                                     /*immutable=*/false, busySeconds);
  if (!connection) {
    consumeError(connection.takeError());
    return false;
  }
  // The first read rolls it back.
  Expected<int64_t> read = (*connection)->queryInteger("PRAGMA schema_version");
  if (read)
    return true;
  consumeError(read.takeError());
  return false;
}

/// Opens a file for reading only. A file with a write-ahead log needs side
/// files even for reading. If these cannot be created, and there is no log or
/// journal, then no process is writing and the main file is complete. A journal
/// is rolled back first.
static Expected<std::unique_ptr<Connection>>
openReadOnly(StringRef path, int busySeconds, SchemaMode mode) {
  int code = SQLITE_OK; // Why the schema could not be read.
  auto open = [&](bool immutable) -> Expected<std::unique_ptr<Connection>> {
    auto connection =
        Connection::open(path, SQLITE_OPEN_READONLY, immutable, busySeconds);
    if (!connection)
      return connection;
    if (Error error = prepareSchema(**connection, mode)) {
      code = (*connection)->lastCode();
      return error;
    }
    return connection;
  };
  auto connection = open(/*immutable=*/false);
  if (connection || (code != SQLITE_CANTOPEN && code != SQLITE_READONLY))
    return connection;
  bool journal = isThere(path + "-journal");
  bool undone =
      journal && code == SQLITE_READONLY && rollBack(path, busySeconds);
  if (!undone && (journal || isThere(path + "-wal")))
    return connection;
  consumeError(connection.takeError());
  return open(/*immutable=*/!undone);
}

/// Opens the file in the same way; a file of an older version is updated in a
/// copy.
static Expected<std::unique_ptr<Connection>>
openToRead(StringRef path, int busySeconds, SchemaMode mode) {
  auto connection = openReadOnly(path, busySeconds, mode);
  if (!connection)
    return connection;
  Expected<bool> old = isOldSchema(**connection);
  if (!old)
    return old.takeError();
  if (!*old)
    return connection;
  auto copy = Connection::copyAside(**connection);
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
    auto connection =
        openToRead(path, options.busySeconds,
                   options.salvage ? SchemaMode::Salvage : SchemaMode::Read);
    if (!connection)
      return connection.takeError();
    Database database(std::move(*connection));
    if (options.salvage) {
      auto others = pruner::otherObjects(*database.connection);
      if (!others)
        return others.takeError();
      database.others = std::move(*others);
    }
    return database;
  }
  int flags = SQLITE_OPEN_READWRITE;
  if (mode == OpenMode::Create)
    flags |= SQLITE_OPEN_CREATE;
  if (mode == OpenMode::Create && path.empty())
    flags |= SQLITE_OPEN_MEMORY;
  auto connection =
      Connection::open(path, flags, /*immutable=*/false, options.busySeconds);
  if (!connection)
    return connection.takeError();
  // SQLite falls back to read-only mode without an error.
  if (sqlite3_db_readonly((*connection)->handle(), "main") == 1)
    return makeSqliteError(path, "write it", SQLITE_READONLY,
                           sqlite3_errstr(SQLITE_READONLY));
  // Check the schema first: enabling the log changes the file permanently, and
  // a foreign file must not be changed.
  if (Error error = prepareSchema(**connection, mode == OpenMode::Create
                                                    ? SchemaMode::Create
                                                    : SchemaMode::Update))
    return error;
  if (Error error = prepareWriting(**connection, options.busySeconds))
    return error;
  if (options.maxBytes)
    if (Error error = limitSize(**connection, options.maxBytes))
      return error;
  Database database(std::move(*connection));
  database.keepStored = options.keepStored;
  return database;
}

Database::Database(std::unique_ptr<Connection> connection)
    : connection(std::move(connection)) {}
Database::Database(Database &&) = default;
Database &Database::operator=(Database &&) = default;
Database::~Database() = default;

StringRef Database::path() const { return connection->path(); }
