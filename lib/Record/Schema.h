//===- Schema.h - the tables of a tuning database ---------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_RECORD_SCHEMA_H
#define PRUNER_LIB_RECORD_SCHEMA_H

#include "Sqlite.h"

namespace pruner {

enum class SchemaMode {
  Salvage, ///< As Read, but only `tasks` and `records` need be as they were.
  Read,    ///< Nothing is changed; an older version is left as it is.
  Update,  ///< An older version becomes ours.
  Create,  ///< And an empty file becomes a database.
};

/// Makes sure that the connection leads to a tuning database of our version, or
/// (Read) of an older one. Each change is one transaction: whenever it is cut
/// off, the file is as it was. Several processes may do so at once.
llvm::Error prepareSchema(Connection &connection, SchemaMode mode);

/// The number that changes with the schema of the file.
llvm::Expected<int64_t> schemaCookie(Connection &connection);
/// Checks the objects of the file again if its number is no longer `cookie`,
/// which then becomes the new one. To be called within a transaction, before it
/// writes.
llvm::Error checkSchemaAgain(Connection &connection, int64_t &cookie);

/// Whether the database is of an older version.
llvm::Expected<bool> isOldSchema(Connection &connection);

/// What the file has that a database of our version has not, or lacks of it.
llvm::Expected<std::vector<std::string>> otherObjects(Connection &connection);

/// Turns on the write-ahead log and the durability that appending promises.
llvm::Error prepareWriting(Connection &connection, int busySeconds);

} // namespace pruner

#endif // PRUNER_LIB_RECORD_SCHEMA_H
