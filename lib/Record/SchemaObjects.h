//===- SchemaObjects.h - the tables and indices of a database ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_RECORD_SCHEMAOBJECTS_H
#define PRUNER_LIB_RECORD_SCHEMAOBJECTS_H

#include "Sqlite.h"

namespace pruner {

/// The statements that create the tables and indices of a schema version.
///
/// Rows are only ever added to `records`. `measurement` identifies trials
/// (measurementHash), `identity` identifies schedules in their setting
/// (identityHash); `place` and `setting` are those of RecordRow.h. From version
/// 2 on every row ends with the hash of all its values, which detects a flipped
/// bit, an edited value, or a row with the number of another. No column is NOT
/// NULL, because a row of an old file is kept whatever it holds.
std::string schemaSql(int version);

/// The conditions of the partial indices of the current version. A query uses
/// such an index only if it contains them literally.
inline constexpr llvm::StringLiteral kIsFinal =
    "strategy IN ('final', 'network-final')";
inline constexpr llvm::StringLiteral kIsRightTrial =
    "status = 'ok' AND verified = 1 AND strategy NOT IN ('final', "
    "'network-final')";
inline constexpr llvm::StringLiteral kIsDefault = "schedule = 'default'";

/// Describes the objects that the database has in addition to those of
/// `version`, lacks, or defines differently: sentences such as "the trigger 'x'
/// is not one of its objects". The statistics of SQLite's ANALYZE are allowed.
/// Nothing that the schema defines is evaluated. With `onlyTables`, only
/// problems with `tasks` and `records` themselves count.
llvm::Expected<std::vector<std::string>>
findOtherObjects(Connection &connection, int version, bool onlyTables = false);

} // namespace pruner

#endif // PRUNER_LIB_RECORD_SCHEMAOBJECTS_H
