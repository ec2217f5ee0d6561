//===- Ubjson.h - reader for XGBoost's model format -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_COSTMODEL_XGBOOST_UBJSON_H
#define PRUNER_LIB_COSTMODEL_XGBOOST_UBJSON_H

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace pruner {

/// A value of Universal Binary JSON. Covers only what XGBoost writes.
struct Ubjson {
  /// A string; empty for other kinds.
  std::string text;
  /// A number or boolean, or the elements of a typed array.
  std::vector<double> numbers;
  /// The elements of any other array.
  std::vector<Ubjson> elements;
  std::vector<std::pair<std::string, Ubjson>> members;

  /// Returns the member at this path of names, or null.
  const Ubjson *find(std::initializer_list<const char *> path) const;
};

/// Parses exactly one value. Returns false if the bytes are invalid.
bool parseUbjson(const char *bytes, std::size_t size, Ubjson &value);

} // namespace pruner

#endif // PRUNER_LIB_COSTMODEL_XGBOOST_UBJSON_H
