//===- Features.h - feature vectors of a program ----------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What learned cost models see, read off the program summary.
//
// Statement rows (174 columns, one row per distinct stored buffer, the last
// statement that stores it): Ansor's 164 (OSDI 2020, appendix B), in groups of
// 57 (computation), 5 x 18 (buffers), 10 (arithmetic intensity curve), 4
// (allocation) and 3 (loops), then TenSet's 10 task flags. Counts and sizes are
// log2(x + 1).
//
// Dataflow matrix (8 x 23, Pruner section 4.2): the buffer accesses in temporal
// order. For a staged product it is: accumulator initialised; first operand
// read from global memory and written to its stage; the same for the second;
// the stages read, last operand first; accumulator read and written. Where
// nothing is staged operands are read where they are, and programs without a
// reduction have the accesses of their statements. Programs with fewer accesses
// end in zero rows; of longer ones the last statement's accesses count, and the
// first of those before. A packed buffer of a CPU core takes the place of
// shared memory.
//
// Differences from the released extractors, all of which follow from reading a
// summary instead of lowered loops: a copy to shared memory has one loop per
// coordinate and none over threads (its total trips are the same), `lines`
// divides by the product of the skipped loops (not by a power of the innermost
// one), and contiguous runs are those of the access itself (not of whichever
// buffer was looked at last).
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_ANALYSIS_FEATURES_H
#define PRUNER_ANALYSIS_FEATURES_H

#include "pruner/CostModel/CostModel.h"
#include "pruner/CostModel/Features.h"
#include "pruner/Program/Summary.h"

namespace pruner {

struct FeatureOptions {
  /// Column 0 of the dataflow matrix as the released code computes it: the
  /// operations times the *square* of the trip count. For weights trained on
  /// it.
  bool releasedDataflowOps = false;
  /// A dataflow matrix only for exactly two staged operands, as in the released
  /// code; otherwise for every program.
  bool onlyTwoOperands = false;

  /// What the model's weights were trained by.
  static FeatureOptions of(const CostModel &model) {
    return {model.readsReleasedFeatures(), model.readsReleasedFeatures()};
  }
};

/// TenSet's task flags: max, min, add, convolution, Winograd, depthwise,
/// dense, softmax, batched product; the tenth is always 0.
struct TaskFlags {
  bool flags[10] = {};
};
TaskFlags taskFlags(const TaskDesc &task);

ProgramFeatures featuresOf(const ProgramSummary &program,
                           const TaskFlags &flags,
                           const FeatureOptions &options = {});

/// Rows for all statements, those whose result is stored once more by a later
/// one included, with their places in the tree of loops (CDMPP, section 4.1:
/// the compact AST). No dataflow.
ProgramFeatures treeFeaturesOf(const ProgramSummary &program,
                               const TaskFlags &flags);

} // namespace pruner

#endif // PRUNER_ANALYSIS_FEATURES_H
