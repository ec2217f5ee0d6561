//===- AnsorLog.h - programs of Ansor's logs --------------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_DATASET_ANSORLOG_H
#define PRUNER_LIB_DATASET_ANSORLOG_H

#include "TaskBuilder.h"

#include "pruner/Sketch/Schedule.h"

#include "llvm/Support/JSON.h"

namespace pruner {

struct AnsorSplit {
  int64_t extent = 0; ///< 0: not a split.
  llvm::SmallVector<int64_t, 4> lengths;
};

/// One step of a log; refers to the line that it is of.
class AnsorStep {
public:
  explicit AnsorStep(const llvm::json::Array &step);
  llvm::StringRef name; ///< "SP", "RE", ...

  AnsorSplit split() const;
  std::optional<int64_t> unroll() const;
  /// The n-th entry, behind the name; nothing if it is no integer.
  std::optional<int64_t> integer(size_t n) const;
  /// The n-th entry, a list; -1 for what is no integer.
  llvm::SmallVector<int64_t> integers(size_t n) const;

private:
  const llvm::json::Array &step;
};

struct AnsorProgram {
  OperationShape shape;
  Schedule schedule;
  std::string variant; ///< See DatasetRecord.
  /// In what it differs from the program that was measured.
  llvm::SmallVector<llvm::StringRef, 1> differences;
};

/// What a workload's function and arguments and the steps mean. The error says
/// in a few words, without numbers, why they cannot be expressed.
llvm::Expected<AnsorProgram> readAnsorProgram(const llvm::json::Array &workload,
                                              llvm::ArrayRef<AnsorStep> steps);

/// The vector that one knob has for copies of several inputs which move
/// `vectors[i]` elements at a time and `elements[i]` in all: that of the most
/// elements, as a power of two of at most four. `differs` says whether that is
/// something else.
int64_t commonVector(llvm::ArrayRef<int64_t> vectors,
                     llvm::ArrayRef<int64_t> elements, bool &differs);

} // namespace pruner

#endif // PRUNER_LIB_DATASET_ANSORLOG_H
