//===- Exchange.h - moving records between databases and files --*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_RECORD_EXCHANGE_H
#define PRUNER_RECORD_EXCHANGE_H

#include "pruner/Record/Database.h"
#include "pruner/Support/JsonLines.h"

#include "llvm/Support/raw_ostream.h"

namespace pruner {

/// What an import or a merge did.
struct ImportReport {
  size_t tasks = 0;      ///< Lines (or rows) that speak of a task.
  size_t added = 0;      ///< Records that are new.
  size_t duplicates = 0; ///< Records that were there already.
  std::vector<BadLine> bad;
};

/// Writes every task and then every record as a line of JSON (see RecordJson.h)
/// in the order in which they were stored. Run state is not exported: it is of
/// use only to the run that wrote it, on its own machine.
///
/// Importing an export into an empty database and exporting that gives the same
/// bytes.
llvm::Error exportJsonLines(Database &database, llvm::raw_ostream &os);

/// Stores every good line of a file ("-" is stdin) and reports the others. The
/// same file again adds nothing. An error means that the file could not be read
/// or the database not be written; what was stored before stays.
llvm::Expected<ImportReport> importJsonLines(Database &database,
                                             llvm::StringRef path);

/// Stores what `other` has and `database` has not: tasks and records.
llvm::Expected<ImportReport> mergeDatabase(Database &database, Database &other);

} // namespace pruner

#endif // PRUNER_RECORD_EXCHANGE_H
