//===- Divisors.cpp - arguments used as integer divisors ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Analysis/Divisors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace pruner;

namespace {
/// Traces divisors back to the arguments that they come from.
class DivisorFinder {
public:
  explicit DivisorFinder(func::FuncOp task)
      : body(task.getBody().front()),
        uses(task.getNumArguments(), DivisorUse::None) {}

  SmallVector<DivisorUse> run() {
    body.walk([&](Operation *op) {
      if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
              arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(op))
        follow(op->getOperand(1), DivisorUse::Direct);
    });
    return uses;
  }

private:
  void follow(Value value, DivisorUse use) {
    if (!seen.insert({value, unsigned(use)}).second)
      return;
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (argument.getOwner() == &body) {
        DivisorUse &known = uses[argument.getArgNumber()];
        known = std::max(known, use);
        return;
      }
      // An element of an operand.
      auto op = dyn_cast<linalg::LinalgOp>(argument.getOwner()->getParentOp());
      if (op)
        follow(op.getMatchingOpOperand(argument)->get(), use);
      return;
    }
    Operation *op = value.getDefiningOp();
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
      unsigned result = cast<OpResult>(value).getResultNumber();
      follow(linalgOp.getBlock()->getTerminator()->getOperand(result), use);
      return;
    }
    // Other operations may produce a zero from nonzero elements.
    if (!isa<arith::ExtSIOp, arith::ExtUIOp, tensor::ExpandShapeOp,
             tensor::CollapseShapeOp, tensor::ExtractSliceOp, tensor::CastOp>(
            op))
      use = DivisorUse::Computed;
    for (Value operand : op->getOperands())
      follow(operand, use);
  }

  Block &body;
  SmallVector<DivisorUse> uses;
  llvm::DenseSet<std::pair<Value, unsigned>> seen;
};
} // namespace

SmallVector<DivisorUse> pruner::findDivisors(func::FuncOp task) {
  return DivisorFinder(task).run();
}
