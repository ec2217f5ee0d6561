//===- Json.h - a strict JSON reader without dependencies -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A JSON reader for two small documents: the header of a weight file and the
// options of a model. The LibTorch plug-in reads both too, and it must not load
// LLVM. Both need strictness that common libraries lack: duplicate keys are
// errors (a second "weight" must not replace the first one after it was
// checked), integers are exact, and nesting is bounded.

#ifndef PRUNER_COSTMODEL_JSON_H
#define PRUNER_COSTMODEL_JSON_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace pruner {

/// One JSON value. `kind` decides which members are meaningful.
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

  // Declared out of line: in C++20 the vector of pairs requires a complete type
  // there.
  JsonValue();
  JsonValue(const JsonValue &);
  JsonValue(JsonValue &&) noexcept;
  JsonValue &operator=(const JsonValue &);
  JsonValue &operator=(JsonValue &&) noexcept;
  ~JsonValue();

  /// The member of that name, or null.
  const JsonValue *find(const std::string &key) const;
};

/// Parses \p text, which must be exactly one JSON value with optional white
/// space around it. Strings are UTF-8 byte sequences and not checked further.
/// Returns an empty string, or an error with the byte position.
std::string parseJson(const std::string &text, JsonValue &value);

/// Returns \p text as a JSON string literal, including quotes.
std::string quoteJson(const std::string &text);

} // namespace pruner

#endif // PRUNER_COSTMODEL_JSON_H
