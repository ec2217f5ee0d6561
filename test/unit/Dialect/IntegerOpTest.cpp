//===- IntegerOpTest.cpp - integers as upstream folds them ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every operation on every pair of integers of few bits, compared with what
// upstream's folders make of the op.

#include "pruner/Program/IntegerOp.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace mlir;
using namespace pruner;
using llvm::APInt;

namespace {

class IntegerOpTest : public ::testing::Test {
protected:
  IntegerOpTest() : builder(&context) {
    context.loadDialect<arith::ArithDialect, math::MathDialect>();
    module = ModuleOp::create(builder.getUnknownLoc());
    builder.setInsertionPointToStart(module->getBody());
  }

  /// What the op's folder gives for constants; nothing where it gives none.
  std::optional<APInt> fold(StringRef name, ArrayRef<APInt> operands,
                            unsigned width,
                            std::optional<arith::CmpIPredicate> predicate) {
    Location loc = builder.getUnknownLoc();
    OperationState state(loc, name);
    SmallVector<Attribute> constants;
    for (const APInt &operand : operands) {
      constants.push_back(builder.getIntegerAttr(
          builder.getIntegerType(operand.getBitWidth()), operand));
      Value constant = arith::ConstantOp::create(
          builder, loc, cast<TypedAttr>(constants.back()));
      state.addOperands(constant);
    }
    state.addTypes(builder.getIntegerType(width));
    if (predicate)
      state.addAttribute("predicate",
                         arith::CmpIPredicateAttr::get(&context, *predicate));
    Operation *op = builder.create(state);
    SmallVector<OpFoldResult> results;
    std::optional<APInt> value;
    if (succeeded(op->fold(constants, results)) && results.size() == 1) {
      Attribute attribute = dyn_cast<Attribute>(results[0]);
      // An operand in its place.
      if (auto operand = dyn_cast<Value>(results[0]))
        matchPattern(operand, m_Constant(&attribute));
      if (auto integer = dyn_cast_or_null<IntegerAttr>(attribute))
        value = integer.getValue();
    }
    module->getBody()->clear();
    return value;
  }

  void check(StringRef name, ArrayRef<APInt> operands, unsigned width,
             std::optional<arith::CmpIPredicate> predicate = {}) {
    std::optional<IntegerOp> op =
        integerOpOf(name, predicate ? uint64_t(*predicate) : 0);
    ASSERT_TRUE(op) << name.str();
    std::optional<APInt> got = pruner::evaluate(*op, operands, width),
                         want = fold(name, operands, width, predicate);
    std::string what = name.str();
    for (const APInt &operand : operands)
      what += " " + llvm::toString(operand, 10, /*Signed=*/true);
    what += " of i" + std::to_string(operands[0].getBitWidth());
    // The folder leaves ceilings with the least number alone.
    if (*op == IntegerOp::CeilDivS && got && !want)
      want =
          APInt(width,
                uint64_t(int64_t(std::ceil(double(operands[0].getSExtValue()) /
                                           operands[1].getSExtValue()))),
                /*isSigned=*/true);
    // It divides the least number by -1 where the remainder, or the quotient of
    // an i1, fits. LLVM's instructions are not defined there.
    if (mayOverflow(*op) && operands[0].isMinSignedValue() &&
        operands[1].isAllOnes())
      want = std::nullopt;
    ASSERT_EQ(got.has_value(), want.has_value()) << what;
    if (got)
      EXPECT_EQ(*got, *want) << what;
    defined += got.has_value();
    undefined += !got;
  }

  MLIRContext context;
  OpBuilder builder;
  OwningOpRef<ModuleOp> module;
  unsigned defined = 0, undefined = 0;
};

TEST_F(IntegerOpTest, PairsOfFewBits) {
  for (StringRef name :
       {"arith.addi",  "arith.subi",      "arith.muli",      "arith.divsi",
        "arith.divui", "arith.ceildivsi", "arith.ceildivui", "arith.floordivsi",
        "arith.remsi", "arith.remui",     "arith.andi",      "arith.ori",
        "arith.xori",  "arith.maxsi",     "arith.maxui",     "arith.minsi",
        "arith.minui", "arith.shli",      "arith.shrsi",     "arith.shrui"})
    for (unsigned width : {1, 2, 3, 5})
      for (unsigned a = 0; a < 1u << width; ++a)
        for (unsigned b = 0; b < 1u << width; ++b)
          check(name, {APInt(width, a), APInt(width, b)}, width);
  EXPECT_GT(undefined, 1000u);
}

TEST_F(IntegerOpTest, Comparisons) {
  for (unsigned predicate = 0; predicate < 10; ++predicate)
    for (unsigned width : {1, 2, 5})
      for (unsigned a = 0; a < 1u << width; ++a)
        for (unsigned b = 0; b < 1u << width; ++b)
          check("arith.cmpi", {APInt(width, a), APInt(width, b)}, 1,
                arith::CmpIPredicate(predicate));
  EXPECT_EQ(undefined, 0u);
  EXPECT_FALSE(integerOpOf("arith.cmpi", 10));
}

TEST_F(IntegerOpTest, OfOne) {
  for (unsigned width : {1, 2, 7})
    for (unsigned a = 0; a < 1u << width; ++a) {
      APInt value(width, a);
      check("math.absi", value, width);
      for (unsigned wide : {width + 1, 32u, 64u, 100u}) {
        check("arith.extsi", value, wide);
        check("arith.extui", value, wide);
      }
      for (unsigned narrow = 1; narrow < width; ++narrow)
        check("arith.trunci", value, narrow);
    }
  EXPECT_EQ(undefined, 0u);
}

TEST_F(IntegerOpTest, OthersAreNone) {
  for (StringRef name : {"arith.addf", "arith.select", "arith.mulsi_extended",
                         "math.ctpop", "addi", ""})
    EXPECT_FALSE(integerOpOf(name)) << name.str();
}

} // namespace
