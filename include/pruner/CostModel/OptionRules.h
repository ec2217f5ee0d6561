//===- OptionRules.h - options of models as JSON ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_COSTMODEL_OPTIONRULES_H
#define PRUNER_COSTMODEL_OPTIONRULES_H

#include <cstdint>
#include <string>
#include <vector>

namespace pruner {

/// An option of a model: its name, the variable for its value, and the
/// permitted values.
class OptionRule {
public:
  /// From `lowest` to `highest`, both included.
  static OptionRule integer(const char *key, std::int64_t &to, double lowest,
                            double highest);
  static OptionRule real(const char *key, double &to, double lowest,
                         double highest);
  static OptionRule word(const char *key, std::string &to,
                         std::vector<std::string> words);

private:
  friend std::string readOptions(const std::string &json,
                                 const std::vector<OptionRule> &rules);
  std::string apply(const struct JsonValue &value) const;

  const char *key = nullptr;
  std::int64_t *integerTo = nullptr;
  double *realTo = nullptr;
  std::string *wordTo = nullptr;
  double lowest = 0, highest = 0;
  std::vector<std::string> words;
};

/// Reads a flat JSON object. Options that are absent keep their values. Returns
/// an empty string, or an error that names the option and its permitted values;
/// some options may then have been read already.
std::string readOptions(const std::string &json,
                        const std::vector<OptionRule> &rules);

} // namespace pruner

#endif // PRUNER_COSTMODEL_OPTIONRULES_H
