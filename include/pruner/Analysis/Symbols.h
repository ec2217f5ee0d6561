//===- Symbols.h - hardware-aware symbols of a statement --------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The eight symbols of a statement, S1 to S8 (Pruner, ASPLOS 2025, section
// 4.1), read off the program summary. Level l0 is a thread, l1 a block and l2
// the device on GPUs. On CPUs, which the papers do not treat, it is the
// registers of a core, a core with its private caches, and all cores.
//
// Reports and features of learned models have all symbols. The papers' forms
// for GPUs compute times from them. The CPU model takes only S1, S4 and S6 from
// here, and its traffic from CacheModel; the cycle model for GPUs takes none.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_ANALYSIS_SYMBOLS_H
#define PRUNER_ANALYSIS_SYMBOLS_H

#include "pruner/Machine/Machine.h"
#include "pruner/Program/Summary.h"

namespace pruner {

struct Symbols {
  /// S1 L0MemAlloc: 32-bit registers a thread needs: per accessed buffer the
  /// elements that its copies (virtual threads, unrolled and vector loops)
  /// touch; an m x n GEMM tile needs m*n + m + n. On CPUs what an update
  /// holds, in elements: its accumulators, the operands along the vectors, and
  /// a register for each other operand. 0 for other statements.
  double l0Alloc = 0;
  /// S2 L0CompCount: operations of one thread (one chunk of a core on CPUs).
  double l0Ops = 0;
  /// Elements one thread reads and writes for S2, each time it does:
  /// m*n + m*K + K*n for GEMM. The denominator of P_{l0,c}.
  double l0Traffic = 0;
  /// S3 L1MemAlloc, bytes: shared memory of a block; on CPUs what the
  /// statement's own loops touch, the working set of the first-level cache.
  double l1Alloc = 0;
  /// S4 L1ParaInfo: threads of a block; on CPUs the vector lanes used.
  double l1Parallel = 1;
  /// S5 L2MemFootprint, **bytes** moved from and to main memory; on CPUs bytes
  /// that cross the border of the private caches when these are empty at the
  /// start of the statement.
  double l2Traffic = 0;
  /// S6 L2ParaInfo: blocks of the grid, or chunks for the cores.
  double l2Parallel = 1;
  /// S7 L2TransDim, bytes: the shortest contiguous run among the accesses that
  /// make S5; 0 when there are none.
  double l2Run = 0;
  /// S8 L2CompCount: operations of the whole launch.
  double l2Ops = 0;
  /// S5 as the released code counts it: elements, only copies to shared memory
  /// and statements without arithmetic.
  double releasedElements = 0;
};

/// The operations that the released code counts: add, sub, mul, div and mod.
double releasedArithmetic(const OpCounts &ops);

/// How the accesses of one statement use a cache, in whole lines. The widest
/// range of loops whose lines fit is found; the loop just outside of it loads
/// what its iterations touch once, and all loops around that again and again.
/// Buffers of the core itself that fit in half of the cache never leave it.
/// Writes count twice (the line is read first). A copy goes through its buffer
/// from begin to end.
class CacheModel {
public:
  CacheModel(const ProgramSummary &program, const StatementSummary &statement,
             double lineBytes);

  /// Bytes that cross the border of a cache of `capacity` bytes, by all
  /// accesses but those in `kept`, a bit each.
  double traffic(double capacity, uint64_t kept = 0) const;

  /// Bytes of the lines that access `access` of the statement touches.
  double touched(unsigned access) const { return lines[access]; }

private:
  const ProgramSummary &program;
  const StatementSummary &statement;
  /// The loops from the outermost inward.
  llvm::SmallVector<unsigned, 24> order;
  /// Bytes of lines touched by loops l, l+1, ...: of each access, and of all.
  llvm::SmallVector<double, 64> lines;
  llvm::SmallVector<double, 16> total;
};

/// The symbols of statement `index`. `released` counts operations as the
/// released code does. `cache` is needed for the S5 of CPU programs.
Symbols symbolsOf(const ProgramSummary &program, unsigned index,
                  const Machine &machine, bool released = false,
                  const CacheModel *cache = nullptr);

/// The part of a cache that a working set can count on.
constexpr double kUsableCache = 0.75;

} // namespace pruner

#endif // PRUNER_ANALYSIS_SYMBOLS_H
