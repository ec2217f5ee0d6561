//===- RecordRow.h - records and tasks as rows ------------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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
    "key, name, text, flops, bytes";
/// The condition that a row of `tasks` hashes to what it says.
inline constexpr llvm::StringLiteral kSoundTask =
    "tasks.row_hash IS pruner_row_hash(tasks.key, tasks.name, tasks.text,"
    " tasks.flops, tasks.bytes)";

/// Binds a normalised task.
void bindTask(Statement &statement, const Task &task);
Task readTask(const Statement &statement);

/// The columns of a record besides `id` and `row_hash`, in their order.
llvm::ArrayRef<llvm::StringLiteral> recordColumns();

/// The statement for bindRecord. A row of the same measurement stays as it is
/// if it is sound, and is replaced if it is not.
std::string insertRecordSql();
/// The columns for readRecord.
std::string selectRecordColumns();
/// The condition that a row of `table` hashes to what it says.
std::string soundRecordSql(llvm::StringRef table);

/// Binds a normalised record and the number of its row.
void bindRecord(Statement &statement, int64_t id, const Record &record);

/// Reads the current row. A row that no version of Pruner would have written is
/// an error that says why.
llvm::Expected<Record> readRecord(const Statement &statement);

} // namespace pruner

#endif // PRUNER_LIB_RECORD_RECORDROW_H
