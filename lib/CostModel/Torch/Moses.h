//===- Moses.h - importances and domain classifier of Moses -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arithmetic of Moses (Zhao et al., HotMobile 2023, section 3.3) on plain
// arrays. A parameter w with the gradient g of the loss has the importance |w
// g|, which is to first order the change of the loss if w becomes 0. The
// parameters with the largest importance are transferable and take gradient
// steps. The others decay, w <- w - a d w, where a is the learning rate
// (equation 4). Each update finds the boundary again.
//
// In addition to the order of programs, the transferable parameters learn a
// representation that does not distinguish the two machines. The paper mentions
// an adversarial objective without details. This code uses the one of Ganin and
// Lempitsky (ICML 2015): a domain classifier with reversed gradient. The source
// machine is represented by a sample of representations that is stored with its
// weights. docs/design/decisions/0019-moses.md describes the other choices.

#ifndef PRUNER_LIB_COSTMODEL_TORCH_MOSES_H
#define PRUNER_LIB_COSTMODEL_TORCH_MOSES_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pruner {

/// |w g| of each of \p count parameters.
std::vector<float> importances(const float *weights, const float *gradients,
                               std::size_t count);

/// Returns 1 for the round(share * n) largest of n importances, at least one,
/// and 0 for the others. Of equal ones the first are chosen.
std::vector<std::uint8_t> largestShare(const std::vector<float> &importances,
                                       double share);

/// Distinguishes representations of two machines' programs: a logistic
/// regression on coordinates that are normalized to mean 0 and variance 1 over
/// the source.
class DomainClassifier {
public:
  /// \p source has rows of `width` numbers, at least one; it is copied.
  DomainClassifier(const float *source, std::size_t rows, std::size_t width,
                   double learningRate = 0.05);

  /// One step of gradient descent on \p count representations of the target and
  /// as many of the source, in cyclic order. Returns the loss before the step,
  /// the mean of -log p(domain). The gradient by the target's representations,
  /// [count x width], is set to `reversal` times the *negated* gradient of the
  /// loss, so that descent along it makes the domains harder to distinguish.
  double step(const float *target, std::size_t count, double reversal,
              std::vector<float> &gradient);

  /// The predicted probability that a row belongs to the target.
  double probability(const float *row) const;

private:
  std::vector<float> source;
  std::size_t rows, width, next = 0;
  std::vector<double> mean, deviation, weights;
  double bias = 0, learningRate;
};

} // namespace pruner

#endif // PRUNER_LIB_COSTMODEL_TORCH_MOSES_H
