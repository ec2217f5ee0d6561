//===- OutlineOperations.cpp - one function per distinct operation --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BufferPlan.h"

#include "pruner/Conversion/NetworkToLLVM/Passes.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Dialect/Pruner/IR/WholeText.h"
#include "pruner/Recognition/ScalarOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"

namespace pruner {
#define GEN_PASS_DEF_OUTLINEOPERATIONSPASS
#include "pruner/Conversion/NetworkToLLVM/Passes.h.inc"
} // namespace pruner

using namespace mlir;

/// True if a pointer or a scalar represents a value of the type completely.
static bool canPass(Type type) {
  if (type.isIntOrIndexOrFloat())
    return true;
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref || !memref.hasStaticShape())
    return false;
  SmallVector<int64_t> strides;
  int64_t offset;
  return succeeded(memref.getStridesAndOffset(strides, offset)) &&
         !ShapedType::isDynamic(offset) &&
         llvm::none_of(strides, ShapedType::isDynamic);
}

/// The `pruner.work` of an operation. Each operand counts once; accesses of the
/// body to other memory do not count.
static DictionaryAttr workOf(linalg::LinalgOp op) {
  int64_t bytes = 0;
  for (Type type : op->getOperandTypes())
    if (auto memref = dyn_cast<MemRefType>(type))
      bytes = pruner::addSizes(bytes, pruner::bufferBytes(memref));
  std::string loops;
  llvm::raw_string_ostream os(loops);
  llvm::interleave(op.getStaticLoopRanges(), os, "x");
  Builder builder(op->getContext());
  NamedAttrList work;
  work.set("bytes", builder.getI64IntegerAttr(bytes));
  work.set("flops", builder.getI64IntegerAttr(pruner::numFlops(op)));
  work.set("loops", builder.getStringAttr(loops));
  return work.getDictionary(op->getContext());
}

namespace {
struct OutlineOperationsPass
    : public pruner::impl::OutlineOperationsPassBase<OutlineOperationsPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTable table(module);
    symbols = &table;
    functions.clear();

    SmallVector<memref::CopyOp> copies;
    module.walk([&](memref::CopyOp op) { copies.push_back(op); });
    for (memref::CopyOp op : copies)
      replaceCopy(op);

    SmallVector<linalg::LinalgOp> ops;
    module.walk([&](linalg::LinalgOp op) {
      if (op.hasPureBufferSemantics())
        ops.push_back(op);
    });
    for (linalg::LinalgOp op : ops)
      outline(op);
  }

  /// Replaces a copy of memory that is not contiguous, which would become a
  /// library call.
  static void replaceCopy(memref::CopyOp op) {
    auto source = dyn_cast<MemRefType>(op.getSource().getType());
    auto target = dyn_cast<MemRefType>(op.getTarget().getType());
    if (!source || !target ||
        (memref::isStaticShapeAndContiguousRowMajor(source) &&
         memref::isStaticShapeAndContiguousRowMajor(target)))
      return;
    OpBuilder builder(op);
    linalg::CopyOp::create(builder, op.getLoc(), op.getSource(),
                           op.getTarget());
    op.erase();
  }

  void outline(linalg::LinalgOp op) {
    llvm::SetVector<Value> used(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), used);
    SmallVector<Value> arguments;
    SmallVector<Operation *> constants;
    for (Value value : used) {
      Operation *def = value.getDefiningOp();
      if (def && matchPattern(def, m_Constant()))
        constants.push_back(def);
      else if (canPass(value.getType()))
        arguments.push_back(value);
      else
        return; // The op stays, which is correct but slower to compile.
    }

    func::FuncOp function = makeFunction(op, arguments, constants);
    std::string text;
    llvm::raw_string_ostream os(text);
    function->print(os, pruner::wholeText().useLocalScope());
    func::FuncOp &known = functions[text];
    if (known) {
      function.erase();
    } else {
      known = function;
      function.setName(("op_" + op->getName().stripDialect() + "_" +
                        Twine(functions.size() - 1))
                           .str());
      symbols->insert(function);
      ++numFunctions;
    }
    OpBuilder builder(op);
    func::CallOp::create(builder, op.getLoc(), known, arguments);
    op.erase();
    ++numOutlined;
  }

  func::FuncOp makeFunction(linalg::LinalgOp op, ArrayRef<Value> arguments,
                            ArrayRef<Operation *> constants) {
    OpBuilder builder(&getContext());
    auto function = func::FuncOp::create(
        op.getLoc(), "op",
        builder.getFunctionType(ValueRange(arguments).getTypes(), {}));
    function.setPrivate();
    function->setAttr("no_inline", builder.getUnitAttr());
    function->setAttr(pruner::PrunerDialect::getWorkAttrName(), workOf(op));
    Block *body = function.addEntryBlock();
    builder.setInsertionPointToStart(body);
    IRMapping mapping;
    mapping.map(arguments, body->getArguments());
    for (Operation *constant : constants)
      builder.clone(*constant, mapping);
    builder.clone(*op, mapping);
    func::ReturnOp::create(builder, op.getLoc());
    return function;
  }

  SymbolTable *symbols = nullptr;
  llvm::StringMap<func::FuncOp> functions; ///< By text without a name.
};
} // namespace
