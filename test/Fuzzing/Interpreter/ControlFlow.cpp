//===- ControlFlow.cpp - branches, loops and calls ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ScalarProgram.h"

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"

using namespace llvm;
using namespace pruner;
namespace scf = mlir::scf;

static constexpr const char *kCondition = "the condition of a branch";

static RangeTensorRef number(int64_t value) {
  auto tensor = std::make_shared<RangeTensor>();
  tensor->cells.push_back(IntegerRange::exactly(value));
  return tensor;
}

Expected<Interpreter::Tensors> Interpreter::runRegion(mlir::Region &region,
                                                      Tensors arguments) {
  for (mlir::Block *block = &region.front();;) {
    if (++blocks > kMostBlocks)
      return createStringError("the program takes too many steps");
    for (auto [value, tensor] : zip_equal(block->getArguments(), arguments))
      set(value, std::move(tensor));
    for (mlir::Operation &op : block->without_terminator())
      if (Error error = evaluate(&op))
        return std::move(error);
    mlir::Operation *end = block->getTerminator();
    if (end->getNumSuccessors() == 0)
      return valuesOf(end->getOperands());
    mlir::ValueRange passed;
    if (auto branch = dyn_cast<mlir::cf::BranchOp>(end)) {
      block = branch.getDest();
      passed = branch.getDestOperands();
    } else if (auto branch = dyn_cast<mlir::cf::CondBranchOp>(end)) {
      auto condition = integerOf(branch.getCondition(), kCondition);
      if (!condition)
        return condition.takeError();
      block = *condition ? branch.getTrueDest() : branch.getFalseDest();
      passed = *condition ? branch.getTrueDestOperands()
                          : branch.getFalseDestOperands();
    } else {
      return unsupported(end);
    }
    auto values = valuesOf(passed);
    if (!values)
      return values.takeError();
    arguments = std::move(*values);
  }
}

Expected<Interpreter::Tensors> Interpreter::evaluateFor(mlir::Operation *op) {
  auto loop = cast<scf::ForOp>(op);
  auto low = integerOf(loop.getLowerBound(), "a bound of a loop");
  if (!low)
    return low.takeError();
  auto high = integerOf(loop.getUpperBound(), "a bound of a loop");
  if (!high)
    return high.takeError();
  auto step = integerOf(loop.getStep(), "the step of a loop");
  if (!step)
    return step.takeError();
  if (*step <= 0)
    return createStringError("the step of a loop is not positive");
  if (loop.getUnsignedCmp())
    return unsupported(op, " of unsigned bounds");
  auto carried = valuesOf(loop.getInitArgs());
  for (__int128 i = *low; carried && i < *high; i += *step) {
    Tensors arguments = {number(int64_t(i))};
    append_range(arguments, *carried);
    carried = runRegion(loop.getRegion(), std::move(arguments));
  }
  return carried;
}

Expected<Interpreter::Tensors> Interpreter::evaluateWhile(mlir::Operation *op) {
  auto loop = cast<scf::WhileOp>(op);
  auto carried = valuesOf(loop.getInits());
  while (carried) {
    carried = runRegion(loop.getBefore(), std::move(*carried));
    if (!carried)
      break;
    auto condition =
        integerOf(loop.getConditionOp().getCondition(), kCondition);
    if (!condition)
      return condition.takeError();
    carried->erase(carried->begin());
    if (*condition == 0)
      break;
    carried = runRegion(loop.getAfter(), std::move(*carried));
  }
  return carried;
}

Expected<Interpreter::Tensors> Interpreter::evaluateCall(mlir::Operation *op) {
  auto call = cast<mlir::func::CallOp>(op);
  auto function =
      mlir::SymbolTable::lookupNearestSymbolFrom<mlir::func::FuncOp>(
          op, call.getCalleeAttr());
  if (!function || function.isExternal())
    return unsupported(op, " without a body");
  if (calls == kMostCalls)
    return createStringError("calls are nested too deeply");
  auto arguments = valuesOf(call.getOperands());
  if (!arguments)
    return arguments.takeError();
  // A call has its own values.
  Interpreter callee;
  callee.calls = calls + 1;
  callee.blocks = blocks;
  auto results = callee.runRegion(function.getBody(), std::move(*arguments));
  blocks = callee.blocks;
  return results;
}

bool Interpreter::isControlFlow(mlir::Operation *op) const {
  return isa<scf::IfOp, scf::ForOp, scf::WhileOp, scf::IndexSwitchOp,
             scf::ExecuteRegionOp, mlir::func::CallOp, AlternativesOp>(op);
}

Error Interpreter::evaluateControlFlow(mlir::Operation *op) {
  auto evaluated = [&]() -> Expected<Tensors> {
    if (isa<scf::ForOp>(op))
      return evaluateFor(op);
    if (isa<scf::WhileOp>(op))
      return evaluateWhile(op);
    if (isa<mlir::func::CallOp>(op))
      return evaluateCall(op);
    if (auto region = dyn_cast<scf::ExecuteRegionOp>(op))
      return runRegion(region.getRegion(), {});
    if (auto forms = dyn_cast<AlternativesOp>(op))
      return runRegion(forms.getForms()[forms.getChosenIndex()], {});
    auto condition = integerOf(op->getOperand(0), kCondition);
    if (!condition)
      return condition.takeError();
    if (auto choice = dyn_cast<scf::IndexSwitchOp>(op)) {
      const int64_t *found = find(choice.getCases(), *condition);
      size_t at = found - choice.getCases().begin();
      return runRegion(at < choice.getCases().size()
                           ? choice.getCaseRegions()[at]
                           : choice.getDefaultRegion(),
                       {});
    }
    auto branch = cast<scf::IfOp>(op);
    mlir::Region &taken =
        *condition ? branch.getThenRegion() : branch.getElseRegion();
    return taken.empty() ? Tensors() : runRegion(taken, {});
  }();
  if (!evaluated)
    return evaluated.takeError();
  for (auto [value, tensor] : zip_equal(op->getResults(), *evaluated))
    set(value, std::move(tensor));
  return Error::success();
}
