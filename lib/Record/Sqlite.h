//===- Sqlite.h - SQLite with llvm::Error -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_RECORD_SQLITE_H
#define PRUNER_LIB_RECORD_SQLITE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

struct sqlite3;
struct sqlite3_stmt;

namespace pruner {

/// An error for the SQLite result `code` on the file `path`: the file, the
/// operation, SQLite's message, and advice for the user.
llvm::Error makeSqliteError(llvm::StringRef path, llvm::StringRef doing,
                            int code, llvm::StringRef message);

/// The number that represents some texts in an index: 64 bits of their hash.
int64_t indexKey(llvm::ArrayRef<llvm::StringRef> texts);

/// A connection to one database file; its errors name the file. Its SQL has two
/// additional functions: `pruner_row_hash(values...)`, the hash of values with
/// their types, and `pruner_key(texts...)`, their indexKey.
///
/// The file may come from an untrusted source, so nothing in it is executed: no
/// triggers, no views, no extensions, only harmless functions of SQLite in its
/// schema, and no other files next to it. Every statement ends: if it takes
/// more steps than a sound file of this size can need, it fails.
class Connection {
public:
  /// `flags` are those of sqlite3_open_v2. With `immutable`, nobody may change
  /// the file, so no locks or side files are needed.
  static llvm::Expected<std::unique_ptr<Connection>>
  open(llvm::StringRef path, int flags, bool immutable, int busySeconds);
  Connection(const Connection &) = delete;
  Connection &operator=(const Connection &) = delete;
  ~Connection();

  /// A copy of `source` in a temporary file, which can be changed without
  /// changing the file. Errors name the file.
  static llvm::Expected<std::unique_ptr<Connection>>
  copyAside(Connection &source);

  /// Runs statements without results.
  llvm::Error execute(const char *sql);
  /// The first column of the first row; 0 if there is none.
  llvm::Expected<int64_t> queryInteger(const char *sql);
  llvm::Expected<std::string> queryText(const char *sql);

  /// Returns true if the path no longer leads to the opened file.
  bool hasMoved() const;

  /// The error of the last call on this connection.
  llvm::Error lastError(llvm::StringRef doing);
  /// The code of the last such error; 0 if there was none.
  int lastCode() const { return failure & 0xff; }
  llvm::StringRef path() const { return file; }
  sqlite3 *handle() const { return database; }

private:
  friend class Statement;
  explicit Connection(llvm::StringRef path) : file(path) {}
  llvm::Error harden();
  bool takesTooLong();

  std::string file;
  sqlite3 *database = nullptr;
  uint64_t steps = 0; ///< Of the current statement.
  int failure = 0;
};

/// A prepared statement. Parameters count from 1, columns from 0. Errors in
/// binding are reported by step().
class Statement {
public:
  static llvm::Expected<Statement> prepare(Connection &connection,
                                           llvm::StringRef sql);
  Statement(Statement &&other);
  Statement &operator=(Statement &&) = delete;
  ~Statement();

  Statement &bind(llvm::StringRef text);
  Statement &bind(int64_t number);
  Statement &bind(double number);
  Statement &bind(std::optional<double> number);
  Statement &bind(std::optional<int64_t> number);

  /// Returns true if there is a row to read, false at the end.
  llvm::Expected<bool> step();
  /// step() to the end and reset() for the next binding.
  llvm::Error run();
  void reset();

  bool isNull(int column) const;
  std::string text(int column) const;
  int64_t integer(int column) const;
  double real(int column) const;
  std::optional<double> optionalReal(int column) const;
  std::optional<int64_t> optionalInteger(int column) const;

  /// The type of a column, as long as it was not read as another type: 'i' an
  /// integer, 'r' a real, 't' a text, 'b' bytes, 'n' NULL.
  char kind(int column) const;
  /// Whether column `count` is the pruner_row_hash of the `count` columns
  /// before it. Must be called before a column is read as another type.
  bool isSound(int count) const;

private:
  Statement(Connection &connection, sqlite3_stmt *statement)
      : connection(&connection), statement(statement) {}
  Connection *connection;
  sqlite3_stmt *statement;
  int parameter = 0;
  int bindCode = 0;
};

/// A write transaction, rolled back at the end of the scope unless committed.
/// Takes the write lock at once, because SQLite could reject a lock that is
/// taken later.
class Transaction {
public:
  static llvm::Expected<Transaction> begin(Connection &connection);
  Transaction(Transaction &&other) : connection(other.connection) {
    other.connection = nullptr;
  }
  Transaction &operator=(Transaction &&) = delete;
  ~Transaction();
  llvm::Error commit();

private:
  explicit Transaction(Connection &connection) : connection(&connection) {}
  Connection *connection;
};

} // namespace pruner

#endif // PRUNER_LIB_RECORD_SQLITE_H
