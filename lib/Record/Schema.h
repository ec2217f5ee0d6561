//===- Schema.h - the tables of a tuning database ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_RECORD_SCHEMA_H
#define PRUNER_LIB_RECORD_SCHEMA_H

#include "Sqlite.h"

namespace pruner {

enum class SchemaMode {
  Salvage, ///< As Read, but checks only `tasks` and `records`.
  Read,    ///< Changes nothing; keeps an older version.
  Update,  ///< Updates an older version.
  Create,  ///< Also turns an empty file into a database.
};

/// Ensures that the connection leads to a tuning database of the current
/// version, or (Read) of an older one. Each change is one transaction: if it is
/// interrupted, the file is unchanged. Several processes may do so at once.
llvm::Error prepareSchema(Connection &connection, SchemaMode mode);

/// The number that SQLite changes with the schema of the file.
llvm::Expected<int64_t> schemaCookie(Connection &connection);
/// Checks the objects of the file again if its number differs from `cookie`,
/// which is then updated. Must be called within a transaction, before it
/// writes.
llvm::Error checkSchemaAgain(Connection &connection, int64_t &cookie);

/// Whether the database is of an older version.
llvm::Expected<bool> isOldSchema(Connection &connection);

/// The objects that the file has in addition to those of the current version,
/// and those that it lacks.
llvm::Expected<std::vector<std::string>> otherObjects(Connection &connection);

/// Enables the write-ahead log and the durability that append() promises.
llvm::Error prepareWriting(Connection &connection, int busySeconds);

} // namespace pruner

#endif // PRUNER_LIB_RECORD_SCHEMA_H
