//===- Schema.cpp - the tables of a tuning database -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Schema.h"
#include "RecordRow.h"
#include "SchemaObjects.h"

#include "pruner/Record/Database.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <chrono>
#include <sqlite3.h>
#include <thread>

using namespace llvm;
using namespace pruner;

/// "PRNR", in the header field that SQLite reserves for applications.
static constexpr int64_t kApplicationId = 0x50524e52;

namespace {
struct FileVersion {
  int64_t application, schema, objects;
  bool isEmpty() const { return !application && !schema && !objects; }
};
} // namespace

namespace {
/// A consistent view of the file during its lifetime. Without it a database
/// that another process is just creating could appear incomplete.
class Snapshot {
public:
  explicit Snapshot(Connection &connection) : connection(connection) {}
  Error begin() {
    if (!sqlite3_get_autocommit(connection.handle()))
      return Error::success();
    began = true;
    return connection.execute("BEGIN");
  }
  ~Snapshot() {
    if (began && !sqlite3_get_autocommit(connection.handle()))
      sqlite3_exec(connection.handle(), "END", nullptr, nullptr, nullptr);
  }

private:
  Connection &connection;
  bool began = false;
};
} // namespace

/// Must be called within a snapshot. No object of the file can replace the
/// functions in these statements.
static Expected<FileVersion> readVersion(Connection &connection) {
  FileVersion version;
  const std::pair<const char *, int64_t *> fields[] = {
      {"PRAGMA application_id", &version.application},
      {"PRAGMA user_version", &version.schema},
      {"SELECT count(*) FROM sqlite_schema", &version.objects}};
  for (auto [sql, field] : fields) {
    Expected<int64_t> value = connection.queryInteger(sql);
    if (!value)
      return value.takeError();
    *field = *value;
  }
  return version;
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

/// Describes the differences between the schema of the file and that of
/// `version`; empty if they agree. Damaged table definitions would change the
/// meaning of columns, and SQLite would execute foreign objects.
static Expected<std::string> describeOthers(Connection &connection, int version,
                                            bool onlyTables = false) {
  Expected<std::vector<std::string>> others =
      findOtherObjects(connection, version, onlyTables);
  if (!others)
    return others.takeError();
  constexpr size_t kMost = 5;
  std::string text = join(ArrayRef(*others).take_front(kMost), ", ");
  if (others->size() > kMost)
    text += ", and " + std::to_string(others->size() - kMost) + " more";
  return text;
}

static Error checkTables(Connection &connection, bool onlyTables = false) {
  Expected<std::string> others =
      describeOthers(connection, Database::kSchemaVersion, onlyTables);
  if (!others)
    return others.takeError();
  if (!others->empty())
    return createStringError(
        "'" + connection.path() +
        "': its tables are not those of a tuning database of schema version " +
        Twine(Database::kSchemaVersion) + ": " + *others +
        "; it is damaged or was changed by another program; save what is sound "
        "with 'pruner db repair', or what can be read with 'sqlite3 FILE "
        ".recover'");
  return Error::success();
}

Expected<std::vector<std::string>>
pruner::otherObjects(Connection &connection) {
  return findOtherObjects(connection, Database::kSchemaVersion);
}

Expected<int64_t> pruner::schemaCookie(Connection &connection) {
  return connection.queryInteger("PRAGMA schema_version");
}

Error pruner::checkSchemaAgain(Connection &connection, int64_t &cookie) {
  Expected<int64_t> now = schemaCookie(connection);
  if (!now)
    return now.takeError();
  if (*now == cookie)
    return Error::success();
  if (Error error = checkTables(connection))
    return error;
  cookie = *now;
  return Error::success();
}

static Error setVersion(Connection &connection) {
  std::string sql =
      "PRAGMA application_id = " + std::to_string(kApplicationId) +
      "; PRAGMA user_version = " + std::to_string(Database::kSchemaVersion);
  return connection.execute(sql.c_str());
}

/// The value of a column of records in a version of the schema, in SQL.
static std::string valueOf(const RecordColumn &column, int version) {
  if (column.since <= version)
    return column.name.str();
  if (column.former.empty())
    return column.kinds.contains('n') ? "NULL" : "''";
  // It is derived from other columns, some of which (@name) may be missing,
  // too.
  SmallVector<StringRef> parts;
  StringRef(column.former).split(parts, '@');
  std::string text = parts.front().str();
  for (StringRef part : ArrayRef(parts).drop_front()) {
    StringRef name =
        part.take_while([](char c) { return isAlpha(c) || c == '_'; });
    auto *of = find_if(recordColumns(), [&](const RecordColumn &other) {
      return other.name == name;
    });
    text += valueOf(*of, version) + part.drop_front(name.size()).str();
  }
  return text;
}

/// The columns of records in a version of the schema except `id` and
/// `row_hash`. With `filled`, missing columns get the values that stand for
/// unknown.
static std::string columnsOf(int version, bool filled) {
  std::string text;
  for (const RecordColumn &column : recordColumns())
    if (filled || column.since <= version)
      text += ", " + valueOf(column, version);
  return text;
}

/// Copying would hide damage: rows that SQLite cannot find, or tables that
/// differ from those of the version.
static Error checkOld(Connection &connection, int version) {
  Expected<std::string> others = describeOthers(connection, version);
  if (!others)
    return others.takeError();
  if (!others->empty())
    return createStringError("its tables do not match that version: " +
                             *others);
  Expected<std::string> damage =
      connection.queryText("PRAGMA integrity_check(1)");
  if (!damage)
    return damage.takeError();
  if (*damage != "ok")
    return createStringError("it is damaged: " + StringRef(*damage).trim());
  return Error::success();
}

/// Converts the tables of an older version to the current form and keeps every
/// row. Version 1 had no hashes. A row of version 2 gets a new hash only if its
/// old one is right; otherwise it keeps the old one, which marks it as unsound.
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
  sql += schemaSql(Database::kSchemaVersion);
  sql += "INSERT INTO tasks (rowid, key, name, text, flops, bytes, row_hash)"
         " SELECT rowid, key, name, text, flops, bytes, " +
         taskHash + " FROM old_tasks NOT INDEXED ORDER BY rowid;";
  sql += "INSERT INTO records (" + columns + ", row_hash) SELECT " + values +
         ", " + hash + " FROM old_records NOT INDEXED ORDER BY id;";
  sql += "DROP TABLE old_records; DROP TABLE old_tasks;";
  return connection.execute(sql.c_str());
}

/// Must be called within a transaction.
static Error migrate(Connection &connection, int version) {
  Error error = checkOld(connection, version);
  if (!error)
    error = copyTables(connection, version);
  if (error)
    return createStringError(
        "'" + connection.path() + "': schema version " + Twine(version) +
        " cannot be updated to " + Twine(Database::kSchemaVersion) +
        "; the file is unchanged: " + toString(std::move(error)));
  return setVersion(connection);
}

Error pruner::prepareSchema(Connection &connection, SchemaMode mode) {
  bool create = false;
  {
    Snapshot snapshot(connection);
    if (Error error = snapshot.begin())
      return error;
    Expected<FileVersion> version = readVersion(connection);
    if (!version)
      return version.takeError();
    create = mode == SchemaMode::Create && version->isEmpty();
    if (!create) {
      if (Error error = checkVersion(connection, *version))
        return error;
      if (version->schema == Database::kSchemaVersion)
        return checkTables(connection, mode == SchemaMode::Salvage);
      if (mode == SchemaMode::Read || mode == SchemaMode::Salvage)
        return Error::success();
    }
  }
  // Renaming a table must not change references to it. This is the default, but
  // SQLite may be built with another.
  if (Error error = connection.execute("PRAGMA foreign_keys = OFF"))
    return error;
  Expected<Transaction> transaction = Transaction::begin(connection);
  if (!transaction)
    return transaction.takeError();
  // Another process may have done it.
  Expected<FileVersion> version = readVersion(connection);
  if (!version)
    return version.takeError();
  if (version->isEmpty() && create) {
    if (Error error =
            connection.execute(schemaSql(Database::kSchemaVersion).c_str()))
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
  Expected<int64_t> version = connection.queryInteger("PRAGMA user_version");
  if (!version)
    return version.takeError();
  return *version < Database::kSchemaVersion;
}

Error pruner::prepareWriting(Connection &connection, int busySeconds) {
  using namespace std::chrono;
  // Changing the journal mode needs exclusive access, and SQLite does not wait
  // for that. A file system without shared memory rejects the log and keeps a
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
