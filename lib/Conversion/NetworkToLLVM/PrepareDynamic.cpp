//===- PrepareDynamic.cpp - networks of dynamic shape ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Conversion/NetworkToLLVM/Passes.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace pruner {
#define GEN_PASS_DEF_PREPAREDYNAMICPASS
#include "pruner/Conversion/NetworkToLLVM/Passes.h.inc"
} // namespace pruner

using namespace mlir;

/// The type of a pointer to the first element.
static MemRefType pointerTo(Type element) {
  return MemRefType::get({1}, element);
}

namespace {
struct PrepareDynamicPass
    : public pruner::impl::PrepareDynamicPassBase<PrepareDynamicPass> {
  using PrepareDynamicPassBase::PrepareDynamicPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto function = module.lookupSymbol<func::FuncOp>(entry);
    if (!function || function.isExternal()) {
      module.emitError("expected a function @") << entry << " with a body";
      return signalPassFailure();
    }
    for (auto other : module.getOps<func::FuncOp>())
      if (other != function && !other.isExternal())
        other.setPrivate();
    function.setPublic();
    function->removeAttr(pruner::PrunerDialect::getPlanAttrName());
    if (failed(check(function)))
      return signalPassFailure();
    describe(function);
    rewrite(function);
  }

private:
  static LogicalResult check(func::FuncOp function) {
    if (!function.getBody().hasOneBlock())
      return function.emitError("@")
             << function.getName() << " has several blocks, expected one";
    auto isTensor = llvm::IsaPred<RankedTensorType>;
    if (!llvm::all_of(function.getArgumentTypes(), isTensor) ||
        !llvm::all_of(function.getResultTypes(), isTensor))
      return function.emitError("@")
             << function.getName()
             << " has arguments or results that are not ranked tensors";
    WalkResult calls = function.walk([](func::CallOp call) {
      call.emitError("calls are not supported in a network of dynamic shape");
      return WalkResult::interrupt();
    });
    return failure(calls.wasInterrupted());
  }

  void describe(func::FuncOp function) {
    Builder builder(&getContext());
    auto flat = [&](TypeRange types) {
      SmallVector<Type> elements;
      for (Type type : types)
        elements.push_back(
            RankedTensorType::get({1}, getElementTypeOrSelf(type)));
      return elements;
    };
    SmallVector<Type> inputs = flat(function.getArgumentTypes());
    inputs.push_back(RankedTensorType::get({1}, builder.getI64Type()));
    NamedAttrList interface;
    interface.set("entry", function.getSymNameAttr());
    interface.set("inputs", builder.getTypeArrayAttr(inputs));
    interface.set("outputs",
                  builder.getTypeArrayAttr(flat(function.getResultTypes())));
    getOperation()->setAttr("pruner.interface",
                            interface.getDictionary(&getContext()));
  }

  /// The tensor at a pointer, as a buffer whose dynamic extents are `size`.
  static Value viewOf(OpBuilder &builder, Location loc, Value pointer,
                      RankedTensorType type, Value size) {
    const int64_t rank = type.getRank();
    SmallVector<OpFoldResult> extents, strides(rank);
    for (int64_t extent : type.getShape())
      extents.push_back(ShapedType::isDynamic(extent)
                            ? OpFoldResult(size)
                            : OpFoldResult(builder.getIndexAttr(extent)));
    OpFoldResult inner = builder.getIndexAttr(1);
    for (int64_t n = rank - 1; n >= 0; --n) {
      strides[n] = inner;
      std::optional<int64_t> known = getConstantIntValue(inner),
                             extent = getConstantIntValue(extents[n]);
      if (known && extent)
        inner = builder.getIndexAttr(*known * *extent);
      else if (known == 1)
        inner = extents[n];
      else
        inner = arith::MulIOp::create(
                    builder, loc,
                    getValueOrCreateConstantIndexOp(builder, loc, inner),
                    getValueOrCreateConstantIndexOp(builder, loc, extents[n]))
                    .getResult();
    }
    SmallVector<int64_t> staticExtents, staticStrides;
    SmallVector<Value> ignored;
    dispatchIndexOpFoldResults(extents, ignored, staticExtents);
    dispatchIndexOpFoldResults(strides, ignored, staticStrides);
    auto view = MemRefType::get(
        staticExtents, type.getElementType(),
        StridedLayoutAttr::get(builder.getContext(), 0, staticStrides));
    return memref::ReinterpretCastOp::create(
        builder, loc, view, pointer, builder.getIndexAttr(0), extents, strides);
  }

  void rewrite(func::FuncOp function) {
    Location loc = function.getLoc();
    Block &body = function.front();
    OpBuilder builder = OpBuilder::atBlockBegin(&body);
    SmallVector<Type> types;
    for (Type type : function.getArgumentTypes())
      types.push_back(pointerTo(getElementTypeOrSelf(type)));
    types.push_back(pointerTo(builder.getI64Type()));
    for (Type type : function.getResultTypes())
      types.push_back(pointerTo(getElementTypeOrSelf(type)));
    // A workspace, which it does not use.
    types.push_back(pointerTo(builder.getI8Type()));
    const unsigned numInputs = body.getNumArguments();
    SmallVector<Value> pointers;
    for (Type type : types)
      pointers.push_back(body.addArgument(type, loc));

    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    Value number = memref::LoadOp::create(builder, loc, pointers[numInputs],
                                          ValueRange(zero));
    Value size = arith::IndexCastOp::create(builder, loc,
                                            builder.getIndexType(), number);
    for (unsigned n = 0; n < numInputs; ++n) {
      BlockArgument argument = body.getArgument(n);
      auto type = cast<RankedTensorType>(argument.getType());
      Value view = viewOf(builder, loc, pointers[n], type, size);
      argument.replaceAllUsesWith(bufferization::ToTensorOp::create(
          builder, loc, type, view, /*restrict=*/true, /*writable=*/false));
    }
    auto exit = cast<func::ReturnOp>(body.getTerminator());
    builder.setInsertionPoint(exit);
    for (auto [n, value] : llvm::enumerate(exit.getOperands())) {
      Value view = viewOf(builder, loc, pointers[numInputs + 1 + n],
                          cast<RankedTensorType>(value.getType()), size);
      bufferization::MaterializeInDestinationOp::create(
          builder, loc, /*result=*/Type(), value, view, /*restrict=*/true,
          /*writable=*/true);
    }
    exit->setOperands({});
    body.eraseArguments(0, numInputs);
    for (StringRef attrs : {"arg_attrs", "res_attrs"})
      function->removeAttr(attrs);
    function.setFunctionType(builder.getFunctionType(types, {}));
  }
};
} // namespace
