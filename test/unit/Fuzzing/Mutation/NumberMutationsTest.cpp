//===- NumberMutationsTest.cpp - mutations of numbers ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MutantsOf.h"

using namespace pruner;

namespace {

/// A function of %a and %b that returns %r, of `type`.
std::string function(const std::string &type, const std::string &body,
                     std::string result = "") {
  if (result.empty())
    result = type;
  return "func.func @f(%a: " + type + ", %b: " + type + ") -> " + result +
         " {\n" + body + "  return %r : " + result + "\n}\n";
}

TEST(NumberMutations, RequantizationHasAFaultEach) {
  MutantsOf mutants(function("f32", "  %k = arith.constant 0.5 : f32\n"
                                    "  %m = arith.mulf %a, %k : f32\n"
                                    "  %r = math.roundeven %m : f32\n"));
  // Three scales and three roundings.
  ASSERT_EQ(mutants.count(MutationKind::Requantization), 6u);
  EXPECT_TRUE(holds(mutants.mutant(MutationKind::Requantization, 0),
                    "%cst_0 = arith.constant 5.000000e+01 : f32\n"
                    "%0 = arith.mulf %arg0, %cst_0 : f32\n"));
  EXPECT_TRUE(holds(mutants.mutant(MutationKind::Requantization, 1),
                    "%cst_0 = arith.constant 5.039060e-01 : f32\n") ||
              holds(mutants.mutant(MutationKind::Requantization, 1),
                    "%cst_0 = arith.constant 0.50390625 : f32\n"));
  EXPECT_TRUE(holds(mutants.mutant(MutationKind::Requantization, 3),
                    "%1 = math.round %0 : f32\n"));
  EXPECT_TRUE(holds(mutants.mutant(MutationKind::Requantization, 5),
                    "%1 = math.floor %0 : f32\n"));
}

TEST(NumberMutations, AClampIsMovedLostOrDecidedByTheSign) {
  MutantsOf mutants(function("i32", "  %lo = arith.constant -128 : i32\n"
                                    "  %hi = arith.constant 127 : i32\n"
                                    "  %c = arith.maxsi %a, %lo : i32\n"
                                    "  %r = arith.minsi %c, %hi : i32\n"));
  // For each end two other values and none; the choice by sign once.
  ASSERT_EQ(mutants.count(MutationKind::Requantization), 7u);
  EXPECT_TRUE(holds(mutants.mutant(MutationKind::Requantization, 1),
                    "%c-127_i32 = arith.constant -127 : i32\n"
                    "%0 = arith.maxsi %arg0, %c-127_i32 : i32\n"));
  EXPECT_TRUE(holds(mutants.mutant(MutationKind::Requantization, 5),
                    "%0 = arith.maxsi %arg0, %c-128_i32 : i32\n"
                    "%1 = arith.minsi %0, %c127_i32 : i32\n"
                    "return %0 : i32\n"));
  EXPECT_TRUE(holds(mutants.mutant(MutationKind::Requantization, 6),
                    "%1 = arith.cmpi slt, %arg0, %c0_i32 : i32\n"
                    "%2 = arith.select %1, %c-128_i32, %c127_i32 : i32\n"));
}

TEST(NumberMutations, AZeroPointAndAShiftAreOff) {
  MutantsOf mutants(function("i64", "  %z = arith.constant 3 : i64\n"
                                    "  %p = arith.addi %a, %z : i64\n"
                                    "  %r = arith.shrsi %p, %z : i64\n"));
  ASSERT_EQ(mutants.count(MutationKind::Requantization), 3u);
  EXPECT_TRUE(holds(mutants.mutant(MutationKind::Requantization, 0),
                    "%c33_i64 = arith.constant 33 : i64\n"
                    "%0 = arith.addi %arg0, %c33_i64 : i64\n"));
  EXPECT_TRUE(holds(mutants.mutant(MutationKind::Requantization, 2),
                    "%1 = arith.shrsi %0, %c2_i64 : i64\n"));
}

TEST(NumberMutations, TheHighHalfIsDropped) {
  MutantsOf mutants(
      function("vector<4xi64>", "  %r = arith.muli %a, %b : vector<4xi64>\n"));
  ASSERT_EQ(mutants.count(MutationKind::HighHalf), 2u);
  EXPECT_TRUE(holds(mutants.mutant(MutationKind::HighHalf, 0),
                    "%0 = arith.trunci %arg0 : vector<4xi64> to vector<4xi32>\n"
                    "%1 = arith.extsi %0 : vector<4xi32> to vector<4xi64>\n"
                    "%2 = arith.muli %1, %arg1 : vector<4xi64>\n"));
  MutantsOf narrow(function("i16", "  %r = arith.muli %a, %b : i16\n"));
  EXPECT_EQ(narrow.count(MutationKind::HighHalf), 0u);
}

TEST(NumberMutations, NaNAndInfinitiesAreTreatedDifferently) {
  MutantsOf largest(function("f32", "  %r = arith.maximumf %a, %b : f32\n"));
  ASSERT_EQ(largest.count(MutationKind::NotANumber), 1u);
  EXPECT_TRUE(holds(largest.mutant(MutationKind::NotANumber),
                    "%0 = arith.maxnumf %arg0, %arg1 : f32\n"));
  MutantsOf compare(
      function("f32", "  %r = arith.cmpf ogt, %a, %b : f32\n", "i1"));
  EXPECT_TRUE(holds(compare.mutant(MutationKind::NotANumber),
                    "%0 = arith.cmpf ugt, %arg0, %arg1 : f32\n"));
  MutantsOf start(function("f32", "  %r = arith.constant 0xFF800000 : f32\n"));
  ASSERT_EQ(start.count(MutationKind::NotANumber), 2u);
  EXPECT_NE(start.mutant(MutationKind::NotANumber, 0).find("-3.40282347E+38"),
            std::string::npos);
  EXPECT_NE(start.mutant(MutationKind::NotANumber, 1).find("-1.000000e+04"),
            std::string::npos);
}

TEST(NumberMutations, AMaskIsLostOrInverted) {
  MutantsOf mutants(function("f32", "  %c = arith.cmpf ogt, %a, %b : f32\n"
                                    "  %r = arith.select %c, %a, %b : f32\n"));
  ASSERT_EQ(mutants.count(MutationKind::Mask), 3u);
  EXPECT_TRUE(
      holds(mutants.mutant(MutationKind::Mask, 0), "return %arg1 : f32\n"));
  EXPECT_TRUE(holds(mutants.mutant(MutationKind::Mask, 2),
                    "%1 = arith.select %0, %arg1, %arg0 : f32\n"));
}

TEST(NumberMutations, SignsAreExchanged) {
  MutantsOf shift(function("i32", "  %r = arith.shrsi %a, %b : i32\n"));
  EXPECT_TRUE(holds(shift.mutant(MutationKind::Sign),
                    "%0 = arith.shrui %arg0, %arg1 : i32\n"));
  MutantsOf compare(
      function("i32", "  %r = arith.cmpi ult, %a, %b : i32\n", "i1"));
  EXPECT_TRUE(holds(compare.mutant(MutationKind::Sign),
                    "%0 = arith.cmpi slt, %arg0, %arg1 : i32\n"));
}

TEST(NumberMutations, ANarrowTypeKeepsTheWideValue) {
  MutantsOf mutants(function("bf16", "  %s = arith.addf %a, %b : bf16\n"
                                     "  %r = arith.mulf %s, %b : bf16\n"));
  ASSERT_EQ(mutants.count(MutationKind::Rounding), 1u);
  EXPECT_TRUE(holds(mutants.mutant(MutationKind::Rounding),
                    "%3 = arith.addf %1, %2 : f32\n"
                    "%4 = arith.extf %arg1 : bf16 to f32\n"
                    "%5 = arith.mulf %3, %4 : f32\n"
                    "%6 = arith.truncf %5 : f32 to bf16\n"));
  MutantsOf cast(function("f32", "  %n = arith.truncf %a : f32 to f16\n"
                                 "  %r = arith.extf %n : f16 to f32\n"));
  EXPECT_TRUE(
      holds(cast.mutant(MutationKind::Rounding), "return %arg0 : f32\n"));
}

TEST(NumberMutations, AnExtremumLeavesALaneOut) {
  MutantsOf mutants(function(
      "vector<4xf32>",
      "  %r = vector.reduction <maximumf>, %a : vector<4xf32> into f32\n",
      "f32"));
  ASSERT_EQ(mutants.count(MutationKind::Extremum), 3u);
  EXPECT_TRUE(
      holds(mutants.mutant(MutationKind::Extremum, 2),
            "%0 = vector.extract %arg0[2] : f32 from vector<4xf32>\n"
            "%1 = vector.insert %0, %arg0 [3] : f32 into vector<4xf32>\n"));
}

} // namespace
