//===- Symbols.h - the papers' symbols, and cache traffic -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The eight symbols of a statement, S1 to S8 (Pruner, ASPLOS 2025, section
// 4.1), computed from the program summary. On GPUs level l0 is a thread, l1 a
// block and l2 the device. On CPUs, which the papers do not cover, the levels
// are the registers of a core, a core with its private caches, and all cores.
//
// Reports and features of learned models contain all symbols. The papers' forms
// for GPUs compute times from them. The CPU model uses only S1, S4 and S6, and
// takes its traffic from CacheModel. The cycle model for GPUs uses none.

#ifndef PRUNER_ANALYSIS_SYMBOLS_H
#define PRUNER_ANALYSIS_SYMBOLS_H

#include "pruner/Machine/Machine.h"
#include "pruner/Program/Summary.h"

namespace pruner {

struct Symbols {
  /// S1 L0MemAlloc: 32-bit registers of a thread: for each accessed buffer the
  /// elements that its copies (virtual threads, unrolled and vector loops)
  /// access. An m x n GEMM tile needs m*n + m + n. On CPUs the elements that an
  /// update holds in registers: its accumulators, the operands along the
  /// vectors, and a register for each other operand. 0 for other statements.
  double l0Alloc = 0;
  /// S2 L0CompCount: operations of one thread (on CPUs of one chunk).
  double l0Ops = 0;
  /// Elements that one thread reads and writes for S2, counted at each access:
  /// m*n + m*K + K*n for GEMM. The denominator of P_{l0,c}.
  double l0Traffic = 0;
  /// S3 L1MemAlloc, bytes: shared memory of a block; on CPUs the bytes that the
  /// statement's own loops access, which are the working set of the L1 cache.
  double l1Alloc = 0;
  /// S4 L1ParaInfo: threads of a block; on CPUs the vector lanes in use.
  double l1Parallel = 1;
  /// S5 L2MemFootprint, **bytes** moved from and to main memory; on CPUs bytes
  /// that cross the border of the private caches if these are empty when the
  /// statement starts.
  double l2Traffic = 0;
  /// S6 L2ParaInfo: blocks of the grid, or chunks for the cores.
  double l2Parallel = 1;
  /// S7 L2TransDim, bytes: the shortest contiguous run of the accesses that S5
  /// counts; 0 if there are none.
  double l2Run = 0;
  /// S8 L2CompCount: operations of the whole launch.
  double l2Ops = 0;
  /// S5 as the released code counts it: in elements, for copies to shared
  /// memory and statements without arithmetic only.
  double releasedElements = 0;
};

/// The operations that the released code counts: add, sub, mul, div and mod.
double releasedArithmetic(const OpCounts &ops);

/// Bytes that cross the border of a cache.
struct Traffic {
  double moved = 0; ///< Bytes that are read or written.
  /// Lines that are written and not read. A cache reads such a line before it
  /// is written, unless the store is non-temporal.
  double allocated = 0;

  double total() const { return moved + allocated; }
};

/// The cache traffic of one statement's accesses, in whole lines. The model
/// finds the widest range of inner loops whose lines fit the cache. The loop
/// just outside of it loads the lines of its iterations once, and all loops
/// around that loop reload them. Local buffers that fit in half of the cache
/// never leave it. A copy accesses its buffer in order.
class CacheModel {
public:
  /// Lines whose distance is a multiple of `wayBytes` share a set of a cache.
  CacheModel(const ProgramSummary &program, const StatementSummary &statement,
             double lineBytes, int64_t wayBytes);

  /// Bytes that cross the border of a cache of `capacity` bytes, for all
  /// accesses except those whose bit in `kept` is set.
  Traffic trafficOf(double capacity, uint64_t kept = 0) const;
  double traffic(double capacity) const { return trafficOf(capacity).total(); }

  /// Bytes that enter a cache of `capacity` bytes in addition to traffic(),
  /// because contiguous runs of one access share its sets. A run takes as many
  /// bytes of the cache as it has, or the greatest common divisor of a way and
  /// the distances between runs, whichever is more. An access whose runs within
  /// one register tile do not fit is not counted.
  double conflictTraffic(double capacity) const;

  /// Bytes of the lines that access `access` of the statement accesses.
  double accessedBytes(unsigned access) const { return lines[access]; }

private:
  /// The outermost loop that accesses at most `capacity` bytes of lines in all
  /// of its iterations; the number of loops if no loop does.
  unsigned fittingLoop(double capacity) const;
  /// Iterations of the loops before loop `loop`.
  double iterationsAround(unsigned loop) const;
  /// Whether the access never leaves a cache of `capacity` bytes.
  bool isKept(const AccessSummary &access, double capacity) const;

  const ProgramSummary &program;
  const StatementSummary &statement;
  /// The loops from the outermost inward.
  llvm::SmallVector<unsigned, 24> order;
  /// Bytes of the lines that loops l, l+1, ... access: for each access, and for
  /// all.
  llvm::SmallVector<double, 64> lines;
  llvm::SmallVector<double, 16> total;
  /// Bytes of a cache that these lines take, for each access (see
  /// conflictTraffic()); empty for copies.
  llvm::SmallVector<double, 64> spaces;
};

/// The symbols of statement `index`. `released` counts operations like the
/// released code. `cache` is required for the S5 of CPU programs.
Symbols symbolsOf(const ProgramSummary &program, unsigned index,
                  const Machine &machine, bool released = false,
                  const CacheModel *cache = nullptr);

/// The share of a cache that is available to a working set.
constexpr double kUsableCache = 0.75;

} // namespace pruner

#endif // PRUNER_ANALYSIS_SYMBOLS_H
