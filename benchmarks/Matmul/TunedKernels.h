//===- TunedKernels.h - kernels of a tuning database ------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_BENCHMARKS_MATMUL_TUNEDKERNELS_H
#define PRUNER_BENCHMARKS_MATMUL_TUNEDKERNELS_H

#include "MatmulOperands.h"
#include "TuningSession.h"

#include <memory>

namespace pruner::bench {

/// C = A B as a user writes it.
std::string moduleText(const Shape &shape);

/// The matrix products that a tuning database knows, compiled into this
/// process by the path of the tuner.
class TunedKernels {
public:
  /// Kernels of `threads` threads. Create it before this process is bound to
  /// some CPUs: the number of CPUs is part of a record's key.
  static llvm::Expected<TunedKernels> create(unsigned threads);

  std::string machineKey() const { return session.environment().machineKey(); }
  static std::string toolchain() { return Environment::toolchain(); }

  /// Tunes by a child process if fewer trials than asked for are recorded.
  llvm::Error tune(const Shape &shape, const TuneCommand &command);

  /// The best verified record of the shape's task, "pruner". Its failure says
  /// so if there is none.
  Contender tuned(Operands &operands, llvm::StringRef database);
  /// Plain loops through LLVM -O3, "default".
  Contender untuned(Operands &operands);
  /// What the analytical model chooses with nothing measured, "draft".
  Contender drafted(Operands &operands);
  /// A schedule written by hand.
  Contender scheduled(Operands &operands, llvm::StringRef name,
                      llvm::StringRef schedule);

private:
  explicit TunedKernels(TuningSession session) : session(std::move(session)) {}
  /// The shape's one task. Its function goes with `module`.
  llvm::Expected<ModuleTasks> task(const Shape &shape);
  llvm::Error build(Contender &contender, const TuneTask &task,
                    Operands &operands, llvm::StringRef schedule,
                    unsigned threads);

  TuningSession session;
};

} // namespace pruner::bench

#endif // PRUNER_BENCHMARKS_MATMUL_TUNEDKERNELS_H
