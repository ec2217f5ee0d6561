//===- BadRows.cpp - warn of damaged rows of a database -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/TaskRecords/TaskRecords.h"

using namespace mlir;
using namespace pruner;

static void warnOf(Database &database, llvm::ArrayRef<BadRow> rows,
                   Location location) {
  for (const BadRow &row : rows) {
    InFlightDiagnostic warning = emitWarning(location);
    warning << "'" << database.path() << "': ";
    if (!row.table.empty())
      warning << row.table << " row " << row.row << ": ";
    warning << row.problem << "; the row is ignored";
  }
}

static llvm::Expected<bool> isLarge(Database &database) {
  llvm::Expected<int64_t> last = database.lastRecord();
  if (!last)
    return last.takeError();
  return *last > Database::kReadAsWhole;
}

llvm::Error pruner::warnOfBadRows(Database &database, Location location) {
  llvm::Expected<bool> large = isLarge(database);
  if (!large || *large)
    return large.takeError();
  llvm::Expected<std::vector<BadRow>> bad = database.check();
  if (!bad)
    return bad.takeError();
  warnOf(database, *bad, location);
  return llvm::Error::success();
}

llvm::Error pruner::warnOfReadRows(Database &database,
                                   llvm::ArrayRef<BadRow> rows,
                                   Location location) {
  llvm::Expected<bool> large = isLarge(database);
  if (large && *large) // warnOfBadRows() named all rows of smaller ones.
    warnOf(database, rows, location);
  return large.takeError();
}
