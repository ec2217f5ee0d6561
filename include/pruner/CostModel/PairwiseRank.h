//===- PairwiseRank.h - a ranking loss of sampled pairs ---------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The logistic loss of pairs (RankNet, Burges et al., ICML 2005), for models
// that want a second derivative, such as boosted trees: of programs i and j of
// a list with labels y_i > y_j and scores s,
//
//   loss = (y_i - y_j) log(1 + exp(s_j - s_i)).
//
// A pair counts as much as its labels differ, so the many programs that are as
// good as equally fast do not outvote those that are not. Lists may have
// thousands of programs: each program meets a few others, drawn anew each time.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_COSTMODEL_PAIRWISERANK_H
#define PRUNER_COSTMODEL_PAIRWISERANK_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pruner {

/// Returns the loss. First and second derivatives by the scores, set, not
/// added; of \p lists the lengths, one behind the other. \p seed decides which
/// `partners` of its list each program meets; lists of no more than that and
/// one meet completely.
double pairwiseRank(const std::vector<float> &scores,
                    const std::vector<float> &labels,
                    const std::vector<unsigned> &lists, unsigned partners,
                    std::uint64_t seed, std::vector<float> &gradient,
                    std::vector<float> &hessian);

} // namespace pruner

#endif // PRUNER_COSTMODEL_PAIRWISERANK_H
