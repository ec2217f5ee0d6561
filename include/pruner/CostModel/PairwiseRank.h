//===- PairwiseRank.h - a ranking loss of sampled pairs ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The logistic loss of pairs (RankNet, Burges et al., ICML 2005), for models
// that need a second derivative, such as gradient-boosted trees. For programs i
// and j of a list with labels y_i > y_j and scores s,
//
//   loss = (y_i - y_j) log(1 + exp(s_j - s_i)).
//
// The weight of a pair is the difference of its labels, so many pairs of almost
// equal programs do not outweigh the others. Lists may have thousands of
// programs. Each program is therefore compared with a few others, drawn at
// random in each call.

#ifndef PRUNER_COSTMODEL_PAIRWISERANK_H
#define PRUNER_COSTMODEL_PAIRWISERANK_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pruner {

/// Returns the loss and sets the first and second derivatives by the scores. \p
/// lists holds the lengths of consecutive lists. \p seed determines the
/// `partners` that each program is compared with. In lists of at most
/// `partners` + 1 programs all pairs are compared.
double pairwiseRank(const std::vector<float> &scores,
                    const std::vector<float> &labels,
                    const std::vector<unsigned> &lists, unsigned partners,
                    std::uint64_t seed, std::vector<float> &gradient,
                    std::vector<float> &hessian);

} // namespace pruner

#endif // PRUNER_COSTMODEL_PAIRWISERANK_H
