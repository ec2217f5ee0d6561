//===- AccessMutationsTest.cpp - mutations of accesses --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MutantsOf.h"

using namespace pruner;

namespace {

constexpr const char *copy = R"(
func.func @kernel(%x: memref<64xf32>, %y: memref<64xf32>, %i: index) {
  %c3 = arith.constant 3 : index
  %row = arith.muli %i, %c3 : index
  %at = arith.addi %row, %c3 : index
  %v = vector.load %x[%at] : memref<64xf32>, vector<4xf32>
  vector.store %v, %y[%i] : memref<64xf32>, vector<4xf32>
  return
})";

TEST(AccessMutations, AnAccessIsOffByOneElement) {
  MutantsOf mutants(copy);
  // The offset, the load and the store, in either direction.
  ASSERT_EQ(mutants.count(MutationKind::Neighbor), 6u);
  EXPECT_TRUE(holds(mutants.mutant(MutationKind::Neighbor, 0),
                    "%c-1 = arith.constant -1 : index\n"
                    "%1 = arith.addi %c3, %c-1 : index\n"
                    "%2 = arith.addi %0, %1 : index\n"));
  EXPECT_TRUE(
      holds(mutants.mutant(MutationKind::Neighbor, 3),
            "%2 = arith.addi %1, %c1 : index\n"
            "%3 = vector.load %arg0[%2] : memref<64xf32>, vector<4xf32>\n"));
  EXPECT_TRUE(
      holds(mutants.mutant(MutationKind::Neighbor, 5),
            "%3 = arith.addi %arg2, %c1 : index\n"
            "vector.store %2, %arg1[%3] : memref<64xf32>, vector<4xf32>\n"));
}

TEST(AccessMutations, AStrideIsOffByOne) {
  MutantsOf mutants(copy);
  ASSERT_EQ(mutants.count(MutationKind::Stride), 2u);
  EXPECT_TRUE(holds(mutants.mutant(MutationKind::Stride, 1),
                    "%c1 = arith.constant 1 : index\n"
                    "%0 = arith.addi %c3, %c1 : index\n"
                    "%1 = arith.muli %arg2, %0 : index\n"));
}

TEST(AccessMutations, AnExtentIsOffByOne) {
  MutantsOf mutants(R"(
func.func @left(%i: index) -> index {
  %c7 = arith.constant 7 : index
  %n = arith.subi %c7, %i : index
  return %n : index
})");
  ASSERT_EQ(mutants.count(MutationKind::Tail), 2u);
  EXPECT_TRUE(holds(mutants.mutant(MutationKind::Tail, 0),
                    "%0 = arith.addi %c7, %c-1 : index\n"
                    "%1 = arith.subi %0, %arg0 : index\n"));
}

TEST(AccessMutations, AStoreIsMissing) {
  MutantsOf mutants(copy);
  ASSERT_EQ(mutants.count(MutationKind::Store), 1u);
  EXPECT_EQ(mutants.mutant(MutationKind::Store).find("vector.store"),
            std::string::npos);
}

TEST(AccessMutations, AStoredValueIsScaled) {
  MutantsOf mutants(copy);
  ASSERT_EQ(mutants.count(MutationKind::Scale), 1u);
  EXPECT_TRUE(
      holds(mutants.mutant(MutationKind::Scale),
            "%cst = arith.constant dense<1.00097656> : vector<4xf32>\n"
            "%3 = arith.mulf %2, %cst : vector<4xf32>\n"
            "vector.store %3, %arg1[%arg2] : memref<64xf32>, vector<4xf32>\n"));
}

TEST(AccessMutations, AVectorLosesALane) {
  MutantsOf mutants(copy);
  ASSERT_EQ(mutants.count(MutationKind::Lane), 4u);
  EXPECT_TRUE(
      holds(mutants.mutant(MutationKind::Lane, 0),
            "%2 = vector.load %arg0[%1] : memref<64xf32>, vector<4xf32>\n"
            "%cst = arith.constant 0.000000e+00 : f32\n"
            "%3 = vector.insert %cst, %2 [3] : f32 into vector<4xf32>\n"
            "vector.store %3, %arg1[%arg2] : memref<64xf32>, vector<4xf32>\n"));
  EXPECT_TRUE(
      holds(mutants.mutant(MutationKind::Lane, 3),
            "%3 = vector.extract %2[1] : f32 from vector<4xf32>\n"
            "%4 = vector.insert %3, %2 [0] : f32 into vector<4xf32>\n"
            "vector.store %4, %arg1[%arg2] : memref<64xf32>, vector<4xf32>\n"));
}

} // namespace
