//===- Sqlite.h - SQLite with llvm::Error -----------------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

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

/// An error for the SQLite result `code` on the file `path`: the file, what was
/// being done, SQLite's own words, and what a person can do about it.
llvm::Error makeSqliteError(llvm::StringRef path, llvm::StringRef doing,
                            int code, llvm::StringRef message);

/// The number that stands for some texts in an index: 64 bits of their hash.
int64_t indexKey(llvm::ArrayRef<llvm::StringRef> texts);

/// A connection to one database file, and the errors that name it. Its SQL has
/// two functions more: `pruner_row_hash(values...)`, the hash of values with
/// their types, and `pruner_key(texts...)`, their indexKey.
///
/// The file may be anybody's, so nothing in it is run: no triggers, no views,
/// no extensions, no functions in its schema but those of SQLite that are
/// harmless, and no other files beside it. Every statement ends: one that takes
/// more steps than a sound file of its size can need is an error.
class Connection {
public:
  /// `flags` are sqlite3_open_v2's. With `immutable` the file is taken to
  /// change by nobody's hand, so no locks or side files are needed.
  static llvm::Expected<std::unique_ptr<Connection>>
  open(llvm::StringRef path, int flags, bool immutable, int busySeconds);
  Connection(const Connection &) = delete;
  Connection &operator=(const Connection &) = delete;
  ~Connection();

  /// A copy of `source` in a temporary file, to change without changing the
  /// file. Errors name the file.
  static llvm::Expected<std::unique_ptr<Connection>>
  copyAside(Connection &source);

  /// Runs statements that return nothing of interest.
  llvm::Error execute(const char *sql);
  /// The first column of the first row, 0 if there is none.
  llvm::Expected<int64_t> queryInteger(const char *sql);
  llvm::Expected<std::string> queryText(const char *sql);

  /// True if the path no longer leads to the file that was opened.
  bool hasMoved() const;

  /// The error that the last call on this connection left behind.
  llvm::Error lastError(llvm::StringRef doing);
  /// The code of the last such error, 0 if there was none.
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
  uint64_t steps = 0; ///< Of the statement that runs.
  int failure = 0;
};

/// A prepared statement. Parameters count from 1, columns from 0. Errors in
/// binding show up in step().
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

  /// True if there is a row to read, false at the end.
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

  /// What a column holds, as long as it was not read as something else: 'i' an
  /// integer, 'r' a real, 't' a text, 'b' bytes, 'n' NULL.
  char kind(int column) const;
  /// Whether column `count` is the pruner_row_hash of the `count` before it. To
  /// be asked before a column is read as something else than it is.
  bool isSound(int count) const;

private:
  Statement(Connection &connection, sqlite3_stmt *statement)
      : connection(&connection), statement(statement) {}
  Connection *connection;
  sqlite3_stmt *statement;
  int parameter = 0;
  int bindCode = 0;
};

/// A write transaction, undone at the end of the scope unless committed. Takes
/// the write lock at once: a lock taken in the middle could be refused.
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
