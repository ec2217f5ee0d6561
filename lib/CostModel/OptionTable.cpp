//===- OptionTable.cpp - the options of models and adaptations ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/CostModel/OptionTable.h"
#include "StrictJson.h"
#include "pruner/Support/NearestName.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace pruner;

static OptionValue valueOf(const json::Value &value) {
  if (std::optional<StringRef> text = value.getAsString())
    return text->str();
  if (std::optional<int64_t> integer = value.getAsInteger())
    return *integer;
  if (std::optional<double> number = value.getAsNumber())
    return *number;
  return std::monostate();
}

std::string pruner::parseOptions(const std::string &json,
                                 OptionValues &values) {
  Expected<json::Value> value = parseStrictJson(json);
  if (!value)
    return toString(value.takeError());
  const json::Object *object = value->getAsObject();
  if (!object)
    return "not a JSON object";
  values.clear();
  for (const auto &[name, value] : *object)
    values[name.str()] = valueOf(value);
  return {};
}

void OptionTable::integer(const char *name, std::int64_t &to, double lowest,
                          double highest, const char *help) {
  options.push_back({name, help, &to, lowest, highest, {}});
}

void OptionTable::real(const char *name, double &to, double lowest,
                       double highest, const char *help) {
  options.push_back({name, help, &to, lowest, highest, {}});
}

void OptionTable::word(const char *name, std::string &to,
                       std::vector<std::string> words, const char *help) {
  options.push_back({name, help, &to, 0, 0, std::move(words)});
}

static std::string formatNumber(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%g", value);
  return text;
}

std::string OptionTable::Option::permitted() const {
  if (words.empty())
    return (std::holds_alternative<double *>(to) ? "a number" : "an integer") +
           (" from " + formatNumber(lowest) + " to " + formatNumber(highest));
  return "one of '" + join(words, "', '") + "'";
}

bool OptionTable::Option::set(const OptionValue &value) const {
  if (auto *word = std::get_if<std::string *>(&to)) {
    auto *text = std::get_if<std::string>(&value);
    if (!text || !is_contained(words, *text))
      return false;
    **word = *text;
    return true;
  }
  auto inRange = [&](double number) {
    return number >= lowest && number <= highest;
  };
  auto *integer = std::get_if<std::int64_t>(&value);
  if (auto *variable = std::get_if<std::int64_t *>(&to)) {
    if (!integer || !inRange(double(*integer)))
      return false;
    **variable = *integer;
    return true;
  }
  auto *real = std::get_if<double>(&value);
  if (!integer && !real)
    return false;
  double number = integer ? double(*integer) : *real;
  if (!inRange(number))
    return false;
  *std::get<double *>(to) = number;
  return true;
}

bool OptionTable::has(const std::string &name) const {
  return any_of(options, [&](const Option &o) { return o.name == name; });
}

std::vector<OptionInfo> OptionTable::list() const {
  std::vector<OptionInfo> result;
  for (const Option &option : options) {
    std::string value;
    if (auto *word = std::get_if<std::string *>(&option.to))
      value = **word;
    else if (auto *integer = std::get_if<std::int64_t *>(&option.to))
      value = std::to_string(**integer);
    else
      value = formatNumber(*std::get<double *>(option.to));
    result.push_back({option.name, value, option.permitted(), option.help});
  }
  return result;
}

std::string OptionTable::read(const OptionValues &values) const {
  for (const auto &value : values) {
    auto found = find_if(
        options, [&](const Option &o) { return o.name == value.first; });
    if (found == options.end()) {
      std::vector<std::string> known;
      for (const Option &option : options)
        known.push_back(option.name);
      return "unknown option '" + value.first + "'; expected one of " +
             join(known, ", ") +
             didYouMean(value.first, options,
                        [](const Option &option) { return option.name; });
    }
    if (!found->set(value.second))
      return "option '" + value.first + "' must be " + found->permitted();
  }
  return {};
}
