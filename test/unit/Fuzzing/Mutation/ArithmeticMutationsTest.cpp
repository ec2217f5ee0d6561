//===- ArithmeticMutationsTest.cpp - mutations of arithmetic --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MutantsOf.h"

using namespace pruner;

namespace {

/// A function that returns the result of `line`, "%r = ..." on %a and %b.
std::string function(const std::string &line, const std::string &type,
                     std::string result = "") {
  if (result.empty())
    result = type;
  return "func.func @f(%a: " + type + ", %b: " + type + ") -> " + result +
         " {\n  " + line + "\n  return %r : " + result + "\n}\n";
}

TEST(ArithmeticMutations, OperandsAreExchangedWhereTheyHaveAnOrder) {
  MutantsOf difference(function("%r = arith.subf %a, %b : f32", "f32"));
  EXPECT_TRUE(holds(difference.mutant(MutationKind::Operands),
                    "%0 = arith.subf %arg1, %arg0 : f32\n"));
  MutantsOf sum(function("%r = arith.addf %a, %b : f32", "f32"));
  EXPECT_EQ(sum.count(MutationKind::Operands), 0u);
  MutantsOf fma(
      function("%r = vector.fma %a, %a, %b : vector<4xf32>", "vector<4xf32>"));
  EXPECT_TRUE(holds(fma.mutant(MutationKind::Operands),
                    "%0 = vector.fma %arg0, %arg1, %arg0 : vector<4xf32>\n"));
}

TEST(ArithmeticMutations, AnOperationBecomesAnotherOne) {
  const std::pair<const char *, const char *> pairs[] = {
      {"maximumf", "minimumf"}, {"addf", "subf"}, {"mulf", "addf"}};
  for (auto [from, to] : pairs) {
    MutantsOf mutants(
        function("%r = arith." + std::string(from) + " %a, %b : f32", "f32"));
    ASSERT_EQ(mutants.count(MutationKind::Operation), 1u) << from;
    EXPECT_TRUE(
        holds(mutants.mutant(MutationKind::Operation),
              "%0 = arith." + std::string(to) + " %arg0, %arg1 : f32\n"));
  }
  MutantsOf compare(function("%r = arith.cmpf olt, %a, %b : f32", "f32", "i1"));
  EXPECT_TRUE(holds(compare.mutant(MutationKind::Operation),
                    "%0 = arith.cmpf ole, %arg0, %arg1 : f32\n"));
  MutantsOf lanes(function("%r = vector.reduction <add>, %a : vector<4xf32> "
                           "into f32",
                           "vector<4xf32>", "f32"));
  EXPECT_NE(lanes.mutant(MutationKind::Operation).find("reduction <mul>"),
            std::string::npos);
}

TEST(ArithmeticMutations, IndicesAreNotArithmetic) {
  MutantsOf mutants(function("%r = arith.addi %a, %b : index", "index"));
  EXPECT_TRUE(mutants.list().empty());
}

TEST(ArithmeticMutations, AnOperationIsLeftOut) {
  MutantsOf mutants(function("%r = arith.addf %a, %b : f32", "f32"));
  ASSERT_EQ(mutants.count(MutationKind::Skipped), 2u);
  EXPECT_TRUE(
      holds(mutants.mutant(MutationKind::Skipped, 1), "return %arg1 : f32\n"));
  // A conversion has no operand of its result's type.
  MutantsOf cast(function("%r = arith.extf %a : f16 to f32", "f16", "f32"));
  EXPECT_EQ(cast.count(MutationKind::Skipped), 0u);
}

TEST(ArithmeticMutations, AConstantChanges) {
  const std::pair<const char *, const char *> pairs[] = {
      {"2.0 : f32", "2.031250e+00 : f32"},
      {"0.0 : f32", "1.562500e-02 : f32"},
      {"0xFF800000 : f32", "0.000000e+00 : f32"},
      {"7 : i32", "8 : i32"},
      {"dense<2.0> : vector<4xf32>", "dense<2.031250e+00> : vector<4xf32>"}};
  for (auto [from, to] : pairs) {
    std::string type =
        std::string(from).substr(std::string(from).find(": ") + 2);
    MutantsOf mutants(
        function("%r = arith.constant " + std::string(from), type));
    ASSERT_EQ(mutants.count(MutationKind::Constant), 1u) << from;
    EXPECT_NE(mutants.mutant(MutationKind::Constant)
                  .find("arith.constant " + std::string(to)),
              std::string::npos)
        << mutants.mutant(MutationKind::Constant);
  }
  MutantsOf index(function("%r = arith.constant 3 : index", "index"));
  EXPECT_TRUE(index.list().empty());
}

} // namespace
