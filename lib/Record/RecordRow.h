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

namespace pruner {

/// The statement for bindRecord.
extern const char *const kInsertRecord;
/// The columns for readRecord, from 0.
extern const char *const kRecordColumns;

/// Binds a normalised record.
void bindRecord(Statement &statement, const Record &record);

/// Reads the current row. A row that no version of Pruner would have written is
/// an error that names it by its number.
llvm::Expected<Record> readRecord(const Statement &statement,
                                  llvm::StringRef path);

} // namespace pruner

#endif // PRUNER_LIB_RECORD_RECORDROW_H
