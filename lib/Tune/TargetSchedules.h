//===- TargetSchedules.h - schedules of tasks, by target --------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_TUNE_TARGETSCHEDULES_H
#define PRUNER_LIB_TUNE_TARGETSCHEDULES_H

#include "pruner/Tune/TuneTask.h"

#include "llvm/ADT/DenseMap.h"

namespace pruner {

/// Gathers what is applied for one target after the other.
class TargetSchedules {
public:
  /// Takes the schedules and times off the functions of the tasks.
  void take(llvm::StringRef target, llvm::ArrayRef<TuneTask> tasks);
  /// Attaches `pruner.schedules` to every function that any target has a
  /// schedule for; others lose what they had.
  void attachTo(llvm::ArrayRef<TuneTask> tasks) const;

private:
  llvm::DenseMap<mlir::Operation *, mlir::NamedAttrList> entries;
};

} // namespace pruner

#endif // PRUNER_LIB_TUNE_TARGETSCHEDULES_H
