//===- MomentDiscrepancy.h - central moment discrepancy ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_COSTMODEL_MOMENTDISCREPANCY_H
#define PRUNER_COSTMODEL_MOMENTDISCREPANCY_H

#include <cstddef>
#include <vector>

namespace pruner {

/// The moments to compare (CDMPP, section 5.3: five are enough).
constexpr int kMomentOrder = 5;

/// The central moment discrepancy of two samples (CDMPP, equation 6, up to the
/// fifth moment):
///
///   |E(a) - E(b)| / s + sum over j = 2 .. 5 of |c_j(a) - c_j(b)| / s^j,
///
/// where c_j are the central moments of each column, |.| is the Euclidean norm
/// over the columns, and s is the length of the interval that contains all
/// numbers.
///
/// \p a and \p b are dense rows of \p width columns, at least one row each. \p
/// gradientOfA and \p gradientOfB are set to the derivatives by each number and
/// have the same sizes. The derivative of a term that is 0 is 0.
double momentDiscrepancy(const std::vector<float> &a,
                         const std::vector<float> &b, std::size_t width,
                         double span, std::vector<float> &gradientOfA,
                         std::vector<float> &gradientOfB);

} // namespace pruner

#endif // PRUNER_COSTMODEL_MOMENTDISCREPANCY_H
