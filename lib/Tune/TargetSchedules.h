//===- TargetSchedules.h - schedules of tasks by target ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_TUNE_TARGETSCHEDULES_H
#define PRUNER_LIB_TUNE_TARGETSCHEDULES_H

#include "pruner/ModuleTasks/ModuleTask.h"

#include "llvm/ADT/DenseMap.h"

namespace pruner {

/// Collects the applied schedules of several targets.
class TargetSchedules {
public:
  /// Moves the schedules and times from the functions of the tasks to this
  /// object.
  void take(llvm::StringRef target, llvm::ArrayRef<ModuleTask> tasks);
  /// Sets `pruner.schedules` on every function with a schedule for any target,
  /// and removes it from the others.
  void attachTo(llvm::ArrayRef<ModuleTask> tasks) const;

private:
  llvm::DenseMap<mlir::Operation *, mlir::NamedAttrList> entries;
};

} // namespace pruner

#endif // PRUNER_LIB_TUNE_TARGETSCHEDULES_H
