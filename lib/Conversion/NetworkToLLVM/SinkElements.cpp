//===- SinkElements.cpp - read elements where they are used ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Conversion/NetworkToLLVM/Passes.h"
#include "pruner/Dialect/Pruner/Utils/AsGeneric.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

namespace pruner {
#define GEN_PASS_DEF_SINKELEMENTSPASS
#include "pruner/Conversion/NetworkToLLVM/Passes.h.inc"
} // namespace pruner

using namespace mlir;

namespace {
/// The ops on scalars that compute a value, operands first.
struct Computation {
  llvm::SetVector<Operation *> ops;
  bool reads = false; ///< One of them reads an element of a tensor.

  void add(Value value) {
    Operation *op = value.getDefiningOp();
    auto isScalar = [](Type type) { return type.isIntOrIndexOrFloat(); };
    if (!op || ops.contains(op) || op->getNumRegions() != 0 ||
        !isMemoryEffectFree(op) ||
        !llvm::all_of(op->getResultTypes(), isScalar))
      return;
    const bool isRead = isa<tensor::ExtractOp>(op);
    for (Value operand : op->getOperands())
      if (isScalar(operand.getType()))
        add(operand);
      else if (!isRead)
        return; // Such as the extent of a tensor.
    reads |= isRead;
    ops.insert(op);
  }
};

struct SinkElementsPass
    : public pruner::impl::SinkElementsPassBase<SinkElementsPass> {
  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops)
      sink(captureScalars(rewriter, op));
  }

  static bool isRead(Value value) {
    Computation computation;
    if (!isa<ShapedType>(value.getType()))
      computation.add(value);
    return computation.reads;
  }

  /// Makes the body use scalar inputs that are read from tensors directly,
  /// instead of as operands.
  static linalg::LinalgOp captureScalars(IRRewriter &rewriter,
                                         linalg::LinalgOp op) {
    if (llvm::none_of(op.getDpsInputs(), isRead))
      return op;
    FailureOr<linalg::GenericOp> form = pruner::asGeneric(rewriter, op);
    if (failed(form))
      return op;
    linalg::GenericOp generic = *form;
    SmallVector<Value> inputs;
    SmallVector<AffineMap> maps;
    Block &body = *generic.getBlock();
    llvm::BitVector captured(body.getNumArguments());
    for (OpOperand *input : generic.getDpsInputOperands()) {
      unsigned number = input->getOperandNumber();
      if (isRead(input->get())) {
        captured.set(number);
        body.getArgument(number).replaceAllUsesWith(input->get());
        continue;
      }
      inputs.push_back(input->get());
      maps.push_back(generic.getMatchingIndexingMap(input));
    }
    for (OpOperand &init : generic.getDpsInitsMutable())
      maps.push_back(generic.getMatchingIndexingMap(&init));
    auto made = linalg::GenericOp::create(
        rewriter, generic.getLoc(), generic.getResultTypes(), inputs,
        generic.getDpsInits(), maps, generic.getIteratorTypesArray());
    made.getRegion().takeBody(generic.getRegion());
    made.getBlock()->eraseArguments(captured);
    rewriter.replaceOp(generic, made);
    return made;
  }

  void sink(linalg::LinalgOp op) {
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(op->getRegions(), captured);
    Computation computation;
    for (Value value : captured) {
      Computation own;
      if (!isa<ShapedType>(value.getType()))
        own.add(value);
      if (own.reads)
        computation.ops.insert_range(own.ops);
    }
    IRMapping mapping;
    OpBuilder builder = OpBuilder::atBlockBegin(op.getBlock());
    for (Operation *each : computation.ops) {
      Operation *copy = builder.clone(*each, mapping);
      for (auto [from, to] :
           llvm::zip_equal(each->getResults(), copy->getResults()))
        from.replaceUsesWithIf(to, [&](OpOperand &use) {
          return op->isProperAncestor(use.getOwner());
        });
      numSunk += isa<tensor::ExtractOp>(each);
    }
  }
};
} // namespace
