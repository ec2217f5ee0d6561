//===- InterStatementReuse.h - data reuse between statements ----*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_ANALYSIS_INTERSTATEMENTREUSE_H
#define PRUNER_LIB_ANALYSIS_INTERSTATEMENTREUSE_H

#include "pruner/Program/Summary.h"

#include "llvm/ADT/SmallVector.h"

namespace pruner {

/// The accesses of a statement of a CPU program that find their data in a
/// cache, because an earlier statement accessed them. If both access an array
/// in the same iteration of their common loops, the whole access hits, provided
/// that everything fits that the statements from the earlier to this one access
/// in an iteration.
class InterStatementReuse {
public:
  InterStatementReuse(const ProgramSummary &program, unsigned index);

  /// The accesses that cause no traffic of a cache of `capacity` bytes, as a
  /// bit mask.
  uint64_t keptIn(double capacity) const {
    uint64_t kept = 0;
    for (const Kept &each : found)
      if (each.bytes <= capacity)
        kept |= uint64_t(1) << each.access;
    return kept;
  }

private:
  struct Kept {
    unsigned access;
    double bytes; ///< Bytes accessed from one use to the next.
  };
  llvm::SmallVector<Kept, 4> found;
};

} // namespace pruner

#endif // PRUNER_LIB_ANALYSIS_INTERSTATEMENTREUSE_H
