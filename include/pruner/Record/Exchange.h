//===- Exchange.h - move records between databases and files ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_RECORD_EXCHANGE_H
#define PRUNER_RECORD_EXCHANGE_H

#include "pruner/Record/Database.h"
#include "pruner/Support/JsonLines.h"

#include "llvm/Support/raw_ostream.h"

namespace pruner {

/// Finds implausible tasks and records from other sources. Each function
/// returns a sentence, or an empty string if it finds no problem. The actual
/// judge needs tasks and schedules and is TaskRecords/RecordJudge.h; without a
/// judge an import accepts every well-formed record.
class Judge {
public:
  virtual ~Judge() = default;
  virtual std::string problemOf(const StoredTask &task) = 0;
  /// `task` is the task of the record; its text is empty if it is unknown.
  virtual std::string problemOf(const Record &record,
                                const StoredTask &task) = 0;
};

/// The result of an import or a merge.
struct ImportReport {
  size_t tasks = 0;      ///< Lines (or rows) with a task.
  size_t added = 0;      ///< New records.
  size_t duplicates = 0; ///< Records that were stored before.
  /// Lines that were left out. For databases the line is the position of a
  /// record in the order of storing, and 0 for tasks.
  std::vector<BadLine> bad;
};

/// Writes every task and then every record as a line of JSON (see
/// RecordJson.h), in the order in which they were stored.
///
/// Unsound rows are left out; Database::check lists them.
///
/// Importing an export into an empty database and exporting that gives the same
/// bytes.
llvm::Error exportJsonLines(Database &database, llvm::raw_ostream &os);

/// Stores every valid line of a file ("-" is stdin) in which `judge`, if given,
/// finds no problem, and reports the others. Importing the same file again adds
/// nothing. Returns an error if the file cannot be read or the database cannot
/// be written; what was stored before remains.
llvm::Expected<ImportReport> importJsonLines(Database &database,
                                             llvm::StringRef path,
                                             Judge *judge = nullptr);

/// Stores the tasks and records of `other` that `database` lacks and in which
/// `judge` finds no problem.
llvm::Expected<ImportReport> mergeDatabase(Database &database, Database &other,
                                           Judge *judge = nullptr);

/// The problems that `judge` finds in the tasks and records of a database, a
/// sentence each.
llvm::Expected<std::vector<std::string>> judgeDatabase(Database &database,
                                                       Judge &judge);

} // namespace pruner

#endif // PRUNER_RECORD_EXCHANGE_H
