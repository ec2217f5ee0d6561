//===- ArgumentDomains.cpp - inputs for which a task is defined -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InputSets.h"

#include "pruner/Analysis/Divisors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace llvm;
using namespace pruner;

namespace {
/// Finds the arguments on which shift amounts depend.
class AmountFinder {
public:
  explicit AmountFinder(std::vector<ArgumentDomain> &domains)
      : domains(domains) {}

  /// If `value` is between `least` and `most`, the shift amounts are valid.
  void follow(mlir::Value value, int64_t least, int64_t most) {
    if (!seen.insert(value).second)
      return;
    if (auto argument = dyn_cast<mlir::BlockArgument>(value)) {
      mlir::Operation *parent = argument.getOwner()->getParentOp();
      if (isa<mlir::func::FuncOp>(parent)) {
        ArgumentDomain &domain = domains[argument.getArgNumber()];
        domain.least = domain.shift ? std::max(domain.least, least) : least;
        domain.most = domain.shift ? std::min(domain.most, most) : most;
        domain.shift = true;
      } else if (auto op = dyn_cast<mlir::linalg::LinalgOp>(parent)) {
        follow(op->getOperand(argument.getArgNumber()), least, most);
      }
      return;
    }
    mlir::Operation *op = value.getDefiningOp();
    if (auto linalgOp = dyn_cast<mlir::linalg::LinalgOp>(op)) {
      unsigned result = cast<mlir::OpResult>(value).getResultNumber();
      follow(linalgOp.getBlock()->getTerminator()->getOperand(result), least,
             most);
    }
    APInt right, left;
    if (isa<mlir::arith::AddIOp, mlir::arith::SubIOp>(op)) {
      bool adds = isa<mlir::arith::AddIOp>(op);
      if (matchPattern(op->getOperand(1), mlir::m_ConstantInt(&right))) {
        int64_t by = adds ? right.getSExtValue() : -right.getSExtValue();
        return follow(op->getOperand(0), least - by, most - by);
      }
      if (matchPattern(op->getOperand(0), mlir::m_ConstantInt(&left))) {
        int64_t from = left.getSExtValue();
        return adds ? follow(op->getOperand(1), least - from, most - from)
                    : follow(op->getOperand(1), from - most, from - least);
      }
    }
    for (mlir::Value operand : op->getOperands())
      follow(operand, least, most);
  }

private:
  std::vector<ArgumentDomain> &domains;
  DenseSet<mlir::Value> seen;
};
} // namespace

std::vector<ArgumentDomain> pruner::argumentDomains(const TaskProgram &task) {
  std::vector<ArgumentDomain> domains(task.inputs().size());
  auto function = task.module().lookupSymbol<mlir::func::FuncOp>(task.entry());
  for (auto [domain, use] : zip(domains, findDivisors(function))) {
    domain.divisor = use != DivisorUse::None;
    domain.computedDivisor = use == DivisorUse::Computed;
  }
  bool addresses = false;
  function.walk([&](mlir::Operation *op) {
    addresses |= isa<mlir::tensor::ExtractOp>(op);
    if (!isa<mlir::arith::ShLIOp, mlir::arith::ShRSIOp, mlir::arith::ShRUIOp>(
            op))
      return;
    mlir::Type type = op->getOperand(1).getType();
    int64_t width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
    AmountFinder(domains).follow(op->getOperand(1), 0, width - 1);
  });
  for (auto [domain, spec] : zip(domains, task.inputs())) {
    domain.address = addresses && !isFloat(spec.type);
    // No amount is valid for all shifts, so use the first one.
    domain.most = std::max(domain.least, domain.most);
  }
  return domains;
}
