//===- CpuStatement.h - a statement for the CPU model -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_ANALYSIS_CPUMODEL_CPUSTATEMENT_H
#define PRUNER_LIB_ANALYSIS_CPUMODEL_CPUSTATEMENT_H

#include "../ColdAccesses.h"
#include "../InterStatementReuse.h"
#include "pruner/Analysis/Psa.h"

#include <optional>

namespace pruner::detail {

/// Smallest side of the squares that generated copies transpose.
inline constexpr double kLeastSquare = 4;

/// Lines of a contiguous run after which hardware prefetches the next ones.
inline constexpr double kPrefetchedLines = 4;

/// The description of a core with its clock (Hz) and multiply-adds per cycle.
struct Core : CoreModel {
  double clock, fmaPerCycle;
  explicit Core(const Machine &machine);
};

/// What one execution of the unrolled and vector loops of a statement issues.
///
/// A copy is counted by rows of its buffer: a row takes `rowVectors` executions
/// and has `rowElements` elements. Other statements have one execution a row.
struct RegisterTile {
  double points = 1;     ///< Points of the iteration domain.
  double lanes = 1;      ///< Lanes of a vector that are in use.
  double vectors = 1;    ///< points / lanes.
  double arithmetic = 0; ///< Vector operations; a fused multiply-add is one.
  double shuffles = 0;   ///< Of transposes.
  double loads = 0, stores = 0;
  /// Executions by one execution of the serial loops of the statement.
  double steps = 1;
  /// Extent of the innermost of these loops.
  int64_t innermost = 1;
  /// Lanes that a horizontal reduction combines after the last step, or 1.
  double reducedLanes = 1;
  double rowVectors = 1, rowElements = 1;
  /// Whether it is counted by rows.
  bool copies = false;
  /// A copy whose rows are not contiguous in what it reads.
  bool strided = false;

  /// Elements of a row that one execution covers, in a copy.
  double lanesOfRow() const { return copies ? lanes : 1; }
};

/// A statement of a CPU program with what its terms share.
struct CpuStatement {
  CpuStatement(const ProgramSummary &program, unsigned index,
               const Machine &machine, const Core &core,
               const PsaOptions &options, const CacheModel &cache,
               const Symbols &symbols);

  bool isCopy() const { return statement.kind == StatementKind::Stage; }
  bool accumulates() const { return statement.kind == StatementKind::Update; }
  /// Whether tile registers hold the accumulators.
  bool updatesTiles() const {
    return accumulates() && statement.instruction &&
           statement.instruction->isTile();
  }
  /// Whether the statement clears accumulators that the next one holds in tile
  /// registers, or is that one. No memory is filled then.
  bool clearsTiles() const;
  /// The first of the loops that belong to the statement alone.
  unsigned firstOwnLoop() const {
    return statement.loops.size() - statement.ownLoops;
  }
  const BufferSummary &bufferOf(const AccessSummary &access) const {
    return program.buffers[access.buffer];
  }
  double elementBytes(const AccessSummary &access) const {
    return double(bufferOf(access).elementBytes);
  }
  bool isInMemory(const AccessSummary &access) const {
    return bufferOf(access).level == MemoryLevel::Global;
  }
  /// Bytes that cross the border of a cache of `capacity` bytes on their way
  /// from or to the core; 0 if the machine has no such cache.
  double traffic(int64_t capacity) const;
  /// Bytes that enter a cache of `capacity` bytes again because rows of one
  /// access share its sets.
  double conflictTraffic(int64_t capacity) const;
  /// Pages that the TLBs do not hold when they are accessed.
  double pageWalks() const;

  const ProgramSummary &program;
  const StatementSummary &statement;
  const Machine &machine;
  const Symbols &symbols;
  const Core &core;
  double line;    ///< Bytes.
  int64_t unroll; ///< Copies of the innermost serial loop.
  double cores;   ///< That run the program.
  RegisterTile tile;
  /// Bytes from and to memory.
  Traffic memory;

private:
  /// Omits the accesses whose bit in `omitted` is set.
  Traffic trafficOf(int64_t capacity, uint64_t omitted) const;

  const CacheModel &cache;
  std::optional<ColdAccesses> cold;
  InterStatementReuse reuse;
};

/// Register-level operations that access every element of the register tile
/// once. Loops that do not move the access cost nothing; a vector that is not
/// contiguous takes one operation per lane.
double accessOperations(const StatementSummary &statement,
                        const AccessSummary &access);

/// Vector operations per point; a multiplication of floats includes an
/// addition. Integers have `bytes` bytes.
double operationCost(const OpCounts &ops, const Core &core, double bytes);

RegisterTile countTile(const CpuStatement &statement);
RegisterTile countCopy(const CpuStatement &statement);

} // namespace pruner::detail

#endif // PRUNER_LIB_ANALYSIS_CPUMODEL_CPUSTATEMENT_H
