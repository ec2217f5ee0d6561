//===- LiftBranches.cpp - branches between blocks as regions --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Conversion/NetworkToLLVM/Passes.h"

#include "mlir/Conversion/ControlFlowToSCF/ControlFlowToSCF.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"

namespace pruner {
#define GEN_PASS_DEF_LIFTBRANCHESPASS
#include "pruner/Conversion/NetworkToLLVM/Passes.h.inc"
} // namespace pruner

using namespace mlir;

namespace {
/// Upstream's transformation, except for values that a path does not compute
/// and nothing reads. They become zeros and tensors without contents, because
/// poison cannot be bufferized.
class Lifting : public ControlFlowToSCFTransformation {
public:
  Value getUndefValue(Location loc, OpBuilder &builder, Type type) override {
    if (auto tensor = dyn_cast<RankedTensorType>(type)) {
      if (tensor.hasStaticShape())
        return tensor::EmptyOp::create(builder, loc, tensor.getShape(),
                                       tensor.getElementType(),
                                       tensor.getEncoding());
    } else if (type.isIntOrIndexOrFloat()) {
      return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
    }
    return ControlFlowToSCFTransformation::getUndefValue(loc, builder, type);
  }
};

struct LiftBranchesPass
    : public pruner::impl::LiftBranchesPassBase<LiftBranchesPass> {
  void runOnOperation() override {
    Lifting lifting;
    DominanceInfo dominance(getOperation());
    WalkResult result =
        getOperation()->walk<WalkOrder::PostOrder>([&](Operation *op) {
          for (Region &region : op->getRegions()) {
            if (region.empty() || region.hasOneBlock())
              continue;
            FailureOr<bool> lifted =
                transformCFGToSCF(region, lifting, dominance);
            if (failed(lifted))
              return WalkResult::interrupt();
            numLifted += *lifted;
          }
          return WalkResult::advance();
        });
    if (result.wasInterrupted())
      return signalPassFailure();
    inlineRegions();
  }

private:
  /// Inlines `scf.execute_region`, whose blocks have become one.
  void inlineRegions() {
    SmallVector<scf::ExecuteRegionOp> ops;
    getOperation()->walk([&](scf::ExecuteRegionOp op) {
      if (op.getRegion().hasOneBlock())
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (scf::ExecuteRegionOp op : ops) {
      Block &block = op.getRegion().front();
      Operation *yield = block.getTerminator();
      SmallVector<Value> values(yield->getOperands());
      rewriter.eraseOp(yield);
      rewriter.inlineBlockBefore(&block, op);
      rewriter.replaceOp(op, values);
    }
  }
};
} // namespace
