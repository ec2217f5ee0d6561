//===- OutlineTask.cpp - one group becomes one function -----------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OutlineTask.h"
#include "Classify.h"
#include "Describe.h"

#include "pruner/Analysis/TaskFromIR.h"
#include "pruner/Conversion/ExtractTasks/Passes.h"
#include "pruner/Conversion/ExtractTasks/TaskKey.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace pruner;

/// Whether `value` is known before the network runs: a constant argument, or
/// computed from such alone.
static bool isConstantTensor(Value value) {
  SmallVector<Value> worklist{value};
  llvm::SmallDenseSet<Value> seen;
  bool anyArgument = false;
  while (!worklist.empty()) {
    Value next = worklist.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    if (auto argument = dyn_cast<BlockArgument>(next)) {
      auto func =
          dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
      if (!func || !func.getArgAttr(argument.getArgNumber(),
                                    PrunerDialect::getConstantAttrName()))
        return false;
      anyArgument = true;
      continue;
    }
    Operation *op = next.getDefiningOp();
    if (!isMemoryEffectFree(op))
      return false;
    llvm::append_range(worklist, op->getOperands());
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(op->getRegions(), captured);
    llvm::append_range(worklist, captured);
  }
  return anyArgument || value.getDefiningOp<arith::ConstantOp>();
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
    for (Operation *op : group.ops()) {
      if (auto pad = dyn_cast<tensor::PadOp>(op))
        clonePad(pad);
      else
        cloneOp(cast<linalg::LinalgOp>(op), /*isAnchor=*/op == group.anchor);
    }
    Value result = mapping.lookup(group.last()->getResult(0));
    builder.setInsertionPointToEnd(body);
    func::ReturnOp::create(builder, group.last().getLoc(), result);
    func.setType(
        builder.getFunctionType(body->getArgumentTypes(), result.getType()));
    for (auto [n, argument] : llvm::enumerate(arguments))
      if (isConstantTensor(argument))
        func.setArgAttr(n, PrunerDialect::getConstantAttrName(),
                        builder.getUnitAttr());
    return func;
  }

  /// What the call passes, in the order of the function's arguments.
  SmallVector<Value> arguments;

private:
  void cloneOp(linalg::LinalgOp op, bool isAnchor) {
    // By operand, not by value: the same tensor may be read and overwritten.
    SmallVector<Value> operands;
    for (OpOperand *input : op.getDpsInputOperands())
      // The window of a pooling has a shape and nothing else.
      operands.push_back(isAnchor && !op.payloadUsesValueFromOperand(input)
                             ? empty(input->get())
                             : provide(input->get()));
    for (OpOperand &init : op.getDpsInitsMutable())
      operands.push_back(
          provideInit(init.get(), op.payloadUsesValueFromOperand(&init)));
    op->walk([&](Operation *inner) {
      if (inner != op)
        for (Value operand : inner->getOperands())
          if (!op->isAncestor(operand.getParentBlock()->getParentOp()))
            provide(operand);
    });
    builder.setInsertionPointToEnd(body);
    Operation *copy = builder.clone(*op, mapping);
    copy->setOperands(operands);
    copy = generalize(copy);
    mapping.map(op->getResults(), copy->getResults());
    // Nothing but what the op computes is part of the task.
    copy->setDiscardableAttrs(DictionaryAttr::get(copy->getContext()));
    if (auto generic = dyn_cast<linalg::GenericOp>(copy)) {
      generic.removeDocAttr();
      generic.removeLibraryCallAttr();
    }
    // Constants stand at the top, as canonicalization would put them.
    copy->walk([&](arith::ConstantOp constant) {
      constant.replaceAllUsesWith(constantLike(constant));
      constant.erase();
    });
  }

  /// One spelling for ops that some programs name and others do not. The two
  /// matrix products keep their names.
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
    if (mapping.contains(pad))
      return;
    Value source = provide(pad.getSource());
    auto value =
        pad.getConstantPaddingValue().getDefiningOp<arith::ConstantOp>();
    Value inside = constantLike(value);
    builder.setInsertionPointToEnd(body);
    mapping.map(pad, tensor::PadOp::create(
                         builder, pad.getLoc(), pad.getResultType(), source,
                         pad.getMixedLowPad(), pad.getMixedHighPad(), inside)
                         .getResult());
  }

  /// Makes `value` available inside: scalar constants are copied, everything
  /// else becomes an argument.
  Value provide(Value value) {
    if (Value known = mapping.lookupOrNull(value))
      return known;
    Value inside;
    auto constant = value.getDefiningOp<arith::ConstantOp>();
    if (constant && !isa<TensorType>(value.getType())) {
      inside = constantLike(constant);
    } else {
      arguments.push_back(value);
      inside = body->addArgument(value.getType(), value.getLoc());
    }
    mapping.map(value, inside);
    return inside;
  }

  /// Init operands are made inside when nobody reads them or when they hold a
  /// constant. Each op gets its own, whoever shares it outside.
  Value provideInit(Value value, bool isRead) {
    if (!isRead)
      return empty(value);
    auto fill = value.getDefiningOp<linalg::FillOp>();
    if (!fill || !fill.getInputs()[0].getDefiningOp<arith::ConstantOp>())
      return provide(value);
    Value scalar = provide(fill.getInputs()[0]), init = empty(value);
    return linalg::FillOp::create(builder, fill.getLoc(), scalar, init)
        .getResult(0);
  }

  /// A tensor of the shape of `value`, whose elements nobody reads.
  Value empty(Value value) {
    builder.setInsertionPointToEnd(body);
    auto type = cast<RankedTensorType>(value.getType());
    return tensor::EmptyOp::create(builder, value.getLoc(), type.getShape(),
                                   type.getElementType());
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
  if (ArrayAttr attributes = func.getArgAttrsAttr())
    os << attributes << "\n";
  for (Operation &op : func.getBody().front()) {
    op.print(os, state);
    os << "\n";
  }
  llvm::XXH128_hash_t hash =
      llvm::xxh3_128bits(llvm::arrayRefFromStringRef(text));
  return llvm::utohexstr(hash.high64, /*LowerCase=*/true, /*Width=*/16) +
         llvm::utohexstr(hash.low64, /*LowerCase=*/true, /*Width=*/16);
}

/// "task_matmul_128x512x512": the kind of the anchor and its loop extents.
static std::string stemOf(const TaskGroup &group) {
  linalg::LinalgOp op = group.anchor ? group.anchor : group.last();
  std::string stem = "task_" + (!group.chain.empty() ? "rows"
                                : group.anchor       ? describeAnchor(op).name
                                                     : "elementwise");
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

/// The elements of `operand` that its op reads, at most: a box of the distance
/// that its map covers in each dimension.
static int64_t elementsRead(linalg::LinalgOp op, OpOperand &operand) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  SmallVector<AffineExpr> first, last;
  for (int64_t extent : op.getStaticLoopRanges()) {
    first.push_back(getAffineConstantExpr(0, map.getContext()));
    last.push_back(getAffineConstantExpr(extent - 1, map.getContext()));
  }
  auto at = [&](AffineExpr coordinate, ArrayRef<AffineExpr> point) {
    return cast<AffineConstantExpr>(
               simplifyAffineExpr(coordinate.replaceDims(point), 0, 0))
        .getValue();
  };
  int64_t elements = 1;
  for (AffineExpr coordinate : map.getResults())
    elements *= at(coordinate, last) - at(coordinate, first) + 1;
  return elements;
}

/// Bytes of `argument` that a task reads: all, unless it reads slices only.
static int64_t bytesRead(BlockArgument argument) {
  auto type = cast<RankedTensorType>(argument.getType());
  int64_t elements = 0;
  llvm::SmallDenseSet<AffineMap> maps;
  for (OpOperand &use : argument.getUses()) {
    auto op = dyn_cast<linalg::LinalgOp>(use.getOwner());
    if (!op)
      return bytesOf(type);
    if (maps.insert(op.getMatchingIndexingMap(&use)).second)
      elements += elementsRead(op, use);
  }
  return bytesOf(type.clone({std::min(elements, type.getNumElements())}));
}

TaskOutliner::TaskOutliner(ModuleOp module, SymbolTable &symbols)
    : module(module), symbols(symbols) {
  for (auto func : module.getOps<func::FuncOp>())
    if (auto task = func->getAttrOfType<DictionaryAttr>(
            PrunerDialect::getTaskAttrName()))
      if (auto key = task.getAs<StringAttr>("key"))
        tasks[key.getValue()] = func;
}

std::optional<std::string> TaskOutliner::obstacle(const TaskGroup &group) {
  BodyWriter writer(group.last().getLoc(), module.getContext());
  func::FuncOp func = writer.write(group);
  std::string message;
  ScopedDiagnosticHandler catcher(module.getContext(), [&](Diagnostic &found) {
    if (message.empty())
      message = found.str();
    return success();
  });
  bool readable = succeeded(readTask(func));
  func.erase();
  if (readable)
    return std::nullopt;
  return message;
}

bool TaskOutliner::outline(RewriterBase &rewriter, const TaskGroup &group) {
  SmallVector<Operation *> ops = group.ops();
  linalg::LinalgOp last = group.last();
  BodyWriter writer(last.getLoc(), module.getContext());
  func::FuncOp func = writer.write(group);
  std::string key = taskKey(func);
  func::FuncOp &known = tasks[key];
  bool isNew = !known;
  if (isNew) {
    known = func;
    int64_t flops = 0, bytes = bytesOf(func.getResultTypes()[0]);
    for (Operation *op : ops)
      if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
        flops += numFlops(linalgOp);
    for (BlockArgument argument : func.getArguments())
      bytes += bytesRead(argument);
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
  // A padded tensor may have other readers.
  for (Operation *op : llvm::reverse(ArrayRef(ops).drop_back()))
    if (op->use_empty())
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
