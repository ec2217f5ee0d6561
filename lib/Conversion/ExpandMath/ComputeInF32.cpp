//===- ComputeInF32.cpp - compute bf16 in f32 and round every time --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Arithmetic.h"

#include "pruner/Conversion/ExpandMath/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

namespace pruner {
#define GEN_PASS_DEF_COMPUTEINF32PASS
#include "pruner/Conversion/ExpandMath/Passes.h.inc"
} // namespace pruner

using namespace mlir;
using pruner::math_expansion::Arithmetic;
using pruner::math_expansion::hasKnownShape;

static bool isBf16(Type type) {
  return getElementTypeOrSelf(type).isBF16() && hasKnownShape(type);
}

static Type withElement(Type type, Type element) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.clone(element);
  return element;
}

/// True for operations whose result needs no rounding, because it is one of the
/// operands or an integer.
static bool isExact(Operation *op) {
  return isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
             arith::MinNumFOp, arith::NegFOp, arith::RemFOp, arith::SelectOp,
             math::AbsFOp, math::CeilOp, math::CopySignOp, math::FloorOp,
             math::RoundEvenOp, math::RoundOp, math::TruncOp>(op);
}

/// True for operations whose NaN results, with bf16 operands, have no payload
/// bits beyond those of bf16. LLVM returns the NaN of an operand or one without
/// payload, as all CPUs do. Rounding such a NaN as a number keeps it NaN.
static bool makesPlainNaN(Operation *op) {
  return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
             arith::SIToFPOp, arith::UIToFPOp, math::SqrtOp>(op);
}

namespace {
/// Keeps every computed bf16 twice: as an f32 with a value of bf16, for further
/// computation, and as its upper half for all other uses. Erases the version
/// that is not used.
class Rewriter {
public:
  explicit Rewriter(MLIRContext *context) : builder(context) {}

  void run(Operation *root) {
    SmallVector<Operation *> ops;
    root->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op != root && usesBf16(op))
        ops.push_back(op);
    });
    for (Operation *op : ops)
      rewrite(op);
    // Erase users before their operands.
    for (Operation *op : llvm::reverse(replaced))
      op->erase();
    for (Operation *op : llvm::reverse(made))
      if (op->use_empty())
        op->erase();
  }

private:
  static bool usesBf16(Operation *op) {
    return llvm::any_of(op->getOperandTypes(), isBf16) ||
           llvm::any_of(op->getResultTypes(), isBf16);
  }

  Type wideType(Type type) { return withElement(type, builder.getF32Type()); }

  Arithmetic arithmetic(Location loc, Type narrow) {
    return Arithmetic(builder, loc, wideType(narrow));
  }

  /// A bf16 as f32, converted at its definition.
  Value widen(Value narrow) {
    if (Value wide = wides.lookup(narrow))
      return wide;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfterValue(narrow);
    Location loc = narrow.getLoc();
    Attribute constant;
    if (matchPattern(narrow, m_Constant(&constant)))
      if (Value folded = widenConstant(loc, narrow.getType(), constant))
        return wides[narrow] = folded;
    Arithmetic f32 = arithmetic(loc, narrow.getType());
    Value half = note(arith::BitcastOp::create(
        builder, loc, withElement(narrow.getType(), builder.getI16Type()),
        narrow));
    Value bits =
        note(arith::ExtUIOp::create(builder, loc, f32.integerType(), half));
    bits = note(f32.shiftLeft(bits, 16));
    return wides[narrow] = note(f32.fromBits(bits));
  }

  Value widenConstant(Location loc, Type type, Attribute constant) {
    auto toSingle = [](APFloat value) {
      bool ignored;
      value.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                    &ignored);
      return value;
    };
    Type f32 = builder.getF32Type();
    TypedAttr wide;
    if (auto number = dyn_cast<FloatAttr>(constant))
      wide = FloatAttr::get(f32, toSingle(number.getValue()));
    else if (auto dense = dyn_cast<DenseFPElementsAttr>(constant))
      wide = dense.mapValues(f32, [&](const APFloat &value) {
        return toSingle(value).bitcastToAPInt();
      });
    return wide ? note(arith::ConstantOp::create(builder, loc, wide)) : Value();
  }

  /// The upper half of an f32 that has a value of bf16.
  Value narrow(Location loc, Type type, Value wide) {
    Arithmetic f32 = arithmetic(loc, type);
    Value bits = note(f32.shiftRight(note(f32.bits(wide)), 16));
    Value half = note(arith::TruncIOp::create(
        builder, loc, withElement(type, builder.getI16Type()), bits));
    Value result = note(arith::BitcastOp::create(builder, loc, type, half));
    wides[result] = wide;
    return result;
  }

  /// Rounds to the nearest bf16 in place, ties to even. Half of the last unit
  /// carries into it. Infinity plus less than a unit keeps the bits of
  /// infinity.
  Value round(const Arithmetic &f32, Value x, bool plainNaN) {
    Value bits = f32.bits(x);
    Value last = f32.andInt(f32.shiftRight(bits, 16), f32.integer(1));
    Value sum = f32.addInt(f32.addInt(bits, f32.integer(0x7fff)), last);
    Value rounded =
        f32.fromBits(f32.andInt(sum, f32.integer(int32_t(0xffff0000))));
    return plainNaN ? rounded : f32.select(f32.equal(x, x), rounded, f32.nan());
  }

  Value note(Value value) {
    made.push_back(value.getDefiningOp());
    return value;
  }

  /// Replaces a bf16 by its f32 version.
  void replace(Value old, Value wide) {
    Value now = narrow(old.getLoc(), old.getType(), wide);
    old.replaceAllUsesWith(now);
  }

  void rewrite(Operation *op) {
    builder.setInsertionPoint(op);
    if (isa<scf::ForOp, scf::IfOp>(op))
      return carry(op);
    if (auto yield = dyn_cast<scf::YieldOp>(op)) {
      if (!isa<scf::ForOp, scf::IfOp>(op->getParentOp()))
        return;
      // The results of operations that were visited before are f32.
      for (auto [operand, type] : llvm::zip_equal(
               yield->getOpOperands(), op->getParentOp()->getResultTypes()))
        if (operand.get().getType() != type)
          operand.set(widen(operand.get()));
      return;
    }
    if (auto reduction = dyn_cast<vector::ReductionOp>(op))
      return reduce(reduction);
    if (isa<arith::ConstantOp, arith::BitcastOp>(op) ||
        !isa_and_present<arith::ArithDialect, math::MathDialect>(
            op->getDialect()) ||
        !llvm::all_of(op->getOperandTypes(), isKnown) ||
        !llvm::all_of(op->getResultTypes(), isKnown))
      return;
    if (auto extension = dyn_cast<arith::ExtFOp>(op))
      return extend(extension);
    if (auto truncation = dyn_cast<arith::TruncFOp>(op)) {
      if (!truncation.getRoundingmodeAttr() &&
          getElementTypeOrSelf(truncation.getIn()).isF32())
        finish(op, {round(arithmetic(op->getLoc(), truncation.getType()),
                          truncation.getIn(), /*plainNaN=*/false)});
      return;
    }
    if (auto selection = dyn_cast<arith::SelectOp>(op))
      return select(selection);
    compute(op);
  }

  static bool isKnown(Type type) { return hasKnownShape(type); }

  /// Makes loops and branches carry the f32.
  void carry(Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      for (auto [init, argument] :
           llvm::zip_equal(loop.getInitArgsMutable(), loop.getRegionIterArgs()))
        if (Type type = argument.getType(); isBf16(type)) {
          init.set(widen(init.get()));
          argument.setType(wideType(type));
          builder.setInsertionPointToStart(loop.getBody());
          Value now = narrow(op->getLoc(), type, argument);
          argument.replaceAllUsesExcept(now, firstUser(now));
        }
    builder.setInsertionPointAfter(op);
    for (Value result : op->getResults())
      if (Type type = result.getType(); isBf16(type)) {
        result.setType(wideType(type));
        Value now = narrow(op->getLoc(), type, result);
        result.replaceAllUsesExcept(now, firstUser(now));
      }
  }

  /// The operation among those of `narrow` that reads the f32.
  static Operation *firstUser(Value narrow) {
    Operation *op = narrow.getDefiningOp();
    for (int step = 0; step < 3; ++step)
      op = op->getOperand(0).getDefiningOp();
    return op;
  }

  void extend(arith::ExtFOp op) {
    Value wide = widen(op.getIn());
    if (wide.getType() != op.getType())
      wide = arith::ExtFOp::create(builder, op.getLoc(), op.getType(), wide);
    op.replaceAllUsesWith(wide);
    replaced.push_back(op);
  }

  /// Selects f32 values if they exist, otherwise bits. LLVM selects vectors of
  /// bf16 with a function that C runtimes may lack.
  void select(arith::SelectOp op) {
    Location loc = op.getLoc();
    if (wides.lookup(op.getTrueValue()) || wides.lookup(op.getFalseValue()))
      return compute(op);
    Type bits = withElement(op.getType(), builder.getI16Type());
    auto toBits = [&](Value value) -> Value {
      return arith::BitcastOp::create(builder, loc, bits, value);
    };
    Value selected = arith::SelectOp::create(builder, loc, op.getCondition(),
                                             toBits(op.getTrueValue()),
                                             toBits(op.getFalseValue()));
    op.replaceAllUsesWith(
        arith::BitcastOp::create(builder, loc, op.getType(), selected)
            .getResult());
    replaced.push_back(op);
  }

  /// Emits the same operation on f32.
  void compute(Operation *op) {
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(isBf16(operand.getType()) ? widen(operand) : operand);
    SmallVector<Type> types;
    for (Type type : op->getResultTypes())
      types.push_back(isBf16(type) ? wideType(type) : type);
    OperationState state(op->getLoc(), op->getName(), operands, types,
                         op->getAttrs());
    Operation *wide = builder.create(state);
    SmallVector<Value> results;
    for (auto [result, old] :
         llvm::zip_equal(wide->getResults(), op->getResults())) {
      bool rounds = isBf16(old.getType()) && !isExact(op);
      results.push_back(rounds ? round(arithmetic(op->getLoc(), old.getType()),
                                       result, makesPlainNaN(op))
                               : Value(result));
    }
    finish(op, results);
  }

  void finish(Operation *op, ValueRange results) {
    for (auto [old, now] : llvm::zip_equal(op->getResults(), results)) {
      if (isBf16(old.getType()))
        replace(old, now);
      else
        old.replaceAllUsesWith(now);
    }
    replaced.push_back(op);
  }

  /// Emits sums and products lane by lane, so that each is rounded. A maximum
  /// needs no rounding.
  void reduce(vector::ReductionOp op) {
    using Kind = vector::CombiningKind;
    if (!isBf16(op.getVector().getType()))
      return;
    Location loc = op.getLoc();
    Value vector = widen(op.getVector());
    Value total = op.getAcc() ? widen(op.getAcc()) : Value();
    if (op.getKind() != Kind::ADD && op.getKind() != Kind::MUL) {
      Value wide =
          total ? vector::ReductionOp::create(builder, loc, op.getKind(),
                                              vector, total, op.getFastmath())
                : vector::ReductionOp::create(builder, loc, op.getKind(),
                                              vector, op.getFastmath());
      return finish(op, {wide});
    }
    Arithmetic f32 = arithmetic(loc, op.getType());
    int64_t lanes = op.getSourceVectorType().getNumElements();
    for (int64_t lane = 0; lane < lanes; ++lane) {
      Value next = vector::ExtractOp::create(builder, loc, vector,
                                             ArrayRef<int64_t>{lane});
      if (total)
        next = round(f32,
                     op.getKind() == Kind::ADD ? f32.add(total, next)
                                               : f32.mul(total, next),
                     /*plainNaN=*/true);
      total = next;
    }
    finish(op, {total});
  }

  OpBuilder builder;
  /// The f32 versions of bf16 values.
  DenseMap<Value, Value> wides;
  SmallVector<Operation *> replaced, made;
};

struct ComputeInF32Pass
    : public pruner::impl::ComputeInF32PassBase<ComputeInF32Pass> {
  void runOnOperation() override {
    Rewriter(&getContext()).run(getOperation());
  }
};
} // namespace
