//===- Certainty.cpp - when to stop tuning a task -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Search/Certainty.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace pruner;

double pruner::variationOf(llvm::ArrayRef<std::vector<float>> batches) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  if (batches.size() < 2)
    return kNever;
  // Avoid overflow; a common factor of all strengths cancels.
  float highest = -std::numeric_limits<float>::infinity();
  for (const std::vector<float> &scores : batches)
    for (float score : scores)
      highest = std::max(highest, score);
  if (!std::isfinite(highest))
    return kNever;
  double sum = 0, squares = 0;
  for (const std::vector<float> &scores : batches) {
    double strength = 0;
    for (float score : scores)
      strength += std::exp(double(score) - highest) / double(scores.size());
    if (!(strength > 0))
      return kNever;
    sum += strength;
    squares += strength * strength;
  }
  double count = double(batches.size()), mean = sum / count;
  return std::sqrt(std::max(0.0, squares / count - mean * mean)) / mean;
}

bool pruner::isCertain(llvm::ArrayRef<std::vector<float>> batches,
                       const CertaintyOptions &options) {
  size_t least = std::max(2u, options.batches);
  return options.below > 0 && batches.size() >= least &&
         variationOf(batches.take_back(least)) < options.below;
}
