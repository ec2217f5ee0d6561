//===- ProgramTerms.cpp - terms of the analytical model -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A row has the terms of the whole program, of its main statement (the slowest
// update, or the slowest statement if there is none), of that statement's three
// operands, of the first two copies, and of the rest. Every section is written
// for every program, so that the columns are the same. Terms of the CPU and GPU
// models (ModelTerm.h) have a column for the program and one for the main
// statement; those of the other kind of device are 0.

#include "pruner/Analysis/ProgramTerms.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

#include <algorithm>
#include <cmath>

using namespace llvm;
using namespace pruner;

namespace {
/// Writes the columns of a row from left to right. Collects names only on
/// request.
class Columns {
public:
  explicit Columns(std::vector<std::string> *names) : names(names) {}

  void raw(const Twine &name, double value) {
    values.push_back(std::isfinite(value) ? float(value) : 0);
    if (names)
      names->push_back(name.str());
  }
  /// Writes counts and sizes, which may be 0.
  void log(const Twine &name, double value) {
    raw(name + "_log2", std::log2(std::max(0.0, value) + 1));
  }
  /// Writes seconds and shares, which are much smaller than 1.
  void ratio(const Twine &name, double value) {
    raw(name + "_log2", value > 0 ? std::log2(value) : 0);
  }

  std::vector<float> values;

private:
  std::vector<std::string> *names;
};

/// A program with its analysis. Statements that it lacks are null.
struct AnalyzedProgram {
  const ProgramSummary &program;
  const Machine &machine;
  PsaReport report;

  const StatementSummary *statement(int n) const {
    return n < 0 ? nullptr : &program.statements[n];
  }
  double seconds(int n) const {
    return n < 0 ? 0 : report.statements[n].seconds;
  }
};
} // namespace

static double bytesOf(const ProgramSummary &program,
                      const AccessSummary &access, size_t loop) {
  return double(access.footprints[loop]) *
         double(program.buffers[access.buffer].elementBytes);
}

static int mainStatement(const AnalyzedProgram &all) {
  int chosen = -1;
  for (bool updatesOnly : {true, false}) {
    for (auto [n, statement] : enumerate(all.program.statements))
      if ((!updatesOnly || statement.kind == StatementKind::Update) &&
          (chosen < 0 || all.seconds(n) > all.seconds(chosen)))
        chosen = n;
    if (chosen >= 0)
      break;
  }
  return chosen;
}

static void writeProgram(const AnalyzedProgram &all, Columns &out) {
  const ProgramSummary &program = all.program;
  const Machine &machine = all.machine;
  double operations = 0, bytes = 0;
  for (const StatementPsa &statement : all.report.statements)
    operations += statement.symbols.l2Ops;
  for (const BufferSummary &buffer : program.buffers)
    if (buffer.level == MemoryLevel::Global)
      bytes += double(buffer.elements * buffer.elementBytes);
  double peak = machine.peakFlops, rate = machine.memoryBandwidth;
  double roof =
      peak > 0 && rate > 0 ? std::max(operations / peak, bytes / rate) : 0;
  out.ratio("psa.seconds", all.report.seconds);
  out.ratio("roof.seconds", roof);
  out.ratio("roof.share",
            all.report.seconds > 0 ? roof / all.report.seconds : 0);
  out.log("operations", operations);
  out.log("arguments.bytes", bytes);
  KernelShape none;
  const KernelShape &kernel =
      program.kernels.empty() ? none : program.kernels.front();
  out.raw("kernels", double(program.kernels.size()));
  out.log("grid", double(kernel.grid));
  out.log("block", double(kernel.block));
  out.log("vthreads", double(kernel.vthreads));
  out.log("shared.bytes", double(kernel.sharedBytes));
  out.log("local.bytes", double(kernel.localBytes));
  out.log("accumulators", double(kernel.accumulators));
  out.log("unroll", double(program.unrollMaxStep));
  // Blocks, or chunks, relative to the number that runs concurrently.
  double units = double(std::max<int64_t>(1, machine.units));
  double waves = double(kernel.grid) / units;
  out.ratio("waves", waves);
  out.raw("last_wave", waves > 0 ? waves / std::ceil(waves) : 0);
}

static void writePsa(const AnalyzedProgram &all, int n, const Twine &name,
                     Columns &out) {
  StatementPsa psa;
  if (n >= 0)
    psa = all.report.statements[n];
  double total = all.report.seconds;
  auto share = [&](double seconds) { return total > 0 ? seconds / total : 0; };
  out.raw(name + ".share", share(psa.seconds));
  out.raw(name + ".compute.share", share(psa.computeSeconds));
  out.raw(name + ".memory.share", share(psa.memorySeconds));
  const Penalties &p = psa.penalties;
  out.ratio(name + ".p_l0m", p.l0Memory);
  out.ratio(name + ".p_l0c", p.l0Compute);
  out.ratio(name + ".p_l1m", p.l1Memory);
  out.ratio(name + ".p_l1c", p.l1Compute);
  out.ratio(name + ".p_l2m", p.l2Memory);
  out.ratio(name + ".p_l2c", p.l2Compute);
  out.ratio(name + ".concurrency", p.concurrency);
  const Symbols &s = psa.symbols;
  out.log(name + ".s1", s.l0Alloc);
  out.log(name + ".s2", s.l0Ops);
  out.ratio(name + ".intensity", s.l0Traffic > 0 ? s.l0Ops / s.l0Traffic : 0);
  out.log(name + ".s3.bytes", s.l1Alloc);
  out.log(name + ".s4", s.l1Parallel);
  out.log(name + ".s5.bytes", s.l2Traffic);
  out.log(name + ".s6", s.l2Parallel);
  out.log(name + ".s7.bytes", s.l2Run);
}

/// The time of each term of both models, relative to the whole program. Terms
/// that overlap add up to more than 1.
static void writeTerms(const AnalyzedProgram &all,
                       ArrayRef<StatementPsa> statements, const Twine &name,
                       Columns &out) {
  auto write = [&](ArrayRef<const ModelTerm *> terms, bool gpu) {
    const char *device = gpu ? ".gpu." : ".cpu.";
    for (auto [index, term] : enumerate(terms)) {
      if (!term->hasColumns())
        continue;
      double seconds = 0;
      if (all.program.gpu == gpu)
        for (const StatementPsa &statement : statements)
          if (!statement.termSeconds.empty())
            seconds += statement.termSeconds[index];
      out.raw(name + device + term->name + ".share",
              all.report.seconds > 0 ? seconds / all.report.seconds : 0);
    }
  };
  write(cpuTerms(), /*gpu=*/false);
  write(gpuTerms(), /*gpu=*/true);
}

/// GPUs: the cycles of an SM for a wave of blocks, and the occupancy.
static void writeOccupancy(const AnalyzedProgram &all, int n, const Twine &name,
                           Columns &out) {
  StatementPsa psa;
  if (n >= 0)
    psa = all.report.statements[n];
  out.log(name + ".cycles", psa.cycles.total());
  out.raw(name + ".blocks", psa.occupancy.blocks);
  out.raw(name + ".limit", double(psa.occupancy.limit));
  out.log(name + ".registers", psa.occupancy.registers);
  out.log(name + ".spilled", psa.occupancy.spilled);
}

/// The tile: extents by level, and the loops next to the register tile.
static void writeLoops(const StatementSummary *statement, const Twine &name,
                       Columns &out) {
  StatementSummary none;
  if (!statement)
    statement = &none;
  auto product = [&](auto test) { return double(statement->trips(test)); };
  auto level = [&](LoopLevel wanted, bool reduction) {
    return product([=](const LoopSummary &loop) {
      return loop.level == wanted && loop.reduction == reduction;
    });
  };
  out.log(name + ".vector", level(LoopLevel::Vector, false));
  out.log(name + ".vector.reduction", level(LoopLevel::Vector, true));
  out.log(name + ".unroll", level(LoopLevel::Unroll, false));
  out.log(name + ".unroll.reduction", level(LoopLevel::Unroll, true));
  out.log(name + ".serial", level(LoopLevel::Serial, false));
  out.log(name + ".serial.reduction", level(LoopLevel::Serial, true));
  out.log(name + ".vthreads", level(LoopLevel::VThread, false));
  out.log(name + ".threads.reduction", level(LoopLevel::Thread, true));
  size_t own = statement->loops.size() - statement->ownLoops;
  for (unsigned back = 1; back <= 3; ++back) {
    bool there = back <= statement->loops.size();
    const LoopSummary loop =
        there ? statement->loops[statement->loops.size() - back]
              : LoopSummary();
    out.log(name + ".inner" + Twine(back), there ? double(loop.extent) : 0);
  }
  for (unsigned back = 1; back <= 3; ++back) {
    bool there = back <= own;
    const LoopSummary loop =
        there ? statement->loops[own - back] : LoopSummary();
    out.log(name + ".outer" + Twine(back), there ? double(loop.extent) : 0);
    out.raw(name + ".outer" + Twine(back) + ".reduction", loop.reduction);
  }
}

/// The footprint and the strides of one access.
static void writeAccess(const AnalyzedProgram &all,
                        const StatementSummary *statement,
                        const AccessSummary *access, const Twine &name,
                        Columns &out) {
  bool there = statement && access;
  const BufferSummary none;
  const BufferSummary &buffer =
      there ? all.program.buffers[access->buffer] : none;
  out.raw(name + ".level", there ? double(buffer.level) : -1);
  out.log(name + ".run.bytes",
          there ? double(access->contiguous * buffer.elementBytes) : 0);
  size_t own = there ? statement->loops.size() - statement->ownLoops : 0;
  // The footprint of the statement's own loops, and with one and two more
  // loops.
  for (unsigned back = 0; back <= 2; ++back)
    out.log(name + ".bytes" + Twine(back),
            there && back <= own ? bytesOf(all.program, *access, own - back)
                                 : 0);
  out.log(name + ".bytes", there ? bytesOf(all.program, *access, 0) : 0);
  double lanes = 0, threads = 0, step = 0;
  if (there)
    for (auto [loop, stride] : zip_equal(statement->loops, access->strides)) {
      if (loop.level == LoopLevel::Vector)
        lanes = std::abs(double(stride));
      if (loop.level == LoopLevel::Thread && loop.extent > 1)
        threads = std::abs(double(stride));
      if (loop.reduction && loop.extent > 1)
        step = std::abs(double(stride));
    }
  out.log(name + ".stride.vector", lanes);
  out.log(name + ".stride.thread", threads);
  out.log(name + ".stride.reduction", step);
}

static void writeCopy(const AnalyzedProgram &all, int n, const Twine &name,
                      Columns &out) {
  const StatementSummary *copy = all.statement(n);
  double total = all.report.seconds;
  out.raw(name + ".share", total > 0 ? all.seconds(n) / total : 0);
  const BufferSummary none;
  const BufferSummary &buffer =
      copy ? all.program.buffers[copy->written().buffer] : none;
  out.log(name + ".bytes",
          copy ? double(copy->totalTrips()) * double(buffer.elementBytes) : 0);
  out.log(name + ".buffer.bytes",
          copy ? double(buffer.elements * buffer.elementBytes) : 0);
  out.log(name + ".times", copy ? double(buffer.allocTrips) : 0);
  out.log(name + ".vector", copy ? double(copy->vector) : 0);
  out.log(name + ".threads", copy ? double(copy->sharingThreads) : 0);
  out.raw(name + ".padded", copy && copy->padded);
  out.log(name + ".run.bytes",
          copy ? double(copy->accesses.front().contiguous * buffer.elementBytes)
               : 0);
}

static std::vector<float> write(const AnalyzedProgram &all,
                                std::vector<std::string> *names) {
  Columns out(names);
  writeProgram(all, out);
  int main = mainStatement(all);
  const StatementSummary *statement = all.statement(main);
  writePsa(all, main, "main", out);
  writeTerms(all, all.report.statements, "total", out);
  writeTerms(all,
             main < 0 ? ArrayRef<StatementPsa>()
                      : ArrayRef(all.report.statements).slice(main, 1),
             "main", out);
  writeOccupancy(all, main, "main", out);
  writeLoops(statement, "main", out);
  SmallVector<const AccessSummary *, 3> accesses(3, nullptr);
  if (statement) {
    accesses[2] = &statement->written();
    for (unsigned a = 0; a + 1 < statement->accesses.size() && a < 2; ++a)
      accesses[a] = &statement->accesses[a];
  }
  writeAccess(all, statement, accesses[0], "operand0", out);
  writeAccess(all, statement, accesses[1], "operand1", out);
  writeAccess(all, statement, accesses[2], "result", out);

  SmallVector<int, 4> copies;
  double rest = 0;
  bool fetches = false;
  for (auto [n, each] : enumerate(all.program.statements)) {
    fetches |= each.fetchesAhead;
    if (each.kind == StatementKind::Stage)
      copies.push_back(n);
    else if (int(n) != main)
      rest += all.seconds(n);
  }
  out.raw("copies", double(copies.size()));
  copies.resize(2, -1);
  writeCopy(all, copies[0], "copy0", out);
  writeCopy(all, copies[1], "copy1", out);
  out.raw("rest.share", all.report.seconds > 0 ? rest / all.report.seconds : 0);
  out.raw("fetches_ahead", fetches);
  return std::move(out.values);
}

std::vector<float> pruner::programTerms(const ProgramSummary &program,
                                        const Machine &machine,
                                        const PsaOptions &options) {
  return write({program, machine, analyzePsa(program, machine, options)},
               nullptr);
}

std::vector<std::string> pruner::programTermNames() {
  std::vector<std::string> names;
  write({ProgramSummary(), Machine(), PsaReport()}, &names);
  return names;
}
