//===- Features.h - feature vectors of a program ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Features of a program for learned cost models, computed from the program
// summary.
//
// Statement rows have 174 columns. There is one row per distinct stored buffer,
// for the last statement that stores it. Ansor's 164 columns (OSDI 2020,
// appendix B) come in groups of 57 (computation), 5 x 18 (buffers), 10
// (arithmetic intensity curve), 4 (allocation) and 3 (loops). TenSet's 10 task
// flags follow. Counts and sizes are log2(x + 1).
//
// The dataflow matrix (8 x 23, Pruner section 4.2) holds the buffer accesses in
// temporal order. For a staged product these are: the accumulator is
// initialized; the first operand is read from global memory and written to its
// stage; the same for the second; the stages are read, the last operand first;
// the accumulator is read and written. Operands without a stage are read in
// place. Programs without a reduction have the accesses of their statements.
// Unused rows are zero. Of longer sequences the accesses of the last statement
// are kept, and the first accesses before it. A packed buffer of a CPU core
// takes the role of shared memory.
//
// There are three differences from the released extractors, because this code
// reads a summary instead of lowered loops. A copy to shared memory has one
// loop per coordinate and none over threads (its total trip count is the same).
// `lines` divides by the product of the skipped loops, not by a power of the
// innermost one. Contiguous runs are those of the access itself, not of the
// buffer that was examined last.

#ifndef PRUNER_ANALYSIS_FEATURES_H
#define PRUNER_ANALYSIS_FEATURES_H

#include "pruner/CostModel/CostModel.h"
#include "pruner/CostModel/Features.h"
#include "pruner/Program/Summary.h"

namespace pruner {

struct FeatureOptions {
  /// Compute column 0 of the dataflow matrix like the released code: the
  /// operations times the *square* of the trip count. Required for weights that
  /// were trained on it.
  bool releasedDataflowOps = false;
  /// Make a dataflow matrix only for exactly two staged operands, like the
  /// released code; otherwise for every program.
  bool onlyTwoOperands = false;

  /// The options that the model's weights were trained with.
  static FeatureOptions of(const CostModel &model) {
    bool released = model.reads().released;
    return {released, released};
  }
};

/// TenSet's task flags: max, min, add, convolution, Winograd, depthwise, dense,
/// softmax, batched product; the tenth is always 0.
struct TaskFlags {
  bool flags[10] = {};
};
TaskFlags taskFlags(const TaskDesc &task);

ProgramFeatures featuresOf(const ProgramSummary &program,
                           const TaskFlags &flags,
                           const FeatureOptions &options = {});

/// Rows for all statements, including those whose result a later statement
/// stores again, with their positions in the tree of loops (CDMPP, section 4.1:
/// the compact AST). No dataflow.
ProgramFeatures treeFeaturesOf(const ProgramSummary &program,
                               const TaskFlags &flags);

} // namespace pruner

#endif // PRUNER_ANALYSIS_FEATURES_H
