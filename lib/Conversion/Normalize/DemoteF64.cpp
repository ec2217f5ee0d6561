//===- DemoteF64.cpp - intermediate f64 becomes f32 -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IsTask.h"

#include "pruner/Conversion/Normalize/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace pruner {
#define GEN_PASS_DEF_DEMOTEF64PASS
#include "pruner/Conversion/Normalize/Passes.h.inc"
} // namespace pruner

/// `type` with f32 in place of f64; null if there is no f64 in it.
static Type demoted(Type type) {
  Type single = Float32Type::get(type.getContext());
  if (type.isF64())
    return single;
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.getElementType().isF64())
    return {};
  return tensor.clone(single);
}

static bool usesF64(Operation *op) {
  auto isF64 = [](Type type) { return demoted(type) != nullptr; };
  return llvm::any_of(op->getOperandTypes(), isF64) ||
         llvm::any_of(op->getResultTypes(), isF64);
}

/// `number` as an f32, unless it would become infinite or zero. An epsilon that
/// becomes zero would lead to a division by zero.
static std::optional<APFloat> demoted(APFloat number) {
  bool losesInfo = false;
  bool finite = number.isFinite(), zero = number.isZero();
  number.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
  if (finite != number.isFinite() || zero != number.isZero())
    return std::nullopt;
  return number;
}

/// The value of an f64 constant in f32; null if it has none.
static TypedAttr demoted(TypedAttr value) {
  auto type = demoted(value.getType());
  if (auto scalar = dyn_cast<FloatAttr>(value)) {
    std::optional<APFloat> number = demoted(scalar.getValue());
    return number ? FloatAttr::get(type, *number) : TypedAttr();
  }
  auto elements = dyn_cast<DenseFPElementsAttr>(value);
  if (!elements)
    return {};
  SmallVector<APFloat> numbers;
  if (elements.isSplat()) {
    std::optional<APFloat> number = demoted(elements.getSplatValue<APFloat>());
    if (!number)
      return {};
    numbers.push_back(*number);
  } else {
    for (APFloat element : elements.getValues<APFloat>()) {
      std::optional<APFloat> number = demoted(element);
      if (!number)
        return {};
      numbers.push_back(*number);
    }
  }
  return DenseElementsAttr::get(cast<ShapedType>(type), numbers);
}

/// Why `op` must keep its f64; empty if it need not.
static StringRef obstacle(Operation *op) {
  if (!isa_and_nonnull<linalg::LinalgDialect, tensor::TensorDialect,
                       arith::ArithDialect, math::MathDialect>(
          op->getDialect()))
    return "the op is not known to have an f32 version";
  if (isa<arith::BitcastOp, tensor::BitcastOp>(op))
    return "the op reads the bits";
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    if (!demoted(cast<TypedAttr>(constant.getValue())))
      return "the constant overflows or vanishes in f32";
  return {};
}

namespace {
struct DemoteF64 : pruner::impl::DemoteF64PassBase<DemoteF64> {
  void demote(Value value) {
    if (Type type = demoted(value.getType())) {
      value.setType(type);
      ++numValues;
    }
  }

  /// True if every op of the function can use f32. A function that takes or
  /// returns f64 keeps it.
  bool canDemote() {
    FunctionType type = getOperation().getFunctionType();
    auto isF64 = [](Type type) { return demoted(type) != nullptr; };
    if (llvm::any_of(type.getInputs(), isF64) ||
        llvm::any_of(type.getResults(), isF64))
      return false;
    WalkResult result = getOperation().walk([&](Operation *op) {
      StringRef why = usesF64(op) ? obstacle(op) : StringRef();
      if (why.empty())
        return WalkResult::advance();
      op->emitRemark("the function keeps f64, because ") << why;
      return WalkResult::interrupt();
    });
    return !result.wasInterrupted();
  }

  void runOnOperation() override {
    if (pruner::isTask(getOperation()) || !canDemote())
      return;
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops) {
      if (auto constant = dyn_cast<arith::ConstantOp>(op))
        if (demoted(constant.getType()))
          constant.setValueAttr(demoted(cast<TypedAttr>(constant.getValue())));
      for (Value result : op->getResults())
        demote(result);
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (BlockArgument argument : block.getArguments())
            demote(argument);
    }
    // Removes conversions that have become trivial.
    IRRewriter rewriter(&getContext());
    for (Operation *op : ops)
      if (isa<arith::ExtFOp, arith::TruncFOp>(op) &&
          op->getOperand(0).getType() == op->getResult(0).getType())
        rewriter.replaceOp(op, op->getOperand(0));
  }
};
} // namespace
