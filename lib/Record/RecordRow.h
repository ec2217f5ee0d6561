//===- RecordRow.h - records and tasks as rows ------------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether a row is as it was written is asked of the row that has been read and
// not as a condition of the query: that is evaluated on what SQLite has at
// hand, which may be the copy in an index, or a constant that another condition
// says the column equals.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_RECORD_RECORDROW_H
#define PRUNER_LIB_RECORD_RECORDROW_H

#include "Sqlite.h"
#include "pruner/Record/Record.h"

#include "llvm/ADT/ArrayRef.h"

namespace pruner {

/// The statement for bindTask. A task known already stays as it is, unless it
/// came without its text so far, or its row is not sound.
std::string insertTaskSql();
/// The columns for readTask.
inline constexpr llvm::StringLiteral kTaskColumns =
    "key, name, text, flops, bytes, row_hash";

/// Binds a normalised task.
void bindTask(Statement &statement, const StoredTask &task);
/// Reads the current row. A row that is not as it was written, or that no
/// version of Pruner would have written, is an error that says why.
llvm::Expected<StoredTask> readTask(const Statement &statement);

/// The columns of a record besides `id` and `row_hash`, in their order.
struct RecordColumn {
  llvm::StringLiteral name;
  llvm::StringLiteral kinds; ///< What it may hold (Statement::kind).
  int since = 1;             ///< The first schema version that has it.
  /// What older rows hold in it, in SQL; empty: NULL if it may, otherwise ''.
  llvm::StringLiteral former = "";
};
llvm::ArrayRef<RecordColumn> recordColumns();

/// What indices know a record's task on its machine by, and the same with
/// everything that decides what its times may be compared with: pipeline
/// options, toolchain, generator, method of verification and state of caches.
int64_t placeKey(const Record &record);
int64_t settingKey(const Record &record);

/// The statement for bindRecord. A row of the same measurement stays as it is
/// if it is sound, and is replaced if it is not.
std::string insertRecordSql();
/// How many rows bind(runId, trial, measurement) find that have this number in
/// the run and are another measurement.
inline constexpr llvm::StringLiteral kCountTakenSql =
    "SELECT count(*) FROM records INDEXED BY records_by_run"
    " WHERE run_id = ? AND trial = ? AND measurement IS NOT ?";
/// The columns for readRecord.
std::string selectRecordColumns();

/// Binds a normalised record and the number of its row.
void bindRecord(Statement &statement, int64_t id, const Record &record);

/// Reads the current row. Errors as in readTask.
llvm::Expected<Record> readRecord(const Statement &statement);

} // namespace pruner

#endif // PRUNER_LIB_RECORD_RECORDROW_H
