//===- CpuCompute.cpp - cycles of a register tile -------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The register body of a statement is counted in cycles of one core: it takes
// as long as the busiest of its arithmetic ports, load ports, store port and
// issue slots, and an accumulation never less than one FMA latency per step.
// Each start of a reduction loop costs something of its own.
//
//===----------------------------------------------------------------------===//

#include "CpuBody.h"

#include "pruner/Program/TiledProgram.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <numeric>

using namespace pruner;
using namespace pruner::detail;

/// Iterations of a reduction whose end branch predictors know from what came
/// before it.
static constexpr double kForeseenSteps = 64;

double detail::operationCost(const OpCounts &ops, const Core &core) {
  double fused = double(std::max(ops.floatMul, ops.floatAddSub)) +
                 double(std::max(ops.intMul, ops.intAddSub));
  return fused + double(ops.floatCmp + ops.intCmp + ops.boolOps + ops.select) +
         double(ops.floatDivMod + ops.intDivMod) * core.divideCost +
         double(ops.floatMath + ops.floatOther + ops.intMath + ops.intOther) *
             core.functionCost;
}

/// Register-level operations to touch every element of the body once: loops
/// that do not move the access cost nothing, vectors that are not contiguous
/// one operation per lane.
static double touches(const StatementSummary &statement,
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

/// The loop of the register tile along which results lie side by side, where
/// their lanes do not: they are transposed. The number of loops if there is
/// none.
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

/// Whether an access goes across the lanes, and along `transposed`.
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

/// Counts an access to rows whose neighbours along the `transposed` loop lie
/// side by side: blocks of as many as there are lanes are transposed in squares
/// of the next power of two, and each lane's are one access, or one for each
/// power of two in their number where vectors have no masks.
static double countTransposed(const StatementSummary &statement,
                              const AccessSummary &access, unsigned transposed,
                              double elementBytes, bool masks, Body &body) {
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
  body.shuffles += blocks * double(square * llvm::Log2_64(square));
  bool whole = masks || lanes * elementBytes >= kMaskedBytes;
  return blocks * lanes *
         (whole ? 1.0 : double(llvm::popcount(uint64_t(rows))));
}

/// The greatest common divisor of two positive numbers, of which `a` mostly is
/// a power of two.
static int64_t commonDivisor(int64_t a, int64_t b) {
  return a > 0 && (a & (a - 1)) == 0 ? std::min(a, b & -b) : std::gcd(a, b);
}

/// Of reads of whole vectors along the access' rows, the part that touches two
/// lines and so takes a load port twice: such rows begin at multiples of the
/// step by which any other loop moves the access.
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
  // Of the line / step places in a line, those beyond line - vector.
  int64_t inside = std::max<int64_t>(0, line - vector) / step + 1;
  return 1 - std::min(1.0, double(inside) * double(step) / double(line));
}

/// Cycles of a step in which lines come anew from L2 that the step before used,
/// too: rows that are walked side by side, more than L1 has ways for where
/// their distance is a multiple of a large power of two. The step waits for
/// them. (Of 12 ways, 13 rows cost next to nothing; of 8 they nearly double the
/// time.)
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

/// Lines of each set of L1 that a register tile takes, where it takes any: rows
/// whose distance is a multiple of a large power of two meet in few sets.
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

/// Cycles in which a body that does not accumulate waits for lines that L1 had,
/// or had fetched ahead, and lost: all operands' rows that meet in a set, more
/// than it holds.
static double setCycles(const ProgramSummary &program,
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
    bytes += touches(statement, access) * double(line);
  }
  double ways = double(machine.l1Bytes) / core.pageBytes;
  double lost = std::clamp(meeting / ways - 1, 0.0, 1.0);
  return lost * bytes / core.l2BytesPerCycle;
}

Body detail::computeBody(const ProgramSummary &program,
                         const StatementSummary &statement,
                         const Machine &machine, const Core &core,
                         int64_t unroll, int64_t line) {
  Body body;
  double conflicts = 0;
  double lanes = 1;
  int64_t innermost = 1;
  bool reducesLanes = false;
  unsigned own = statement.loops.size() - statement.ownLoops;
  for (unsigned l = own; l < statement.loops.size(); ++l) {
    const LoopSummary &loop = statement.loops[l];
    if (loop.level == LoopLevel::Serial) {
      body.steps *= double(loop.extent);
      innermost = loop.extent;
    } else {
      body.points *= double(loop.extent);
    }
    if (loop.level == LoopLevel::Vector) {
      lanes *= double(loop.extent);
      reducesLanes = loop.extent > 1 && statement.written().strides[l] == 0;
    }
  }
  body.vectors = body.points / lanes;
  body.arithmetic = body.vectors * operationCost(statement.ops, core);
  unsigned transposed = transposedLoop(statement);
  for (const AccessSummary &access : statement.accesses) {
    const BufferSummary &buffer = program.buffers[access.buffer];
    double count = isTransposed(statement, access, transposed)
                       ? countTransposed(statement, access, transposed,
                                         double(buffer.elementBytes),
                                         access.kind == AccessKind::Read, body)
                       : touches(statement, access);
    if (access.kind == AccessKind::Read && machine.l1Bytes > 0 &&
        buffer.level == MemoryLevel::Global)
      conflicts += conflictCycles(statement, access, buffer.elementBytes,
                                  machine, core, line);
    if (access.kind == AccessKind::Read)
      body.loads += count * (1 + splitReads(statement, access,
                                            buffer.elementBytes, line));
    else if (access.kind == AccessKind::Write)
      body.stores += count;
    else {
      // Accumulators stay in registers over the statement's own reduction.
      body.loads += count / body.steps;
      body.stores += count / body.steps;
    }
  }
  if (statement.kind != StatementKind::Update && machine.l1Bytes > 0)
    conflicts += setCycles(program, statement, machine, core, line);
  int64_t chains = reducesLanes ? accumulatorSets(std::min(unroll, innermost),
                                                  int64_t(body.vectors))
                                : 1;
  bool accumulates = statement.kind == StatementKind::Update;
  double latency = accumulates ? core.fmaLatency / double(chains) : 0.0;
  body.cycles = std::max({body.arithmetic / core.fmaPerCycle, latency,
                          body.shuffles, body.loads / core.loadsPerCycle,
                          body.stores / core.storesPerCycle,
                          (body.arithmetic + body.shuffles + body.loads +
                           body.stores + core.loopOverhead / double(unroll)) /
                              core.issueWidth}) +
                conflicts;
  if (reducesLanes)
    body.reducedLanes = lanes;
  return body;
}

/// Whether later statements compute with the result of this one before they
/// come to its next one, as those of a chain over rows do. Sums that are stored
/// overlap with the next ones.
static bool isAwaited(const ProgramSummary &program,
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

double detail::restartCycles(const ProgramSummary &program,
                             const StatementSummary &statement,
                             const Body &body, const Machine &machine,
                             const Core &core, double line) {
  unsigned own = statement.loops.size() - statement.ownLoops;
  double cycles = body.steps > kForeseenSteps ? core.restartCycles : 0;
  double working = 0;
  if (body.reducedLanes > 1) {
    double together = body.vectors;
    // Of a lane's sum each halving is a shuffle and an addition.
    if (isAwaited(program, statement))
      together = std::max(together, 2 * core.fmaLatency);
    cycles += together * std::log2(body.reducedLanes);
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
      double count = touches(statement, access);
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
      // What lies in the same lines, or in the next one, is one run.
      if (distance == 0 || distance >= line)
        break;
      run += distance * double(extent - 1);
      inRun *= double(extent);
    }
    if (buffer.level != MemoryLevel::Global || distance == 0 ||
        run >= kForeseenLines * line)
      continue;
    double bytes = bytesOf(access), runs = bytes / inRun;
    // Runs that start anywhere in a line reach into one more now and then.
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
