//===- Moses.h - which parameters are adapted, and towards what -*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The arithmetic of Moses (Zhao et al., HotMobile 2023, section 3.3) on plain
// arrays. A parameter w with the gradient g of the loss has the importance
// |w g|, to first order what the loss changes by if w becomes 0. Those with the
// largest importance are transferable: they take gradient steps. The others
// take none and decay, w <- w - a d w, where a is the learning rate (equation
// 4). The boundary between them is found anew at every update.
//
// What the transferable ones are to learn beside the order of programs is a
// representation by which nobody can tell the two machines apart. The paper
// refers to an adversarial objective and leaves it at that; here it is the one
// of Ganin and Lempitsky (ICML 2015): a classifier of domains, and its gradient
// with the sign reversed. The machine that weights come from is present as a
// sample of representations, which is stored with them.
// docs/design/decisions/0019-moses.md says what else was chosen.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_COSTMODEL_TORCH_MOSES_H
#define PRUNER_LIB_COSTMODEL_TORCH_MOSES_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pruner {

/// |w g| of each of \p count parameters.
std::vector<float> importances(const float *weights, const float *gradients,
                               std::size_t count);

/// 1 for the round(share * n) largest of n importances, at least one, and 0
/// for the others. Of equal ones the first are taken.
std::vector<std::uint8_t> largestShare(const std::vector<float> &importances,
                                       double share);

/// Tells representations of two machines' programs apart: a logistic regression
/// on coordinates that have mean 0 and variance 1 over the source.
class DomainClassifier {
public:
  /// \p source: rows of `width` numbers, at least one; it is copied.
  DomainClassifier(const float *source, std::size_t rows, std::size_t width,
                   double learningRate = 0.05);

  /// One step of gradient descent by \p count representations of the target
  /// and as many of the source, which come by turns. Returns its loss before
  /// the step, the mean of -log p(domain); to the gradient by the target's
  /// representations, [count x width], `reversal` times *minus* the loss's is
  /// assigned, so that descent along it makes the domains harder to tell.
  double step(const float *target, std::size_t count, double reversal,
              std::vector<float> &gradient);

  /// The probability that it gives a row of being the target's.
  double probability(const float *row) const;

private:
  std::vector<float> source;
  std::size_t rows, width, next = 0;
  std::vector<double> mean, deviation, weights;
  double bias = 0, learningRate;
};

} // namespace pruner

#endif // PRUNER_LIB_COSTMODEL_TORCH_MOSES_H
