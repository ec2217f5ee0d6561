//===- InterStatementReuse.h - reuse between statements ------- -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_ANALYSIS_INTERSTATEMENTREUSE_H
#define PRUNER_LIB_ANALYSIS_INTERSTATEMENTREUSE_H

#include "pruner/Program/Summary.h"

#include "llvm/ADT/SmallVector.h"

namespace pruner {

/// The data that a statement of a CPU program finds in a cache because an
/// earlier statement of the kernel accessed it: an array that both access in
/// the same iteration of the loops around both, if everything that the
/// statements from the earlier one to this one access in an iteration fits.
class InterStatementReuse {
public:
  InterStatementReuse(const ProgramSummary &program, unsigned index);

  /// The accesses without traffic between the statement and a cache of
  /// `capacity` bytes, one bit each.
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
    double bytes; ///< Accessed from one use to the next.
  };
  llvm::SmallVector<Kept, 4> found;
};

} // namespace pruner

#endif // PRUNER_LIB_ANALYSIS_INTERSTATEMENTREUSE_H
