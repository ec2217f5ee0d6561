//===- Synthesize.h - schedules with predicted times ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A dataset of random tasks whose times are predictions of the analytical
// model. Training on it before training on measurements gives a model that
// reads only schedules the knowledge that the analytical model derives from
// programs.

#ifndef PRUNER_LIB_DATASET_SYNTHESIZE_H
#define PRUNER_LIB_DATASET_SYNTHESIZE_H

#include "pruner/Dataset/Dataset.h"

namespace pruner {

struct SynthesisOptions {
  size_t tasks = 1000;
  /// Of each task, distinct and legal; fewer where its space has fewer. The
  /// first half are random, and the others are the fastest of seven times as
  /// many random ones.
  size_t schedules = 64;
  uint64_t seed = 0;
};

/// The toolchain of these datasets. The times are those of code from this
/// project's generator.
inline constexpr const char *kPredictedToolchain = "pruner predicted";

/// Writes one part. The tasks are products, convolutions, elementwise
/// operations and sums of f32, with random extents. The same options give the
/// same dataset. Returns the number of records.
size_t synthesize(const Machine &machine, const SynthesisOptions &options,
                  DatasetWriter &writer);

} // namespace pruner

#endif // PRUNER_LIB_DATASET_SYNTHESIZE_H
