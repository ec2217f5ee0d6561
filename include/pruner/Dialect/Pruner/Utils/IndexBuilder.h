//===- IndexBuilder.h - index arithmetic without duplicates -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_DIALECT_PRUNER_UTILS_INDEXBUILDER_H
#define PRUNER_DIALECT_PRUNER_UTILS_INDEXBUILDER_H

#include "pruner/Dialect/Pruner/Utils/IndexForm.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/DenseMap.h"

namespace pruner {

/// Emits folded arithmetic on values of type `index`, each value only once. The
/// n addresses of a register tile then share their common parts. The builder
/// must emit code from top to bottom: a value in a block is reused later in the
/// block and in nested blocks.
class IndexBuilder {
public:
  /// Emits everything at the insertion point.
  IndexBuilder(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  /// From now on, emits constants at the current insertion point, and other
  /// values before the outermost `scf.for` that contains none of their
  /// operands. Also adds overflow flags, because LLVM takes long to infer them.
  void hoistTo();

  mlir::Value constant(int64_t value);
  /// The terms from the outermost to the innermost one, then the constant.
  mlir::Value value(const IndexForm &form);

  mlir::Value add(mlir::Value a, mlir::Value b) {
    return emit<mlir::arith::AddIOp>(a, b);
  }
  mlir::Value sub(mlir::Value a, mlir::Value b) {
    return emit<mlir::arith::SubIOp>(a, b);
  }
  mlir::Value mul(mlir::Value a, mlir::Value b) {
    return emit<mlir::arith::MulIOp>(a, b);
  }
  mlir::Value divS(mlir::Value a, mlir::Value b) {
    return emit<mlir::arith::DivSIOp>(a, b);
  }
  mlir::Value divU(mlir::Value a, mlir::Value b) {
    return emit<mlir::arith::DivUIOp>(a, b);
  }
  mlir::Value remU(mlir::Value a, mlir::Value b) {
    return emit<mlir::arith::RemUIOp>(a, b);
  }
  mlir::Value min(mlir::Value a, mlir::Value b) {
    return emit<mlir::arith::MinSIOp>(a, b);
  }
  mlir::Value max(mlir::Value a, mlir::Value b) {
    return emit<mlir::arith::MaxSIOp>(a, b);
  }
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value a,
                      mlir::Value b) {
    return emit<mlir::arith::CmpIOp>(a, b, int64_t(predicate));
  }
  /// A mask of `lanes` bits, of which the first `count` are set.
  mlir::Value mask(mlir::Value count, int64_t lanes) {
    return emit<mlir::vector::CreateMaskOp>(count, count, lanes);
  }
  /// The conjunction of two conditions, of which the first may be null.
  mlir::Value both(mlir::Value a, mlir::Value b) {
    return a ? emit<mlir::arith::AndIOp>(a, b) : b;
  }
  /// `inside`, which may be null, and a test that the positions from `first` to
  /// `last` are in a tensor with `extent` elements. Tests only what may fail.
  mlir::Value within(mlir::Value inside, const IndexForm &first,
                     const IndexForm &last, int64_t extent);

private:
  /// Kind of operation, operands, predicate or lanes.
  using Key = std::tuple<mlir::TypeID, mlir::Value, mlir::Value, int64_t>;

  template <typename Op>
  mlir::Value emit(mlir::Value a, mlir::Value b, int64_t extra = 0) {
    Key key(mlir::TypeID::get<Op>(), a, b, extra);
    if (mlir::Value known = find(key))
      return known;
    mlir::OpBuilder::InsertionGuard guard(builder);
    moveOut({a, b});
    mlir::Value result;
    if constexpr (std::is_same_v<Op, mlir::arith::CmpIOp>)
      result =
          Op::create(builder, loc, mlir::arith::CmpIPredicate(extra), a, b);
    else if constexpr (std::is_same_v<Op, mlir::vector::CreateMaskOp>)
      result = Op::create(builder, loc,
                          mlir::VectorType::get({extra}, builder.getI1Type()),
                          mlir::ValueRange{a});
    else if constexpr (Op::template hasTrait<
                           mlir::arith::ArithIntegerOverflowFlagsInterface::
                               Trait>())
      result = Op::create(builder, loc, a, b, overflow());
    else
      result = Op::create(builder, loc, a, b);
    return remember(key, result);
  }

  mlir::arith::IntegerOverflowFlags overflow() const {
    return root ? mlir::arith::IntegerOverflowFlags::nsw
                : mlir::arith::IntegerOverflowFlags::none;
  }
  mlir::Value find(const Key &key);
  mlir::Value remember(const Key &key, mlir::Value result);
  void moveOut(mlir::ValueRange operands);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Operation *root = nullptr;
  llvm::DenseMap<int64_t, mlir::Value> constants;
  llvm::DenseMap<Key, mlir::Value> values;
};

} // namespace pruner

#endif // PRUNER_DIALECT_PRUNER_UTILS_INDEXBUILDER_H
