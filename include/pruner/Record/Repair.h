//===- Repair.h - a sound database out of one that is not -------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_RECORD_REPAIR_H
#define PRUNER_RECORD_REPAIR_H

#include "pruner/Record/Database.h"

namespace pruner {

/// What a repair changed, or would.
struct RepairReport {
  size_t tasks = 0, records = 0; ///< That are taken over.
  /// The records whose time stamps are impossible, a sentence each.
  std::vector<std::string> stamps;
};

/// Stores the sound tasks and records of `damaged` in `repaired`, an empty
/// database, in their order; null: only says what would be done. A record with
/// an impossible time stamp (timestampProblem) gets that of `now`, seconds
/// since 1970: its measurement is as good as any, and it was made before now.
/// Rows that are not sound are left out; Database::check names them.
llvm::Expected<RepairReport> repairDatabase(Database &damaged,
                                            Database *repaired, int64_t now);

} // namespace pruner

#endif // PRUNER_RECORD_REPAIR_H
