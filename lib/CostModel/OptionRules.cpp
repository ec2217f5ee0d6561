//===- OptionRules.cpp - options of models as JSON ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/CostModel/OptionRules.h"
#include "pruner/CostModel/Json.h"

#include <cstdio>

using namespace pruner;

OptionRule OptionRule::integer(const char *key, std::int64_t &to, double lowest,
                               double highest) {
  OptionRule rule;
  rule.key = key;
  rule.integerTo = &to;
  rule.lowest = lowest;
  rule.highest = highest;
  return rule;
}

OptionRule OptionRule::real(const char *key, double &to, double lowest,
                            double highest) {
  OptionRule rule;
  rule.key = key;
  rule.realTo = &to;
  rule.lowest = lowest;
  rule.highest = highest;
  return rule;
}

OptionRule OptionRule::word(const char *key, std::string &to,
                            std::vector<std::string> words) {
  OptionRule rule;
  rule.key = key;
  rule.wordTo = &to;
  rule.words = std::move(words);
  return rule;
}

static std::string formatNumber(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%g", value);
  return text;
}

std::string OptionRule::apply(const JsonValue &value) const {
  std::string where = "option '" + std::string(key) + "' must be ";
  if (wordTo) {
    for (const std::string &word : words)
      if (value.kind == JsonValue::String && value.string == word) {
        *wordTo = word;
        return {};
      }
    std::string allowed;
    for (const std::string &word : words)
      allowed += (allowed.empty() ? "'" : ", '") + word + "'";
    return where + "one of " + allowed;
  }
  bool isNumber = value.kind == JsonValue::Integer ||
                  (realTo && value.kind == JsonValue::Real);
  if (!isNumber || !(value.number >= lowest) || !(value.number <= highest))
    return where + (integerTo ? "an integer" : "a number") + " from " +
           formatNumber(lowest) + " to " + formatNumber(highest);
  if (integerTo)
    *integerTo = value.integer;
  else
    *realTo = value.number;
  return {};
}

std::string pruner::readOptions(const std::string &json,
                                const std::vector<OptionRule> &rules) {
  JsonValue document;
  std::string error = parseJson(json, document);
  if (!error.empty())
    return "options: " + error;
  if (document.kind != JsonValue::Object)
    return "options: not a JSON object";
  for (const auto &[key, value] : document.object) {
    const OptionRule *found = nullptr;
    std::string known;
    for (const OptionRule &rule : rules) {
      if (key == rule.key)
        found = &rule;
      known += (known.empty() ? "" : ", ") + std::string(rule.key);
    }
    if (!found)
      return "unknown option '" + key + "'; expected one of " + known;
    error = found->apply(value);
    if (!error.empty())
      return error;
  }
  return {};
}
