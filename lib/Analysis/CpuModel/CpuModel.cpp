//===- CpuModel.cpp - the analytical model for CPUs -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Combines the terms of a statement (CpuTerm.h) to its time.

#include "Terms/Registry.h"

#include "../PsaDetail.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <array>
#include <cmath>

using namespace pruner;
using namespace pruner::detail;
using Part = CpuTerm::Part;

#define PRUNER_COUNT_TERM(name) +1
static constexpr size_t kNumTerms = 0 PRUNER_CPU_TERMS(PRUNER_COUNT_TERM);
#undef PRUNER_COUNT_TERM

llvm::ArrayRef<const CpuTerm *> detail::allCpuTerms() {
#define PRUNER_GET_TERM(name) &get##name(),
  static const std::array<const CpuTerm *, kNumTerms> terms = {
      PRUNER_CPU_TERMS(PRUNER_GET_TERM)};
#undef PRUNER_GET_TERM
  return terms;
}

llvm::ArrayRef<const ModelTerm *> pruner::cpuTerms() {
  static const auto terms = [] {
    std::array<const ModelTerm *, kNumTerms> list;
    llvm::copy(allCpuTerms(), list.begin());
    return list;
  }();
  return terms;
}

std::string CpuTerm::explain(const StatementPsa &statement,
                             const Machine &machine,
                             const std::string &share) const {
  double lanes = statement.penalties.l1Compute;
  return lanes < 0.6
             ? share + ", with " + percent(lanes) + " of the vector lanes"
             : share;
}

/// Seconds of computing with those of the traffic that it hides: a norm, so
/// that two equal parts take an eighth longer than one. The sixth order ranks
/// best among those that were tried (docs/design/AnalyticalModel.md).
static double overlapped(double computing, double traffic) {
  double longer = std::max(computing, traffic);
  if (longer <= 0)
    return 0;
  double share = std::min(computing, traffic) / longer;
  // Smaller shares are lost in rounding.
  if (share < 0x1p-9)
    return longer;
  double cube = share * share * share;
  return longer * std::cbrt(std::sqrt(1 + cube * cube));
}

namespace {
/// The costs of a statement by term, and combined.
struct Costs {
  /// The costs with the numbers of their terms, unless only times are asked
  /// for.
  llvm::SmallVector<std::pair<unsigned, double>, kNumTerms> found;
  // The sums, or the largest value, of each part.
  double port = 0, rowStall = 0, stall = 0, prologue = 0;
  double registerUse = 1, coreUse = 1;
  double cache = 0, memory = 0, memoryFactor = 1;

  Costs(const CpuStatement &statement, const ModelTerm *without, bool timeOnly);

  std::array<double, kNumTerms> each() const;
  /// Cycles of one execution of the register tile, with all registers.
  double tileCycles(const RegisterTile &tile) const {
    return (port * tile.rowVectors + rowStall) * tile.lanesOfRow() /
               tile.rowElements +
           stall;
  }

private:
  void add(Part part, double cost);
};
} // namespace

namespace {
/// The terms that may cost a kind of statements, with their numbers.
struct TermsOf {
  llvm::SmallVector<std::pair<unsigned, const CpuTerm *>, kNumTerms> list;

  explicit TermsOf(CpuTerm::Statements statements) {
    for (auto [n, term] : llvm::enumerate(allCpuTerms()))
      if (term->statements & statements)
        list.push_back({unsigned(n), term});
  }
};
} // namespace

static const TermsOf &termsOf(const CpuStatement &statement) {
  static const TermsOf copies(CpuTerm::Copies), updates(CpuTerm::Updates),
      others(CpuTerm::Others);
  return statement.isCopy()        ? copies
         : statement.accumulates() ? updates
                                   : others;
}

Costs::Costs(const CpuStatement &statement, const ModelTerm *without,
             bool timeOnly) {
  for (auto [n, term] : termsOf(statement).list) {
    if (term == without || (term->part == Part::MemoryFactor && memory <= 0))
      continue;
    double cost = term->cost(statement);
    add(term->part, cost);
    if (!timeOnly)
      found.push_back({n, cost});
  }
}

std::array<double, kNumTerms> Costs::each() const {
  std::array<double, kNumTerms> costs;
  for (auto [cost, term] : llvm::zip_equal(costs, allCpuTerms()))
    cost = term->isFactor() ? 1 : 0;
  for (auto [n, cost] : found)
    costs[n] = cost;
  return costs;
}

void Costs::add(Part part, double cost) {
  switch (part) {
  case Part::Port:
    port = std::max(port, cost);
    return;
  case Part::RowStall:
    rowStall += cost;
    return;
  case Part::Stall:
    stall += cost;
    return;
  case Part::Prologue:
    prologue += cost;
    return;
  case Part::RegisterUse:
    registerUse *= cost;
    return;
  case Part::CoreUse:
    coreUse *= cost;
    return;
  case Part::Cache:
    cache += cost;
    return;
  case Part::Memory:
    memory += cost;
    return;
  case Part::MemoryFactor:
    memoryFactor *= cost;
    return;
  }
}

/// Executions of the loops that belong to the statement alone.
static double executionsOf(const CpuStatement &s) {
  double executions = 1;
  for (unsigned l = 0; l < s.firstOwnLoop(); ++l)
    executions *= double(s.statement.loops[l].extent);
  return executions;
}

/// The seconds of each term alone; those that a factor adds.
static void addTermSeconds(const CpuStatement &s, const Costs &costs,
                           double tiles, double executions, double coreSeconds,
                           StatementPsa &out) {
  double busy = s.cores * costs.coreUse;
  double cycle = 1 / s.core.clock / busy;
  double tile = tiles * cycle / costs.registerUse;
  double row = tile * s.tile.lanesOfRow() / s.tile.rowElements;
  for (auto [term, cost] : llvm::zip_equal(allCpuTerms(), costs.each())) {
    double seconds = 0;
    switch (term->part) {
    case Part::Port:
      seconds = cost * row * s.tile.rowVectors;
      break;
    case Part::RowStall:
      seconds = cost * row;
      break;
    case Part::Stall:
      seconds = cost * tile;
      break;
    case Part::Prologue:
      seconds = cost * executions * cycle;
      break;
    case Part::RegisterUse:
      seconds = (1 - cost) * coreSeconds;
      break;
    case Part::CoreUse:
      seconds = (1 - cost) * out.seconds;
      break;
    case Part::Cache:
      seconds = cost / busy;
      break;
    case Part::Memory:
      seconds = cost / busy * costs.memoryFactor;
      break;
    case Part::MemoryFactor:
      seconds = out.memorySeconds * (1 - 1 / cost);
      break;
    }
    out.termSeconds.push_back(seconds);
  }
  out.limitTerm =
      cpuTerms()[llvm::max_element(out.termSeconds) - out.termSeconds.begin()];
}

/// The papers' penalties, for reports and as columns of learned models.
static void addPenalties(const CpuStatement &s, const Costs &costs,
                         StatementPsa &out) {
  Penalties &p = out.penalties;
  double cycles = costs.tileCycles(s.tile);
  auto bytes = int64_t(s.elementBytes(s.statement.written()));
  double widest = std::max(1.0, double(s.machine.vectorElements(bytes)));
  double lanes = s.isCopy() ? s.tile.points : s.symbols.l1Parallel;
  p.l1Compute = std::min(1.0, lanes / widest);
  if (s.tile.arithmetic > 0)
    p.l0Compute = s.tile.arithmetic / s.core.fmaPerCycle / cycles;
  p.l0Memory = costs.registerUse;
  p.l2Compute = costs.coreUse;
  if (s.machine.l1Bytes > 0 && s.symbols.l1Alloc > 0)
    p.l1Memory = std::min(1.0, double(s.machine.l1Bytes) / s.symbols.l1Alloc);
  if (s.symbols.l2Ops > 0)
    out.computeRate = s.symbols.l2Ops / out.computeSeconds;
  double beyondL2 = s.traffic(s.machine.l2Bytes);
  if (beyondL2 > 0 && s.symbols.l2Run > 0) {
    p.l2Memory = waveUse(s.symbols.l2Run, s.line);
    out.memoryRate = beyondL2 / out.memorySeconds;
  }
}

/// Adds up the costs of a statement.
static void addCosts(const CpuStatement &s, const PsaOptions &options,
                     bool timeOnly, StatementPsa &out) {
  Costs costs(s, options.withoutTerm, timeOnly);
  double tiles = double(s.statement.totalTrips()) / s.tile.points *
                 s.statement.insideShare;
  double cycles = costs.tileCycles(s.tile) * tiles / costs.registerUse;
  double executions = s.accumulates() ? executionsOf(s) : 0;
  cycles += executions * costs.prologue;
  double busy = s.cores * costs.coreUse;
  double coreSeconds = cycles / s.core.clock / busy;
  out.computeSeconds = overlapped(coreSeconds, costs.cache / busy);
  out.memorySeconds = costs.memory / busy * costs.memoryFactor;
  out.seconds = out.computeSeconds + out.memorySeconds;
  if (timeOnly)
    return;
  addTermSeconds(s, costs, tiles, executions, coreSeconds, out);
  addPenalties(s, costs, out);
}

void detail::cpuStatements(const ProgramSummary &program,
                           const Machine &machine, const PsaOptions &options,
                           bool timeOnly, std::vector<StatementPsa> &all) {
  Core core(machine);
  for (unsigned i = 0; i < program.statements.size(); ++i) {
    const StatementSummary &statement = program.statements[i];
    CacheModel cache(program, statement,
                     double(std::max<int64_t>(1, machine.transactionBytes)),
                     int64_t(core.pageBytes));
    StatementPsa &out = all.emplace_back();
    out.symbols = timeOnly ? timeSymbols(program, statement)
                           : symbolsOf(program, i, machine,
                                       /*released=*/false, &cache);
    out.bytes = out.symbols.l2Traffic;
    addCosts(
        CpuStatement(program, i, machine, core, options, cache, out.symbols),
        options, timeOnly, out);
  }
}
