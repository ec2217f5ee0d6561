//===- MatchProduct.cpp - bodies that multiply and add --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MatchProduct.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

static bool isMultiplyAdd(Block *body) {
  auto behindExtension = [](Value value) {
    if (auto extension = value.getDefiningOp<arith::ExtFOp>())
      return extension.getIn();
    if (auto extension = value.getDefiningOp<arith::ExtSIOp>())
      return extension.getIn();
    return value;
  };
  Operation *sum = body->getTerminator()->getOperand(0).getDefiningOp();
  if (!sum || !isa<arith::AddFOp, arith::AddIOp>(sum))
    return false;
  Value acc = body->getArgument(2);
  Value term =
      sum->getOperand(0) == acc ? sum->getOperand(1) : sum->getOperand(0);
  if (sum->getOperand(0) != acc && sum->getOperand(1) != acc)
    return false;
  Operation *product = term.getDefiningOp();
  if (!product || !isa<arith::MulFOp, arith::MulIOp>(product))
    return false;
  Value a = behindExtension(product->getOperand(0)),
        b = behindExtension(product->getOperand(1));
  return (a == body->getArgument(0) && b == body->getArgument(1)) ||
         (a == body->getArgument(1) && b == body->getArgument(0));
}

bool pruner::addsProducts(linalg::LinalgOp op) {
  return op.hasPureTensorSemantics() && !op.hasDynamicShape() &&
         op.getNumDpsInputs() == 2 && op.getNumDpsInits() == 1 &&
         isMultiplyAdd(op.getBlock());
}

bool pruner::computesElements(Operation *op) {
  auto generic = dyn_cast<linalg::GenericOp>(op);
  return generic && generic.hasPureTensorSemantics() &&
         generic->getNumResults() == 1 && !generic.hasIndexSemantics() &&
         generic.getNumParallelLoops() == generic.getNumLoops();
}

bool pruner::leadsToContraction(Value value) {
  while (value.hasOneUse()) {
    OpOperand &use = *value.use_begin();
    auto product = dyn_cast<linalg::LinalgOp>(use.getOwner());
    if (product && product.hasPureTensorSemantics() &&
        linalg::isaContractionOpInterface(product))
      return product.isDpsInput(&use);
    if (!computesElements(use.getOwner()) &&
        !isa<tensor::CollapseShapeOp>(use.getOwner()))
      return false;
    value = use.getOwner()->getResult(0);
  }
  return false;
}
