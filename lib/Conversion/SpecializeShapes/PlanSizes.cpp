//===- PlanSizes.cpp - choose the function for each size ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Conversion/SpecializeShapes/Specialize.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

#include <limits>

using namespace mlir;
using namespace pruner;

SmallVector<int64_t> pruner::callsUpTo(int64_t size) {
  return llvm::to_vector(llvm::seq_inclusive<int64_t>(1, size));
}

SmallVector<int64_t> pruner::callsUpTo(RangeAttr range, int64_t below,
                                       int64_t size) {
  SmallVector<int64_t> calls;
  for (int64_t n = below + 1; n <= size; ++n)
    if (n == size || range.contains(n))
      calls.push_back(n);
  return calls;
}

std::vector<Interval> pruner::planSizes(RangeAttr range, bool independent,
                                        ArrayRef<int64_t> sizes,
                                        ArrayRef<double> seconds,
                                        ArrayRef<int64_t> least) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  // Also for the remainders of calls.
  std::vector<double> best(range.getMax() + 1, kNever);
  best[0] = 0;
  std::vector<Interval> plan;
  for (int64_t n = 1; n <= range.getMax(); ++n) {
    if (!independent && !range.contains(n))
      continue;
    unsigned use = 0;
    for (unsigned k = 0; k < sizes.size(); ++k) {
      if (n < least[k] || (n > sizes[k] && !independent))
        continue;
      double time = seconds[k] + best[std::max<int64_t>(0, n - sizes[k])];
      // Of equally fast pieces, take the larger one first; the remainder is
      // copied.
      if (time < best[n] || (independent && time == best[n])) {
        best[n] = time;
        use = k;
      }
    }
    if (best[n] == kNever)
      continue;
    if (!plan.empty() && plan.back().use == use && plan.back().to == n - 1)
      plan.back().to = n;
    else
      plan.push_back({n, n, use});
  }
  return plan;
}

std::vector<double> pruner::plannedSeconds(RangeAttr range, bool independent,
                                           ArrayRef<int64_t> sizes,
                                           ArrayRef<double> seconds) {
  std::vector<double> best(range.getMax() + 1,
                           std::numeric_limits<double>::infinity());
  best[0] = 0;
  for (int64_t n = 1; n <= range.getMax(); ++n)
    for (auto [size, time] : llvm::zip_equal(sizes, seconds))
      if (independent || n <= size)
        best[n] =
            std::min(best[n], time + best[std::max<int64_t>(0, n - size)]);
  return best;
}

/// The amount by which the plan for `sizes` exceeds the limit, over all sizes.
static double excess(RangeAttr range, bool independent, ArrayRef<int64_t> sizes,
                     ArrayRef<double> seconds, double waste) {
  SmallVector<double> own =
      llvm::map_to_vector(sizes, [&](int64_t size) { return seconds[size]; });
  std::vector<double> planned = plannedSeconds(range, independent, sizes, own);
  double sum = 0;
  for (int64_t n = range.getMin(); n <= range.getMax(); ++n)
    if (range.contains(n))
      sum += std::max(0.0, planned[n] / seconds[n] - 1 - waste);
  return sum;
}

/// From the greatest size down, each as far below the previous one as the limit
/// allows.
static SmallVector<int64_t> chooseWhole(RangeAttr range,
                                        ArrayRef<int64_t> candidates,
                                        ArrayRef<double> seconds,
                                        double waste) {
  SmallVector<int64_t> chosen = {candidates.back()};
  for (int64_t n = range.getMax(); n >= range.getMin(); --n) {
    if (!range.contains(n) ||
        seconds[chosen.back()] <= (1 + waste) * seconds[n])
      continue;
    const auto *next = llvm::lower_bound(candidates, n);
    if (*next < chosen.back())
      chosen.push_back(*next);
  }
  std::reverse(chosen.begin(), chosen.end());
  return chosen;
}

SmallVector<int64_t> pruner::chooseSizes(RangeAttr range, bool independent,
                                         ArrayRef<int64_t> candidates,
                                         ArrayRef<double> seconds,
                                         double waste) {
  if (!independent)
    return chooseWhole(range, candidates, seconds, waste);
  SmallVector<int64_t> chosen;
  auto with = [&](int64_t candidate) {
    SmallVector<int64_t> more = chosen;
    more.insert(llvm::lower_bound(more, candidate), candidate);
    return more;
  };
  double left = std::numeric_limits<double>::infinity();
  while (left > 0 && chosen.size() < candidates.size()) {
    int64_t best = 0;
    double least = left;
    for (int64_t candidate : candidates) {
      if (llvm::is_contained(chosen, candidate))
        continue;
      double then = excess(range, true, with(candidate), seconds, waste);
      if (then < least) {
        least = then;
        best = candidate;
      }
    }
    // No single candidate helps.
    if (best == 0)
      return SmallVector<int64_t>(candidates);
    chosen = with(best);
    left = least;
  }
  for (int64_t candidate : candidates) {
    SmallVector<int64_t> fewer = chosen;
    llvm::erase(fewer, candidate);
    if (fewer.size() < chosen.size() && !fewer.empty() &&
        excess(range, true, fewer, seconds, waste) <= left)
      chosen = fewer;
  }
  return chosen;
}
