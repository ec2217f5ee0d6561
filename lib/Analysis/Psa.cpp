//===- Psa.cpp - the analytical model -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PsaDetail.h"

#include <algorithm>

using namespace pruner;

/// Seconds between two kernels of one program, while the device drains and
/// fills again.
static constexpr double kKernelGap = 2e-6;

/// Time that belongs to no statement. The papers' programs have one kernel.
static double gaps(const ProgramSummary &program) {
  return kKernelGap * double(program.kernels.size() - 1);
}

static bool countsThroughput(const ProgramSummary &program,
                             const PsaOptions &options) {
  return program.gpu && options.form == PsaForm::Throughput;
}

/// With `timeOnly`, values that the times do not depend on are omitted if that
/// is faster.
static StatementPsa analyzeStatement(const ProgramSummary &program,
                                     unsigned index, const Machine &machine,
                                     const PsaOptions &options, bool timeOnly) {
  const StatementSummary &statement = program.statements[index];
  bool released = options.form == PsaForm::Released && program.gpu;
  StatementPsa out;
  if (!program.gpu) {
    CacheModel cache(program, statement,
                     double(std::max<int64_t>(1, machine.transactionBytes)));
    out.symbols = timeOnly
                      ? detail::timeSymbols(program, statement, machine, &cache)
                      : symbolsOf(program, index, machine, released, &cache);
    out.bytes = out.symbols.l2Traffic;
    detail::cpuStatement(program, index, machine, options, cache, timeOnly,
                         out);
    return out;
  }
  out.symbols = symbolsOf(program, index, machine, released);
  out.bytes = out.symbols.l2Traffic;
  if (released && program.isOverwritten(index))
    return out;
  if (released)
    detail::releasedStatement(machine, out);
  else
    detail::gpuStatement(program, statement, machine, options, out);
  return out;
}

/// The first statement that reads an argument which statement `index` also
/// reads. Statement `index` prefetches for it.
static unsigned firstReader(const ProgramSummary &program, unsigned index) {
  for (unsigned n = 0; n < index; ++n)
    for (const AccessSummary &access : program.statements[n].accesses)
      for (const AccessSummary &own : program.statements[index].accesses)
        if (access.kind == AccessKind::Read && own.kind == AccessKind::Read &&
            access.buffer == own.buffer &&
            program.buffers[own.buffer].level == MemoryLevel::Global)
          return n;
  return index;
}

/// Prefetched data arrive while the prefetching statement computes. That much
/// of the memory time of the first reader is hidden. (The papers have no such
/// statements.)
static void hideFetches(const ProgramSummary &program, PsaReport &report) {
  for (unsigned i = 0; i < program.statements.size(); ++i) {
    if (!program.statements[i].fetchesAhead)
      continue;
    StatementPsa &reader = report.statements[firstReader(program, i)];
    reader.seconds -=
        std::min(reader.memorySeconds, report.statements[i].computeSeconds);
  }
}

static PsaReport analyze(const ProgramSummary &program, const Machine &machine,
                         const PsaOptions &options, bool timeOnly) {
  PsaReport report;
  report.form = program.gpu ? options.form : PsaForm::Cpu;
  report.seconds = gaps(program);
  report.statements.reserve(program.statements.size());
  if (countsThroughput(program, options))
    detail::throughputStatements(
        program, machine, options, timeOnly, [&](StatementPsa &&psa) {
          if (!timeOnly)
            psa.symbols = symbolsOf(program, report.statements.size(), machine);
          report.statements.push_back(std::move(psa));
        });
  else
    for (unsigned i = 0; i < program.statements.size(); ++i)
      report.statements.push_back(
          analyzeStatement(program, i, machine, options, timeOnly));
  hideFetches(program, report);
  for (unsigned i = 0; i < program.statements.size(); ++i) {
    report.seconds += report.statements[i].seconds;
    if (report.slowest < 0 || report.statements[i].seconds >
                                  report.statements[report.slowest].seconds)
      report.slowest = i;
  }
  return report;
}

PsaReport pruner::analyzePsa(const ProgramSummary &program,
                             const Machine &machine,
                             const PsaOptions &options) {
  return analyze(program, machine, options, /*timeOnly=*/false);
}

double pruner::psaSeconds(const ProgramSummary &program, const Machine &machine,
                          const PsaOptions &options) {
  return analyze(program, machine, options, /*timeOnly=*/true).seconds;
}
