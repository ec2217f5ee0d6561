//===- OptionTable.h - the options of models and adaptations ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A model or an adaptation declares its options once, in a function that binds
// each one to a variable:
//
//   struct TlpOptions : RankingOptions {
//     std::int64_t width = 256;
//
//     void declare(OptionTable &table) {
//       RankingOptions::declare(table);
//       table.integer("width", width, 32, 1024, "width of the network");
//     }
//   };
//
// The table reads values, reports errors and prints help.

#ifndef PRUNER_COSTMODEL_OPTIONTABLE_H
#define PRUNER_COSTMODEL_OPTIONTABLE_H

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace pruner {

/// The value that a user gives for an option. The first alternative stands for
/// JSON values of other kinds, which no option accepts.
using OptionValue =
    std::variant<std::monostate, std::int64_t, double, std::string>;

/// The values that a user gives, by the name of the option.
using OptionValues = std::map<std::string, OptionValue>;

/// Reads a flat JSON object. Returns an empty string or an error.
std::string parseOptions(const std::string &json, OptionValues &values);

/// An option for people.
struct OptionInfo {
  std::string name;
  std::string value;     ///< Its current value.
  std::string permitted; ///< "an integer from 1 to 16", "one of 'a', 'b'".
  std::string help;
};

/// Options that are bound to variables, which hold the defaults first.
class OptionTable {
public:
  /// From `lowest` to `highest`, both included.
  void integer(const char *name, std::int64_t &to, double lowest,
               double highest, const char *help);
  void real(const char *name, double &to, double lowest, double highest,
            const char *help);
  void word(const char *name, std::string &to, std::vector<std::string> words,
            const char *help);

  bool has(const std::string &name) const;
  /// In the order of declaration.
  std::vector<OptionInfo> list() const;
  /// Sets the variables of the given options. Returns an empty string, or an
  /// error that names the option and its permitted values; some options may
  /// then have been read already.
  std::string read(const OptionValues &values) const;

private:
  struct Option {
    std::string name, help;
    std::variant<std::int64_t *, double *, std::string *> to;
    double lowest = 0, highest = 0;
    std::vector<std::string> words;

    std::string permitted() const;
    bool set(const OptionValue &value) const;
  };
  std::vector<Option> options;
};

} // namespace pruner

#endif // PRUNER_COSTMODEL_OPTIONTABLE_H
