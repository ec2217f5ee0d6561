//===- Psa.h - the analytical model -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Predicts the time of each statement of a program without building or running
// it. docs/design/AnalyticalModel.md describes every term with its evidence.
//
// On CPUs the model counts cycles of a core's issue ports and traffic between
// caches. Of the papers' penalties only P_{l0,m} and P_{l2,c} enter the time.
// The others are computed for reports and as features of learned models.
//
// On GPUs it counts cycles of an SM's pipes, occupancy, waves of blocks, and
// bytes of main memory. Two more forms exist for comparison. The papers' form
// is Parameterized Static Analysis (Pruner, ASPLOS 2025, section 4.1): six
// penalties reduce a device's peak rates to U_p for computing and U_m for
// moving data, and
//
//   L = sum over statements of S8 / U_p + S5 / U_m.
//
// The released form is that of the authors' code.

#ifndef PRUNER_ANALYSIS_PSA_H
#define PRUNER_ANALYSIS_PSA_H

#include "pruner/Analysis/ModelTerm.h"
#include "pruner/Analysis/Symbols.h"
#include "pruner/Program/CacheState.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>

namespace pruner {

/// The formulas. The options choose one for GPU programs; CPU programs always
/// have the form `Cpu`.
enum class PsaForm {
  /// Cycles of a core's ports and traffic between caches (ModelTerm.h).
  Cpu,
  /// Cycles of an SM's pipes and of waiting, occupancy, whole waves, and bytes.
  Throughput,
  /// The papers' six penalties and `Penalties::concurrency`, S5 in bytes, the
  /// sum of both times.
  Paper,
  /// The authors' code: S5 in elements, a fixed register capacity, no
  /// transaction penalty, the maximum of the two times.
  Released,
};

/// Utilizations in (0, 1]: the share of a peak rate that remains. In the form
/// `Paper` the time depends on all of them, on CPUs on l0Memory and l2Compute,
/// and in the form `Throughput` on none; that form sets l1Compute and l2Compute
/// for reports.
struct Penalties {
  double l0Memory = 1; ///< P_{l0,m}: register spills.
  /// P_{l0,c}: operands per operation; on CPUs the cycles of the arithmetic
  /// ports over those of the busiest port.
  double l0Compute = 1;
  /// P_{l1,m}: shared memory, or the L1 cache, is exceeded.
  double l1Memory = 1;
  double l1Compute = 1; ///< P_{l1,c}: idle lanes and schedulers.
  double l2Memory = 1;  ///< P_{l2,m}: partially used transactions.
  double l2Compute = 1; ///< P_{l2,c}: the last wave of blocks.
  /// Not in the papers (GPU): bytes in flight over bandwidth x latency.
  double concurrency = 1;
};

/// Cycles that an SM spends on a statement of the blocks of one wave. The pipes
/// overlap; waits are those of one warp and are added.
struct SmCycles {
  double issue = 0;        ///< Instruction issue of the schedulers.
  double multiplyAdds = 0; ///< Floating-point lanes.
  double integer = 0;      ///< Address arithmetic.
  double loadStore = 0;    ///< Passes of the load/store units.
  double tensor = 0;       ///< Tensor cores.
  double wait = 0;         ///< Latencies and barriers that no warp can hide.

  double total() const;
};

/// The resource that limits the number of resident blocks.
enum class OccupancyLimit { Grid, Blocks, Threads, Registers, SharedMemory };

/// The blocks that are resident on an SM.
struct Occupancy {
  double blocks = 1;
  OccupancyLimit limit = OccupancyLimit::Blocks;
  double registers = 0; ///< 32-bit registers that a thread gets.
  double spilled = 0;   ///< Registers that it needs in addition.
};

struct PsaOptions {
  PsaForm form = PsaForm::Throughput;
  /// Cores that run a CPU program; 0 = all of the machine's.
  int64_t threads = 0;
  /// The cache state when a CPU program begins, which decides where cold
  /// accesses are served from. Warm: all data of a run are in the smallest
  /// cache that fits them. None: caches are empty.
  std::optional<CacheState> caches = std::nullopt;
  /// For ablations: this penalty stays 1. GPU programs in the form `Paper`.
  double Penalties::*without = nullptr;
  /// For ablations: a term that costs nothing. CPU programs, and GPU programs
  /// in the form `Throughput`.
  const ModelTerm *withoutTerm = nullptr;
};

/// The penalty that costs a statement most, in the papers' forms.
enum class PsaLimit {
  Compute,      ///< None: the peak rate.
  Registers,    ///< P_{l0,m}
  OperandLoads, ///< P_{l0,c}
  Capacity,     ///< P_{l1,m}
  Lanes,        ///< P_{l1,c}
  Balance,      ///< P_{l2,c}
  Bandwidth,    ///< Main memory, with whole transactions.
  Transactions, ///< P_{l2,m}
  Concurrency,  ///< Too few bytes in flight.
};

struct StatementPsa {
  Symbols symbols;
  Penalties penalties;
  /// U_p, operations/s, and U_m, bytes/s (0 if nothing is computed or moved).
  /// On CPUs they follow from the times.
  double computeRate = 0, memoryRate = 0;
  /// Seconds of computing and of memory, and what the statement adds to the
  /// total.
  double computeSeconds = 0, memorySeconds = 0, seconds = 0;
  /// The part of `seconds` in which the kernel waits until its blocks have
  /// started. Set only in the form `Throughput`, for the last statement of a
  /// kernel.
  double launchSeconds = 0;
  /// Seconds of each term of `cpuTerms()` or `gpuTerms()` by itself. Terms that
  /// overlap add up to more than `seconds`. Empty in the papers' forms.
  llvm::SmallVector<double, 0> termSeconds;
  /// The term with the most seconds; null in the papers' forms, which have
  /// `limit`.
  const ModelTerm *limitTerm = nullptr;
  PsaLimit limit = PsaLimit::Compute;
  /// Bytes of main memory: S5, except in the form `Throughput`. On CPUs this
  /// ignores cache state and reuse, which the time takes into account.
  double bytes = 0;
  /// Set only in the form `Throughput`, which sets l1Compute and l2Compute of
  /// the penalties and no rates.
  SmCycles cycles;
  Occupancy occupancy;
};

struct PsaReport {
  PsaForm form = PsaForm::Cpu;
  std::vector<StatementPsa> statements;
  double seconds = 0;
  /// The statement that takes longest, or -1.
  int slowest = -1;
};

/// Analyzes every statement.
PsaReport analyzePsa(const ProgramSummary &program, const Machine &machine,
                     const PsaOptions &options = {});

/// Returns only the total seconds, which equal analyzePsa(...).seconds.
double psaSeconds(const ProgramSummary &program, const Machine &machine,
                  const PsaOptions &options = {});

/// Symbols by the papers' names, penalties, rates and seconds.
llvm::json::Value toJson(const ProgramSummary &program,
                         const PsaReport &report);

/// Describes the limit of a statement with its numbers.
std::string explainLimit(const StatementPsa &statement, const Machine &machine);

} // namespace pruner

#endif // PRUNER_ANALYSIS_PSA_H
