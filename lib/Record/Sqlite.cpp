//===- Sqlite.cpp - SQLite with llvm::Error -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Sqlite.h"
#include "SqliteValues.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace pruner;

/// Advice for a result code; empty if there is none.
static StringRef adviceFor(int code) {
  switch (code & 0xff) {
  case SQLITE_NOTADB:
    return "the file is not an SQLite database; give another name, or remove "
           "the file if it is not needed";
  case SQLITE_CORRUPT:
    return "the database is damaged; keep a copy, save what can be read with "
           "'sqlite3 FILE .recover' or 'pruner db export', and start a new one";
  case SQLITE_CANTOPEN:
    return "check that the directory exists and that you may read and write it";
  case SQLITE_READONLY:
  case SQLITE_PERM:
    return "the file or its directory cannot be written; copy the database to "
           "a place where you may write, or change the permissions";
  case SQLITE_FULL:
    return "the disk (or the size allowed for the database) is full; nothing "
           "of this batch was stored and everything before it is safe; make "
           "room and run again";
  case SQLITE_BUSY:
  case SQLITE_LOCKED:
    return "another process holds the lock; wait for it to end, or end it";
  case SQLITE_IOERR:
    return "the disk or file system reported an error; check its free space "
           "and health, and that it is a local one";
  case SQLITE_INTERRUPT:
    return "it takes more steps than any sound file of this size; the database "
           "was changed by another program; keep a copy, and save what can be "
           "read with 'sqlite3 FILE .recover'";
  case SQLITE_TOOBIG:
    return "a value is larger than any that Pruner stores";
  default:
    return "";
  }
}

Error pruner::makeSqliteError(StringRef path, StringRef doing, int code,
                              StringRef message) {
  StringRef advice = adviceFor(code);
  return createStringError("'" + path + "': cannot " + doing + ": " + message +
                           (advice.empty() ? "" : ": ") + advice);
}

//===----------------------------------------------------------------------===//
// Connection
//===----------------------------------------------------------------------===//

/// pruner_row_hash(values...)
static void rowHash(sqlite3_context *context, int count,
                    sqlite3_value **values) {
  SmallVector<SqlArgument> arguments;
  for (sqlite3_value *value : ArrayRef(values, count))
    arguments.push_back({value});
  std::string hash = hashValues<SqlArgument>(arguments);
  sqlite3_result_text(context, hash.data(), hash.size(), SQLITE_TRANSIENT);
}

int64_t pruner::indexKey(ArrayRef<StringRef> texts) {
  uint64_t number = 0;
  StringRef(contentHash(texts)).take_front(16).getAsInteger(16, number);
  return static_cast<int64_t>(number);
}

/// pruner_key(texts...)
static void computeKey(sqlite3_context *context, int count,
                       sqlite3_value **values) {
  SmallVector<StringRef> texts;
  for (sqlite3_value *value : ArrayRef(values, count)) {
    const auto *data =
        reinterpret_cast<const char *>(sqlite3_value_text(value));
    texts.push_back(data ? StringRef(data, sqlite3_value_bytes(value)) : "");
  }
  sqlite3_result_int64(context, indexKey(texts));
}

/// `path` as an SQLite URI.
static std::string toUri(StringRef path, StringRef query) {
  std::string uri = "file:";
  for (char c : path) {
    if (c == '%' || c == '?' || c == '#')
      uri += "%" + utohexstr(static_cast<unsigned char>(c), false, 2);
    else
      uri += c;
  }
  return uri + "?" + query.str();
}

//===----------------------------------------------------------------------===//
// Untrusted files
//===----------------------------------------------------------------------===//

/// Rejects a rollback journal or log next to the file that Pruner cannot have
/// written. A journal may name another file at its end, which SQLite removes
/// after it has rolled the journal back; only a transaction on several files
/// writes such a name.
static Error checkSideFiles(StringRef path) {
  if (path.empty())
    return Error::success();
  for (StringRef suffix : {"-journal", "-wal"}) {
    std::string name = (path + suffix).str();
    sys::fs::file_status status;
    if (sys::fs::status(name, status, /*follow=*/false))
      continue;
    if (!sys::fs::is_regular_file(status))
      return createStringError("'" + path + "': '" + name +
                               "' is not a regular file; move it away");
    constexpr uint64_t kMagic = 8;
    if (suffix == "-wal" || status.getSize() < kMagic)
      continue;
    auto end =
        MemoryBuffer::getFileSlice(name, kMagic, status.getSize() - kMagic);
    if (end && (*end)->getBuffer() == "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7")
      return createStringError(
          "'" + path + "': its journal '" + name +
          "' names another file to be removed, as no journal of a tuning "
          "database does; move it away");
  }
  return Error::success();
}

/// Steps between two checks of the limit.
static constexpr int kStepsAtOnce = 100000;
/// Steps that a statement may take for a file of any size, and for each byte of
/// it. A walk over all rows takes less than one step per byte.
static constexpr uint64_t kFreeSteps = uint64_t(1) << 26, kStepsPerByte = 16;

bool Connection::takesTooLong() {
  steps += kStepsAtOnce;
  if (steps <= kFreeSteps)
    return false;
  uint64_t bytes = 0;
  for (StringRef suffix : {"", "-wal"}) {
    uint64_t size = 0;
    if (!sys::fs::file_size(file + suffix, size))
      bytes += size;
  }
  // A database that is only in memory is trusted.
  return bytes && steps > kFreeSteps + kStepsPerByte * bytes;
}

Error Connection::harden() {
  const std::pair<int, int> switches[] = {
      {SQLITE_DBCONFIG_DEFENSIVE, 1},
      {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
      {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
      {SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0},
      {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
      {SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0},
      {SQLITE_DBCONFIG_DQS_DDL, 0},
      {SQLITE_DBCONFIG_DQS_DML, 0}};
  for (auto [name, value] : switches)
    if (sqlite3_db_config(database, name, value, nullptr) != SQLITE_OK)
      return lastError("open it");
  const std::pair<int, int> limits[] = {{SQLITE_LIMIT_LENGTH, 128 << 20},
                                        {SQLITE_LIMIT_SQL_LENGTH, 64 << 10},
                                        {SQLITE_LIMIT_COLUMN, 64},
                                        {SQLITE_LIMIT_EXPR_DEPTH, 100},
                                        {SQLITE_LIMIT_COMPOUND_SELECT, 4},
                                        {SQLITE_LIMIT_FUNCTION_ARG, 64},
                                        {SQLITE_LIMIT_ATTACHED, 0},
                                        {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 64},
                                        {SQLITE_LIMIT_VARIABLE_NUMBER, 128},
                                        {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
                                        {SQLITE_LIMIT_WORKER_THREADS, 0}};
  for (auto [name, value] : limits)
    sqlite3_limit(database, name, value);
  sqlite3_progress_handler(
      database, kStepsAtOnce,
      [](void *self) -> int {
        return static_cast<Connection *>(self)->takesTooLong();
      },
      this);
  // Access to a memory-mapped file that was truncated would end the process.
  return execute("PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0");
}

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

static bool isSpecial(StringRef path) {
  return path == ":memory:" || path.starts_with("file:");
}

Expected<std::unique_ptr<Connection>>
Connection::open(StringRef path, int flags, bool immutable, int busySeconds) {
  if (Error error = checkSideFiles(path))
    return error;
  sys::fs::file_status status;
  if (!(flags & SQLITE_OPEN_MEMORY) && !sys::fs::status(path, status) &&
      !sys::fs::is_regular_file(status))
    return createStringError(
        "'" + path + "': this is " +
        (sys::fs::is_directory(status) ? "a directory" : "a device") +
        ", expected a file");
  std::unique_ptr<Connection> connection(new Connection(path));
  // A file may have a name that means memory, or a URI, to SQLite.
  std::string name = immutable                    ? toUri(path, "immutable=1")
                     : flags & SQLITE_OPEN_MEMORY ? ":memory:"
                     : isSpecial(path)            ? "./" + path.str()
                                                  : path.str();
  if (immutable)
    flags |= SQLITE_OPEN_URI;
  int code =
      sqlite3_open_v2(name.c_str(), &connection->database, flags, nullptr);
  if (code != SQLITE_OK)
    return makeSqliteError(path, "open it", code,
                           connection->database
                               ? sqlite3_errmsg(connection->database)
                               : sqlite3_errstr(code));
  sqlite3_busy_timeout(connection->database, busySeconds * 1000);
  if (sqlite3_create_function_v2(connection->database, "pruner_row_hash",
                                 /*nArg=*/-1,
                                 SQLITE_UTF8 | SQLITE_DETERMINISTIC, nullptr,
                                 rowHash, nullptr, nullptr, nullptr) ||
      sqlite3_create_function_v2(connection->database, "pruner_key",
                                 /*nArg=*/-1,
                                 SQLITE_UTF8 | SQLITE_DETERMINISTIC, nullptr,
                                 computeKey, nullptr, nullptr, nullptr))
    return connection->lastError("open it");
  if (Error error = connection->harden())
    return error;
  return connection;
}

Expected<std::unique_ptr<Connection>>
Connection::copyAside(Connection &source) {
  // No name: a private file that is removed when it is closed.
  auto copy = open("", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                   /*immutable=*/false, /*busySeconds=*/0);
  if (!copy)
    return copy;
  (*copy)->file = source.file;
  sqlite3_backup *backup =
      sqlite3_backup_init((*copy)->database, "main", source.database, "main");
  if (backup)
    sqlite3_backup_step(backup, -1);
  if (!backup || sqlite3_backup_finish(backup) != SQLITE_OK)
    return (*copy)->lastError("read it");
  return copy;
}

Connection::~Connection() { sqlite3_close_v2(database); }

Error Connection::lastError(StringRef doing) {
  failure = sqlite3_errcode(database);
  return makeSqliteError(file, doing, sqlite3_errcode(database),
                         sqlite3_errmsg(database));
}

bool Connection::hasMoved() const {
  int moved = 0;
  // A database in memory has no file that could be moved.
  return sqlite3_file_control(database, "main", SQLITE_FCNTL_HAS_MOVED,
                              &moved) == SQLITE_OK &&
         moved;
}

Error Connection::execute(const char *sql) {
  steps = 0;
  if (sqlite3_exec(database, sql, nullptr, nullptr, nullptr) != SQLITE_OK)
    return lastError("write it");
  return Error::success();
}

Expected<int64_t> Connection::queryInteger(const char *sql) {
  Expected<std::string> text = queryText(sql);
  if (!text)
    return text.takeError();
  int64_t number = 0;
  to_integer(*text, number);
  return number;
}

Expected<std::string> Connection::queryText(const char *sql) {
  Expected<Statement> statement = Statement::prepare(*this, sql);
  if (!statement)
    return statement.takeError();
  Expected<bool> row = statement->step();
  if (!row)
    return row.takeError();
  return *row ? statement->text(0) : std::string();
}
