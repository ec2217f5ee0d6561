//===- EqualSequences.h - equal inputs of TLP as one program ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A model that reads only schedules cannot distinguish programs that have the
// same sequence of primitives, such as another tuner's programs that differ in
// parameters that schedules do not have. Their labels contradict each other.

#ifndef PRUNER_LIB_COSTMODEL_TORCH_EQUALSEQUENCES_H
#define PRUNER_LIB_COSTMODEL_TORCH_EQUALSEQUENCES_H

#include "pruner/CostModel/Features.h"

#include <string>
#include <vector>

namespace pruner {

/// Programs to rank, with their labels and groups.
struct LabeledPrograms {
  std::vector<const ProgramFeatures *> programs;
  std::vector<float> labels;
  std::vector<int> groups;
};

/// Joins the programs of a group whose first \p sequence primitives are equal.
/// The joined program is at the place of the first of them. Its label is the
/// median of their labels if \p label is "median" (the mean of the middle two
/// of an even number), the greatest one if it is "best". "apart" joins nothing.
LabeledPrograms joinEqual(const LabeledPrograms &from, std::size_t sequence,
                          const std::string &label);

} // namespace pruner

#endif // PRUNER_LIB_COSTMODEL_TORCH_EQUALSEQUENCES_H
