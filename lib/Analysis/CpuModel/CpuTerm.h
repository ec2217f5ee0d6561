//===- CpuTerm.h - a term of the CPU model -------------------- -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The time of a statement on `cores` cores is
//
//   step    = (max(Port) * rowVectors + sum(RowStall)) / rowElements * lanes
//             + sum(Stall)                        cycles of a register tile
//   core    = (steps * step / RegisterUse
//             + executions * sum(Prologue)) / clock
//   seconds = (overlap(core, sum(Cache)) + sum(Memory) * MemoryFactor)
//             / (cores * CoreUse)
//
// where overlap is a norm of order 6. docs/design/AnalyticalModel.md has the
// evidence for each term.

#ifndef PRUNER_LIB_ANALYSIS_CPUMODEL_CPUTERM_H
#define PRUNER_LIB_ANALYSIS_CPUMODEL_CPUTERM_H

#include "CpuStatement.h"

#include "pruner/Analysis/ModelTerm.h"

namespace pruner::detail {

class CpuTerm : public ModelTerm {
public:
  /// How a term enters the time, and the unit of its cost.
  enum class Part {
    Port,     ///< Cycles of an execution of the register tile; ports overlap.
    RowStall, ///< Cycles of a row of a copy, added.
    Stall,    ///< Cycles of an execution of the register tile, added.
    Prologue, ///< Cycles of an execution of the reduction loops, added.
    RegisterUse,  ///< Factor in (0, 1] of the rate of register tiles.
    CoreUse,      ///< Factor in (0, 1] of the number of cores.
    Cache,        ///< Seconds of one core, hidden behind computing.
    Memory,       ///< Seconds of one core, added.
    MemoryFactor, ///< Factor >= 1 of the seconds of `Memory`.
  };

  /// The statements that a term may cost, as a set of bits. Others cost
  /// nothing and are skipped, because search computes millions of costs.
  enum Statements : unsigned {
    Copies = 1,
    Updates = 2, ///< They accumulate.
    Others = 4,
    Computing = Updates | Others,
    All = Copies | Updates | Others,
  };

  CpuTerm(llvm::StringLiteral name, unsigned version, Part part,
          llvm::StringLiteral summary, Statements statements = All)
      : ModelTerm(name, version, summary), part(part), statements(statements) {}

  /// The cost in the unit of `part`. A term that does not apply returns 0, or 1
  /// if it is a factor.
  virtual double cost(const CpuStatement &statement) const = 0;

  bool isFactor() const {
    return part == Part::RegisterUse || part == Part::CoreUse ||
           part == Part::MemoryFactor;
  }

  /// Adds the use of the vector lanes if it is low.
  std::string explain(const StatementPsa &statement, const Machine &machine,
                      const std::string &share) const override;

  const Part part;
  const Statements statements;
};

/// All terms of the CPU model, ports first.
llvm::ArrayRef<const CpuTerm *> allCpuTerms();

} // namespace pruner::detail

#endif // PRUNER_LIB_ANALYSIS_CPUMODEL_CPUTERM_H
