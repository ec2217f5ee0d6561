//===- RetireSchedule.cpp - schedules of lowered kernels ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Dialect/Pruner/Utils/RetireSchedule.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

void pruner::retireSchedule(KernelOp kernel) {
  auto function = kernel->getParentOfType<FunctionOpInterface>();
  Attribute schedule =
      function->removeAttr(PrunerDialect::getScheduleAttrName());
  if (!schedule)
    return;
  std::string text;
  llvm::raw_string_ostream(text) << schedule;
  function->setAttr(PrunerDialect::getAppliedAttrName(),
                    StringAttr::get(kernel.getContext(), text));
}
