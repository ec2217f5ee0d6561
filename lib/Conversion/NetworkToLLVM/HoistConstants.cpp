//===- HoistConstants.cpp - run constant computations once ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BufferPlan.h"
#include "InlineCall.h"

#include "pruner/Conversion/NetworkToLLVM/Passes.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"

namespace pruner {
#define GEN_PASS_DEF_HOISTCONSTANTSPASS
#include "pruner/Conversion/NetworkToLLVM/Passes.h.inc"
} // namespace pruner

using namespace mlir;
using namespace pruner;

namespace {

/// The time at which a value is known.
enum class Known { Anyway, Ahead, Later };

/// Splits one network.
class Splitter {
public:
  Splitter(func::FuncOp network, SymbolTable &symbols)
      : network(network), symbols(symbols), body(network.getBody().front()) {}

  unsigned numHoisted = 0, numPrepared = 0;

  void run() {
    inlinePackers();
    findCrossing();
    if (wrapNumbers())
      findCrossing();
    // Views and scalars alone are not worth a function.
    if (llvm::all_of(crossing,
                     [](Value value) { return isa<BlockArgument>(value); }))
      return;
    nameArguments();
    writePrepare();
    rewriteNetwork();
  }

private:
  /// Inlines tasks that pack their arguments, so that the packing is visible in
  /// the network.
  void inlinePackers() {
    SmallVector<func::CallOp> calls;
    for (auto call : body.getOps<func::CallOp>()) {
      auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
      if (callee && !callee.isExternal() && callee.getBody().hasOneBlock() &&
          llvm::any_of(callee.getBody().getOps<func::CallOp>(),
                       [&](func::CallOp inner) { return isPack(inner); }))
        calls.push_back(call);
    }
    llvm::SmallSetVector<Operation *, 8> callees;
    for (func::CallOp call : calls) {
      auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
      callees.insert(callee);
      inlineCall(call, callee);
    }
    // One walk of the module for all of them.
    llvm::DenseSet<StringAttr> named;
    if (auto uses = SymbolTable::getSymbolUses(
            &network->getParentOfType<ModuleOp>().getBodyRegion()))
      for (SymbolTable::SymbolUse use : *uses)
        named.insert(use.getSymbolRef().getRootReference());
    for (Operation *callee : callees) {
      auto function = cast<func::FuncOp>(callee);
      if (function.isPrivate() && !named.contains(function.getSymNameAttr()))
        symbols.erase(callee);
    }
  }

  bool isPack(func::CallOp call) const {
    auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
    return callee && callee->hasAttr(PrunerDialect::getPackAttrName());
  }

  /// Whether a task runs on a GPU. Values that are computed once are computed
  /// on the CPU.
  bool isOnGpu(func::FuncOp task) const {
    return llvm::any_of(task.getOps<func::CallOp>(), [&](func::CallOp call) {
      auto kernel = symbols.lookup<func::FuncOp>(call.getCallee());
      return kernel && !kernel.getOps<gpu::LaunchFuncOp>().empty();
    });
  }

  /// Calls of tasks and of packing functions have no effects other than their
  /// results.
  bool isPure(Operation *op) const {
    if (op->hasTrait<OpTrait::IsTerminator>())
      return false;
    if (auto call = dyn_cast<func::CallOp>(op)) {
      auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
      return callee && (callee->hasAttr(PrunerDialect::getPackAttrName()) ||
                        (callee->hasAttr(PrunerDialect::getTaskAttrName()) &&
                         !isOnGpu(callee)));
    }
    return isMemoryEffectFree(op) &&
           llvm::all_of(op->getResultTypes(),
                        [](Type type) { return !isa<BaseMemRefType>(type); });
  }

  static SmallVector<Value> operandsOf(Operation *op) {
    SmallVector<Value> operands(op->getOperands());
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(op->getRegions(), captured);
    llvm::append_range(operands, captured);
    return operands;
  }

  void findCrossing() {
    crossing.clear();
    again.clear();
    numbers.clear();
    classify();
    for (Operation &op : body)
      if (knownOf(&op) == Known::Later)
        for (Value used : operandsOf(&op))
          if (knownOf(used) == Known::Ahead)
            cross(used);
  }

  /// Wraps scalars that a loop or another region computes in tensors.
  bool wrapNumbers() {
    for (Value number : numbers) {
      OpBuilder builder(number.getContext());
      builder.setInsertionPointAfterValue(number);
      Location loc = number.getLoc();
      Value tensor = tensor::FromElementsOp::create(
          builder, loc, RankedTensorType::get({}, number.getType()), number);
      Value read =
          tensor::ExtractOp::create(builder, loc, tensor, ValueRange());
      number.replaceAllUsesExcept(read, tensor.getDefiningOp());
    }
    return !numbers.empty();
  }

  void classify() {
    for (Operation &op : body) {
      Known known = isPure(&op) ? Known::Anyway : Known::Later;
      for (Value used : operandsOf(&op))
        known = std::max(known, knownOf(used));
      knownOps[&op] = known;
    }
  }

  Known knownOf(Operation *op) const { return knownOps.lookup(op); }

  Known knownOf(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      // An argument of an inner op is known when the op is.
      if (argument.getOwner() != &body)
        return Known::Anyway;
      return network.getArgAttr(argument.getArgNumber(),
                                PrunerDialect::getConstantAttrName())
                 ? Known::Ahead
                 : Known::Later;
    }
    Operation *op = value.getDefiningOp();
    return op->getBlock() == &body ? knownOf(op) : Known::Anyway;
  }

  /// Views move no data, so they are repeated on the other side.
  static bool isView(Operation *op) {
    return isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::CastOp>(
        op);
  }

  /// Networks only take and return tensors whose elements exist in C.
  static bool canCross(Value value) {
    auto tensor = dyn_cast<RankedTensorType>(value.getType());
    return tensor && tensor.hasStaticShape() && !tensor.getEncoding() &&
           isElementOfC(tensor.getElementType());
  }

  /// `value` is used later. If it cannot cross, as a number that was read from
  /// a tensor, it is computed on both sides, unless that takes a loop.
  void cross(Value value) {
    Operation *op = value.getDefiningOp();
    if (op && op->getNumRegions() != 0 && isElementOfC(value.getType())) {
      numbers.insert(value);
      return;
    }
    if (op && (isView(op) || !canCross(value))) {
      if (again.insert(op))
        for (Value used : operandsOf(op))
          if (knownOf(used) == Known::Ahead)
            cross(used);
      return;
    }
    crossing.insert(value);
  }

  bool isHoisted(Operation *op) {
    return knownOf(op) == Known::Ahead && !again.contains(op);
  }

  /// The ops that crossing values depend on, in order.
  SmallVector<Operation *> neededOps(llvm::SetVector<Value> &arguments) {
    llvm::SmallPtrSet<Operation *, 32> needed;
    SmallVector<Value> worklist(crossing.begin(), crossing.end());
    while (!worklist.empty()) {
      Value next = worklist.pop_back_val();
      Operation *op = next.getDefiningOp();
      if (op && op->getBlock() == &body && needed.insert(op).second)
        llvm::append_range(worklist, operandsOf(op));
    }
    SmallVector<Operation *> ordered;
    for (Operation &op : body)
      if (needed.contains(&op)) {
        ordered.push_back(&op);
        for (Value used : operandsOf(&op))
          if (isa<BlockArgument>(used) &&
              cast<BlockArgument>(used).getOwner() == &body)
            arguments.insert(used);
      }
    return ordered;
  }

  /// Arguments without a name are identified by their number, which changes in
  /// both functions. Their old number becomes their name.
  void nameArguments() {
    StringRef attribute = PrunerDialect::getNameAttrName();
    llvm::StringSet<> names;
    for (unsigned n = 0; n < network.getNumArguments(); ++n)
      if (auto name = network.getArgAttrOfType<StringAttr>(n, attribute))
        names.insert(name.getValue());
    for (unsigned n = 0; n < network.getNumArguments(); ++n) {
      if (network.getArgAttr(n, attribute))
        continue;
      std::string name = ("arg" + Twine(n)).str();
      while (!names.insert(name).second)
        name += "_";
      network.setArgAttr(n, attribute,
                         StringAttr::get(network.getContext(), name));
    }
  }

  void writePrepare() {
    // Arguments with direct uses stay arguments.
    crossing.remove_if([](Value value) { return isa<BlockArgument>(value); });
    llvm::SetVector<Value> used;
    SmallVector<Operation *> ops = neededOps(used);
    SmallVector<Value> arguments;
    for (BlockArgument argument : body.getArguments())
      if (used.contains(argument))
        arguments.push_back(argument);
    Location loc = network.getLoc();
    OpBuilder builder(network);
    builder.setInsertionPointAfter(network);
    auto prepare = func::FuncOp::create(
        builder, loc, (network.getName() + "_prepare").str(),
        builder.getFunctionType(ValueRange(arguments).getTypes(),
                                ValueRange(crossing.getArrayRef()).getTypes()));
    symbols.insert(prepare);
    prepare->setAttr(PrunerDialect::getPreparesAttrName(),
                     FlatSymbolRefAttr::get(network.getSymNameAttr()));
    Block *block = prepare.addEntryBlock();
    IRMapping mapping;
    for (auto [n, argument] : llvm::enumerate(arguments)) {
      mapping.map(argument, block->getArgument(n));
      if (auto attributes = network.getArgAttrDict(
              cast<BlockArgument>(argument).getArgNumber()))
        prepare.setArgAttrs(n, attributes);
    }
    builder.setInsertionPointToStart(block);
    for (Operation *op : ops) {
      builder.clone(*op, mapping);
      numHoisted += knownOf(op) == Known::Ahead && !isView(op);
    }
    SmallVector<Value> results;
    for (auto [n, value] : llvm::enumerate(crossing)) {
      results.push_back(mapping.lookup(value));
      prepare.setResultAttr(n, PrunerDialect::getNameAttrName(),
                            builder.getStringAttr("prepared" + Twine(n)));
    }
    func::ReturnOp::create(builder, loc, results);
    numPrepared = results.size();
  }

  void rewriteNetwork() {
    Builder builder(network.getContext());
    for (auto [n, crossed] : llvm::enumerate(crossing)) {
      Value value = crossed;
      NamedAttrList attributes;
      attributes.set(PrunerDialect::getConstantAttrName(),
                     builder.getUnitAttr());
      attributes.set(PrunerDialect::getNameAttrName(),
                     builder.getStringAttr("prepared" + Twine(n)));
      unsigned number = network.getNumArguments();
      (void)network.insertArgument(
          number, value.getType(),
          attributes.getDictionary(network.getContext()), value.getLoc());
      value.replaceUsesWithIf(body.getArgument(number), [&](OpOperand &use) {
        Operation *user = body.findAncestorOpInBlock(*use.getOwner());
        return !isHoisted(user);
      });
    }
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
      if (knownOf(&op) != Known::Later && op.use_empty() &&
          !op.hasTrait<OpTrait::IsTerminator>())
        op.erase();
    llvm::BitVector unused(network.getNumArguments());
    for (BlockArgument argument : body.getArguments())
      if (argument.use_empty() &&
          network.getArgAttr(argument.getArgNumber(),
                             PrunerDialect::getConstantAttrName()))
        unused.set(argument.getArgNumber());
    (void)network.eraseArguments(unused);
  }

  func::FuncOp network;
  SymbolTable &symbols;
  Block &body;
  llvm::DenseMap<Operation *, Known> knownOps;
  /// Values that the network takes instead of computing them, and values that
  /// it computes although they are known ahead.
  llvm::SetVector<Value> crossing;
  llvm::SmallSetVector<Operation *, 16> again;
  /// Values that would cross if they were tensors.
  llvm::SmallSetVector<Value, 4> numbers;
};

struct HoistConstantsPass
    : public pruner::impl::HoistConstantsPassBase<HoistConstantsPass> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    SmallVector<func::FuncOp> networks;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function.isPublic() && !function.isExternal() &&
          function.getBody().hasOneBlock() &&
          !function->hasAttr(PrunerDialect::getPreparesAttrName()) &&
          hasConstants(function))
        networks.push_back(function);
    for (func::FuncOp network : networks) {
      Splitter splitter(network, symbols);
      splitter.run();
      numHoisted += splitter.numHoisted;
      numPrepared += splitter.numPrepared;
    }
  }

  static bool hasConstants(func::FuncOp function) {
    for (unsigned n = 0; n < function.getNumArguments(); ++n)
      if (function.getArgAttr(n, PrunerDialect::getConstantAttrName()))
        return true;
    return false;
  }
};
} // namespace
