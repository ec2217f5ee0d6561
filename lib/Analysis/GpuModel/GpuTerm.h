//===- GpuTerm.h - a term of the GPU model -------------------- -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The time of a statement is
//
//   cycles  = (sum of the fourth powers of Pipe)^(1/4) + sum(Wait)   of a wave
//   seconds = ((waves * cycles / clock)^3 + sum(Memory)^3)^(1/3)
//
// with whole waves of blocks, which `Waves` accounts for. A kernel takes
//
//   ((sum of its statements)^3 + sum(Launch)^3)^(1/3)
//
// GpuModel.cpp has the combination, docs/design/AnalyticalModel.md the evidence
// for each term.

#ifndef PRUNER_LIB_ANALYSIS_GPUMODEL_GPUTERM_H
#define PRUNER_LIB_ANALYSIS_GPUMODEL_GPUTERM_H

#include "GpuModel.h"

#include "pruner/Analysis/ModelTerm.h"

namespace pruner::detail {

class GpuTerm : public ModelTerm {
public:
  enum class Part {
    Pipe,   ///< Cycles of an SM for the warps of a wave; pipes overlap.
    Wait,   ///< Cycles of one warp in a row, added.
    Waves,  ///< Blocks that the last wave lacks.
    Launch, ///< Starts of blocks; they overlap with the rest of the kernel.
    Memory, ///< Main memory; overlaps with computing.
  };

  GpuTerm(llvm::StringLiteral name, unsigned version, Part part,
          llvm::StringLiteral summary, double SmCycles::*field = nullptr)
      : ModelTerm(name, version, summary), part(part), field(field) {}

  /// `Pipe` and `Wait`: cycles of an SM for `warps` warps with this work.
  virtual double cycles(const WarpWork &work, double warps,
                        const Machine &machine) const {
    return 0;
  }
  /// `Waves`, `Launch` and `Memory`: seconds of an analyzed statement.
  virtual double seconds(const StatementPsa &statement) const { return 0; }

  const Part part;
  /// `Pipe` and `Wait`: where the cycles are reported.
  double SmCycles::*const field;
};

/// All terms of the GPU model.
llvm::ArrayRef<const GpuTerm *> allGpuTerms();

} // namespace pruner::detail

#endif // PRUNER_LIB_ANALYSIS_GPUMODEL_GPUTERM_H
