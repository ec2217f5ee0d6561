//===- StrictJson.cpp - JSON without repeated members ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StrictJson.h"

#include "pruner/Support/JsonLines.h"

using namespace llvm;
using namespace pruner;

/// The number of members of all objects in a parsed value.
static size_t countMembers(const json::Value &value) {
  size_t count = 0;
  if (const json::Array *array = value.getAsArray())
    for (const json::Value &element : *array)
      count += countMembers(element);
  if (const json::Object *object = value.getAsObject())
    for (const auto &[name, member] : *object)
      count += 1 + countMembers(member);
  return count;
}

/// The number of members in valid text: each has a colon outside of strings.
static size_t countMembers(StringRef text) {
  size_t count = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (inString && text[i] == '\\')
      ++i;
    else if (text[i] == '"')
      inString = !inString;
    else if (text[i] == ':' && !inString)
      ++count;
  }
  return count;
}

Expected<json::Value> pruner::parseStrictJson(StringRef text) {
  JsonLinesLimits limits;
  limits.maxDepth = 16;
  Expected<json::Value> value = parseJson(text, limits);
  if (!value)
    return createStringError("not JSON: " + toString(value.takeError()));
  // LLVM's parser keeps the last of several members of the same name.
  if (countMembers(*value) != countMembers(text))
    return createStringError("an object has two members of the same name");
  return value;
}
