//===- CombinerTest.cpp - operations that accumulate in any order ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every form of a step acc' = f(acc, x) runs over all sequences of three values
// of a set with special values, from every start value. The result must be
// independent of the order exactly if matchCombiner matches.

#include "pruner/Dialect/Pruner/IR/Combiner.h"
#include "pruner/Program/IntegerOp.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace pruner;

namespace {

/// Evaluates the operation yielded by a function body `(x, acc)`.
class Step {
public:
  Step(MLIRContext &context, StringRef type, StringRef lines) {
    std::string text =
        ("func.func @f(%x: " + type + ", %acc: " + type + ") -> " + type +
         " {\n" + lines + "\nreturn %r : " + type + "\n}")
            .str();
    module = parseSourceString<ModuleOp>(text, &context);
    if (module)
      body = &(*module->getOps<func::FuncOp>().begin()).front();
  }

  explicit operator bool() const { return body; }
  Block &block() { return *body; }

  /// f(acc, x). Integers are exact in the doubles that are used here.
  double run(double acc, double x) {
    values.clear();
    values[body->getArgument(0)] = x;
    values[body->getArgument(1)] = acc;
    for (Operation &op : body->without_terminator())
      values[op.getResult(0)] = evaluate(op);
    return values.lookup(body->getTerminator()->getOperand(0));
  }

private:
  /// An operation on i8.
  double integer(Operation &op, double a, double b) {
    uint64_t predicate = 0;
    if (auto cmp = dyn_cast<arith::CmpIOp>(op))
      predicate = uint64_t(cmp.getPredicate());
    auto bits = [](double value) {
      return llvm::APInt(8, uint64_t(int64_t(value)), /*isSigned=*/false,
                         /*implicitTrunc=*/true);
    };
    std::optional<IntegerOp> kind =
        integerOpOf(op.getName().getStringRef(), predicate);
    if (!kind) {
      ADD_FAILURE() << op.getName().getStringRef().str();
      return 0;
    }
    if (isComparison(*kind))
      return double(
          pruner::evaluate(*kind, {bits(a), bits(b)}, 1)->getBoolValue());
    // What is undefined is the same in every order here.
    auto value = pruner::evaluate(*kind, {bits(a), bits(b)}, 8);
    return value ? double(value->getSExtValue()) : 0;
  }

  double evaluate(Operation &op) {
    auto in = [&](unsigned n) { return values.lookup(op.getOperand(n)); };
    double a = in(0), b = in(1);
    if (auto select = dyn_cast<arith::SelectOp>(op))
      return a != 0 ? b : in(2);
    if (auto cmp = dyn_cast<arith::CmpFOp>(op))
      return double(arith::applyCmpPredicate(
          cmp.getPredicate(), llvm::APFloat(a), llvm::APFloat(b)));
    if (!isa<FloatType>(op.getResult(0).getType()))
      return integer(op, a, b);
    bool greater = a > b || (a == b && std::signbit(b));
    bool unordered = std::isnan(a) || std::isnan(b);
    double nan = std::numeric_limits<double>::quiet_NaN();
    if (isa<arith::MaximumFOp>(op))
      return unordered ? nan : greater ? a : b;
    if (isa<arith::MinimumFOp>(op))
      return unordered ? nan : greater ? b : a;
    // These may give either of two zeros.
    if (isa<arith::MaxNumFOp>(op))
      return std::isnan(a) ? b : std::isnan(b) ? a : a > b ? a : b + 0.0;
    if (isa<arith::MinNumFOp>(op))
      return std::isnan(a) ? b : std::isnan(b) ? a : a < b ? a : b + 0.0;
    if (isa<arith::AddFOp>(op))
      return a + b;
    if (isa<arith::SubFOp>(op))
      return a - b;
    if (isa<arith::MulFOp>(op))
      return a * b;
    ADD_FAILURE() << op.getName().getStringRef().str();
    return 0;
  }

  OwningOpRef<ModuleOp> module;
  Block *body = nullptr;
  llvm::DenseMap<Value, double> values;
};

bool same(double a, double b, bool ignoreSigns) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) && std::isnan(b);
  return a == b && (ignoreSigns || std::signbit(a) == std::signbit(b));
}

/// True if three values give the same result in all orders.
bool isOrderFree(Step &step, ArrayRef<double> values, bool ignoreSigns) {
  for (double start : values)
    for (double a : values)
      for (double b : values)
        for (double c : values) {
          double first = step.run(step.run(step.run(start, a), b), c);
          double others[] = {step.run(step.run(step.run(start, a), c), b),
                             step.run(step.run(step.run(start, b), a), c),
                             step.run(step.run(step.run(start, b), c), a),
                             step.run(step.run(step.run(start, c), a), b),
                             step.run(step.run(step.run(start, c), b), a)};
          for (double other : others)
            if (!same(first, other, ignoreSigns))
              return false;
        }
  return true;
}

const double kInf = std::numeric_limits<double>::infinity();
const double kFloats[] = {
    std::numeric_limits<double>::quiet_NaN(), -kInf, -0.0, 0.0, 1.0, kInf};
const double kIntegers[] = {-128, -1, 0, 1, 3, 127};

class CombinerTest : public ::testing::Test {
protected:
  CombinerTest() {
    context.loadDialect<arith::ArithDialect, func::FuncDialect>();
  }

  void check(StringRef type, const Twine &lines, bool noNaN = false,
             bool ignoreSigns = false) {
    std::string text = lines.str();
    SCOPED_TRACE(text);
    Step step(context, type, text);
    ASSERT_TRUE(bool(step));
    ArrayRef<double> values =
        type == "f32" ? ArrayRef<double>(kFloats) : ArrayRef<double>(kIntegers);
    bool matched = matchCombiner(step.block()).has_value();
    EXPECT_EQ(matched,
              isOrderFree(step, values.drop_front(noNaN), ignoreSigns));
    ++numChecked;
    numMatched += matched;
    if (Operation *combiner = getCombiner(step.block()))
      checkNeutral(step, combiner, values, ignoreSigns);
  }

  /// The start of partial results changes nothing.
  static void checkNeutral(Step &step, Operation *combiner,
                           ArrayRef<double> values, bool ignoreSigns) {
    TypedAttr neutral = neutralElement(combiner);
    double start = 0;
    if (auto number = dyn_cast<FloatAttr>(neutral))
      start = number.getValueAsDouble();
    else
      start = double(cast<IntegerAttr>(neutral).getValue().getSExtValue());
    for (double value : values) {
      EXPECT_TRUE(same(step.run(start, value), value, ignoreSigns)) << value;
      EXPECT_TRUE(same(step.run(value, start), value, ignoreSigns)) << value;
    }
  }

  MLIRContext context;
  unsigned numChecked = 0, numMatched = 0;
};

TEST_F(CombinerTest, floatOperations) {
  for (StringRef name :
       {"addf", "subf", "mulf", "maximumf", "minimumf", "maxnumf", "minnumf"})
    for (StringRef operands : {"%acc, %x", "%x, %acc"})
      check("f32", "%r = arith." + name + " " + operands + " : f32", false,
            name == "maxnumf" || name == "minnumf");
  EXPECT_EQ(numMatched, 13u);
}

TEST_F(CombinerTest, integerOperations) {
  for (StringRef name : {"addi", "subi", "muli", "andi", "ori", "xori", "maxsi",
                         "maxui", "minsi", "minui", "shli"})
    for (StringRef operands : {"%acc, %x", "%x, %acc"}) {
      // Shifts may be reordered if nothing is shifted out; matchCombiner does
      // not match them.
      if (name == "shli" && operands == "%acc, %x")
        continue;
      check("i8", "%r = arith." + name + " " + operands + " : i8");
    }
  EXPECT_EQ(numMatched, 19u);
}

TEST_F(CombinerTest, selectsOfFloats) {
  for (StringRef predicate :
       {"ogt", "oge", "olt", "ole", "ugt", "uge", "ult", "ule"})
    for (StringRef compared : {"%acc, %x", "%x, %acc"})
      for (StringRef taken : {"%acc, %x", "%x, %acc"})
        for (StringRef flags : {"", "nnan", "nsz", "nnan,nsz"}) {
          std::string fastmath =
              flags.empty() ? "" : (" fastmath<" + flags + ">").str();
          check("f32",
                "%c = arith.cmpf " + predicate + ", " + compared + fastmath +
                    " : f32\n%r = arith.select %c, " + taken + " : f32",
                flags.contains("nnan"), flags.contains("nsz"));
        }
  // For each predicate by size, both orders and both arms: all of them with
  // both flags, and half of them with nsz alone.
  EXPECT_EQ(numChecked, 128u);
  EXPECT_EQ(numMatched, 48u);
}

TEST_F(CombinerTest, selectsOfIntegers) {
  for (StringRef predicate :
       {"sgt", "sge", "slt", "sle", "ugt", "uge", "ult", "ule"})
    for (StringRef compared : {"%acc, %x", "%x, %acc"})
      for (StringRef taken : {"%acc, %x", "%x, %acc"})
        check("i8", "%c = arith.cmpi " + predicate + ", " + compared +
                        " : i8\n%r = arith.select %c, " + taken + " : i8");
}

// Flags that only hold in one order, or an accumulator that is used twice.
TEST_F(CombinerTest, rejected) {
  for (StringRef lines :
       {"%r = arith.addi %acc, %x overflow<nsw> : i8",
        "%r = arith.muli %acc, %x overflow<nuw> : i8",
        "%r = arith.subi %acc, %x overflow<nsw> : i8",
        "%t = arith.muli %acc, %x : i8\n%r = arith.addi %t, %acc : i8",
        "%c = arith.cmpi sgt, %acc, %x : i8\n"
        "%t = arith.addi %acc, %x : i8\n"
        "%r = arith.select %c, %acc, %t : i8",
        "%c = arith.cmpi eq, %acc, %x : i8\n"
        "%r = arith.select %c, %acc, %x : i8"}) {
    Step step(context, "i8", lines);
    ASSERT_TRUE(bool(step));
    EXPECT_FALSE(matchCombiner(step.block()).has_value()) << lines.str();
    EXPECT_EQ(getCombiner(step.block()), nullptr) << lines.str();
  }
}

} // namespace
