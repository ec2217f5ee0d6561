//===- IntegerOp.h - operations on integers as plain data -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_PROGRAM_INTEGEROP_H
#define PRUNER_PROGRAM_INTEGEROP_H

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace pruner {

/// The integer operations in bodies of tasks and networks: the ops of the
/// dialect arith whose operands and results are all integers, without
/// `arith.select` and those with two results, and `math.absi`. All code that
/// evaluates such ops uses these functions, so that undefined results, overflow
/// and the sign of an i1 are treated in the same way.
enum class IntegerOp : uint8_t {
  Add,
  Sub,
  Mul,
  DivS,
  DivU,
  CeilDivS,
  CeilDivU,
  FloorDivS,
  RemS,
  RemU,
  And,
  Or,
  Xor,
  MaxS,
  MaxU,
  MinS,
  MinU,
  ShL,
  ShRS,
  ShRU,
  Abs,
  /// To a wider type or a narrower one, which keeps the low bits.
  CastS,
  CastU,
  // In the order of `arith.cmpi`; an i1.
  Equal,
  NotEqual,
  LessS,
  LessEqualS,
  GreaterS,
  GreaterEqualS,
  LessU,
  LessEqualU,
  GreaterU,
  GreaterEqualU,
};

/// The operation of the op with this name, such as `arith.addi`; for
/// `arith.cmpi` with this predicate. std::nullopt for other ops.
std::optional<IntegerOp> integerOpOf(llvm::StringRef name,
                                     uint64_t predicate = 0);

bool isComparison(IntegerOp op);

/// Quotients and remainders.
bool isDivision(IntegerOp op);

/// Whether the least number and -1 have no result.
bool mayOverflow(IntegerOp op);

/// The result, of `width` bits. std::nullopt if it is undefined or poison: a
/// division by zero, a quotient that the type cannot hold (or its remainder), a
/// shift by the width or more. Flags such as `nsw` are ignored. If an op has
/// two operands, both have the same width.
std::optional<llvm::APInt>
evaluate(IntegerOp op, llvm::ArrayRef<llvm::APInt> operands, unsigned width);

} // namespace pruner

#endif // PRUNER_PROGRAM_INTEGEROP_H
