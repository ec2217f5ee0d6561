//===- PsaCpu.cpp - the CPU model -----------------------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Combines the terms of a CPU statement: the cycles of its register tile
// (CpuRegisterTile.h), and cache traffic, which follows from the working sets
// of the loops. Traffic between L1 and L2 overlaps with computing, but not
// completely if both take about as long. Traffic from beyond L2 is added.
//
//===----------------------------------------------------------------------===//

#include "ColdAccesses.h"
#include "CpuRegisterTile.h"
#include "InterStatementReuse.h"
#include "PsaDetail.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace pruner;
using namespace pruner::detail;

/// The relative cost of traffic from beyond L2 for each halving of a run.
static constexpr double kShortRun = 0.03;

/// The combined seconds of computing and of the traffic that overlaps with it:
/// a norm, so that two equal parts take an eighth longer than one. The sixth
/// order ranked best (docs/design/AnalyticalModel.md).
static double overlapped(double computing, double traffic) {
  double longer = std::max(computing, traffic);
  if (longer <= 0)
    return 0;
  double share = std::min(computing, traffic) / longer;
  // A smaller share would be lost in rounding.
  if (share < 0x1p-9)
    return longer;
  double cube = share * share * share;
  return longer * std::cbrt(std::sqrt(1 + cube * cube));
}

/// The elements that an access covers without a gap. The rows of a register
/// tile are walked side by side and do not end a run.
static double walkedRun(const StatementSummary &statement,
                        const AccessSummary &access) {
  int64_t run = 1;
  for (unsigned l = statement.loops.size(); l-- > 0;) {
    const LoopSummary &loop = statement.loops[l];
    int64_t stride = access.strides[l];
    if (stride == 0 || loop.extent == 1)
      continue;
    if (stride > 0 && stride <= run)
      run += stride * (loop.extent - 1);
    else if (loop.level != LoopLevel::Unroll && loop.level != LoopLevel::Vector)
      break;
  }
  return double(run);
}

/// The slowdown of memory and outer caches by short runs, because prefetchers
/// stop at the end of a run: kShortRun for each halving of a run relative to
/// `page` bytes, as a mean over all bytes.
static double shortRuns(const ProgramSummary &program,
                        const StatementSummary &statement, double page) {
  double bytes = 0, halvings = 0;
  for (const AccessSummary &access : statement.accesses) {
    const BufferSummary &buffer = program.buffers[access.buffer];
    if (buffer.level != MemoryLevel::Global)
      continue;
    double size = double(buffer.elementBytes);
    double touched = double(access.footprints[0]) * size;
    bytes += touched;
    halvings +=
        touched *
        std::max(0.0, std::log2(page / (walkedRun(statement, access) * size)));
  }
  return bytes > 0 ? 1 + kShortRun * halvings / bytes : 1;
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
  RegisterTile tile =
      copies ? copyRegisterTile(program, statement, machine, core, elementBytes)
             : computeRegisterTile(program, statement, machine, core,
                                   std::max<int64_t>(1, program.unrollMaxStep),
                                   int64_t(line));

  double widest =
      std::max(1.0, double(machine.vectorElements(int64_t(elementBytes))));
  double lanes = copies ? tile.points : s.l1Parallel;
  p.l1Compute = std::min(1.0, lanes / widest);
  if (tile.arithmetic > 0)
    p.l0Compute = tile.arithmetic / core.fmaPerCycle / tile.cycles;
  if (s.l0Alloc > 0 && machine.vectorRegisters > 0)
    p.l0Memory = std::min(1.0, double(machine.vectorRegisters) * s.l1Parallel /
                                   s.l0Alloc);
  if (machine.l1Bytes > 0 && s.l1Alloc > 0)
    p.l1Memory = std::min(1.0, double(machine.l1Bytes) / s.l1Alloc);
  double threads = double(std::max<int64_t>(
      1, options.threads > 0 ? options.threads : machine.units));
  p.l2Compute = waveUse(s.l2Parallel, threads);
  double busy = threads * p.l2Compute;

  double cycles = tile.cycles * double(statement.totalTrips()) / tile.points;
  cycles /= p.l0Memory;
  if (statement.kind == StatementKind::Update) {
    double executions = 1;
    for (unsigned l = 0; l + statement.ownLoops < statement.loops.size(); ++l)
      executions *= double(statement.loops[l].extent);
    cycles += executions *
              loopPrologueCycles(program, statement, tile, machine, core, line);
  }
  double coreSeconds = cycles / core.clock / busy;

  std::optional<ColdAccesses> first;
  if (options.caches)
    first.emplace(program, index, cache, *options.caches);
  InterStatementReuse reuse(program, index);
  auto traffic = [&](int64_t capacity) {
    if (capacity <= 0)
      return 0.0;
    double usable = kUsableCache * double(capacity);
    double moved = cache.traffic(usable, reuse.keptIn(usable));
    if (first)
      moved -= first->bytesIn(usable);
    return std::max(0.0, moved);
  };
  double l2Rate = core.l2BytesPerCycle * core.clock;
  // There is at most one more level between L2 and main memory.
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
  if (out.memorySeconds > 0)
    out.memorySeconds *= shortRuns(program, statement, core.pageBytes);
  if (s.l2Ops > 0)
    out.computeRate = s.l2Ops / out.computeSeconds;
  if (beyondL2 > 0 && s.l2Run > 0) {
    p.l2Memory = waveUse(s.l2Run, line);
    out.memoryRate = beyondL2 / out.memorySeconds;
  }
  out.seconds = out.computeSeconds + out.memorySeconds;
  out.limit = limitOf(out, coreSeconds, cacheSeconds);
}
