//===- RecordRow.h - records and tasks as rows ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hash of a row is checked after the row was read, not as a condition of
// the query. SQLite evaluates a condition on whatever copy it has: that of an
// index, or a constant that another condition states for the column.

#ifndef PRUNER_LIB_RECORD_RECORDROW_H
#define PRUNER_LIB_RECORD_RECORDROW_H

#include "Sqlite.h"
#include "pruner/Record/Record.h"

#include "llvm/ADT/ArrayRef.h"

namespace pruner {

/// The statement for bindTask. A known task is not changed, unless it was
/// stored without its text, or its row is not sound.
std::string insertTaskSql();
/// The columns for readTask.
inline constexpr llvm::StringLiteral kTaskColumns =
    "key, name, text, flops, bytes, row_hash";

/// Binds a normalized task.
void bindTask(Statement &statement, const StoredTask &task);
/// Reads the current row. Fails, with the reason, if the row was changed or if
/// no version of Pruner would have written it.
llvm::Expected<StoredTask> readTask(const Statement &statement);

/// The columns of a record except `id` and `row_hash`, in their order.
struct RecordColumn {
  llvm::StringLiteral name;
  llvm::StringLiteral kinds; ///< Permitted types (Statement::kind).
  int since = 1;             ///< The first schema version that has it.
  /// The value of this column for older rows, in SQL; if empty, NULL if
  /// permitted, otherwise ''.
  llvm::StringLiteral former = "";
};
llvm::ArrayRef<RecordColumn> recordColumns();

/// Keys in indices: placeKey is that of task, target and machine of a record.
/// settingKey adds everything else that decides which times are comparable:
/// pipeline options, toolchain, generator, verification method and cache state.
int64_t placeKey(const Record &record);
int64_t settingKey(const Record &record);

/// The statement for bindRecord. A row of the same measurement is kept if it is
/// sound, and replaced if it is not.
std::string insertRecordSql();

/// The number of the last record, 0 if there is none. A damaged row may have
/// the last number that there is; numbers that no database reaches do not
/// count.
inline constexpr const char *kLastRow =
    "SELECT coalesce(max(id), 0) FROM records WHERE id < 9007199254740992";
/// How many rows bind(runId, trial, measurement) find that have this number in
/// the run and are another measurement.
inline constexpr llvm::StringLiteral kCountTakenSql =
    "SELECT count(*) FROM records INDEXED BY records_by_run"
    " WHERE run_id = ? AND trial = ? AND measurement IS NOT ?";
/// The columns for readRecord.
std::string selectRecordColumns();

/// Binds a normalized record and the number of its row.
void bindRecord(Statement &statement, int64_t id, const Record &record);

/// Reads the current row. Errors as in readTask.
llvm::Expected<Record> readRecord(const Statement &statement);

} // namespace pruner

#endif // PRUNER_LIB_RECORD_RECORDROW_H
