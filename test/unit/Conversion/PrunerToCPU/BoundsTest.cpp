//===- BoundsTest.cpp - intervals contain what bodies compute -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Bounds.h"

#include "pruner/Support/Random.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace pruner;

namespace {
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kLargest = std::numeric_limits<float>::max();

/// The arguments of the bodies are %x and %y, of f32.
struct Body {
  const char *text;
  float (*function)(float x, float y);
};

const Body kBodies[] = {
    {"%r = arith.addf %x, %y : f32", [](float x, float y) { return x + y; }},
    {"%r = arith.subf %x, %y : f32", [](float x, float y) { return x - y; }},
    {"%r = arith.mulf %x, %y : f32", [](float x, float y) { return x * y; }},
    {"%r = arith.divf %x, %y : f32", [](float x, float y) { return x / y; }},
    {"%r = arith.negf %x : f32", [](float x, float) { return -x; }},
    {"%r = arith.maximumf %x, %y : f32",
     [](float x, float y) {
       return std::isnan(x) || std::isnan(y) ? NAN : std::max(x, y);
     }},
    {"%r = arith.minimumf %x, %y : f32",
     [](float x, float y) {
       return std::isnan(x) || std::isnan(y) ? NAN : std::min(x, y);
     }},
    {"%r = math.exp %x : f32", [](float x, float) { return std::exp(x); }},
    {"%r = math.exp2 %x : f32", [](float x, float) { return std::exp2(x); }},
    {"%a = arith.cmpf oeq, %x, %y : f32\n%r = arith.select %a, %x, %y : f32",
     [](float x, float y) { return x == y ? x : y; }},
    {"%a = arith.cmpf une, %x, %y : f32\n%r = arith.select %a, %x, %y : f32",
     [](float x, float y) { return x != y ? x : y; }},
    {"%a = arith.cmpf ord, %x, %x : f32\n%b = arith.cmpf oeq, %x, %y : f32\n"
     "%n = arith.constant true\n%c = arith.xori %b, %n : i1\n"
     "%d = arith.andi %a, %c : i1\n%e = arith.ori %d, %b : i1\n"
     "%r = arith.select %e, %x, %y : f32",
     [](float x, float y) { return !std::isnan(x) ? x : y; }},
    {"%a = arith.constant 2.0 : f32\n%b = arith.subf %x, %y : f32\n"
     "%c = math.exp %b : f32\n%r = arith.mulf %c, %a : f32",
     [](float x, float y) { return 2 * std::exp(x - y); }},
    {"%a = arith.truncf %x : f32 to f16\n%r = arith.extf %a : f16 to f32",
     [](float x, float) { return float(_Float16(x)); }},
    {"%r = math.tanh %x : f32", [](float x, float) { return std::tanh(x); }},
};

float drawNumber(Random &random) {
  const float numbers[] = {-kInfinity, -kLargest, -1, -0.0f,    0,
                           1e-40f,     1e-30f,    1,  kLargest, kInfinity};
  if (random.uniform(2))
    return numbers[random.uniform(std::size(numbers))];
  return (float(random.uniform(2000)) - 1000) / 64;
}

Bounds drawBounds(Random &random) {
  float a = drawNumber(random), b = random.uniform(3) ? drawNumber(random) : a;
  Bounds bounds = Bounds::between(std::min(a, b), std::max(a, b));
  bounds.nan = random.uniform(4) == 0;
  return random.uniform(16) ? bounds : Bounds::onlyNaN();
}

/// A value that `bounds` permits.
float drawIn(const Bounds &bounds, Random &random) {
  if (!bounds.hasNumbers() || (bounds.nan && random.uniform(4) == 0))
    return NAN;
  switch (random.uniform(4)) {
  case 0:
    return float(bounds.low);
  case 1:
    return float(bounds.high);
  case 2:
    return std::clamp(drawNumber(random), float(bounds.low),
                      float(bounds.high));
  default:
    if (std::isinf(bounds.low) || std::isinf(bounds.high))
      return std::clamp(0.0f, float(bounds.low), float(bounds.high));
    double share = random.uniform(1000) / 1000.0;
    return float(bounds.low * (1 - share) + bounds.high * share);
  }
}

bool permits(const Bounds &bounds, float value) {
  return std::isnan(value) ? bounds.nan : bounds.contains(value);
}

class BoundsTest : public ::testing::Test {
protected:
  BoundsTest() {
    context.loadDialect<mlir::arith::ArithDialect, mlir::func::FuncDialect,
                        mlir::math::MathDialect>();
  }

  /// The body of a function that returns %r.
  mlir::Block &parse(const std::string &body) {
    module = mlir::parseSourceString<mlir::ModuleOp>(
        "func.func @f(%x: f32, %y: f32) -> f32 {\n" + body +
            "\nreturn %r : f32\n}",
        &context);
    EXPECT_TRUE(module);
    return (*module->getOps<mlir::func::FuncOp>().begin()).getBody().front();
  }

  Bounds boundsOf(mlir::Block &body, const Bounds &x, const Bounds &y) {
    return boundsIn(body,
                    [&](mlir::Value value) -> std::optional<Bounds> {
                      if (value == body.getArgument(0))
                        return x;
                      if (value == body.getArgument(1))
                        return y;
                      return std::nullopt;
                    })
        .lookup(body.getTerminator()->getOperand(0));
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

TEST_F(BoundsTest, ContainWhatBodiesCompute) {
  Random random(7);
  for (const Body &body : kBodies) {
    mlir::Block &block = parse(body.text);
    for (int round = 0; round < 3000; ++round) {
      Bounds x = drawBounds(random), y = drawBounds(random);
      Bounds result = boundsOf(block, x, y);
      for (int draw = 0; draw < 8; ++draw) {
        float a = drawIn(x, random), b = drawIn(y, random);
        float value = body.function(a, b);
        ASSERT_TRUE(permits(result, value))
            << body.text << "\nx = " << a << " in [" << x.low << ", " << x.high
            << "]\ny = " << b << " in [" << y.low << ", " << y.high
            << "]\nresult " << value << " not in [" << result.low << ", "
            << result.high << "], NaN " << result.nan;
      }
    }
  }
}

TEST_F(BoundsTest, AreExactWhereProofsNeedThem) {
  const Bounds least = Bounds::exactly(-kInfinity), zero = Bounds::exactly(0),
               finite = Bounds::between(-kLargest, kLargest);
  EXPECT_TRUE(boundsOf(parse("%r = arith.addf %x, %y : f32"), finite, least)
                  .is(-kInfinity));
  EXPECT_TRUE(boundsOf(parse("%r = arith.subf %x, %y : f32"), least, least)
                  .isOnlyNaN());
  EXPECT_TRUE(boundsOf(parse("%r = math.exp %x : f32"), least, zero).is(0));
  EXPECT_TRUE(
      boundsOf(parse("%r = arith.mulf %x, %y : f32"), zero, finite).is(0));
  EXPECT_TRUE(boundsOf(parse("%r = arith.divf %x, %y : f32"), zero,
                       Bounds::between(0.5, kInfinity))
                  .is(0));
}

TEST_F(BoundsTest, NoScoreIsAboveTheLargest) {
  Bounds score = Bounds::between(-kInfinity, kLargest),
         largest = Bounds::between(-kLargest, kLargest);
  score.of = Bounds::Of::Score;
  largest.of = Bounds::Of::Largest;
  mlir::Block &block = parse("%a = arith.subf %x, %y : f32\n"
                             "%r = math.exp %a : f32");
  Bounds any = boundsOf(block, score, largest);
  EXPECT_FALSE(any.nan);
  EXPECT_EQ(any.low, 0);
  EXPECT_LT(any.high, 1.01);
  score.isLargest = true;
  score.low = -kLargest;
  EXPECT_GT(boundsOf(block, score, largest).low, 0.99);
}
} // namespace
