//===- Violation.h - a rule that a schedule violates ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_SKETCH_VIOLATION_H
#define PRUNER_SKETCH_VIOLATION_H

#include <cstdint>
#include <optional>
#include <string>

namespace pruner {

/// A violated rule of Analysis/Legality.h: its label ("R11") and a sentence
/// that starts with the label and states the value and the limit.
struct Violation {
  std::string rule;
  std::string message;
};

/// The first violated rule, or std::nullopt.
using MaybeViolation = std::optional<Violation>;

namespace detail {
inline Violation broken(unsigned rule, const std::string &message) {
  std::string label = "R" + std::to_string(rule);
  std::string sentence = label + ": " + message;
  return {std::move(label), std::move(sentence)};
}

inline std::string text(int64_t number) { return std::to_string(number); }
} // namespace detail

} // namespace pruner

#endif // PRUNER_SKETCH_VIOLATION_H
