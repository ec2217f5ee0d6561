//===- InterpreterTest.cpp - ranges of results ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fuzzing/Interpreter/Interpreter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace pruner;

namespace {

class Interpretation : public ::testing::Test {
protected:
  Interpretation() {
    context.loadDialect<mlir::func::FuncDialect, mlir::linalg::LinalgDialect,
                        mlir::tensor::TensorDialect, mlir::math::MathDialect,
                        mlir::arith::ArithDialect>();
  }

  /// The first result of @f.
  llvm::Expected<RangeTensorRef> run(const std::string &text,
                                     std::vector<RangeTensorRef> arguments) {
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    if (!module)
      return llvm::createStringError("does not parse");
    Interpreter interpreter;
    auto results = interpreter.run(
        *module->getOps<mlir::func::FuncOp>().begin(), arguments);
    if (!results)
      return results.takeError();
    return results->front();
  }

  static RangeTensorRef reals(std::vector<int64_t> shape,
                              std::vector<double> values) {
    auto tensor = std::make_shared<RangeTensor>();
    tensor->shape = std::move(shape);
    for (double value : values)
      tensor->cells.push_back(RealRange::exactly(value));
    return tensor;
  }
  static RangeTensorRef integers(std::vector<int64_t> shape,
                                 std::vector<int64_t> values) {
    auto tensor = std::make_shared<RangeTensor>();
    tensor->shape = std::move(shape);
    for (int64_t value : values)
      tensor->cells.push_back(IntegerRange::exactly(value));
    return tensor;
  }

  /// An elementwise function of a vector, from %x to %r.
  llvm::Expected<RangeTensorRef> map(const std::string &from,
                                     const std::string &to,
                                     const std::string &body,
                                     RangeTensorRef x) {
    std::string n = std::to_string(x->shape[0]) + "x";
    std::string a = "tensor<" + n + from + ">", b = "tensor<" + n + to + ">";
    return run("func.func @f(%a: " + a + ") -> " + b +
                   " {\n %e = tensor.empty() : " + b +
                   "\n %v = linalg.generic {indexing_maps = [affine_map<(i) -> "
                   "(i)>, affine_map<(i) -> (i)>], iterator_types = "
                   "[\"parallel\"]} ins(%a : " +
                   a + ") outs(%e : " + b + ") {\n ^bb0(%x: " + from +
                   ", %o: " + to + "):\n" + body + "\n linalg.yield %r : " +
                   to + "\n } -> " + b + "\n return %v : " + b + "\n}",
               {std::move(x)});
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

RealRange real(const RangeTensorRef &tensor, size_t n) {
  return tensor->cells[n].real;
}
IntegerRange integer(const RangeTensorRef &tensor, size_t n) {
  return tensor->cells[n].integer;
}

/// The range of a sum includes every order and association, also with
/// cancellation.
TEST_F(Interpretation, SumsInAnyOrder) {
  std::vector<double> values;
  float forwards = 0, backwards = 0;
  for (int n = 0; n < 1000; ++n)
    values.push_back(float((n % 2 ? -1.0 : 1.0) * (1000.0 / (n + 1))));
  for (int n = 0; n < 1000; ++n) {
    forwards += float(values[n]);
    backwards += float(values[999 - n]);
  }
  ASSERT_NE(forwards, backwards);
  auto sum = run(R"(
    func.func @f(%x: tensor<1000xf32>, %y: tensor<f32>) -> tensor<f32> {
      %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>,
          affine_map<(i) -> ()>], iterator_types = ["reduction"]}
          ins(%x : tensor<1000xf32>) outs(%y : tensor<f32>) {
      ^bb0(%a: f32, %o: f32):
        %s = arith.addf %o, %a : f32
        linalg.yield %s : f32
      } -> tensor<f32>
      return %r : tensor<f32>
    })",
                 {reals({1000}, values), reals({}, {0.0})});
  ASSERT_TRUE(bool(sum)) << llvm::toString(sum.takeError());
  EXPECT_TRUE(real(*sum, 0).contains(forwards));
  EXPECT_TRUE(real(*sum, 0).contains(backwards));
  // 1000 terms whose magnitudes sum to 7500.
  EXPECT_LT(real(*sum, 0).hi - real(*sum, 0).lo, 2 * 1001 * 7500 * 0x1p-24);
}

static std::string reductionOf(const char *combine, int count) {
  std::string n = std::to_string(count);
  return "func.func @f(%x: tensor<" + n +
         "xf32>, %y: tensor<f32>) -> "
         "tensor<f32> {\n"
         "  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, "
         "affine_map<(i) -> ()>], iterator_types = [\"reduction\"]} ins(%x : "
         "tensor<" +
         n +
         "xf32>) outs(%y : tensor<f32>) {\n"
         "  ^bb0(%a: f32, %o: f32):\n    %s = " +
         combine +
         " %o, %a : f32\n    linalg.yield %s : f32\n  } -> tensor<f32>\n"
         "  return %r : tensor<f32>\n}";
}

/// Instructions for products of bf16 take subnormal numbers of f32 as zero.
TEST_F(Interpretation, SumsOfNarrowProductsLoseSubnormals) {
  for (bool narrow : {true, false}) {
    std::string type = narrow ? "bf16" : "f32",
                factor = narrow ? "    %w = arith.extf %a : bf16 to f32\n"
                                : "    %w = arith.addf %a, %a : f32\n";
    auto sum =
        run("func.func @f(%x: tensor<2x" + type +
                ">, %y: tensor<f32>) -> tensor<f32> {\n"
                "  %r = linalg.generic {indexing_maps = "
                "[affine_map<(i) -> (i)>, affine_map<(i) -> ()>], "
                "iterator_types = [\"reduction\"]} ins(%x : tensor<2x" +
                type + ">) outs(%y : tensor<f32>) {\n  ^bb0(%a: " + type +
                ", %o: f32):\n" + factor +
                "    %p = arith.mulf %w, %w : f32\n"
                "    %s = arith.addf %o, %p : f32\n"
                "    linalg.yield %s : f32\n  } -> tensor<f32>\n"
                "  return %r : tensor<f32>\n}",
            {reals({2}, {0.0, 0.0}), reals({}, {-3e-39})});
    ASSERT_TRUE(bool(sum)) << llvm::toString(sum.takeError());
    EXPECT_TRUE(real(*sum, 0).contains(-3e-39));
    EXPECT_EQ(real(*sum, 0).contains(0), narrow);
  }
}

/// Partial sums may overflow and meet an infinity of the other sign.
TEST_F(Interpretation, OverflowOfSumsMayBeNaN) {
  double infinity = RealRange::infinity;
  auto sum = run(reductionOf("arith.addf", 3),
                 {reals({3}, {3e38, 3e38, -infinity}), reals({}, {0.0})});
  ASSERT_TRUE(bool(sum)) << llvm::toString(sum.takeError());
  EXPECT_TRUE(real(*sum, 0).nan);
  EXPECT_TRUE(real(*sum, 0).contains(-infinity));
  sum = run(reductionOf("arith.addf", 3),
            {reals({3}, {3e37, 3e37, -infinity}), reals({}, {0.0})});
  EXPECT_FALSE(real(*sum, 0).nan);
}

/// The factors in another order may overflow, or lose bits, where these do not.
TEST_F(Interpretation, ProductsInAnyOrder) {
  auto product = [&](std::vector<double> factors) {
    int64_t count = factors.size();
    auto result = run(reductionOf("arith.mulf", count),
                      {reals({count}, factors), reals({}, {1.0})});
    EXPECT_TRUE(bool(result));
    return real(*result, 0);
  };
  RealRange plain = product({0x1p60f, 0x1p-60f, 3});
  EXPECT_FALSE(plain.nan);
  EXPECT_LT(plain.hi - plain.lo, 1e-5);
  EXPECT_TRUE(product({0x1p100f, 0x1p-100f, 0x1p100f}).nan);
  RealRange small = product({0x1.234p-100f, 0x1p100f, 0x1p-100f});
  EXPECT_FALSE(small.nan);
  EXPECT_GT(small.hi - small.lo, 0x1p-149);
}

/// Integers add without error, so their products are known exactly.
TEST_F(Interpretation, ProductsOfWholeNumbersAreExact) {
  auto product = run(R"(
    func.func @f(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>, %c: tensor<2x2xf32>)
        -> tensor<2x2xf32> {
      %r = linalg.matmul ins(%a, %b : tensor<2x3xf32>, tensor<3x2xf32>)
        outs(%c : tensor<2x2xf32>) -> tensor<2x2xf32>
      return %r : tensor<2x2xf32>
    })",
                     {reals({2, 3}, {1, 2, 3, 4, 5, 6}),
                      reals({3, 2}, {7, 8, 9, 10, 11, 12}),
                      reals({2, 2}, {100, 200, 300, 400})});
  ASSERT_TRUE(bool(product)) << llvm::toString(product.takeError());
  for (auto [n, expected] :
       llvm::enumerate(std::vector<int>{158, 264, 439, 554})) {
    EXPECT_TRUE(real(*product, n).isPoint());
    EXPECT_EQ(real(*product, n).lo, expected);
  }
}

TEST_F(Interpretation, RoundingIsThatOfTheType) {
  auto third = [&](const char *type) {
    auto result = map(type, type,
                      std::string(" %c = arith.constant 3.0 : ") + type +
                          "\n %r = arith.divf %x, %c : " + type,
                      reals({1}, {1}));
    EXPECT_TRUE(bool(result));
    return real(*result, 0);
  };
  EXPECT_TRUE(third("f32").contains(1.0f / 3.0f));
  EXPECT_LT(third("f32").hi - third("f32").lo, 1e-7);
  // These types never keep more digits.
  EXPECT_TRUE(third("f16").isPoint());
  EXPECT_EQ(third("f16").lo, 0.333251953125);
  EXPECT_TRUE(third("bf16").isPoint());
  EXPECT_EQ(third("bf16").lo, 0.333984375);
  EXPECT_TRUE(third("f64").contains(1.0 / 3.0));
  EXPECT_LT(third("f64").hi - third("f64").lo, 1e-15);
}

/// Ones are lost next to 2048 in f16, but not if they are added first.
TEST_F(Interpretation, SumsOfNarrowTypesAreOfAnyOrder) {
  for (const char *op : {"addf", "subf"}) {
    auto result = run(std::string(R"(
      func.func @f(%x: tensor<2xf16>, %c: tensor<f16>) -> tensor<f16> {
        %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>,
                                              affine_map<(i) -> ()>],
                             iterator_types = ["reduction"]}
            ins(%x : tensor<2xf16>) outs(%c : tensor<f16>) {
          ^bb0(%a: f16, %acc: f16):
            %s = arith.)") +
                          op + R"( %acc, %a : f16
            linalg.yield %s : f16
        } -> tensor<f16>
        return %r : tensor<f16>
      })",
                      {reals({2}, op[0] == 'a' ? std::vector<double>{1, 1}
                                               : std::vector<double>{-1, -1}),
                       reals({}, {2048})});
    ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
    EXPECT_TRUE(real(*result, 0).contains(2048)) << op;
    EXPECT_TRUE(real(*result, 0).contains(2050)) << op;
    EXPECT_LT(real(*result, 0).hi, 2060) << op;
  }
}

/// Integers converted from floats differ only if a border is within the error.
TEST_F(Interpretation, RoundingToIntegersJoinsBothSidesOfABorder) {
  auto result = map("f32", "i8", R"(
      %c = arith.constant 10.0 : f32
      %s = arith.mulf %x, %c : f32
      %u = math.roundeven %s : f32
      %r = arith.fptosi %u : f32 to i8)",
                    reals({3}, {0.12f, 0.35f, 0.25f}));
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  EXPECT_TRUE(integer(*result, 0).isPoint());
  EXPECT_EQ(integer(*result, 0).lo, 1);
  // 0.35 in f32 times ten rounds to 3.5, or below: four or three.
  EXPECT_EQ(integer(*result, 1).lo, 3);
  EXPECT_EQ(integer(*result, 1).hi, 4);
  // Exactly 2.5, which rounds to even.
  EXPECT_TRUE(integer(*result, 2).isPoint());
  EXPECT_EQ(integer(*result, 2).lo, 2);
}

TEST_F(Interpretation, UncertainComparisonsJoinTheSelected) {
  auto result = map("f32", "f32", R"(
      %c = arith.constant 10.0 : f32
      %b = arith.constant 3.5 : f32
      %s = arith.mulf %x, %c : f32
      %p = arith.cmpf olt, %s, %b : f32
      %n = arith.negf %x : f32
      %r = arith.select %p, %n, %x : f32)",
                    reals({3}, {0.12f, 0.35f, 0.5f}));
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  EXPECT_EQ(real(*result, 0).lo, -0.12f);
  EXPECT_EQ(real(*result, 0).hi, -0.12f);
  EXPECT_EQ(real(*result, 1).lo, -0.35f);
  EXPECT_EQ(real(*result, 1).hi, 0.35f);
  EXPECT_EQ(real(*result, 2).lo, 0.5f);
}

/// Every predicate for every order of two numbers, and NaN.
TEST_F(Interpretation, EveryPredicateOfReals) {
  const double nan = std::nan("");
  for (auto [name, less, equal, greater, unordered] :
       {std::tuple{"oeq", 0, 1, 0, 0},
        {"ogt", 0, 0, 1, 0},
        {"oge", 0, 1, 1, 0},
        {"olt", 1, 0, 0, 0},
        {"ole", 1, 1, 0, 0},
        {"one", 1, 0, 1, 0},
        {"ord", 1, 1, 1, 0},
        {"ueq", 0, 1, 0, 1},
        {"ugt", 0, 0, 1, 1},
        {"uge", 0, 1, 1, 1},
        {"ult", 1, 0, 0, 1},
        {"ule", 1, 1, 0, 1},
        {"une", 1, 0, 1, 1},
        {"uno", 0, 0, 0, 1}}) {
    auto result = map("f32", "i1",
                      std::string(" %c = arith.constant 2.0 : f32\n %r = "
                                  "arith.cmpf ") +
                          name + ", %x, %c : f32",
                      reals({4}, {1, 2, 3, nan}));
    ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
    for (auto [n, expected] :
         llvm::enumerate(std::vector<int>{less, equal, greater, unordered})) {
      EXPECT_TRUE(integer(*result, n).isPoint()) << name;
      EXPECT_EQ(integer(*result, n).lo, expected) << name << " " << n;
    }
  }
}

TEST_F(Interpretation, NaNAndInfinity) {
  const double nan = std::nan(""), inf = HUGE_VAL;
  auto values = reals({4}, {nan, inf, -inf, 2});
  auto most = map("f32", "f32",
                  " %c = arith.constant 0.0 : f32\n %r = arith.maximumf %x, "
                  "%c : f32",
                  values);
  auto number = map("f32", "f32",
                    " %c = arith.constant 0.0 : f32\n %r = arith.maxnumf %x, "
                    "%c : f32",
                    values);
  auto difference = map("f32", "f32", " %r = arith.subf %x, %x : f32", values);
  ASSERT_TRUE(most && number && difference);
  EXPECT_TRUE(real(*most, 0).isEmpty());
  EXPECT_EQ(real(*number, 0).hi, 0);
  EXPECT_EQ(real(*most, 1).lo, inf);
  EXPECT_EQ(real(*most, 2).hi, 0);
  EXPECT_TRUE(real(*difference, 1).isEmpty()); // Only NaN.
  EXPECT_TRUE(real(*difference, 3).contains(0));
}

TEST_F(Interpretation, IntegersWrapAtTheirWidth) {
  auto sum = map("i8", "i8", " %r = arith.addi %x, %x : i8",
                 integers({3}, {100, -100, 3}));
  ASSERT_TRUE(bool(sum)) << llvm::toString(sum.takeError());
  EXPECT_EQ(integer(*sum, 0).lo, -56);
  EXPECT_EQ(integer(*sum, 1).lo, 56);
  EXPECT_EQ(integer(*sum, 2).lo, 6);
  auto wide =
      map("i8", "i32", " %r = arith.extui %x : i8 to i32", integers({1}, {-1}));
  ASSERT_TRUE(bool(wide)) << llvm::toString(wide.takeError());
  EXPECT_EQ(integer(*wide, 0).lo, 255);
}

/// Undefined behavior is an error.
TEST_F(Interpretation, UndefinedBehaviorIsAnError) {
  auto quotient = map("i32", "i32", " %r = arith.divsi %x, %x : i32",
                      integers({2}, {1, 0}));
  EXPECT_EQ(llvm::toString(quotient.takeError()),
            "an integer operation may be undefined");
  auto outside = run(R"(
    func.func @f(%t: tensor<4xf32>, %i: tensor<1xi64>) -> tensor<1xf32> {
      %e = tensor.empty() : tensor<1xf32>
      %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>,
          affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
          ins(%i : tensor<1xi64>) outs(%e : tensor<1xf32>) {
      ^bb0(%a: i64, %o: f32):
        %k = arith.index_cast %a : i64 to index
        %v = tensor.extract %t[%k] : tensor<4xf32>
        linalg.yield %v : f32
      } -> tensor<1xf32>
      return %r : tensor<1xf32>
    })",
                     {reals({4}, {1, 2, 3, 4}), integers({1}, {4})});
  EXPECT_EQ(llvm::toString(outside.takeError()),
            "an index may be out of bounds");
}

/// Extents follow from the arguments.
TEST_F(Interpretation, EvaluatesDynamicShapes) {
  const std::string text = R"(
    func.func @f(%x: tensor<?xi32>, %y: tensor<?xi32>) -> tensor<?xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = tensor.dim %x, %c0 : tensor<?xi32>
      %m = arith.subi %n, %c1 : index
      %s = tensor.extract_slice %x[1] [%m] [1] : tensor<?xi32> to tensor<?xi32>
      %e = tensor.empty(%m) : tensor<?xi32>
      %r = linalg.add ins(%s, %y : tensor<?xi32>, tensor<?xi32>)
          outs(%e : tensor<?xi32>) -> tensor<?xi32>
      %q = arith.muli %r, %r : tensor<?xi32>
      return %q : tensor<?xi32>
    })";
  auto two = run(text, {integers({3}, {1, 2, 3}), integers({2}, {4, 5})});
  ASSERT_TRUE(bool(two));
  ASSERT_EQ((*two)->shape, std::vector<int64_t>({2}));
  EXPECT_EQ(integer(*two, 0).lo, 36);
  EXPECT_EQ(integer(*two, 1).lo, 64);
  auto none = run(text, {integers({1}, {1}), integers({0}, {})});
  ASSERT_TRUE(bool(none));
  EXPECT_EQ((*none)->shape, std::vector<int64_t>({0}));
  auto differ = run(text, {integers({3}, {1, 2, 3}), integers({1}, {4})});
  EXPECT_EQ(llvm::toString(differ.takeError()),
            "two extents of a loop may differ");
}

TEST_F(Interpretation, FindsTheElementThatIsWrong) {
  auto expected = reals({2, 2}, {1, 2, 3, 4});
  float right[] = {1, 2, 3, 4}, wrong[] = {1, 2, 3.5, 4};
  mlir::Type f32 = mlir::Builder(&context).getF32Type();
  EXPECT_EQ(checkElements(f32, *expected, right).wrong, "");
  EXPECT_EQ(checkElements(f32, *expected, wrong).wrong,
            "element [1, 0] is 3.5, not 3");
  auto vague = std::make_shared<RangeTensor>(*expected);
  vague->cells[1] = RealRange{-1, 5, false};
  EXPECT_EQ(checkElements(f32, *vague, right).undecided, 1);
}

} // namespace
