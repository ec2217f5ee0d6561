//===- ColdAccesses.h - cold accesses to the arguments ----------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_ANALYSIS_COLDACCESSES_H
#define PRUNER_LIB_ANALYSIS_COLDACCESSES_H

#include "pruner/Analysis/Symbols.h"
#include "pruner/Program/CacheState.h"

#include "llvm/ADT/SmallVector.h"

namespace pruner {

/// The cold (compulsory) accesses of a statement of a CPU program: the bytes of
/// each argument that it accesses before any other statement. Writes count
/// twice, as in all traffic.
class ColdAccesses {
public:
  /// Analyzes statement `index`, whose lines are in `cache`. The program begins
  /// with the cache state `state`.
  ColdAccesses(const ProgramSummary &program, unsigned index,
               const CacheModel &cache, const CacheState &state);

  /// The cold bytes that a cache of `capacity` bytes holds at the start.
  double bytesIn(double capacity) const;

private:
  struct Access {
    unsigned argument;
    double bytes;
  };
  llvm::SmallVector<Access, 4> accesses;
  const CacheState &state;
  /// Bytes of all arguments. Warm caches hold them if they fit.
  double argumentBytes = 0;
};

} // namespace pruner

#endif // PRUNER_LIB_ANALYSIS_COLDACCESSES_H
