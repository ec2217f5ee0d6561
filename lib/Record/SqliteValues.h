//===- SqliteValues.h - hashes of SQLite's values ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_RECORD_SQLITEVALUES_H
#define PRUNER_LIB_RECORD_SQLITEVALUES_H

#include "pruner/Support/Hashing.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"

#include <sqlite3.h>

namespace pruner {

/// An argument of an SQL function.
struct SqlArgument {
  sqlite3_value *value;
  int type() const { return sqlite3_value_type(value); }
  int64_t integer() const { return sqlite3_value_int64(value); }
  double real() const { return sqlite3_value_double(value); }
  const void *text() const { return sqlite3_value_text(value); }
  const void *blob() const { return sqlite3_value_blob(value); }
  int bytes() const { return sqlite3_value_bytes(value); }
};

/// A column of a statement's row.
struct SqlColumn {
  sqlite3_stmt *statement;
  int number;
  int type() const { return sqlite3_column_type(statement, number); }
  int64_t integer() const { return sqlite3_column_int64(statement, number); }
  double real() const { return sqlite3_column_double(statement, number); }
  const void *text() const { return sqlite3_column_text(statement, number); }
  const void *blob() const { return sqlite3_column_blob(statement, number); }
  int bytes() const { return sqlite3_column_bytes(statement, number); }
};

/// The letter of one of SQLite's types, which count from 1.
inline char kindOf(int type) { return "?irtbn"[type]; }

/// The hash of values with their types. So 1, 1.0 and '1' differ, and so do
/// NULL and ''.
template <typename Value> std::string hashValues(llvm::ArrayRef<Value> values) {
  llvm::SmallVector<std::string> texts;
  for (const Value &value : values) {
    int type = value.type();
    std::string text(1, kindOf(type));
    if (type == SQLITE_INTEGER) {
      text += std::to_string(value.integer());
    } else if (type == SQLITE_FLOAT) {
      text += llvm::utohexstr(llvm::bit_cast<uint64_t>(value.real()));
    } else if (type == SQLITE_TEXT || type == SQLITE_BLOB) {
      const void *data = type == SQLITE_TEXT ? value.text() : value.blob();
      if (int size = value.bytes())
        text.append(static_cast<const char *>(data), size);
    }
    texts.push_back(std::move(text));
  }
  llvm::SmallVector<llvm::StringRef> parts(texts.begin(), texts.end());
  return contentHash(parts);
}

} // namespace pruner

#endif // PRUNER_LIB_RECORD_SQLITEVALUES_H
