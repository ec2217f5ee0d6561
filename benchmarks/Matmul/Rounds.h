//===- Rounds.h - interleaved timing ----------------------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_BENCHMARKS_MATMUL_ROUNDS_H
#define PRUNER_BENCHMARKS_MATMUL_ROUNDS_H

#include "Contender.h"

#include <memory>

namespace pruner::bench {

using MatmulFunction =
    std::function<void(const float *a, const float *b, float *c)>;

/// The operands of one shape, shared by everything that runs in this process.
/// 64-byte aligned.
class Operands {
public:
  explicit Operands(const Shape &shape);

  const Shape shape;

  /// Random reals in [-1, 1), the data of timing.
  void fillReals();
  /// Runs `function` on small integers and compares with the exact result,
  /// which is computed at the first call. C holds NaNs before.
  llvm::Error verify(const MatmulFunction &function);
  const float *a() const { return buffers[0].get(); }
  const float *b() const { return buffers[1].get(); }
  float *c() const { return buffers[2].get(); }

private:
  struct Free {
    void operator()(float *p) const { std::free(p); }
  };
  size_t sizeA, sizeB, sizeC;
  std::unique_ptr<float, Free> buffers[3];
  std::vector<float> exact;
};

/// Times `run` in this process.
std::vector<Batch> timeBatches(const std::function<void()> &run,
                               const TimeRequest &request);

/// Fills `verify` and `time` of a contender that is a function of ours.
/// `operands` must outlive it.
void bindFunction(Contender &contender, Operands &operands,
                  MatmulFunction function);

struct RoundOptions {
  unsigned rounds = 10;
  /// Rounds are added, up to three times as many, while a contender has fewer
  /// than five clean batches.
  double minSeconds = 0.5; ///< Of each contender, over all rounds.
  double batchSeconds = 0.004;
  unsigned threads = 1;
};

/// Verifies every contender, then times them in turns (A B C B C A ...); those
/// that fail get their `failure` and leave. `between` is called once half-way.
void runRounds(std::vector<Contender> &contenders, Operands &operands,
               const RoundOptions &options,
               const std::function<void()> &between);

} // namespace pruner::bench

#endif // PRUNER_BENCHMARKS_MATMUL_ROUNDS_H
