//===- PsaDetail.h - parts of the analytical model --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_ANALYSIS_PSADETAIL_H
#define PRUNER_LIB_ANALYSIS_PSADETAIL_H

#include "pruner/Analysis/Psa.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pruner::detail {

/// The utilization of `units` slots if `work` pieces run in whole waves: work /
/// (ceil(work / units) * units).
inline double waveUse(double work, double units) {
  return work / (std::ceil(work / units) * units);
}

/// The square root of a² + b². std::hypot would need glibc 2.35, which a
/// portable wheel must not need.
inline double hypotenuse(double a, double b) {
  return std::sqrt(a * a + b * b);
}

/// The greatest common divisor of two positive numbers; fast if `a` is a power
/// of two.
inline int64_t commonDivisor(int64_t a, int64_t b) {
  return a > 0 && (a & (a - 1)) == 0 ? std::min(a, b & -b) : std::gcd(a, b);
}

/// Computes only the symbols of a CPU statement that its time depends on.
Symbols timeSymbols(const ProgramSummary &program,
                    const StatementSummary &statement);
void gpuStatement(const ProgramSummary &program,
                  const StatementSummary &statement, const Machine &machine,
                  const PsaOptions &options, StatementPsa &out);
/// Analyzes each statement in the form `Throughput` and passes it to `take`, in
/// order. Symbols are not computed.
void throughputStatements(const ProgramSummary &program, const Machine &machine,
                          const PsaOptions &options, bool timeOnly,
                          llvm::function_ref<void(StatementPsa &&)> take);
void releasedStatement(const Machine &machine, StatementPsa &out);
/// Appends the statements of a CPU program. `timeOnly` computes the seconds
/// alone.
void cpuStatements(const ProgramSummary &program, const Machine &machine,
                   const PsaOptions &options, bool timeOnly,
                   std::vector<StatementPsa> &out);

/// Numbers of reports: four significant digits; "40 %".
std::string number(double value);
std::string percent(double part);

} // namespace pruner::detail

#endif // PRUNER_LIB_ANALYSIS_PSADETAIL_H
