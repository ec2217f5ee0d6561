//===- ColdAccesses.h - compulsory accesses of a statement ---- -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_ANALYSIS_COLDACCESSES_H
#define PRUNER_LIB_ANALYSIS_COLDACCESSES_H

#include "pruner/Analysis/Symbols.h"
#include "pruner/Program/CacheState.h"

#include "llvm/ADT/SmallVector.h"

namespace pruner {

/// The cold accesses of a statement of a CPU program: the bytes of each
/// argument that it accesses before any other statement does. Non-temporal
/// stores are omitted, because they go to memory whatever the caches hold.
class ColdAccesses {
public:
  /// For statement `index`. `cache` counts its lines; the program begins with
  /// the caches in `state`.
  ColdAccesses(const ProgramSummary &program, unsigned index,
               const CacheModel &cache, const CacheState &state);

  /// The traffic of the cold accesses that a cache of `capacity` bytes holds
  /// when the program begins.
  Traffic trafficIn(double capacity) const;

private:
  struct Access {
    unsigned argument;
    AccessKind kind;
    double bytes;
  };
  llvm::SmallVector<Access, 4> accesses;
  const CacheState &state;
  /// Bytes of all arguments. Warm caches hold them if they fit.
  double argumentBytes = 0;
};

} // namespace pruner

#endif // PRUNER_LIB_ANALYSIS_COLDACCESSES_H
