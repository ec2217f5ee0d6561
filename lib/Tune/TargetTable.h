//===- TargetTable.h - times of tasks by target -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_TUNE_TARGETTABLE_H
#define PRUNER_LIB_TUNE_TARGETTABLE_H

#include "pruner/Tune/Tuner.h"

namespace pruner {

/// A table with one column per target: the time of the applied schedule of each
/// task, or its prediction if nothing was measured.
class TargetTable {
public:
  /// The tasks must outlive it.
  explicit TargetTable(llvm::ArrayRef<ModuleTask> tasks) : tasks(tasks) {}

  void add(llvm::StringRef target, llvm::ArrayRef<TaskOutcome> outcomes,
           bool predicted);
  void print(llvm::raw_ostream &os) const;

private:
  struct Column {
    std::string title;
    std::vector<std::string> cells;
  };

  llvm::ArrayRef<ModuleTask> tasks;
  std::vector<Column> columns;
};

} // namespace pruner

#endif // PRUNER_LIB_TUNE_TARGETTABLE_H
