//===- BrainFloatTensors.cpp - store tensors between tasks as bf16 --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../FloatFactors.h"
#include "Registry.h"

#include "pruner/Recognition/TaskFromIR.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace pruner;

/// Smaller tensors stay in the nearest cache in any type.
static constexpr int64_t kLeastElements = 4096;

/// Whether `op` only rounds its input.
static bool onlyRounds(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() != 0 || op.getNumDpsInputs() != 1)
    return false;
  auto rounding = op.getBlock()
                      ->getTerminator()
                      ->getOperand(0)
                      .getDefiningOp<arith::TruncFOp>();
  return rounding && rounding.getIn() == op.getBlock()->getArgument(0);
}

/// The result of an operation that `value` is, perhaps behind views and a
/// rounding; null for constants, arguments and tensors of other types.
static Value computedResult(Value value) {
  while (true) {
    Operation *op = value.getDefiningOp();
    auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(op);
    if (!viewedBy(op) && !(linalgOp && onlyRounds(linalgOp)))
      break;
    value = op->getOperand(0);
  }
  auto type = cast<RankedTensorType>(value.getType());
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  return op && !isa<linalg::FillOp>(op.getOperation()) &&
                 type.getElementType().isF32() && type.hasStaticShape() &&
                 type.getNumElements() >= kLeastElements &&
                 !isConstantTensor(value)
             ? value
             : Value();
}

/// Whether `op` reduces windows of its first input, whose shape the second one
/// has.
static bool isPooling(linalg::LinalgOp op) {
  return op.getNumReductionLoops() != 0 && op.getNumDpsInputs() == 2 &&
         op.getBlock()->getArgument(1).use_empty();
}

namespace {
class BrainFloatTensors final : public Relaxation {
public:
  BrainFloatTensors()
      : Relaxation("bf16-tensors", "results that products or pooling read are "
                                   "rounded to bf16 for all readers") {}

  unsigned apply(IRRewriter &rewriter, func::FuncOp function,
                 const RelaxationUse &use) const override {
    llvm::SetVector<Value> results;
    function.walk([&](linalg::LinalgOp op) {
      if (op.hasPureTensorSemantics() &&
          (matchFloatProduct(op) || isPooling(op)))
        for (OpOperand *operand : op.getDpsInputOperands())
          if (isa<RankedTensorType>(operand->get().getType()))
            if (Value result = computedResult(operand->get()))
              results.insert(result);
    });
    FactorConverter converter(rewriter, rewriter.getBF16Type(),
                              /*rounds=*/true);
    for (Value result : results)
      round(rewriter, converter, result);
    return results.size();
  }

private:
  /// Makes the readers of `value`, a result or a view of one, read bf16.
  static void round(IRRewriter &rewriter, FactorConverter &converter,
                    Value value) {
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : value.getUses())
      uses.push_back(&use);
    for (OpOperand *use : uses) {
      Operation *reader = use->getOwner();
      if (viewedBy(reader)) {
        round(rewriter, converter, reader->getResult(0));
        continue;
      }
      auto op = dyn_cast<linalg::LinalgOp>(reader);
      if (!op || !op.isDpsInput(use) || onlyRounds(op) ||
          !isa<linalg::GenericOp, linalg::MatmulOp, linalg::BatchMatmulOp>(
              reader) ||
          op.getMatchingBlockArgument(use).use_empty())
        continue;
      readFactor(rewriter, op, use->getOperandNumber(),
                 converter.convert(value));
    }
  }
};
} // namespace

const Relaxation &pruner::brainFloatTensors() {
  static const BrainFloatTensors relaxation;
  return relaxation;
}
