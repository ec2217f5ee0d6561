//===- Fuzz.h - random tasks under random schedules -------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_MEASURE_FUZZ_H
#define PRUNER_MEASURE_FUZZ_H

#include "pruner/Program/Schedule.h"
#include "pruner/Program/Task.h"
#include "pruner/Support/Random.h"
#include "llvm/Support/raw_ostream.h"

namespace pruner {

/// A random task function as MLIR text: a contraction (any operand layout,
/// batches, f16/bf16/f32/f64/integers, prologue, epilogue, started from a
/// constant or an argument), a convolution, a reduction or an elementwise op
/// with broadcast, permuted and strided operands. Extents favour primes, ones
/// and the neighbours of tile sizes; the iteration domain stays below about
/// 2^17 points.
std::string randomTask(Random &random);

/// A random CPU schedule of the right shape for `task`, whatever the machine:
/// vectors wider than its registers, register tiles of one element or far too
/// large ones, tiles beyond the extent. Bodies stay below 256 vector
/// operations, to be compiled in reasonable time.
Schedule randomCpuSchedule(const TaskDesc &task, Random &random);

struct FuzzOptions {
  uint64_t seed = 1;
  /// Cases are numbered; those from `first` on are run. A case depends on its
  /// number and the seed alone.
  uint64_t first = 0, count = 150;
  /// Cases of one task, which share its reference.
  unsigned schedulesPerTask = 10;
  /// Seconds until a case counts as hanging.
  unsigned timeout = 60;
  /// Print each case, or the task with its schedule attached.
  bool verbose = false, dump = false;
};

struct FuzzReport {
  uint64_t ran = 0, wrong = 0, crashed = 0;
  /// Cases compared bit for bit (the others within a bound).
  uint64_t exact = 0;
};

/// Runs cases in forked children, a new one after each crash, and writes what
/// was wrong to `log`, with the command that repeats it. The calling process
/// must have no other threads.
FuzzReport runFuzz(const FuzzOptions &options, llvm::raw_ostream &log);

} // namespace pruner

#endif // PRUNER_MEASURE_FUZZ_H
