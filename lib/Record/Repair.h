//===- Repair.h - recover a sound database from a damaged one ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_RECORD_REPAIR_H
#define PRUNER_LIB_RECORD_REPAIR_H

#include "pruner/Record/Database.h"

namespace pruner {

/// The changes of a repair.
struct RepairReport {
  size_t tasks = 0, records = 0; ///< Taken over.
  /// The records with impossible time stamps, a sentence each.
  std::vector<std::string> stamps;
};

/// Stores the sound tasks and records of `damaged` in `repaired`, an empty
/// database, in their order. If `repaired` is null, only reports what would be
/// done. A record with an impossible time stamp (timestampProblem) gets that of
/// `now`, seconds since 1970: its measurement is valid, and it was made before
/// now. Unsound rows are left out; Database::check lists them.
llvm::Expected<RepairReport> repairDatabase(Database &damaged,
                                            Database *repaired, int64_t now);

} // namespace pruner

#endif // PRUNER_LIB_RECORD_REPAIR_H
