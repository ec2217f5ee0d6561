//===- Arithmetic.cpp - mutations of operations and constants -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Collect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace pruner;

/// An operation that could be confused with this one.
static StringRef otherOperation(Operation *op) {
  static const std::pair<StringRef, StringRef> others[] = {
      {"arith.addf", "arith.subf"},
      {"arith.subf", "arith.addf"},
      {"arith.mulf", "arith.addf"},
      {"arith.divf", "arith.mulf"},
      {"arith.maximumf", "arith.minimumf"},
      {"arith.minimumf", "arith.maximumf"},
      {"arith.maxnumf", "arith.minnumf"},
      {"arith.minnumf", "arith.maxnumf"},
      {"arith.addi", "arith.subi"},
      {"arith.subi", "arith.addi"},
      {"arith.muli", "arith.addi"},
      {"arith.divsi", "arith.muli"},
      {"arith.maxsi", "arith.minsi"},
      {"arith.minsi", "arith.maxsi"},
      {"arith.maxui", "arith.minui"},
      {"arith.minui", "arith.maxui"},
      {"arith.andi", "arith.ori"},
      {"arith.ori", "arith.andi"},
      {"arith.xori", "arith.ori"},
      {"arith.extsi", "arith.extui"},
      {"arith.extui", "arith.extsi"},
      {"arith.sitofp", "arith.uitofp"},
      {"arith.uitofp", "arith.sitofp"},
      {"math.exp", "math.exp2"},
      {"math.exp2", "math.exp"},
      {"math.log", "math.log2"},
      {"math.log1p", "math.log"},
      {"math.expm1", "math.exp"},
      {"math.tanh", "math.erf"},
      {"math.erf", "math.tanh"},
      {"math.sqrt", "math.rsqrt"},
      {"math.rsqrt", "math.sqrt"},
      {"math.floor", "math.ceil"},
      {"math.ceil", "math.floor"},
      {"math.round", "math.roundeven"},
      {"math.roundeven", "math.trunc"},
      {"math.sin", "math.cos"},
      {"math.cos", "math.sin"},
      {"math.absf", "math.floor"}};
  for (auto [from, to] : others)
    if (op->getName().getStringRef() == from)
      return to;
  return "";
}

static void replaceOperation(Operation *op, StringRef name) {
  OpBuilder builder(op);
  OperationState state(op->getLoc(), name);
  state.addOperands(op->getOperands());
  state.addTypes(op->getResultTypes());
  op->getResult(0).replaceAllUsesWith(builder.create(state)->getResult(0));
  op->erase();
}

/// Whether exchanging the last two operands changes the meaning of `op`.
static bool hasOrder(Operation *op) {
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return isIntegerLike(compare.getLhs().getType()) &&
           compare.getPredicate() > arith::CmpIPredicate::ne;
  return isa<arith::SubFOp, arith::DivFOp, arith::RemFOp, arith::SubIOp,
             arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
             arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp, arith::CmpFOp,
             arith::SelectOp, math::PowFOp, math::Atan2Op, vector::FMAOp,
             math::FmaOp>(op);
}

/// A comparison that differs if both sides are equal, or in its direction.
static void collectComparison(Operation *op, MutationCollector &collector) {
  if (auto compare = dyn_cast<arith::CmpFOp>(op)) {
    using P = arith::CmpFPredicate;
    P other;
    switch (compare.getPredicate()) {
    case P::OLT:
    case P::ULT:
      other = P::OLE;
      break;
    case P::OLE:
    case P::ULE:
      other = P::OLT;
      break;
    case P::OGT:
    case P::UGT:
      other = P::OGE;
      break;
    case P::OGE:
    case P::UGE:
      other = P::OGT;
      break;
    default:
      return;
    }
    collector.add(MutationKind::Operation, "arith.cmpf of equals",
                  [compare, other]() mutable { compare.setPredicate(other); });
    return;
  }
  auto compare = dyn_cast<arith::CmpIOp>(op);
  if (!compare || !isIntegerLike(compare.getLhs().getType()))
    return;
  auto inverse = arith::invertPredicate(compare.getPredicate());
  collector.add(
      MutationKind::Operation, "arith.cmpi inverted",
      [compare, inverse]() mutable { compare.setPredicate(inverse); });
}

void pruner::collectArithmetic(Operation *op, MutationCollector &collector) {
  std::string name = op->getName().getStringRef().str();
  if (auto reduction = dyn_cast<vector::ReductionOp>(op)) {
    using K = vector::CombiningKind;
    K other = reduction.getKind() == K::ADD ? K::MUL : K::ADD;
    collector.add(MutationKind::Operation,
                  "lanes combined by another operation",
                  [reduction, other]() mutable { reduction.setKind(other); });
    return;
  }
  if (isa<gpu::ShuffleOp>(op)) {
    collector.add(MutationKind::Skipped, "gpu.shuffle is left out", [op] {
      op->getResult(0).replaceAllUsesWith(op->getOperand(0));
      op->erase();
    });
    return;
  }
  if (op->getNumResults() != 1 || op->getNumRegions() != 0 ||
      (!isFloatLike(op->getResult(0).getType()) &&
       !isIntegerLike(op->getResult(0).getType())))
    return;
  bool arithmetic =
      isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) ||
      isa<vector::FMAOp>(op);
  if (!arithmetic || op->getNumOperands() == 0)
    return;
  if (hasOrder(op) && op->getOperand(op->getNumOperands() - 1).getType() ==
                          op->getOperand(op->getNumOperands() - 2).getType())
    collector.add(MutationKind::Operands, name + " with operands exchanged",
                  [op] {
                    unsigned last = op->getNumOperands() - 1;
                    Value value = op->getOperand(last);
                    op->setOperand(last, op->getOperand(last - 1));
                    op->setOperand(last - 1, value);
                  });
  if (StringRef other = otherOperation(op); !other.empty())
    collector.add(MutationKind::Operation, name + " becomes " + other.str(),
                  [op, other] { replaceOperation(op, other); });
  collectComparison(op, collector);
  for (unsigned n = 0; n < op->getNumOperands(); ++n)
    if (op->getOperand(n).getType() == op->getResult(0).getType())
      collector.add(MutationKind::Skipped,
                    name + " is replaced by its operand " + std::to_string(n),
                    [op, n] {
                      op->getResult(0).replaceAllUsesWith(op->getOperand(n));
                      op->erase();
                    });
}

/// Larger by one part in 64, or 1/64 for zero; finite for infinities.
static FloatAttr changed(FloatAttr attribute) {
  APFloat value = attribute.getValue();
  if (value.isInfinity() || value.isNaN())
    return FloatAttr::get(attribute.getType(), 0.0);
  double number = attribute.getValueAsDouble();
  return FloatAttr::get(attribute.getType(),
                        number == 0 ? 0x1p-6 : number * (1 + 0x1p-6));
}

static TypedAttr changed(TypedAttr attribute) {
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return changed(number);
  if (auto number = dyn_cast<IntegerAttr>(attribute))
    return IntegerAttr::get(number.getType(), number.getValue() + 1);
  auto splat = dyn_cast<SplatElementsAttr>(attribute);
  if (!splat)
    return {};
  auto element = dyn_cast<TypedAttr>(splat.getSplatValue<Attribute>());
  TypedAttr other = element ? changed(element) : TypedAttr();
  if (!other)
    return {};
  return DenseElementsAttr::get(splat.getType(), Attribute(other));
}

void pruner::collectConstants(Operation *op, MutationCollector &collector) {
  auto constant = dyn_cast<arith::ConstantOp>(op);
  if (!constant ||
      (!isFloatLike(constant.getType()) && !isIntegerLike(constant.getType())))
    return;
  TypedAttr other = changed(constant.getValue());
  if (other)
    collector.add(
        MutationKind::Constant, "a constant is changed",
        [constant, other]() mutable { constant.setValueAttr(other); });
}
