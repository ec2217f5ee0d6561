//===- SchemaObjects.h - the tables and indices of a database ---*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_RECORD_SCHEMAOBJECTS_H
#define PRUNER_LIB_RECORD_SCHEMAOBJECTS_H

#include "Sqlite.h"

namespace pruner {

/// The statements that create the tables and indices of a schema version.
///
/// Rows are only ever added to `records`. `measurement` tells trials apart
/// (measurementHash), `identity` tells schedules in their setting apart
/// (identityHash); `place` and `setting` are those of RecordRow.h. From version
/// 2 on every row ends in the hash of all its values, so that a flipped bit, an
/// edited value or a row under another's number shows, and no column is NOT
/// NULL: a row of an old file is kept whatever it holds.
std::string schemaSql(int version);

/// The conditions of the partial indices of the present version. A query that
/// is to use one must have them word for word.
inline constexpr llvm::StringLiteral kIsFinal =
    "strategy IN ('final', 'network-final')";
inline constexpr llvm::StringLiteral kIsRightTrial =
    "status = 'ok' AND verified = 1 AND strategy NOT IN ('final', "
    "'network-final')";
inline constexpr llvm::StringLiteral kIsDefault = "schedule = 'default'";

/// What the database has beside the objects of `version`, lacks of them or
/// defines otherwise: sentences, "the trigger 'x' is not one of its objects".
/// The statistics of SQLite's ANALYZE are allowed. Nothing that the schema
/// defines is evaluated. With `onlyTables` only what is wrong with `tasks` and
/// `records` themselves counts.
llvm::Expected<std::vector<std::string>>
findOtherObjects(Connection &connection, int version, bool onlyTables = false);

} // namespace pruner

#endif // PRUNER_LIB_RECORD_SCHEMAOBJECTS_H
