//===- Options.cpp - options of the learned models ------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "pruner/CostModel/Json.h"

#include <cstdio>
#include <vector>

using namespace pruner;

namespace {
/// One option: where it goes and what it may be.
struct Rule {
  const char *key;
  std::int64_t *integer = nullptr;
  double *real = nullptr;
  std::string *word = nullptr;
  double lowest = 0, highest = 0;
  std::vector<std::string> words = {};
};
} // namespace

static std::string formatNumber(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%g", value);
  return text;
}

static std::string applyRule(const Rule &rule, const JsonValue &value) {
  std::string where = "option '" + std::string(rule.key) + "' must be ";
  if (rule.word) {
    for (const std::string &word : rule.words)
      if (value.kind == JsonValue::String && value.string == word) {
        *rule.word = word;
        return {};
      }
    std::string allowed;
    for (const std::string &word : rule.words)
      allowed += (allowed.empty() ? "'" : ", '") + word + "'";
    return where + "one of " + allowed;
  }
  bool isNumber = value.kind == JsonValue::Integer ||
                  (rule.real && value.kind == JsonValue::Real);
  if (!isNumber || !(value.number >= rule.lowest) ||
      !(value.number <= rule.highest))
    return where + (rule.integer ? "an integer" : "a number") + " from " +
           formatNumber(rule.lowest) + " to " + formatNumber(rule.highest);
  if (rule.integer)
    *rule.integer = value.integer;
  else
    *rule.real = value.number;
  return {};
}

std::string pruner::parseModelOptions(const std::string &json,
                                      ModelOptions &options) {
  JsonValue document;
  std::string error = parseJson(json, document);
  if (!error.empty())
    return "options: " + error;
  if (document.kind != JsonValue::Object)
    return "options: not a JSON object";

  ModelOptions result;
  auto integer = [](const char *key, std::int64_t &to, double low,
                    double high) {
    return Rule{key, &to, nullptr, nullptr, low, high};
  };
  auto real = [](const char *key, double &to, double low, double high) {
    return Rule{key, nullptr, &to, nullptr, low, high};
  };
  auto word = [](const char *key, std::string &to,
                 std::vector<std::string> words) {
    return Rule{key, nullptr, nullptr, &to, 0, 0, std::move(words)};
  };
  const Rule rules[] = {
      word("device", result.device, {"cpu", "cuda", "auto"}),
      word("kernels", result.kernels, {"fused", "plain"}),
      integer("threads", result.threads, 1, 1024),
      integer("seed", result.seed, 0, 9e18),
      integer("epochs", result.epochs, 1, 100000),
      integer("batch", result.batch, 2, 65536),
      word("optimizer", result.optimizer, {"adam", "sgd"}),
      real("learning-rate", result.learningRate, 0, 10),
      real("weight-decay", result.weightDecay, 0, 10),
      real("clip", result.clip, 0, 1e30),
      integer("patience", result.patience, 0, 100000),
      word("list", result.list, {"batch", "task"}),
      word("start", result.start, {"auto", "fresh", "continue"}),
      word("normalization", result.normalization,
           {"auto", "recompute", "keep"}),
      word("batch-norm", result.batchNorm, {"running", "batch"}),
      real("momentum", result.momentum, 0, 1),
      integer("period", result.period, 1, 100000),
  };
  for (const auto &[key, value] : document.object) {
    const Rule *found = nullptr;
    std::string known;
    for (const Rule &rule : rules) {
      if (key == rule.key)
        found = &rule;
      known += (known.empty() ? "" : ", ") + std::string(rule.key);
    }
    if (!found)
      return "unknown option '" + key + "'; there are: " + known;
    error = applyRule(*found, value);
    if (!error.empty())
      return error;
  }
  options = result;
  return {};
}
