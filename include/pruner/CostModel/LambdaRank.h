//===- LambdaRank.h - LambdaRank, a ranking loss ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ranking loss shared by TenSet, TLP and Pruner, and its gradient. Plain
// numbers, so that it can be checked without LibTorch.
//
// A list holds n programs with scores s (larger = predicted faster) and labels
// y in [0, 1] (larger = truly faster). With programs ranked 1..n by score,
//
//   D_r     = log2(1 + r)
//   maxDCG  = max(1e-10, sum over r of (2^y_(r) - 1) / D_r), y_(r) sorted
//   G_i     = (2^y_i - 1) / maxDCG
//   w_ij    = |1/D_rank(i) - 1/D_rank(j)| * |G_i - G_j|
//   loss    = sum over y_i > y_j of min(-w_ij log2 max(sigmoid(s_i - s_j), e),
//                                       -log2 e),  e = 1e-10.
//
// The gradient flows through the scores in the sigmoid only, not through the
// ranks. Equal scores rank in the order of the list.

#ifndef PRUNER_COSTMODEL_LAMBDARANK_H
#define PRUNER_COSTMODEL_LAMBDARANK_H

#include <cstddef>
#include <vector>

namespace pruner {

/// The loss of one list of \p count programs; scores and labels must be finite.
/// Adds d(loss)/d(score) to
/// \p gradient[0 .. count) when that is not null. O(count^2).
double lambdaRankList(const float *scores, const float *labels,
                      std::size_t count, float *gradient);

/// The loss of a batch, and its gradient (set, not added).
///
/// \p groups null: the whole batch is one list, tasks mixed, as the papers do.
///    Otherwise one list per distinct value, and the loss is their sum.
double lambdaRank(const std::vector<float> &scores,
                  const std::vector<float> &labels,
                  const std::vector<int> *groups, std::vector<float> &gradient);

} // namespace pruner

#endif // PRUNER_COSTMODEL_LAMBDARANK_H
