//===- PsaCpu.cpp - the draft model on CPUs -------------------------------===//
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
// Traffic between the caches follows from the working sets of the loops. What
// moves between L1 and L2 hides behind computing, but not wholly where both
// take nearly as long; what comes from farther away is added to it.
//
//===----------------------------------------------------------------------===//

#include "FirstTouches.h"
#include "PsaDetail.h"

#include "pruner/Program/TiledProgram.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <numeric>

using namespace pruner;

/// The sides of squares that the copying code transposes.
static constexpr double kLeastSquare = 4, kMostSquare = 16;

/// Iterations of a reduction whose end branch predictors know from what came
/// before it.
static constexpr double kForeseenSteps = 64;

/// Seconds of computing with those of the traffic that it hides: a norm, so
/// that two equal parts take an eighth longer than one. Of the orders that were
/// tried the sixth ranks best (docs/Decisions/0013-cpu-overlap.md).
static double overlapped(double computing, double traffic) {
  double longer = std::max(computing, traffic);
  if (longer <= 0)
    return 0;
  double share = std::min(computing, traffic) / longer;
  double cube = share * share * share;
  return longer * std::cbrt(std::sqrt(1 + cube * cube));
}

namespace {

/// A core's description, with its clock (Hz) and multiply-adds per cycle.
struct Core : CoreModel {
  double clock, fmaPerCycle;
  explicit Core(const Machine &machine) : CoreModel(machine.core) {
    double perFma = 2 * double(std::max<int64_t>(1, machine.lanes));
    clock = machine.clockMHz > 0 ? machine.clockMHz * 1e6
                                 : machine.peakFlops / (2 * perFma);
    fmaPerCycle = std::max(0.5, machine.peakFlops / (perFma * clock));
  }
};

/// What one execution of a statement's unrolled and vector loops issues.
struct Body {
  double points = 1, vectors = 1, arithmetic = 0, loads = 0, stores = 0;
  /// Of vectors that are transposed, one a cycle.
  double shuffles = 0;
  double cycles = 0;
  /// Lanes that are added up once the reduction is over.
  double reducedLanes = 1;
  /// Executions by the statement's own serial loops.
  double steps = 1;
};

} // namespace

/// Vector operations per point; a multiplication takes an addition with it.
static double operationCost(const OpCounts &ops, const Core &core) {
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

static Body computeBody(const ProgramSummary &program,
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

/// Cycles that each execution of an accumulation's own loops takes beside its
/// steady state. Accumulators are fetched and put back, their lanes are added
/// up where those are of the reduction, halves at a time (a shuffle and an
/// addition), and the end of a long loop is mispredicted. Operands read in
/// place in short runs a long way apart come line by line from L2, unless L1
/// keeps them: runs at the same offset of their pages compete for the same
/// sets, so each takes the room of the distance modulo the page (as gcd).
static double restartCycles(const ProgramSummary &program,
                            const StatementSummary &statement, const Body &body,
                            const Machine &machine, const Core &core,
                            double line) {
  unsigned own = statement.loops.size() - statement.ownLoops;
  double cycles = body.steps > kForeseenSteps ? core.restartCycles : 0;
  double working = 0;
  cycles += body.vectors * std::log2(body.reducedLanes);
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
    double run = double(access.contiguous) * size;
    if (buffer.level != MemoryLevel::Global || run >= 4 * line)
      continue;
    double distance = 0;
    for (unsigned l = own; l < statement.loops.size(); ++l) {
      double stride = std::abs(double(access.strides[l])) * size;
      if (stride > run && (distance == 0 || stride < distance))
        distance = stride;
    }
    if (distance == 0)
      continue;
    double bytes = bytesOf(access), runs = bytes / run;
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

namespace {
/// How a copy goes along rows of the buffer.
struct RowCopy {
  double lanes = 1, length = 1, shuffles = 0;
};
} // namespace

/// The extent of a loop as far as it stays inside of what is read.
static double extentInside(const ProgramSummary &program,
                           const StatementSummary &statement, unsigned loop) {
  int64_t extent = statement.loops[loop].extent;
  for (const AccessSummary &access :
       llvm::ArrayRef(statement.accesses).drop_back()) {
    llvm::ArrayRef<int64_t> shape = program.buffers[access.buffer].tensorShape;
    llvm::ArrayRef<int64_t> moves =
        llvm::ArrayRef(access.moves).slice(loop * shape.size(), shape.size());
    for (auto [move, size] : llvm::zip_equal(moves, shape))
      if (move == 1)
        extent = std::min(extent, size);
  }
  return double(extent);
}

/// Copies run in vectors along a dimension that they read contiguously. Where
/// the buffer is contiguous along another one, squares of n vectors are
/// transposed, which takes each of them log2(n) shuffles; where it has every
/// n-th element in a row of its own, one. Else they go element by element.
static RowCopy rowCopy(const ProgramSummary &program,
                       const StatementSummary &statement, double widest) {
  const AccessSummary &written = statement.written();
  unsigned own = statement.loops.size() - statement.ownLoops;
  RowCopy best, other;
  bool anyRow = false;
  unsigned across = own;
  double side = std::min(double(statement.vector), kMostSquare);
  for (unsigned l = own; l < statement.loops.size(); ++l) {
    double extent = double(statement.loops[l].extent);
    bool isRow = written.strides[l] == 1 && extent > 1;
    bool readAlong = llvm::all_of(statement.accesses, [&](auto &access) {
      return &access == &written || access.strides[l] == 0 ||
             access.strides[l] == 1;
    });
    double lanes = std::min(widest, extent);
    anyRow |= isRow;
    if (isRow && extent > best.length)
      best = {readAlong ? lanes : 1, extent, 0};
    else if (!isRow && readAlong && extent > other.length) {
      other = {lanes, extent, 1};
      across = l;
    }
  }
  if (best.lanes > 1 || other.lanes < kLeastSquare)
    return best;
  if (!anyRow)
    return other;
  if (statement.padded || side < kLeastSquare ||
      extentInside(program, statement, across) < side)
    return best;
  return {side, best.length, std::log2(side)};
}

static Body copyBody(const ProgramSummary &program,
                     const StatementSummary &statement, const Machine &machine,
                     const Core &core, double elementBytes) {
  Body body;
  double widest = double(machine.vectorElements(int64_t(elementBytes)));
  RowCopy row = rowCopy(program, statement, widest);
  body.points = row.lanes;
  body.loads = double(statement.accesses.size() - 1);
  body.stores = 1;
  body.arithmetic = operationCost(statement.ops, core) + row.shuffles;
  body.cycles = std::max({body.arithmetic / core.fmaPerCycle,
                          body.loads / core.loadsPerCycle,
                          body.stores / core.storesPerCycle,
                          row.lanes > 1 ? core.copyCycles : 0.0});
  // Of each row the last vector may be cut, and its ends may be filled.
  body.cycles *= std::ceil(row.length / row.lanes) / (row.length / row.lanes);
  double around = statement.padded ? core.paddedRowCycles : core.rowCycles;
  body.cycles += around * row.lanes / row.length;
  return body;
}

static PsaLimit limitOf(const StatementPsa &out, double coreSeconds,
                        double cacheSeconds) {
  const Penalties &p = out.penalties;
  if (out.memorySeconds > out.computeSeconds)
    return p.l2Memory < 0.6 ? PsaLimit::Transactions : PsaLimit::Bandwidth;
  if (cacheSeconds > coreSeconds)
    return PsaLimit::Cache;
  return std::min({std::pair{p.l0Memory, PsaLimit::Registers},
                   std::pair{p.l0Compute, PsaLimit::OperandLoads},
                   std::pair{p.l1Compute, PsaLimit::Lanes},
                   std::pair{p.l2Compute, PsaLimit::Balance},
                   std::pair{0.95, PsaLimit::Compute}})
      .second;
}

void detail::cpuStatement(const ProgramSummary &program, unsigned index,
                          const Machine &machine, const PsaOptions &options,
                          const CacheModel &cache, StatementPsa &out) {
  const StatementSummary &statement = program.statements[index];
  const Symbols &s = out.symbols;
  Penalties &p = out.penalties;
  Core core(machine);
  double elementBytes =
      double(program.buffers[statement.written().buffer].elementBytes);
  double line = double(std::max<int64_t>(1, machine.transactionBytes));
  bool copies = statement.kind == StatementKind::Stage;
  Body body = copies ? copyBody(program, statement, machine, core, elementBytes)
                     : computeBody(program, statement, machine, core,
                                   std::max<int64_t>(1, program.unrollMaxStep),
                                   int64_t(line));

  double widest =
      std::max(1.0, double(machine.vectorElements(int64_t(elementBytes))));
  double lanes = copies ? body.points : s.l1Parallel;
  p.l1Compute = std::min(1.0, lanes / widest);
  if (body.arithmetic > 0)
    p.l0Compute = body.arithmetic / core.fmaPerCycle / body.cycles;
  if (s.l0Alloc > 0 && machine.vectorRegisters > 0)
    p.l0Memory = std::min(1.0, double(machine.vectorRegisters) * s.l1Parallel /
                                   s.l0Alloc);
  if (machine.l1Bytes > 0 && s.l1Alloc > 0)
    p.l1Memory = std::min(1.0, double(machine.l1Bytes) / s.l1Alloc);
  double threads = double(std::max<int64_t>(
      1, options.threads > 0 ? options.threads : machine.units));
  p.l2Compute = waveUse(s.l2Parallel, threads);
  double busy = threads * p.l2Compute;

  double cycles = body.cycles * double(statement.totalTrips()) / body.points;
  cycles /= p.l0Memory;
  if (statement.kind == StatementKind::Update) {
    double executions = 1;
    for (unsigned l = 0; l + statement.ownLoops < statement.loops.size(); ++l)
      executions *= double(statement.loops[l].extent);
    cycles += executions *
              restartCycles(program, statement, body, machine, core, line);
  }
  double coreSeconds = cycles / core.clock / busy;

  std::optional<FirstTouches> first;
  if (options.caches)
    first.emplace(program, index, cache, *options.caches);
  auto traffic = [&](int64_t capacity) {
    if (capacity <= 0)
      return 0.0;
    double usable = kUsableCache * double(capacity);
    double moved = cache.traffic(usable);
    if (first)
      moved -= first->bytesIn(usable);
    return std::max(0.0, moved);
  };
  double l2Rate = core.l2BytesPerCycle * core.clock;
  // Between L2 and main memory lies at most one more level.
  double l3Rate = core.l3Bandwidth > 0
                      ? core.l3Bandwidth
                      : std::sqrt(l2Rate * machine.memoryBandwidth);
  double cacheSeconds = traffic(machine.l1Bytes) / l2Rate / busy;
  double beyondL2 = traffic(machine.l2Bytes);
  double fromMemory = machine.l3Bytes > 0 ? traffic(machine.l3Bytes) : beyondL2;
  double nearSeconds = machine.l3Bytes > 0 ? beyondL2 / l3Rate : 0;

  out.computeSeconds = overlapped(coreSeconds, cacheSeconds);
  out.memorySeconds =
      (nearSeconds + fromMemory / machine.memoryBandwidth) / busy;
  if (s.l2Ops > 0)
    out.computeRate = s.l2Ops / out.computeSeconds;
  if (beyondL2 > 0 && s.l2Run > 0) {
    p.l2Memory = waveUse(s.l2Run, line);
    out.memoryRate = beyondL2 / out.memorySeconds;
  }
  out.seconds = out.computeSeconds + out.memorySeconds;
  out.limit = limitOf(out, coreSeconds, cacheSeconds);
}
