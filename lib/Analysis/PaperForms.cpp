//===- PaperForms.cpp - the papers' forms of the model --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PsaDetail.h"

#include <algorithm>

using namespace pruner;
using detail::waveUse;

/// Main memory latency of a GPU under load, seconds. Its product with the
/// bandwidth is the number of bytes that must be in flight (Little's law).
static constexpr double kMemoryLatency = 600e-9;
/// The maximum of bytes of independent loads that one thread has in flight.
static constexpr double kThreadInFlight = 64;
/// 32-bit registers of a thread for addresses and counters.
static constexpr double kBaseRegisters = 24;

/// Blocks that are resident on one SM.
static double residentBlocks(const KernelShape &kernel, const Machine &machine,
                             double registers) {
  double threads = double(std::max<int64_t>(1, kernel.block));
  double blocks = double(machine.maxBlocksPerUnit);
  blocks =
      std::min(blocks, std::floor(double(machine.maxThreadsPerUnit) / threads));
  blocks = std::min(blocks, std::floor(double(machine.registersPerUnit) /
                                       (threads * registers)));
  if (kernel.sharedBytes > 0)
    blocks = std::min(blocks, std::floor(double(machine.sharedBytesPerUnit) /
                                         double(kernel.sharedBytes)));
  return std::max(1.0, blocks);
}

/// Bytes in flight relative to those that the bandwidth requires.
static double concurrency(const ProgramSummary &program,
                          const StatementSummary &statement,
                          const Machine &machine) {
  const KernelShape &kernel = program.kernelOf(statement);
  double registers =
      std::clamp(double(kernel.accumulators) + kBaseRegisters, kBaseRegisters,
                 double(machine.maxRegistersPerThread));
  double grid = double(kernel.grid), units = double(machine.units);
  double blocks =
      std::min(residentBlocks(kernel, machine, registers), grid / units);
  double elements = 1;
  if (statement.kind == StatementKind::Stage) {
    for (unsigned l = statement.loops.size() - statement.ownLoops;
         l < statement.loops.size(); ++l)
      elements *= double(statement.loops[l].extent);
    elements /= double(std::max<int64_t>(1, statement.sharingThreads));
  } else {
    elements = double(statement.trips([](const LoopSummary &loop) {
      return loop.level == LoopLevel::Unroll ||
             loop.level == LoopLevel::VThread;
    }));
  }
  double size =
      double(program.buffers[statement.written().buffer].elementBytes);
  double inFlight = blocks * units * double(kernel.block) *
                    std::min(kThreadInFlight, std::max(1.0, elements) * size);
  return std::min(1.0, inFlight / (machine.memoryBandwidth * kMemoryLatency));
}

/// Seconds of the load and store units for main-memory accesses that are not
/// staged, in sectors: a warp's 32 elements take one pass if they are
/// contiguous and up to 32 if they are not. Copies to shared memory need one
/// load and one store per vector.
static double accessSeconds(const ProgramSummary &program,
                            const StatementSummary &statement,
                            const Machine &machine) {
  double clock = machine.clockMHz * 1e6;
  if (clock <= 0)
    return 0;
  double lanesPerSecond = double(machine.units * machine.lanes) * clock;
  double trips = double(statement.totalTrips());
  if (statement.kind == StatementKind::Stage) {
    double vector = double(statement.vector);
    // Vectors require a source that is contiguous in memory.
    if (statement.accesses.front().contiguous % statement.vector != 0)
      vector = 1;
    return 2 * trips / vector / lanesPerSecond;
  }
  double passes = 0;
  for (const AccessSummary &access : statement.accesses) {
    const BufferSummary &buffer = program.buffers[access.buffer];
    if (buffer.level != MemoryLevel::Global)
      continue;
    // Loops that do not move the access reuse a register, unless they
    // distribute threads over lanes.
    double loads = 1;
    for (unsigned l = 0; l < statement.loops.size(); ++l)
      if (access.strides[l] != 0 ||
          statement.loops[l].level == LoopLevel::Block ||
          statement.loops[l].level == LoopLevel::Thread)
        loads *= double(statement.loops[l].extent);
    double run = double(access.contiguous * buffer.elementBytes);
    passes += loads / waveUse(run, double(machine.transactionBytes));
  }
  return passes / lanesPerSecond;
}

/// A penalty from here on limits nothing.
static constexpr double kNoPenalty = 0.95;

static PsaLimit limitOf(const StatementPsa &out) {
  const Penalties &p = out.penalties;
  std::pair<double, PsaLimit> worst;
  if (out.computeSeconds >= out.memorySeconds)
    worst = std::min({std::pair{p.l0Compute, PsaLimit::OperandLoads},
                      std::pair{p.l1Compute, PsaLimit::Lanes},
                      std::pair{p.l2Compute, PsaLimit::Balance},
                      std::pair{kNoPenalty, PsaLimit::Compute}});
  else
    worst = std::min({std::pair{p.l0Memory, PsaLimit::Registers},
                      std::pair{p.l1Memory, PsaLimit::Capacity},
                      std::pair{p.l2Memory, PsaLimit::Transactions},
                      std::pair{p.concurrency, PsaLimit::Concurrency},
                      std::pair{kNoPenalty, PsaLimit::Bandwidth}});
  return worst.second;
}

void detail::gpuStatement(const ProgramSummary &program,
                          const StatementSummary &statement,
                          const Machine &machine, const PsaOptions &options,
                          StatementPsa &out) {
  const Symbols &s = out.symbols;
  Penalties &p = out.penalties;
  double warps = std::ceil(s.l1Parallel / double(machine.lanes));
  p.l1Compute = waveUse(warps, double(machine.schedulersPerUnit)) *
                (s.l1Parallel / (warps * double(machine.lanes)));
  p.l2Compute = waveUse(s.l2Parallel, double(machine.units) *
                                          double(machine.activeBlocksPerUnit));
  if (s.l0Ops > 0 && s.l0Traffic > 0) {
    double rho = 1 + s.l0Ops / s.l0Traffic;
    p.l0Compute = rho / (rho + 1);
  }
  if (s.l0Alloc > 0)
    p.l0Memory = std::min(1.0, double(machine.registersPerThread) / s.l0Alloc);
  if (s.l1Alloc > 0)
    p.l1Memory = std::min(1.0, double(machine.sharedBytesPerBlock) / s.l1Alloc);
  if (s.l2Traffic > 0) {
    p.l2Memory = waveUse(s.l2Run, double(machine.transactionBytes));
    p.concurrency = concurrency(program, statement, machine);
  }
  if (options.without)
    p.*options.without = 1;

  if (s.l2Ops > 0) {
    out.computeRate =
        machine.peakFlops * p.l0Compute * p.l1Compute * p.l2Compute;
    out.computeSeconds = s.l2Ops / out.computeRate;
  }
  out.computeSeconds =
      std::max(out.computeSeconds,
               accessSeconds(program, statement, machine) / p.l2Compute);
  if (s.l2Traffic > 0) {
    out.memoryRate = machine.memoryBandwidth * p.l0Memory * p.l1Memory *
                     p.l2Memory * p.concurrency;
    out.memorySeconds = s.l2Traffic / out.memoryRate;
  }
  out.seconds = out.computeSeconds + out.memorySeconds;
  out.limit = limitOf(out);
}

void detail::releasedStatement(const Machine &machine, StatementPsa &out) {
  // All constants here are those of the released code, on every machine.
  constexpr double registerCapacity = 128, warp = 32;
  const Symbols &s = out.symbols;
  Penalties &p = out.penalties;
  double exactWarps = s.l1Parallel / warp, warps = std::ceil(exactWarps);
  p.l1Compute = exactWarps / warps;
  double blockSlots =
      double(machine.units) * double(machine.activeBlocksPerUnit);
  double warpSlots = double(machine.units) * double(machine.activeWarpsPerUnit);
  p.l2Compute =
      s.l2Parallel >= blockSlots
          ? waveUse(s.l2Parallel, blockSlots)
          : waveUse(s.l2Parallel *
                        std::min(warps, double(machine.activeWarpsPerUnit)),
                    warpSlots);
  double perThread = 2, registers = 1;
  if (s.l0Ops > 0) {
    perThread = 1 + 1 / (1 + s.l0Ops / s.l0Traffic);
    registers =
        s.l0Alloc >= registerCapacity ? s.l0Alloc / registerCapacity : 1;
  }
  p.l0Compute = 1 / perThread;
  p.l0Memory = 1 / registers;
  if (s.l2Ops > 0) {
    out.computeRate = machine.peakFlops * p.l0Compute * p.l0Memory *
                      p.l1Compute * p.l2Compute;
    out.computeSeconds = s.l2Ops / out.computeRate;
  }
  // In elements per second, with gigabytes of 2^30.
  out.memoryRate = machine.memoryBandwidth / 1e9 * double(1 << 30);
  out.memorySeconds = s.releasedElements / out.memoryRate;
  out.seconds = std::max(out.computeSeconds, out.memorySeconds);
  out.limit = limitOf(out);
}
