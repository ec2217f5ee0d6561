//===- MomentDiscrepancy.h - how far two samples differ ---------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_COSTMODEL_MOMENTDISCREPANCY_H
#define PRUNER_COSTMODEL_MOMENTDISCREPANCY_H

#include <cstddef>
#include <vector>

namespace pruner {

/// The moments that are compared (CDMPP, section 5.3: five are enough).
constexpr int kMomentOrder = 5;

/// The central moment discrepancy of two samples (CDMPP, equation 6, up to the
/// fifth moment):
///
///   |E(a) - E(b)| / s + sum over j = 2 .. 5 of |c_j(a) - c_j(b)| / s^j,
///
/// c_j the central moments of each column, |.| the Euclidean length over the
/// columns, and s the length of the interval in which all numbers lie.
///
/// \p a, \p b rows of \p width columns, dense; at least one row each.
/// \p gradientOfA, \p gradientOfB set to the derivatives by each number, of
///    the same sizes. A term that is 0 has the derivative 0.
double momentDiscrepancy(const std::vector<float> &a,
                         const std::vector<float> &b, std::size_t width,
                         double span, std::vector<float> &gradientOfA,
                         std::vector<float> &gradientOfB);

} // namespace pruner

#endif // PRUNER_COSTMODEL_MOMENTDISCREPANCY_H
