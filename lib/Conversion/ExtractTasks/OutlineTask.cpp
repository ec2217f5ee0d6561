//===- OutlineTask.cpp - outline a group as a function --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OutlineTask.h"

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Recognition/TaskInfo.h"
#include "pruner/Recognition/TaskText.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace pruner;

namespace {
/// Writes a group in canonical form into a new function.
class BodyWriter {
public:
  explicit BodyWriter(MLIRContext *context) : builder(context) {}

  func::FuncOp write(const TaskGroup &group) {
    Location loc = group.result.getLoc();
    auto type = builder.getFunctionType(TypeRange(ValueRange(group.arguments)),
                                        group.result.getType());
    auto func = func::FuncOp::create(loc, "task", type);
    body = func.addEntryBlock();
    for (auto [n, argument] : llvm::enumerate(group.arguments)) {
      body->getArgument(n).setLoc(argument.getLoc());
      mapping.map(argument, body->getArgument(n));
      if (isConstantTensor(argument))
        func.setArgAttr(n, PrunerDialect::getConstantAttrName(),
                        builder.getUnitAttr());
    }
    for (Operation *op : group.ops) {
      if (auto pad = dyn_cast<tensor::PadOp>(op))
        clonePad(pad);
      else
        cloneOp(cast<linalg::LinalgOp>(op));
    }
    builder.setInsertionPointToEnd(body);
    func::ReturnOp::create(builder, loc, mapping.lookup(group.result));
    return func;
  }

private:
  void cloneOp(linalg::LinalgOp op) {
    // By operand, not by value: the op may both read and overwrite a tensor.
    SmallVector<Value> operands;
    for (OpOperand &operand : op->getOpOperands())
      operands.push_back(isRead(operand) ? mapping.lookup(operand.get())
                                         : makeInside(op, operand));
    op->walk([&](Operation *inner) {
      if (inner != op)
        for (Value operand : inner->getOperands())
          if (!op->isAncestor(operand.getParentBlock()->getParentOp()))
            mapping.map(operand, constantLike(operand));
    });
    builder.setInsertionPointToEnd(body);
    Operation *copy = builder.clone(*op, mapping);
    copy->setOperands(operands);
    copy = generalize(copy);
    mapping.map(op->getResults(), copy->getResults());
    // Discardable attributes are not part of the task.
    copy->setDiscardableAttrs(DictionaryAttr::get(copy->getContext()));
    if (auto generic = dyn_cast<linalg::GenericOp>(copy)) {
      generic.removeDocAttr();
      generic.removeLibraryCallAttr();
    }
    // Constants are at the top, as canonicalization places them.
    copy->walk([&](arith::ConstantOp constant) {
      constant.replaceAllUsesWith(constantLike(constant));
      constant.erase();
    });
  }

  /// Generalizes named ops, because some programs use the named form and others
  /// do not. The two matrix products keep their names.
  Operation *generalize(Operation *op) {
    if (isa<linalg::GenericOp, linalg::MatmulOp, linalg::BatchMatmulOp>(op))
      return op;
    IRRewriter rewriter(op->getContext());
    rewriter.setInsertionPoint(op);
    FailureOr<linalg::GenericOp> generic =
        linalg::generalizeNamedOp(rewriter, cast<linalg::LinalgOp>(op));
    return succeeded(generic) ? generic->getOperation() : op;
  }

  void clonePad(tensor::PadOp pad) {
    Value inside = constantLike(pad.getConstantPaddingValue());
    builder.setInsertionPointToEnd(body);
    mapping.map(pad, tensor::PadOp::create(
                         builder, pad.getLoc(), pad.getResultType(),
                         mapping.lookup(pad.getSource()), pad.getMixedLowPad(),
                         pad.getMixedHighPad(), inside)
                         .getResult());
  }

  /// Creates a tensor with the shape of `operand`, either without contents or
  /// filled with a constant. Each op gets its own.
  Value makeInside(linalg::LinalgOp op, OpOperand &operand) {
    auto fill = op.payloadUsesValueFromOperand(&operand)
                    ? operand.get().getDefiningOp<linalg::FillOp>()
                    : nullptr;
    Value scalar;
    if (fill)
      scalar = constantLike(fill.getInputs()[0]);
    builder.setInsertionPointToEnd(body);
    auto type = cast<RankedTensorType>(operand.get().getType());
    Value empty =
        tensor::EmptyOp::create(builder, operand.get().getLoc(),
                                type.getShape(), type.getElementType());
    if (!fill)
      return empty;
    return linalg::FillOp::create(builder, fill.getLoc(), scalar, empty)
        .getResult(0);
  }

  Value constantLike(Value outside) {
    auto constant = outside.getDefiningOp<arith::ConstantOp>();
    Value &made = constants[constant.getValue()];
    if (!made) {
      if (lastConstant)
        builder.setInsertionPointAfter(lastConstant);
      else
        builder.setInsertionPointToStart(body);
      lastConstant = arith::ConstantOp::create(builder, constant.getLoc(),
                                               constant.getValue());
      made = lastConstant->getResult(0);
    }
    return made;
  }

  OpBuilder builder;
  Block *body = nullptr;
  IRMapping mapping;
  /// Typed attributes: a value determines its type.
  DenseMap<Attribute, Value> constants;
  Operation *lastConstant = nullptr;
};
} // namespace

TaskOutliner::TaskOutliner(ModuleOp module, SymbolTable &symbols)
    : module(module), symbols(symbols) {
  for (auto func : module.getOps<func::FuncOp>())
    if (auto task = func->getAttrOfType<DictionaryAttr>(
            PrunerDialect::getTaskAttrName()))
      if (auto key = task.getAs<StringAttr>("key"))
        tasks[key.getValue()] = func;
}

bool TaskOutliner::outline(RewriterBase &rewriter, const TaskGroup &group,
                           const TaskIR &task) {
  func::FuncOp func = BodyWriter(module.getContext()).write(group);
  TaskInfo info = {taskKey(func), 0, int64_t(task.desc.flops()),
                   int64_t(task.desc.bytes())};
  func::FuncOp &known = tasks[info.key];
  bool isNew = !known;
  if (isNew) {
    known = func;
    func.setName(
        (taskStem(task) + "_" + StringRef(info.key).take_front(8)).str());
    func.setPrivate();
    func.setNoInline(true);
    info.attachTo(func);
    symbols.insert(func); // Renames it if another symbol has its name.
  } else {
    func.erase();
  }
  Operation *last = group.ops.back();
  rewriter.setInsertionPoint(last);
  // The call gets the locations of all ops that it replaces.
  SmallVector<Location> places;
  for (Operation *op : llvm::reverse(group.ops))
    places.push_back(op->getLoc());
  auto call = func::CallOp::create(rewriter, rewriter.getFusedLoc(places),
                                   known, group.arguments);
  rewriter.replaceOp(last, call.getResults());
  // A padded tensor may have other readers.
  for (Operation *op : llvm::reverse(ArrayRef(group.ops).drop_back()))
    if (op->use_empty())
      rewriter.eraseOp(op);
  return isNew;
}
