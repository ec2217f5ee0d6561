//===- MatmulOperands.h - shapes and data of products -----------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_BENCHMARKS_MATMUL_MATMULOPERANDS_H
#define PRUNER_BENCHMARKS_MATMUL_MATMULOPERANDS_H

#include "Contender.h"
#include "FloatBuffer.h"

namespace pruner::bench {

/// C = A B in f32, all row-major: A is m x k, B is k x n, C is m x n.
struct Shape {
  int64_t m = 0, n = 0, k = 0;

  double flops() const { return 2.0 * double(m) * double(n) * double(k); }
  /// "MxNxK".
  std::string text() const;
  static llvm::Expected<Shape> parse(llvm::StringRef text);
};

using MatmulFunction =
    std::function<void(const float *a, const float *b, float *c)>;

/// The operands of one shape, shared by everything that runs in this process.
class Operands {
public:
  explicit Operands(const Shape &shape);

  const Shape shape;

  /// Random reals in [-1, 1), the data of timing.
  void fillReals();
  /// Runs `function` on small integers and compares with the exact result,
  /// which is computed at the first call. C holds NaNs before.
  llvm::Error verify(const MatmulFunction &function);
  /// Writes the reals and their product in f64 to "A", "B" and "C" in
  /// `directory` and returns what serve.py wants to know of them.
  llvm::Expected<llvm::json::Object>
  describe(llvm::function_ref<std::string(llvm::StringRef)> file);
  const float *a() const { return left.data(); }
  const float *b() const { return right.data(); }
  float *c() { return result.data(); }

private:
  FloatBuffer left, right, result;
  std::vector<float> exact;
};

/// Fills `verify` and `time` of a contender that is a function of ours.
/// `operands` must outlive it.
void bindFunction(Contender &contender, Operands &operands,
                  MatmulFunction function);

} // namespace pruner::bench

#endif // PRUNER_BENCHMARKS_MATMUL_MATMULOPERANDS_H
