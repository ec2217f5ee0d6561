//===- NumericsTest.cpp - static analysis of arithmetic -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Verification/Numerics.h"
#include "../Measure/Tasks.h"
#include "mlir/IR/MLIRContext.h"
#include "pruner/Builder/Candidate.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace pruner;

static TaskNumerics numericsOf(const std::string &text) {
  mlir::DialectRegistry registry;
  registerBuilderDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  auto task = TaskProgram::parse(context, text);
  if (!task) {
    ADD_FAILURE() << toString(task.takeError()) << "\n" << text;
    return {};
  }
  return analyzeNumerics(*task);
}

TEST(Numerics, OrdinaryMatmulsAreExact) {
  TaskNumerics numerics = numericsOf(matmulTask(4, 4, 1024));
  EXPECT_TRUE(numerics.exact) << numerics.inexactBecause;
  EXPECT_FALSE(numerics.exactIfMagnitudeFits);
  EXPECT_EQ(numerics.range.magnitude, 8);
  EXPECT_EQ(numerics.terms, 1024);
  EXPECT_EQ(numerics.accumulatorRoundoff, std::ldexp(1.0, -24));
}

TEST(Numerics, LongerSumsTakeSmallerInputs) {
  // K r^2 <= 2^24: r = 8 up to K = 2^18, 4 up to 2^20, 2 up to 2^22.
  EXPECT_EQ(numericsOf(matmulTask(1, 1, 1 << 18)).range.magnitude, 8);
  EXPECT_EQ(numericsOf(matmulTask(1, 1, (1 << 18) + 1)).range.magnitude, 4);
  EXPECT_EQ(numericsOf(matmulTask(1, 1, 1 << 20)).range.magnitude, 4);
  EXPECT_EQ(numericsOf(matmulTask(1, 1, (1 << 20) + 1)).range.magnitude, 2);
  EXPECT_EQ(numericsOf(matmulTask(1, 1, 1 << 24)).range.magnitude, 1);
}

TEST(Numerics, SumsInNarrowTypesTakeSparseInputs) {
  EXPECT_EQ(numericsOf(matmulTask(1, 1, 32, "f16")).range.magnitude, 8);
  TaskNumerics numerics = numericsOf(matmulTask(1, 1, 4096, "f16"));
  EXPECT_TRUE(numerics.exact);
  EXPECT_TRUE(numerics.exactIfMagnitudeFits);
  EXPECT_EQ(numerics.range.magnitude, 1);
  // 4096 / s^2 at most a quarter of 2048.
  EXPECT_EQ(numerics.range.sparsity, 4);
}

TEST(Numerics, IntegerTasksAreExact) {
  EXPECT_TRUE(numericsOf(matmulTask(4, 4, 1 << 20, "i32")).exact);
}

static std::string unary(std::string op) {
  return "    %y = " + op + " %a : f32\n    linalg.yield %y : f32\n";
}

TEST(Numerics, RoundingFunctionsAreNamed) {
  TaskNumerics numerics = numericsOf(mapTask(8, unary("math.exp")));
  EXPECT_FALSE(numerics.exact);
  EXPECT_FALSE(numerics.linear);
  EXPECT_EQ(numerics.inexactBecause, "math.exp rounds");
  EXPECT_TRUE(numericsOf(mapTask(8, unary("arith.negf"))).exact);
}

TEST(Numerics, ConstantsDecide) {
  const char *scale = "    %y = arith.mulf %a, %c : f32\n"
                      "    linalg.yield %y : f32\n";
  EXPECT_TRUE(numericsOf(mapTask(8, scale, "0.375")).exact);
  // 0.1 in f32 has 27 fraction bits. Its product with -1, 0 and 1 is exact;
  // with 2 and an addition it is not.
  EXPECT_EQ(numericsOf(mapTask(8, scale, "0.1")).range.magnitude, 1);
  TaskNumerics numerics =
      numericsOf(mapTask(8,
                         "    %s = arith.mulf %a, %c : f32\n"
                         "    %y = arith.addf %s, %c : f32\n"
                         "    linalg.yield %y : f32\n",
                         "0.1"));
  EXPECT_FALSE(numerics.exact);
  EXPECT_TRUE(numerics.linear);
  EXPECT_TRUE(llvm::StringRef(numerics.inexactBecause)
                  .starts_with("arith.addf: values up to"))
      << numerics.inexactBecause;
  const char *relu = "    %y = arith.maximumf %a, %c : f32\n"
                     "    linalg.yield %y : f32\n";
  EXPECT_TRUE(numericsOf(mapTask(8, relu, "0.0")).exact);
  EXPECT_TRUE(numericsOf(mapTask(8, relu, "0xFF800000")).exact); // -inf
}

TEST(Numerics, ComputedReadsAreExactAndStayInside) {
  TaskNumerics numerics = numericsOf(R"(
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @gather(%t: tensor<50x8xf32>, %ix: tensor<6xi64>) -> tensor<6x8xf32> {
  %e = tensor.empty() : tensor<6x8xf32>
  %r = linalg.generic {indexing_maps = [#row, #id],
                       iterator_types = ["parallel", "parallel"]}
      ins(%ix : tensor<6xi64>) outs(%e : tensor<6x8xf32>) {
  ^bb0(%x: i64, %o: f32):
    %i = arith.index_cast %x : i64 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %t[%i, %j] : tensor<50x8xf32>
    linalg.yield %v : f32
  } -> tensor<6x8xf32>
  return %r : tensor<6x8xf32>
})");
  EXPECT_TRUE(numerics.exact) << numerics.inexactBecause;
  EXPECT_EQ(numerics.range.indexBelow, 8);
}

// Such constants start maxima, too, but here they are factors and terms.
TEST(Numerics, LargeConstantsCountInFull) {
  for (const char *op : {"arith.mulf", "arith.addf", "arith.subf"})
    for (const char *constant : {"2.0e+08", "-1.0e+09", "-3.4028235e+38"}) {
      TaskNumerics numerics =
          numericsOf(mapTask(8,
                             "    %y = " + std::string(op) +
                                 " %a, %c : f32\n    linalg.yield %y : f32\n",
                             constant));
      EXPECT_FALSE(numerics.exact) << op << " " << constant;
      EXPECT_TRUE(llvm::StringRef(numerics.inexactBecause)
                      .starts_with(std::string(op) + ": values up to"))
          << numerics.inexactBecause;
    }
  // Clamped, or kept as it is, nothing of it is rounded.
  EXPECT_TRUE(numericsOf(mapTask(8,
                                 "    %m = arith.maximumf %a, %c : f32\n"
                                 "    %y = arith.addf %m, %a : f32\n"
                                 "    linalg.yield %y : f32\n",
                                 "-2.0e+08"))
                  .exact);
  EXPECT_TRUE(numericsOf(mapTask(8,
                                 "    %m = arith.minimumf %a, %c : f32\n"
                                 "    linalg.yield %m : f32\n",
                                 "-2.0e+08"))
                  .exact);
  EXPECT_FALSE(numericsOf(mapTask(8,
                                  "    %m = arith.minimumf %a, %c : f32\n"
                                  "    %y = arith.addf %m, %a : f32\n"
                                  "    linalg.yield %y : f32\n",
                                  "-2.0e+08"))
                   .exact);
}

/// The rows of x reduced by `body` of %a and %o from `start`, and `after` of
/// the result %r.
static std::string reduction(std::string start, std::string body,
                             std::string after = "") {
  return R"(
func.func @reduce(%x: tensor<4x16xf32>) -> tensor<4xf32> {
  %c = arith.constant )" +
         start + R"( : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, k) -> (i, k)>,
                                        affine_map<(i, k) -> (i)>],
                       iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x16xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
)" + body +
         R"(
    linalg.yield %y : f32
  } -> tensor<4xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>,
                                        affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
      ins(%r : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %y = arith.addf %a, %a : f32
    linalg.yield %y : f32
  } -> tensor<4xf32>
  return %s : tensor<4xf32>
})";
}

// The initial value of a reduction that is not greater than its terms is not
// one of its results.
TEST(Numerics, StartsOfReductions) {
  for (const char *start :
       {"0xFF800000", "-3.4028235e+38", "-2.0e+08", "-1.0e+04", "0.0"})
    EXPECT_TRUE(
        numericsOf(reduction(start, "    %y = arith.maximumf %a, %o : f32"))
            .exact)
        << start;
  for (const char *start : {"0x7F800000", "3.4028235e+38", "2.0e+08"})
    EXPECT_TRUE(
        numericsOf(reduction(start, "    %y = arith.minnumf %o, %a : f32"))
            .exact)
        << start;
  // The other way round the start is the result.
  EXPECT_FALSE(
      numericsOf(reduction("2.0e+08", "    %y = arith.maximumf %a, %o : f32"))
          .exact);
  EXPECT_FALSE(
      numericsOf(reduction("-2.0e+08", "    %y = arith.minnumf %a, %o : f32"))
          .exact);
  EXPECT_FALSE(
      numericsOf(reduction("2.0e+08", "    %y = arith.addf %a, %o : f32"))
          .exact);
  // A maximum of sums grows.
  EXPECT_FALSE(
      numericsOf(reduction("0.0", "    %t = arith.addf %a, %o : f32\n"
                                  "    %y = arith.maximumf %t, %a : f32"))
          .exact);
}

TEST(Numerics, IntegersWithoutASign) {
  auto isExact = [](std::string body) {
    return numericsOf(R"(
#id = affine_map<(i) -> (i)>
func.func @convert(%x: tensor<8xi32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#id, #id],
                       iterator_types = ["parallel"]}
      ins(%x : tensor<8xi32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: i32, %o: f32):
)" + body + R"(
    linalg.yield %y : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
})")
        .exact;
  };
  EXPECT_TRUE(isExact("    %y = arith.sitofp %a : i32 to f32"));
  // -1 is 4294967295.
  EXPECT_FALSE(isExact("    %y = arith.uitofp %a : i32 to f32"));
  EXPECT_FALSE(isExact("    %w = arith.extui %a : i32 to i64\n"
                       "    %y = arith.sitofp %w : i64 to f32"));
  EXPECT_TRUE(isExact("    %m = math.absi %a : i32\n"
                      "    %y = arith.uitofp %m : i32 to f32"));
  EXPECT_TRUE(isExact("    %m = arith.trunci %a : i32 to i8\n"
                      "    %y = arith.uitofp %m : i8 to f32"));
  // Of two results each counts.
  EXPECT_FALSE(isExact("    %l, %h = arith.mulsi_extended %a, %a : i32\n"
                       "    %y = arith.sitofp %l : i32 to f32"));
}

TEST(Numerics, ProductsMayUnderflow) {
  // 2^-14 squared is no f16.
  EXPECT_FALSE(numericsOf(mapTask(8,
                                  "    %s = arith.mulf %c, %c : f16\n"
                                  "    %y = arith.mulf %a, %s : f16\n"
                                  "    linalg.yield %y : f16\n",
                                  "6.103515625e-05", "f16"))
                   .exact);
  EXPECT_TRUE(numericsOf(mapTask(8,
                                 "    %y = arith.mulf %a, %c : f16\n"
                                 "    linalg.yield %y : f16\n",
                                 "6.103515625e-05", "f16"))
                  .exact);
}
