//===- OperatorData.h - operands and reference results ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_BENCHMARKS_OPERATORS_OPERATORDATA_H
#define PRUNER_BENCHMARKS_OPERATORS_OPERATORDATA_H

#include "Contender.h"
#include "Operator.h"

namespace pruner::bench {

/// The operands of one operation, shared by all contenders, and the reference
/// result in f64.
class OperatorData {
public:
  explicit OperatorData(const Operator &op);

  /// Memory in the operation's element types. For f32 its elements are values.
  const std::vector<FloatBuffer> &inputs() const { return in; }
  FloatBuffer &output() { return out; }

  /// Fills the output with NaNs (all bits set), calls `run` and compares the
  /// output.
  llvm::Error verify(const std::function<void()> &run);

  /// Sets `verify` and `time` of a contender in this process. This object must
  /// outlive it.
  void bind(Contender &contender, std::function<void()> run);

  /// Writes the operands to files and returns the request for serve.py.
  llvm::Expected<llvm::json::Object>
  describe(llvm::function_ref<std::string(llvm::StringRef)> file) const;

private:
  const Operator &op;
  std::vector<FloatBuffer> in;
  FloatBuffer out;
  std::vector<double> expected;
};

} // namespace pruner::bench

#endif // PRUNER_BENCHMARKS_OPERATORS_OPERATORDATA_H
