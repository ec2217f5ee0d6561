//===- Combiner.cpp - the operation that accumulates ----------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Dialect/Pruner/IR/Combiner.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

Operation *pruner::getCombiner(Block &body) {
  Value accumulator = body.getArguments().back();
  Operation *combiner = body.getTerminator()->getOperand(0).getDefiningOp();
  if (!combiner || combiner->getBlock() != &body || !accumulator.hasOneUse() ||
      *accumulator.user_begin() != combiner)
    return nullptr;
  if (!isa<arith::AddFOp, arith::MulFOp, arith::MaximumFOp, arith::MinimumFOp,
           arith::MaxNumFOp, arith::MinNumFOp, arith::AddIOp, arith::MulIOp,
           arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp, arith::MinUIOp,
           arith::AndIOp, arith::OrIOp, arith::XOrIOp>(combiner))
    return nullptr;
  return combiner;
}

Value pruner::combineBy(OpBuilder &builder, Location loc, Operation *combiner,
                        Value a, Value b) {
  OperationState state(loc, combiner->getName(), ValueRange{a, b},
                       TypeRange{a.getType()}, combiner->getAttrs());
  return builder.create(state)->getResult(0);
}
