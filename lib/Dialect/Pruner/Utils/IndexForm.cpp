//===- IndexForm.cpp - linear forms over loop indices ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Dialect/Pruner/Utils/IndexForm.h"

using namespace mlir;
using namespace pruner;

IndexForm IndexForm::operator+(const IndexForm &other) const {
  IndexForm sum = *this;
  sum.constant += other.constant;
  for (const IndexTerm &term : other.terms) {
    auto *same = llvm::find_if(
        sum.terms, [&](const IndexTerm &t) { return t.index == term.index; });
    if (same != sum.terms.end())
      same->coeff += term.coeff;
    else
      sum.terms.push_back(term);
  }
  return sum;
}

IndexForm IndexForm::operator+(int64_t value) const {
  IndexForm sum = *this;
  sum.constant += value;
  return sum;
}

IndexForm IndexForm::operator*(int64_t factor) const {
  IndexForm product;
  product.constant = constant * factor;
  if (factor == 0)
    return product;
  for (IndexTerm term : terms) {
    term.coeff *= factor;
    product.terms.push_back(term);
  }
  return product;
}

IndexForm IndexForm::without(ValueRange ivs) const {
  IndexForm result(constant);
  for (const IndexTerm &term : terms)
    if (!term.iv || !llvm::is_contained(ivs, term.iv))
      result.terms.push_back(term);
  return result;
}

bool IndexForm::isMultipleOf(int64_t factor) const {
  return constant % factor == 0 &&
         llvm::all_of(terms, [&](const IndexTerm &term) {
           return term.coeff % factor == 0;
         });
}

std::optional<int64_t> IndexForm::maximum() const {
  int64_t value = constant;
  for (const IndexTerm &term : terms) {
    if (term.trips == 0)
      return std::nullopt;
    value += term.coeff * (term.trips - 1);
  }
  return value;
}

bool IndexForm::decreases() const {
  return llvm::any_of(terms,
                      [](const IndexTerm &term) { return term.coeff < 0; });
}

bool IndexForm::mayBeNegative() const { return constant < 0 || decreases(); }

bool IndexForm::mayReach(int64_t bound) const {
  std::optional<int64_t> largest = maximum();
  return !largest || *largest >= bound || decreases();
}

std::optional<IndexForm::Split> IndexForm::split(int64_t divisor) const {
  if (constant < 0)
    return std::nullopt;
  Split result;
  result.quotient.constant = constant / divisor;
  result.remainder.constant = constant % divisor;
  for (IndexTerm term : terms) {
    if (term.coeff < 0)
      return std::nullopt;
    if (term.coeff % divisor == 0) {
      term.coeff /= divisor;
      result.quotient.terms.push_back(term);
    } else {
      result.remainder.terms.push_back(term);
    }
  }
  std::optional<int64_t> largest = result.remainder.maximum();
  if (!largest || *largest >= divisor)
    return std::nullopt;
  return result;
}
