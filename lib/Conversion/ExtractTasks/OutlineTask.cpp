//===- OutlineTask.cpp - one group becomes one function -----------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OutlineTask.h"
#include "Classify.h"

#include "pruner/Conversion/ExtractTasks/Passes.h"
#include "pruner/Conversion/ExtractTasks/TaskKey.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace pruner;

/// Bytes of a tensor; i1 takes one each.
static int64_t bytesOf(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return tensor.getNumElements() *
         llvm::divideCeil(tensor.getElementTypeBitWidth(), 8);
}

namespace {
/// Writes a group in canonical form into a new function.
class BodyWriter {
public:
  BodyWriter(Location loc, MLIRContext *context) : builder(context) {
    func =
        func::FuncOp::create(loc, "task", FunctionType::get(context, {}, {}));
    body = func.addEntryBlock();
  }

  func::FuncOp write(const TaskGroup &group) {
    for (linalg::LinalgOp op : group.ops())
      cloneOp(op);
    Value result = mapping.lookup(group.last()->getResult(0));
    builder.setInsertionPointToEnd(body);
    func::ReturnOp::create(builder, group.last().getLoc(), result);
    func.setType(
        builder.getFunctionType(body->getArgumentTypes(), result.getType()));
    return func;
  }

  /// What the call passes, in the order of the function's arguments.
  SmallVector<Value> arguments;

private:
  void cloneOp(linalg::LinalgOp op) {
    for (OpOperand *input : op.getDpsInputOperands())
      provide(input->get());
    for (OpOperand &init : op.getDpsInitsMutable())
      provideInit(init.get(), op.payloadUsesValueFromOperand(&init));
    op->walk([&](Operation *inner) {
      if (inner != op)
        for (Value operand : inner->getOperands())
          if (!op->isAncestor(operand.getParentBlock()->getParentOp()))
            provide(operand);
    });
    builder.setInsertionPointToEnd(body);
    Operation *copy = builder.clone(*op, mapping);
    // Nothing but the op's own attributes is part of the task.
    copy->setDiscardableAttrs(DictionaryAttr::get(copy->getContext()));
    // Constants stand at the top, as canonicalization would put them.
    copy->walk([&](arith::ConstantOp constant) {
      constant.replaceAllUsesWith(constantLike(constant));
      constant.erase();
    });
  }

  /// Makes `value` available inside: constants are copied, everything else
  /// becomes an argument.
  void provide(Value value) {
    if (mapping.contains(value))
      return;
    if (auto constant = value.getDefiningOp<arith::ConstantOp>()) {
      auto dense = dyn_cast<DenseElementsAttr>(constant.getValue());
      if (!isa<TensorType>(value.getType()) || (dense && dense.isSplat())) {
        mapping.map(value, constantLike(constant));
        return;
      }
    }
    arguments.push_back(value);
    mapping.map(value, body->addArgument(value.getType(), value.getLoc()));
  }

  /// Init operands are made inside when nobody reads them or when they hold a
  /// constant. Each op gets its own, whoever shares it outside.
  void provideInit(Value value, bool isRead) {
    mapping.erase(value);
    auto fill = value.getDefiningOp<linalg::FillOp>();
    bool isConstant =
        fill && fill.getInputs()[0].getDefiningOp<arith::ConstantOp>();
    if (isRead && !isConstant)
      return provide(value);
    if (isRead)
      provide(fill.getInputs()[0]);
    builder.setInsertionPointToEnd(body);
    auto type = cast<RankedTensorType>(value.getType());
    Value init = tensor::EmptyOp::create(
        builder, value.getLoc(), type.getShape(), type.getElementType());
    if (isRead)
      init = linalg::FillOp::create(builder, fill.getLoc(),
                                    mapping.lookup(fill.getInputs()[0]), init)
                 .getResult(0);
    mapping.map(value, init);
  }

  Value constantLike(arith::ConstantOp constant) {
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
  func::FuncOp func;
  Block *body;
  IRMapping mapping;
  /// Typed attributes: a value determines its type.
  DenseMap<Attribute, Value> constants;
  Operation *lastConstant = nullptr;
};
} // namespace

std::string pruner::taskKey(func::FuncOp func) {
  std::string text;
  llvm::raw_string_ostream os(text);
  OpPrintingFlags flags;
  flags.printGenericOpForm().useLocalScope().enableDebugInfo(false);
  AsmState state(func, flags);
  os << func.getFunctionType() << "\n";
  for (Operation &op : func.getBody().front()) {
    op.print(os, state);
    os << "\n";
  }
  llvm::XXH128_hash_t hash =
      llvm::xxh3_128bits(llvm::arrayRefFromStringRef(text));
  return llvm::utohexstr(hash.high64, /*LowerCase=*/true, /*Width=*/16) +
         llvm::utohexstr(hash.low64, /*LowerCase=*/true, /*Width=*/16);
}

/// "task_matmul_128x512x512": the anchor and its loop extents.
static std::string stemOf(const TaskGroup &group) {
  linalg::LinalgOp op = group.anchor ? group.anchor : group.last();
  std::string stem = "task_";
  if (!group.anchor)
    stem += "elementwise";
  else if (isa<linalg::GenericOp>(op))
    stem += "contract";
  else
    stem += op->getName().stripDialect();
  char separator = '_';
  for (int64_t extent : op.getStaticLoopRanges()) {
    stem += separator + std::to_string(extent);
    separator = 'x';
  }
  return stem;
}

static DictionaryAttr taskAttr(Builder &builder, StringRef key, int64_t weight,
                               int64_t flops, int64_t bytes) {
  return builder.getDictionaryAttr(
      {builder.getNamedAttr("key", builder.getStringAttr(key)),
       builder.getNamedAttr("weight", builder.getI64IntegerAttr(weight)),
       builder.getNamedAttr("flops", builder.getI64IntegerAttr(flops)),
       builder.getNamedAttr("bytes", builder.getI64IntegerAttr(bytes))});
}

TaskOutliner::TaskOutliner(ModuleOp module, SymbolTable &symbols)
    : module(module), symbols(symbols) {
  for (auto func : module.getOps<func::FuncOp>())
    if (auto task = func->getAttrOfType<DictionaryAttr>(
            PrunerDialect::getTaskAttrName()))
      if (auto key = task.getAs<StringAttr>("key"))
        tasks[key.getValue()] = func;
}

bool TaskOutliner::outline(RewriterBase &rewriter, const TaskGroup &group) {
  SmallVector<linalg::LinalgOp> ops = group.ops();
  linalg::LinalgOp last = group.last();
  BodyWriter writer(last.getLoc(), module.getContext());
  func::FuncOp func = writer.write(group);
  std::string key = taskKey(func);
  func::FuncOp &known = tasks[key];
  bool isNew = !known;
  if (isNew) {
    known = func;
    int64_t flops = 0, bytes = bytesOf(func.getResultTypes()[0]);
    for (linalg::LinalgOp op : ops)
      flops += numFlops(op);
    for (Type type : func.getArgumentTypes())
      bytes += bytesOf(type);
    func.setName((stemOf(group) + "_" + StringRef(key).take_front(8)).str());
    func.setPrivate();
    func.setNoInline(true);
    func->setAttr(PrunerDialect::getTaskAttrName(),
                  taskAttr(rewriter, key, 0, flops, bytes));
    symbols.insert(func); // Renames it if another symbol has the name.
  } else {
    func.erase();
  }
  rewriter.setInsertionPoint(last);
  auto call =
      func::CallOp::create(rewriter, last.getLoc(), known, writer.arguments);
  rewriter.replaceOp(last, call.getResults());
  for (linalg::LinalgOp op : llvm::reverse(ArrayRef(ops).drop_back()))
    rewriter.eraseOp(op);
  return isNew;
}

void TaskOutliner::updateWeights() {
  llvm::StringMap<int64_t> calls;
  module.walk([&](func::CallOp call) { ++calls[call.getCallee()]; });
  Builder builder(module.getContext());
  for (auto func : module.getOps<func::FuncOp>()) {
    auto task =
        func->getAttrOfType<DictionaryAttr>(PrunerDialect::getTaskAttrName());
    if (!task)
      continue;
    NamedAttrList entries(task);
    entries.set("weight",
                builder.getI64IntegerAttr(calls.lookup(func.getName())));
    func->setAttr(PrunerDialect::getTaskAttrName(),
                  entries.getDictionary(module.getContext()));
  }
}
