//===- FirstTouches.h - arguments that caches may hold ----------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_ANALYSIS_FIRSTTOUCHES_H
#define PRUNER_LIB_ANALYSIS_FIRSTTOUCHES_H

#include "pruner/Analysis/Symbols.h"
#include "pruner/Program/CacheState.h"

#include "llvm/ADT/SmallVector.h"

namespace pruner {

/// What a statement of a CPU program is the first to touch of the program's
/// arguments. As for all traffic, what is written counts twice.
class FirstTouches {
public:
  /// Of statement `index`, whose lines `cache` knows, in a program that begins
  /// with the caches in `state`.
  FirstTouches(const ProgramSummary &program, unsigned index,
               const CacheModel &cache, const CacheState &state);

  /// Bytes of it that a cache of `capacity` bytes has then.
  double bytesIn(double capacity) const;

private:
  struct Touch {
    unsigned argument;
    double bytes;
  };
  llvm::SmallVector<Touch, 4> touches;
  const CacheState &state;
  /// Bytes of all arguments. Warm caches have what fits.
  double argumentBytes = 0;
};

} // namespace pruner

#endif // PRUNER_LIB_ANALYSIS_FIRSTTOUCHES_H
