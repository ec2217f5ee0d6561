//===- Tasks.h - tasks for mutation tests -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_FUZZING_MUTATION_TASKS_H
#define PRUNER_FUZZING_MUTATION_TASKS_H

#include "pruner/Support/Random.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>

namespace pruner {

/// A kind of task, such as "softmax".
struct TaskKind {
  const char *name;
  /// The element types to alternate between: "f32", or "i8" for products of i8
  /// that are accumulated in i32.
  llvm::ArrayRef<const char *> types;
  /// Draws a task function of this kind as MLIR text.
  std::string (*draw)(llvm::StringRef type, Random &random);
};

/// All kinds: products, windows, reductions, elementwise operations, chains
/// over rows and type conversions. Extents are primes, ones, tiles and their
/// neighbors, and rows of up to 65536. The domain stays below about 2^17
/// points, so that hundreds of schedules run in seconds.
llvm::ArrayRef<TaskKind> taskKinds();

} // namespace pruner

#endif // PRUNER_FUZZING_MUTATION_TASKS_H
