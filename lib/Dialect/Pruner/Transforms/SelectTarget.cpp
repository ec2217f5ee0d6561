//===- SelectTarget.cpp - keep the schedules of one target ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Dialect/Pruner/Transforms/Passes.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

#include <set>

namespace pruner {
#define GEN_PASS_DEF_SELECTTARGETPASS
#include "pruner/Dialect/Pruner/Transforms/Passes.h.inc"
} // namespace pruner

using namespace mlir;
using namespace pruner;

namespace {
struct SelectTargetPass
    : public pruner::impl::SelectTargetPassBase<SelectTargetPass> {
  using SelectTargetPassBase::SelectTargetPassBase;

  void runOnOperation() override {
    SmallVector<FunctionOpInterface> tuned;
    std::set<std::string> targets;
    getOperation().walk([&](FunctionOpInterface function) {
      if (auto schedules = schedulesOf(function)) {
        tuned.push_back(function);
        for (NamedAttribute entry : schedules)
          targets.insert("'" + entry.getName().str() + "'");
      }
    });
    if (tuned.empty())
      return;
    if (!targets.count("'" + target + "'")) {
      emitError(getOperation().getLoc(), "pruner-select-target: ")
          << "no function has a schedule for '" << target
          << "'; available targets: "
          << (targets.empty() ? "none" : llvm::join(targets, ", "));
      return signalPassFailure();
    }
    for (FunctionOpInterface function : tuned)
      select(function);
  }

private:
  static DictionaryAttr schedulesOf(FunctionOpInterface function) {
    return function->getAttrOfType<DictionaryAttr>(
        PrunerDialect::getSchedulesAttrName());
  }

  void select(FunctionOpInterface function) {
    auto entry = schedulesOf(function).getAs<DictionaryAttr>(target);
    function->removeAttr(PrunerDialect::getSchedulesAttrName());
    function->removeAttr(PrunerDialect::getScheduleAttrName());
    function->removeAttr(PrunerDialect::getSecondsAttrName());
    if (!entry)
      return;
    function->setAttr(PrunerDialect::getScheduleAttrName(),
                      entry.get("schedule"));
    if (Attribute seconds = entry.get("seconds"))
      function->setAttr(PrunerDialect::getSecondsAttrName(), seconds);
    ++numSelected;
  }
};
} // namespace
