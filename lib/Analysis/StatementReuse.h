//===- StatementReuse.h - what one statement leaves another -----*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_ANALYSIS_STATEMENTREUSE_H
#define PRUNER_LIB_ANALYSIS_STATEMENTREUSE_H

#include "pruner/Program/Summary.h"

#include "llvm/ADT/SmallVector.h"

namespace pruner {

/// What a statement of a CPU program finds in a cache since an earlier one
/// touched it: of an array that both use in the same iteration of the loops
/// around both, all, where everything that the statements from that one on
/// touch in an iteration fits.
class StatementReuse {
public:
  StatementReuse(const ProgramSummary &program, unsigned index);

  /// The accesses that move nothing into or out of a cache of `capacity` bytes,
  /// a bit each.
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
    double bytes; ///< That are touched from one use to the next.
  };
  llvm::SmallVector<Kept, 4> found;
};

} // namespace pruner

#endif // PRUNER_LIB_ANALYSIS_STATEMENTREUSE_H
