//===- Psa.cpp - the analytical model -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PsaDetail.h"

#include <cmath>

using namespace pruner;

/// Seconds between two kernels of one program, while the device drains and
/// fills again.
static constexpr double kKernelGap = 1e-6;

/// Time that belongs to no statement. The papers' programs have one kernel.
static double gaps(const ProgramSummary &program) {
  return kKernelGap * double(program.kernels.size() - 1);
}

static bool countsThroughput(const ProgramSummary &program,
                             const PsaOptions &options) {
  return program.gpu && options.form == PsaForm::Throughput;
}

/// A statement of a GPU program in one of the papers' forms.
static void analyzeStatement(const ProgramSummary &program, unsigned index,
                             const Machine &machine, const PsaOptions &options,
                             StatementPsa &out) {
  bool released = options.form == PsaForm::Released;
  out.symbols = symbolsOf(program, index, machine, released);
  out.bytes = out.symbols.l2Traffic;
  if (released && program.isOverwritten(index))
    return;
  if (released)
    detail::releasedStatement(machine, out);
  else
    detail::gpuStatement(program, program.statements[index], machine, options,
                         out);
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

/// Prefetched data arrive while the prefetching statement computes. Together,
/// both take the root of the sum of their squares: a short fetch costs nearly
/// nothing, and one as long as the computation adds 41 % to it. What this saves
/// is subtracted from the first reader. (The papers have no such statements;
/// docs/design/AnalyticalModel.md has the measurements.)
static void hideFetches(const ProgramSummary &program, PsaReport &report) {
  for (unsigned i = 0; i < program.statements.size(); ++i) {
    if (!program.statements[i].fetchesAhead)
      continue;
    StatementPsa &reader = report.statements[firstReader(program, i)];
    double memory = reader.memorySeconds;
    double computing = report.statements[i].computeSeconds;
    reader.seconds -=
        memory + computing - detail::hypotenuse(memory, computing);
  }
}

/// With `timeOnly`, values that the times do not depend on are omitted if that
/// is faster.
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
  else if (!program.gpu)
    detail::cpuStatements(program, machine, options, timeOnly,
                          report.statements);
  else
    for (unsigned i = 0; i < program.statements.size(); ++i)
      analyzeStatement(program, i, machine, options,
                       report.statements.emplace_back());
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
