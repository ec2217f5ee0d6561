//===- Ubjson.h - how XGBoost writes its trees ------------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_COSTMODEL_XGBOOST_UBJSON_H
#define PRUNER_LIB_COSTMODEL_XGBOOST_UBJSON_H

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace pruner {

/// A value of Universal Binary JSON, as far as XGBoost writes it.
struct Ubjson {
  /// A string; empty for other kinds.
  std::string text;
  /// A number or truth value, or the elements of an array of one type.
  std::vector<double> numbers;
  /// The elements of any other array.
  std::vector<Ubjson> elements;
  std::vector<std::pair<std::string, Ubjson>> members;

  /// The member behind these names, one within another; or null.
  const Ubjson *find(std::initializer_list<const char *> path) const;
};

/// Reads exactly one value. False if the bytes are none.
bool parseUbjson(const char *bytes, std::size_t size, Ubjson &value);

} // namespace pruner

#endif // PRUNER_LIB_COSTMODEL_XGBOOST_UBJSON_H
