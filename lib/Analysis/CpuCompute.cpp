//===- CpuCompute.cpp - cycles of a register tile -------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts the cycles of a statement's register tile on one core. A step takes as
// long as the busiest of the arithmetic ports, load ports, store ports and
// issue slots, and an accumulation at least one FMA latency. Each execution of
// a reduction loop has additional costs.
//
//===----------------------------------------------------------------------===//

#include "CpuRegisterTile.h"

#include "pruner/Program/TiledProgram.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <numeric>

using namespace pruner;
using namespace pruner::detail;

/// Loops with at most this many iterations have a predicted exit.
static constexpr double kPredictedTripCount = 64;

double detail::operationCost(const OpCounts &ops, const Core &core) {
  double fused = double(std::max(ops.floatMul, ops.floatAddSub)) +
                 double(std::max(ops.intMul, ops.intAddSub));
  return fused + double(ops.floatCmp + ops.intCmp + ops.boolOps + ops.select) +
         double(ops.floatDivMod + ops.intDivMod) * core.divideCost +
         double(ops.floatMath + ops.floatOther + ops.intMath + ops.intOther) *
             core.functionCost;
}

/// Register-level operations that access every element of the register tile
/// once. Loops that do not move the access are free; a vector that is not
/// contiguous needs one operation per lane.
static double countAccesses(const StatementSummary &statement,
                            const AccessSummary &access) {
  double count = 1;
  unsigned own = statement.loops.size() - statement.ownLoops;
  for (unsigned l = own; l < statement.loops.size(); ++l) {
    const LoopSummary &loop = statement.loops[l];
    if (loop.level == LoopLevel::Unroll && access.strides[l] != 0)
      count *= double(loop.extent);
    if (loop.level == LoopLevel::Vector && access.strides[l] != 0 &&
        std::abs(access.strides[l]) != 1)
      count *= double(loop.extent);
  }
  return count;
}

/// The loop of the register tile along which results are contiguous, if it is
/// not the vector loop; the vectors are then transposed. The number of loops if
/// there is none.
static unsigned transposedLoop(const StatementSummary &statement) {
  unsigned own = statement.loops.size() - statement.ownLoops, row = ~0u;
  const AccessSummary &written = statement.written();
  bool across = false;
  for (unsigned l = own; l < statement.loops.size(); ++l) {
    const LoopSummary &loop = statement.loops[l];
    int64_t stride = std::abs(written.strides[l]);
    if (loop.level == LoopLevel::Vector)
      across = double(loop.extent) >= kLeastSquare && stride > 1;
    else if (loop.level == LoopLevel::Unroll && loop.extent > 1 && stride == 1)
      row = l;
  }
  return across && statement.kind != StatementKind::Update
             ? std::min<unsigned>(row, statement.loops.size())
             : statement.loops.size();
}

/// Whether an access is contiguous along `transposed` instead of the vector
/// loop.
static bool isTransposed(const StatementSummary &statement,
                         const AccessSummary &access, unsigned transposed) {
  if (transposed == statement.loops.size() ||
      std::abs(access.strides[transposed]) != 1)
    return false;
  for (auto [loop, stride] : llvm::zip_equal(statement.loops, access.strides))
    if (loop.level == LoopLevel::Vector)
      return std::abs(stride) > 1;
  return false;
}

/// Counts an access that is contiguous along the `transposed` loop. Blocks with
/// as many rows as lanes are transposed as squares with a power of two of rows.
/// Each lane is one access, or one for each power of two in its length if
/// vectors have no masks.
static double countTransposed(const StatementSummary &statement,
                              const AccessSummary &access, unsigned transposed,
                              double elementBytes, bool masks,
                              RegisterTile &tile) {
  constexpr double kMaskedBytes = 64;
  double blocks = 1, lanes = 1, rows = 1;
  for (unsigned l = statement.loops.size() - statement.ownLoops;
       l < statement.loops.size(); ++l) {
    const LoopSummary &loop = statement.loops[l];
    if (l == transposed)
      rows = double(loop.extent);
    else if (loop.level == LoopLevel::Vector)
      lanes = double(loop.extent);
    else if (loop.level == LoopLevel::Unroll && access.strides[l] != 0)
      blocks *= double(loop.extent);
  }
  blocks *= std::ceil(rows / lanes);
  auto square = llvm::PowerOf2Ceil(uint64_t(std::min(rows, lanes)));
  tile.shuffles += blocks * double(square * llvm::Log2_64(square));
  bool whole = masks || lanes * elementBytes >= kMaskedBytes;
  return blocks * lanes *
         (whole ? 1.0 : double(llvm::popcount(uint64_t(rows))));
}

/// The greatest common divisor of two positive numbers. `a` usually is a power
/// of two.
static int64_t commonDivisor(int64_t a, int64_t b) {
  return a > 0 && (a & (a - 1)) == 0 ? std::min(a, b & -b) : std::gcd(a, b);
}

/// The share of vector reads along the rows of an access that cross a line and
/// take a load port twice. Rows begin at multiples of the smallest stride of
/// the other loops.
static double splitReads(const StatementSummary &statement,
                         const AccessSummary &access, double elementBytes,
                         int64_t line) {
  int64_t step = line, vector = 0;
  unsigned own = statement.loops.size() - statement.ownLoops;
  for (unsigned l = 0; l < statement.loops.size(); ++l) {
    const LoopSummary &loop = statement.loops[l];
    if (loop.extent == 1 || access.strides[l] == 0)
      continue;
    int64_t stride =
        int64_t(std::abs(double(access.strides[l]))) * int64_t(elementBytes);
    if (l >= own && loop.level == LoopLevel::Vector && access.strides[l] == 1)
      vector = loop.extent * stride;
    else
      step = commonDivisor(step, stride);
  }
  if (vector == 0)
    return 0;
  // Of the line / step possible offsets in a line, those beyond line - vector
  // cross it.
  int64_t inside = std::max<int64_t>(0, line - vector) / step + 1;
  return 1 - std::min(1.0, double(inside) * double(step) / double(line));
}

/// Cycles per step lost to L1 conflict misses of an accumulation: rows whose
/// distance is a multiple of a large power of two map to the same sets, and
/// more rows are live than the cache has ways. The step waits for their lines
/// from L2. (With 12 ways, 13 rows cost almost nothing; with 8 ways they nearly
/// double the time.)
static double conflictCycles(const StatementSummary &statement,
                             const AccessSummary &access, double elementBytes,
                             const Machine &machine, const Core &core,
                             int64_t line) {
  int64_t apart = int64_t(core.pageBytes), rows = 1;
  bool walks = false;
  unsigned own = statement.loops.size() - statement.ownLoops;
  for (unsigned l = own; l < statement.loops.size(); ++l) {
    const LoopSummary &loop = statement.loops[l];
    int64_t step = int64_t(std::abs(double(access.strides[l])) * elementBytes);
    if (loop.extent == 1 || step == 0)
      continue;
    if (loop.level == LoopLevel::Serial) {
      walks |= step < line;
    } else if (step >= line) {
      rows *= loop.extent;
      apart = commonDivisor(apart, step);
    }
  }
  double places = double(machine.l1Bytes) / double(std::max(apart, line));
  if (!walks)
    return 0;
  double lost = std::clamp(double(rows) / places - 1, 0.0, 1.0);
  return lost * double(rows * line) / core.l2BytesPerCycle;
}

/// The lines that a register tile's rows occupy in each set of L1 that they
/// use. Rows whose distance is a multiple of a large power of two map to few
/// sets.
static double linesOfSet(const StatementSummary &statement,
                         const AccessSummary &access, double elementBytes,
                         const Core &core, int64_t line) {
  int64_t way = int64_t(core.pageBytes), sets = 1;
  double lines = 1;
  unsigned own = statement.loops.size() - statement.ownLoops;
  for (unsigned l = own; l < statement.loops.size(); ++l) {
    const LoopSummary &loop = statement.loops[l];
    int64_t step = int64_t(std::abs(double(access.strides[l])) * elementBytes);
    if (loop.extent == 1 || step < line)
      continue;
    lines *= double(loop.extent);
    sets *= std::min(loop.extent, way / commonDivisor(way, step));
  }
  return lines / double(std::min(sets, std::max<int64_t>(1, way / line)));
}

/// Cycles per step lost to L1 conflict misses of a statement that does not
/// accumulate: the rows of all operands that map to a set exceed its ways.
static double conflictMissCycles(const ProgramSummary &program,
                                 const StatementSummary &statement,
                                 const Machine &machine, const Core &core,
                                 int64_t line) {
  double meeting = 0, bytes = 0;
  for (const AccessSummary &access : statement.accesses) {
    const BufferSummary &buffer = program.buffers[access.buffer];
    if (buffer.level != MemoryLevel::Global)
      continue;
    double size = double(buffer.elementBytes);
    meeting += linesOfSet(statement, access, size, core, line);
    bytes += countAccesses(statement, access) * double(line);
  }
  double ways = double(machine.l1Bytes) / core.pageBytes;
  double lost = std::clamp(meeting / ways - 1, 0.0, 1.0);
  return lost * bytes / core.l2BytesPerCycle;
}

RegisterTile detail::computeRegisterTile(const ProgramSummary &program,
                                         const StatementSummary &statement,
                                         const Machine &machine,
                                         const Core &core, int64_t unroll,
                                         int64_t line) {
  RegisterTile tile;
  double conflicts = 0;
  double lanes = 1;
  int64_t innermost = 1;
  bool reducesLanes = false;
  unsigned own = statement.loops.size() - statement.ownLoops;
  for (unsigned l = own; l < statement.loops.size(); ++l) {
    const LoopSummary &loop = statement.loops[l];
    if (loop.level == LoopLevel::Serial) {
      tile.steps *= double(loop.extent);
      innermost = loop.extent;
    } else {
      tile.points *= double(loop.extent);
    }
    if (loop.level == LoopLevel::Vector) {
      lanes *= double(loop.extent);
      reducesLanes = loop.extent > 1 && statement.written().strides[l] == 0;
    }
  }
  tile.vectors = tile.points / lanes;
  tile.arithmetic = tile.vectors * operationCost(statement.ops, core);
  unsigned transposed = transposedLoop(statement);
  for (const AccessSummary &access : statement.accesses) {
    const BufferSummary &buffer = program.buffers[access.buffer];
    double count = isTransposed(statement, access, transposed)
                       ? countTransposed(statement, access, transposed,
                                         double(buffer.elementBytes),
                                         access.kind == AccessKind::Read, tile)
                       : countAccesses(statement, access);
    if (access.kind == AccessKind::Read && machine.l1Bytes > 0 &&
        buffer.level == MemoryLevel::Global)
      conflicts += conflictCycles(statement, access, buffer.elementBytes,
                                  machine, core, line);
    if (access.kind == AccessKind::Read)
      tile.loads += count * (1 + splitReads(statement, access,
                                            buffer.elementBytes, line));
    else if (access.kind == AccessKind::Write)
      tile.stores += count;
    else {
      // Accumulators stay in registers during the statement's own reduction.
      tile.loads += count / tile.steps;
      tile.stores += count / tile.steps;
    }
  }
  if (statement.kind != StatementKind::Update && machine.l1Bytes > 0)
    conflicts += conflictMissCycles(program, statement, machine, core, line);
  int64_t chains = reducesLanes ? accumulatorSets(std::min(unroll, innermost),
                                                  int64_t(tile.vectors))
                                : 1;
  bool accumulates = statement.kind == StatementKind::Update;
  double latency = accumulates ? core.fmaLatency / double(chains) : 0.0;
  tile.cycles = std::max({tile.arithmetic / core.fmaPerCycle, latency,
                          tile.shuffles, tile.loads / core.loadsPerCycle,
                          tile.stores / core.storesPerCycle,
                          (tile.arithmetic + tile.shuffles + tile.loads +
                           tile.stores + core.loopOverhead / double(unroll)) /
                              core.issueWidth}) +
                conflicts;
  if (reducesLanes)
    tile.reducedLanes = lanes;
  return tile;
}

/// Whether later statements compute with the result before this statement's
/// next iteration, as in a chain over rows. Results that are only stored
/// overlap with the next ones.
static bool isOnCriticalPath(const ProgramSummary &program,
                             const StatementSummary &statement) {
  size_t next = size_t(&statement - program.statements.data()) + 1;
  int result = statement.written().buffer;
  return llvm::any_of(llvm::ArrayRef(program.statements).drop_front(next),
                      [&](const StatementSummary &later) {
                        return later.kernel == statement.kernel &&
                               (later.kind == StatementKind::Map ||
                                later.kind == StatementKind::Update) &&
                               later.touches(result);
                      });
}

double detail::loopPrologueCycles(const ProgramSummary &program,
                                  const StatementSummary &statement,
                                  const RegisterTile &tile,
                                  const Machine &machine, const Core &core,
                                  double line) {
  unsigned own = statement.loops.size() - statement.ownLoops;
  double cycles = tile.steps > kPredictedTripCount ? core.restartCycles : 0;
  double working = 0;
  if (tile.reducedLanes > 1) {
    double together = tile.vectors;
    // Each halving of a horizontal reduction is a shuffle and an addition.
    if (isOnCriticalPath(program, statement))
      together = std::max(together, 2 * core.fmaLatency);
    cycles += together * std::log2(tile.reducedLanes);
  }
  auto bytesOf = [&](const AccessSummary &access) {
    return double(access.footprints[own]) *
           double(program.buffers[access.buffer].elementBytes);
  };
  for (const AccessSummary &access : statement.accesses)
    if (access.kind == AccessKind::Read)
      working += bytesOf(access);
  for (const AccessSummary &access : statement.accesses) {
    const BufferSummary &buffer = program.buffers[access.buffer];
    if (access.kind != AccessKind::Read) {
      double count = countAccesses(statement, access);
      cycles += count / core.loadsPerCycle + count / core.storesPerCycle;
      continue;
    }
    double size = double(buffer.elementBytes);
    double run = double(access.contiguous) * size, inRun = run, distance = 0;
    while (true) {
      distance = 0;
      int64_t extent = 1;
      for (unsigned l = own; l < statement.loops.size(); ++l) {
        double stride = std::abs(double(access.strides[l])) * size;
        if (statement.loops[l].extent > 1 && stride > run &&
            (distance == 0 || stride < distance)) {
          distance = stride;
          extent = statement.loops[l].extent;
        }
      }
      // Rows in the same or the next line form one run.
      if (distance == 0 || distance >= line)
        break;
      run += distance * double(extent - 1);
      inRun *= double(extent);
    }
    if (buffer.level != MemoryLevel::Global || distance == 0 ||
        run >= kPrefetchedLines * line)
      continue;
    double bytes = bytesOf(access), runs = bytes / inRun;
    // An unaligned run spans one more line with some probability.
    double lines = std::fmod(distance, line) == 0 ? std::ceil(run / line)
                                                  : 1 + (run - size) / line;
    double room =
        std::max(lines * line,
                 double(std::gcd(int64_t(distance), int64_t(core.pageBytes))));
    if (working - bytes + runs * room > double(machine.l1Bytes))
      cycles += runs * lines * core.lineMissCycles;
  }
  return cycles;
}
