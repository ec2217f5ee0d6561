//===- AnsorLog.h - programs of Ansor's logs --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

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

/// One step of a log. Refers to the parsed line, which must outlive it.
class AnsorStep {
public:
  explicit AnsorStep(const llvm::json::Array &step);
  llvm::StringRef name; ///< "SP", "RE", ...

  AnsorSplit split() const;
  std::optional<int64_t> unroll() const;
  /// The n-th entry, counted from the name at 0; nothing if it is not an
  /// integer.
  std::optional<int64_t> integer(size_t n) const;
  /// The n-th entry, a list. Entries that are not integers become -1.
  llvm::SmallVector<int64_t> integers(size_t n) const;

private:
  const llvm::json::Array &step;
};

struct AnsorProgram {
  OperationShape shape;
  Schedule schedule;
  std::string variant; ///< See DatasetRecord.
  /// How the schedule differs from the measured program.
  llvm::SmallVector<llvm::StringRef, 1> differences;
};

/// Translates a workload, its arguments and its steps. The error says in a few
/// words, without numbers, why they cannot be expressed, so that equal reasons
/// can be counted.
llvm::Expected<AnsorProgram> readAnsorProgram(const llvm::json::Array &workload,
                                              llvm::ArrayRef<AnsorStep> steps);

/// The single vector width of a schedule, for copies of several inputs. Copy
/// `i` moves `elements[i]` elements in vectors of `vectors[i]`. The width of
/// the largest copy is taken, as a power of two of at most four. `differs` is
/// set if that differs from what was measured.
int64_t commonVector(llvm::ArrayRef<int64_t> vectors,
                     llvm::ArrayRef<int64_t> elements, bool &differs);

} // namespace pruner

#endif // PRUNER_LIB_DATASET_ANSORLOG_H
