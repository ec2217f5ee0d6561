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

/// Says what cannot be true of tasks and records that others made. Each answer
/// is a sentence, empty if there is nothing to say against it. The room that
/// knows tasks and schedules has the one that counts (Tune/RecordJudge.h); an
/// import without one believes whatever is well-formed.
class Judge {
public:
  virtual ~Judge() = default;
  virtual std::string problemOf(const StoredTask &task) = 0;
  /// `task` is the record's; its text may be empty, if nobody knows it.
  virtual std::string problemOf(const Record &record,
                                const StoredTask &task) = 0;
};

/// What an import or a merge did.
struct ImportReport {
  size_t tasks = 0;      ///< Lines (or rows) that speak of a task.
  size_t added = 0;      ///< Records that are new.
  size_t duplicates = 0; ///< Records that were there already.
  /// What was left out. Of databases the lines are the places of records in
  /// the order in which they were stored, 0 for tasks.
  std::vector<BadLine> bad;
};

/// Writes every task and then every record as a line of JSON (see RecordJson.h)
/// in the order in which they were stored.
///
/// Rows that are not sound are left out; Database::check names them.
///
/// Importing an export into an empty database and exporting that gives the same
/// bytes.
llvm::Error exportJsonLines(Database &database, llvm::raw_ostream &os);

/// Stores every good line of a file ("-" is stdin) that `judge`, if there is
/// one, says nothing against, and reports the others. The same file again adds
/// nothing. An error means that the file could not be read
/// or the database not be written; what was stored before stays.
llvm::Expected<ImportReport> importJsonLines(Database &database,
                                             llvm::StringRef path,
                                             Judge *judge = nullptr);

/// Stores what `other` has and `database` has not, tasks and records, of what
/// `judge` says nothing against.
llvm::Expected<ImportReport> mergeDatabase(Database &database, Database &other,
                                           Judge *judge = nullptr);

/// What `judge` says against the tasks and records of a database, a sentence
/// each.
llvm::Expected<std::vector<std::string>> judgeDatabase(Database &database,
                                                       Judge &judge);

} // namespace pruner

#endif // PRUNER_RECORD_EXCHANGE_H
