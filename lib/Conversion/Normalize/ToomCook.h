//===- ToomCook.h - short convolutions with fewer products ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_CONVERSION_NORMALIZE_TOOMCOOK_H
#define PRUNER_LIB_CONVERSION_NORMALIZE_TOOMCOOK_H

#include "mlir/Analysis/Presburger/Fraction.h"

#include <cstdint>
#include <vector>

namespace pruner {

/// The matrices of F(m, r): m results of a filter with r coefficients from
/// n = m + r - 1 products,
///
///     y[k] = sum_w g[w] d[k + w] = sum_i A[i][k] (G g)[i] (B d)[i],
///
/// by the theorem of Toom and Cook at n - 1 points and infinity: the
/// transposed product of polynomials (Winograd, Arithmetic Complexity of
/// Computations, 1980, chapters 4 and 5). All entries are exact. Those of A and
/// B have powers of two as denominators.
struct ToomCook {
  using Matrix = std::vector<std::vector<mlir::presburger::Fraction>>;

  Matrix output; ///< A: n x m.
  Matrix filter; ///< G: n x r.
  Matrix input;  ///< B: n x n.

  /// The largest n: there are points for no more.
  static constexpr int64_t kMostProducts = 8;

  /// `results` and `coefficients` are at least 1, and n is at most
  /// kMostProducts.
  static ToomCook create(int64_t results, int64_t coefficients);
};

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_NORMALIZE_TOOMCOOK_H
