//===- MatmulText.h - a matmul as a task ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_TEST_UNIT_CONVERSION_CPUDIFFERENTIAL_MATMULTEXT_H
#define PRUNER_TEST_UNIT_CONVERSION_CPUDIFFERENTIAL_MATMULTEXT_H

#include "llvm/Support/FormatVariadic.h"
#include <string>

namespace pruner::test {

/// C[m, n] = A[m, k] B[k, n].
inline std::string matmulText(int64_t m, int64_t n, int64_t k) {
  return llvm::formatv(R"(
    func.func @task(%a: tensor<{0}x{2}xf32>, %b: tensor<{2}x{1}xf32>)
        -> tensor<{0}x{1}xf32> {
      %z = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<{0}x{1}xf32>
      %f = linalg.fill ins(%z : f32) outs(%e : tensor<{0}x{1}xf32>)
        -> tensor<{0}x{1}xf32>
      %r = linalg.matmul ins(%a, %b : tensor<{0}x{2}xf32>, tensor<{2}x{1}xf32>)
        outs(%f : tensor<{0}x{1}xf32>) -> tensor<{0}x{1}xf32>
      return %r : tensor<{0}x{1}xf32>
    })",
                       m, n, k)
      .str();
}

} // namespace pruner::test

#endif // PRUNER_TEST_UNIT_CONVERSION_CPUDIFFERENTIAL_MATMULTEXT_H
