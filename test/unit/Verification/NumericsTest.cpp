//===- NumericsTest.cpp - static analysis of arithmetic -------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

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
