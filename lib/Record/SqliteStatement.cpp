//===- SqliteStatement.cpp - statements and transactions ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Sqlite.h"
#include "SqliteValues.h"

using namespace llvm;
using namespace pruner;

Expected<Statement> Statement::prepare(Connection &connection, StringRef sql) {
  sqlite3_stmt *statement = nullptr;
  if (sqlite3_prepare_v2(connection.handle(), sql.data(), sql.size(),
                         &statement, nullptr) != SQLITE_OK)
    return connection.lastError("read it");
  return Statement(connection, statement);
}

Statement::Statement(Statement &&other)
    : connection(other.connection), statement(other.statement),
      parameter(other.parameter), bindCode(other.bindCode) {
  other.statement = nullptr;
}

Statement::~Statement() { sqlite3_finalize(statement); }

Statement &Statement::bind(StringRef text) {
  // A null pointer would bind NULL.
  const char *data = text.data() ? text.data() : "";
  bindCode |= sqlite3_bind_text64(statement, ++parameter, data, text.size(),
                                  SQLITE_TRANSIENT, SQLITE_UTF8);
  return *this;
}

Statement &Statement::bind(int64_t number) {
  bindCode |= sqlite3_bind_int64(statement, ++parameter, number);
  return *this;
}

Statement &Statement::bind(double number) {
  bindCode |= sqlite3_bind_double(statement, ++parameter, number);
  return *this;
}

Statement &Statement::bind(std::optional<double> number) {
  if (number)
    return bind(*number);
  bindCode |= sqlite3_bind_null(statement, ++parameter);
  return *this;
}

Statement &Statement::bind(std::optional<int64_t> number) {
  if (number)
    return bind(*number);
  bindCode |= sqlite3_bind_null(statement, ++parameter);
  return *this;
}

Expected<bool> Statement::step() {
  if (bindCode)
    return connection->lastError("bind a value");
  if (!sqlite3_stmt_busy(statement))
    connection->steps = 0;
  int code = sqlite3_step(statement);
  if (code == SQLITE_ROW)
    return true;
  if (code == SQLITE_DONE)
    return false;
  return connection->lastError(sqlite3_stmt_readonly(statement) ? "read it"
                                                                : "write it");
}

Error Statement::run() {
  while (true) {
    Expected<bool> row = step();
    if (!row || !*row) {
      Error error = row ? Error::success() : row.takeError();
      reset();
      return error;
    }
  }
}

void Statement::reset() {
  sqlite3_reset(statement);
  parameter = 0;
  bindCode = 0;
}

bool Statement::isNull(int column) const {
  return sqlite3_column_type(statement, column) == SQLITE_NULL;
}

std::string Statement::text(int column) const {
  const auto *data =
      reinterpret_cast<const char *>(sqlite3_column_text(statement, column));
  int size = sqlite3_column_bytes(statement, column);
  return data ? std::string(data, size) : std::string();
}

int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement, column);
}

double Statement::real(int column) const {
  return sqlite3_column_double(statement, column);
}

std::optional<double> Statement::optionalReal(int column) const {
  if (isNull(column))
    return std::nullopt;
  return real(column);
}

std::optional<int64_t> Statement::optionalInteger(int column) const {
  if (isNull(column))
    return std::nullopt;
  return integer(column);
}

char Statement::kind(int column) const {
  return kindOf(sqlite3_column_type(statement, column));
}

bool Statement::isSound(int count) const {
  SmallVector<SqlColumn> columns;
  for (int number = 0; number < count; ++number)
    columns.push_back({statement, number});
  return kind(count) == 't' && text(count) == hashValues<SqlColumn>(columns);
}

Expected<Transaction> Transaction::begin(Connection &connection) {
  if (Error error = connection.execute("BEGIN IMMEDIATE"))
    return error;
  return Transaction(connection);
}

Transaction::~Transaction() {
  // Some errors (a full disk) already end the transaction.
  if (connection && !sqlite3_get_autocommit(connection->handle()))
    sqlite3_exec(connection->handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

Error Transaction::commit() {
  if (Error error = connection->execute("COMMIT"))
    return error;
  connection = nullptr;
  return Error::success();
}
