//===- Json.h - a strict JSON reader without dependencies -------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two small documents have to be read here: the header of a weight file and
// the options of a model. Both are read inside the LibTorch plug-in too, which
// must not load LLVM, and both need what common libraries gloss over:
// duplicate keys are an error (a second "weight" must not replace the first
// one after it was checked), integers stay exact, nesting is bounded.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_COSTMODEL_JSON_H
#define PRUNER_COSTMODEL_JSON_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace pruner {

/// One JSON value. Which members mean something depends on `kind`.
struct JsonValue {
  enum Kind { Null, Bool, Integer, Real, String, Array, Object };
  Kind kind = Null;
  bool boolean = false;
  /// Integer: the exact value; numbers outside of int64 are of kind Real.
  std::int64_t integer = 0;
  /// Real and Integer: the value.
  double number = 0.0;
  std::string string;
  std::vector<JsonValue> array;
  /// Members in the order of the text; keys are distinct.
  std::vector<std::pair<std::string, JsonValue>> object;

  // Not in the class: C++20 asks there for the size of a pair that holds one.
  JsonValue();
  JsonValue(const JsonValue &);
  JsonValue(JsonValue &&) noexcept;
  JsonValue &operator=(const JsonValue &);
  JsonValue &operator=(JsonValue &&) noexcept;
  ~JsonValue();

  /// The member of that name, or null.
  const JsonValue *find(const std::string &key) const;
};

/// Parses \p text, which must be exactly one JSON value (white space around it
/// is allowed). Strings are UTF-8 byte sequences that are not checked further.
/// Returns an empty string, or what is wrong and at which byte.
std::string parseJson(const std::string &text, JsonValue &value);

/// \p text as a JSON string literal, quotes included.
std::string quoteJson(const std::string &text);

} // namespace pruner

#endif // PRUNER_COSTMODEL_JSON_H
