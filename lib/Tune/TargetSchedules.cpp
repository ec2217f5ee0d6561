//===- TargetSchedules.cpp - schedules of tasks by target -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TargetSchedules.h"

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"

using namespace mlir;
using namespace pruner;

void TargetSchedules::take(llvm::StringRef target,
                           llvm::ArrayRef<ModuleTask> tasks) {
  for (const ModuleTask &task : tasks) {
    func::FuncOp function = task.function;
    Builder builder(function);
    Attribute schedule =
        function->removeAttr(PrunerDialect::getScheduleAttrName());
    Attribute seconds =
        function->removeAttr(PrunerDialect::getSecondsAttrName());
    if (!schedule)
      continue;
    NamedAttrList entry;
    entry.set("schedule", schedule);
    if (seconds)
      entry.set("seconds", seconds);
    entries[function].set(target, entry.getDictionary(function->getContext()));
  }
}

void TargetSchedules::attachTo(llvm::ArrayRef<ModuleTask> tasks) const {
  for (const ModuleTask &task : tasks) {
    func::FuncOp function = task.function;
    function->removeAttr(PrunerDialect::getSchedulesAttrName());
    auto found = entries.find(function);
    if (found != entries.end())
      function->setAttr(PrunerDialect::getSchedulesAttrName(),
                        found->second.getDictionary(function->getContext()));
  }
}
