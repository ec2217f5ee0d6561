//===- ToomCook.cpp - short convolutions with fewer products --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ToomCook.h"

#include <cassert>

using namespace pruner;
using mlir::presburger::Fraction;

/// A polynomial, from its constant term upwards.
using Polynomial = std::vector<Fraction>;

/// `p` times (x - `root`).
static Polynomial timesRoot(const Polynomial &p, const Fraction &root) {
  Polynomial result(p.size() + 1, Fraction(0));
  for (size_t n = 0; n < p.size(); ++n) {
    result[n] = result[n] - root * p[n];
    result[n + 1] = result[n + 1] + p[n];
  }
  return result;
}

/// 1, x, x^2, ...
static Polynomial powers(const Fraction &x, int64_t count) {
  Polynomial result;
  Fraction power(1);
  for (int64_t n = 0; n < count; ++n, power = power * x)
    result.push_back(power);
  return result;
}

/// The last unit vector: the value at infinity is the leading coefficient.
static Polynomial leading(int64_t count) {
  Polynomial result(count, Fraction(0));
  result.back() = Fraction(1);
  return result;
}

/// Powers of two of either sign, small ones first, so that A and B are exact in
/// any float type and their entries stay small.
static std::vector<Fraction> pointsFor(int64_t products) {
  std::vector<Fraction> points{Fraction(0),    Fraction(1),  Fraction(-1),
                               Fraction(2),    Fraction(-2), Fraction(1, 2),
                               Fraction(-1, 2)};
  static_assert(ToomCook::kMostProducts == 8);
  points.resize(products - 1, Fraction(0));
  return points;
}

ToomCook ToomCook::create(int64_t results, int64_t coefficients) {
  int64_t products = results + coefficients - 1;
  assert(results > 0 && coefficients > 0 && products <= kMostProducts);
  std::vector<Fraction> points = pointsFor(products);
  ToomCook matrices;
  for (const Fraction &point : points) {
    // Lagrange's polynomial of the point is `others` / `scale`. Dividing G
    // instead of B keeps B free of other denominators than powers of two.
    Polynomial others{Fraction(1)};
    Fraction scale(1);
    for (const Fraction &other : points)
      if (other != point) {
        others = timesRoot(others, other);
        scale = scale * (point - other);
      }
    others.resize(products, Fraction(0));
    matrices.input.push_back(std::move(others));
    Polynomial filter = powers(point, coefficients);
    for (Fraction &entry : filter)
      entry = entry / scale;
    matrices.filter.push_back(std::move(filter));
    matrices.output.push_back(powers(point, results));
  }
  Polynomial all{Fraction(1)};
  for (const Fraction &point : points)
    all = timesRoot(all, point);
  matrices.input.push_back(std::move(all));
  matrices.filter.push_back(leading(coefficients));
  matrices.output.push_back(leading(results));
  return matrices;
}
