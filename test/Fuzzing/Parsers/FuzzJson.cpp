//===- FuzzJson.cpp - options and headers of models --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/CostModel/Json.h"

#include <cstdint>
#include <cstdlib>

using namespace pruner;

/// Where a value came from does not matter: it prints and reads as itself.
static std::string printed(const JsonValue &value) {
  switch (value.kind) {
  case JsonValue::Null:
    return "null";
  case JsonValue::Bool:
    return value.boolean ? "true" : "false";
  case JsonValue::Integer:
    return std::to_string(value.integer);
  case JsonValue::Real: {
    char text[64];
    std::snprintf(text, sizeof(text), "%.17e", value.number);
    return text;
  }
  case JsonValue::String:
    return quoteJson(value.string);
  case JsonValue::Array: {
    std::string text = "[";
    for (const JsonValue &element : value.array)
      text += (text.size() > 1 ? "," : "") + printed(element);
    return text + "]";
  }
  case JsonValue::Object: {
    std::string text = "{";
    for (const auto &[key, element] : value.object)
      text += (text.size() > 1 ? "," : "") + quoteJson(key) + ":" +
              printed(element);
    return text + "}";
  }
  }
  std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string text(reinterpret_cast<const char *>(data), size);
  JsonValue value, again;
  if (!parseJson(text, value).empty())
    return 0;
  std::string first = printed(value);
  if (!parseJson(first, again).empty() || printed(again) != first)
    std::abort();
  // Every member is found by its name.
  for (const auto &[key, element] : value.object)
    if (value.find(key) != &element)
      std::abort();
  return 0;
}
