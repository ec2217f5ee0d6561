//===- StatementMutationsTest.cpp - mutations of tiled programs -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MutantsOf.h"

using namespace pruner;

namespace {

/// The differences of the columns of two matrices, summed along d1, squared.
constexpr const char *tiled = R"(
#mk = affine_map<(d0, d1) -> (d0, d1)>
#m = affine_map<(d0, d1) -> (d0)>
func.func @kernel(%x: memref<8x6xf32>, %y: memref<8x6xf32>, %z: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  pruner.kernel cpu domain (d0 = 8, d1 = 6 reduction) {
    pruner.band core (%i = d0 trips 2 step 4) {
      %acc = pruner.alloc "acc" at (%i) shape [8] layout affine_map<(d0) -> (d0)>
          : memref<4xf32, #pruner.memory<local>>
      pruner.compute init at (%i) loops (d0 unroll 4) ins()
          outs(%acc : memref<4xf32, #pruner.memory<local>>) maps [#m] {
        pruner.yield %zero : f32
      }
      pruner.compute update at (%i) loops (d1 serial 6, d0 unroll 4)
          ins(%x, %y : memref<8x6xf32>, memref<8x6xf32>)
          outs(%acc : memref<4xf32, #pruner.memory<local>>) maps [#mk, #mk, #m] {
      ^bb0(%a: f32, %b: f32, %c: f32):
        %d = arith.subf %a, %b : f32
        %s = arith.addf %c, %d : f32
        pruner.yield %s : f32
      }
      pruner.compute finish at (%i) loops (d0 unroll 4)
          ins(%acc : memref<4xf32, #pruner.memory<local>>)
          outs(%z : memref<8xf32>) maps [#m, #m] {
      ^bb0(%a: f32):
        %q = arith.mulf %a, %a : f32
        pruner.yield %q : f32
      }
    }
  }
  return
})";

TEST(StatementMutations, ABandLosesItsLastTrip) {
  MutantsOf mutants(tiled);
  ASSERT_EQ(mutants.count(MutationKind::Tile), 1u);
  EXPECT_NE(mutants.mutant(MutationKind::Tile)
                .find("pruner.band core (%arg3 = d0 trips 1 step 4)"),
            std::string::npos);
}

TEST(StatementMutations, AStatementLosesAnIteration) {
  MutantsOf mutants(tiled);
  // One loop of the start, two of the update, one of the end.
  ASSERT_EQ(mutants.count(MutationKind::Iteration), 4u);
  EXPECT_NE(mutants.mutant(MutationKind::Iteration, 1)
                .find("loops (d1 serial 5, d0 unroll 4)"),
            std::string::npos);
}

TEST(StatementMutations, AnAccumulatorStartsFromAnotherValue) {
  MutantsOf mutants(tiled);
  ASSERT_EQ(mutants.count(MutationKind::Start), 3u);
  EXPECT_EQ(mutants.mutant(MutationKind::Start, 0).find("compute init"),
            std::string::npos);
  EXPECT_TRUE(holds(mutants.mutant(MutationKind::Start, 1),
                    "%cst_0 = arith.constant 1.000000e+00 : f32\n"
                    "pruner.yield %cst_0 : f32\n"));
  EXPECT_TRUE(holds(mutants.mutant(MutationKind::Start, 2),
                    "%cst_0 = arith.constant 7.812500e-03 : f32\n"
                    "pruner.yield %cst_0 : f32\n"));
}

TEST(StatementMutations, InputsAreExchanged) {
  MutantsOf mutants(tiled);
  ASSERT_EQ(mutants.count(MutationKind::Inputs), 1u);
  EXPECT_TRUE(holds(mutants.mutant(MutationKind::Inputs),
                    "^bb0(%arg4: f32, %arg5: f32, %arg6: f32):\n"
                    "%1 = arith.subf %arg5, %arg4 : f32\n"));
}

TEST(StatementMutations, AnInputIsReadOneElementOff) {
  MutantsOf mutants(tiled);
  ASSERT_EQ(mutants.count(MutationKind::Neighbor), 3u);
  EXPECT_NE(mutants.mutant(MutationKind::Neighbor, 1)
                .find("affine_map<(d0, d1) -> (d0, d1 + 1)>"),
            std::string::npos);
}

TEST(StatementMutations, APaddingIsAnotherNumber) {
  MutantsOf mutants(R"(
func.func @kernel(%x: memref<8x4xf32>, %y: memref<8xf32>) {
  pruner.kernel cpu domain (d0 = 8, d1 = 4 reduction) {
    pruner.compute update at () loops (d1 serial 4, d0 unroll 8)
        paddings [0.0 : f32] ins(%x : memref<8x4xf32>)
        outs(%y : memref<8xf32>)
        maps [affine_map<(d0, d1) -> (d0, d1 - 1)>,
              affine_map<(d0, d1) -> (d0)>] {
    ^bb0(%a: f32, %b: f32):
      %0 = arith.addf %a, %b : f32
      pruner.yield %0 : f32
    }
  }
  return
})");
  ASSERT_EQ(mutants.count(MutationKind::Constant), 1u);
  EXPECT_NE(mutants.mutant(MutationKind::Constant)
                .find("paddings [5.000000e-01 : f32]"),
            std::string::npos);
}

TEST(StatementMutations, APositionIsTakenForPadding) {
  MutantsOf mutants(R"(
func.func @kernel(%x: memref<8x4xf32>, %y: memref<8xf32>) {
  pruner.kernel cpu domain (d0 = 8, d1 = 4 reduction) {
    pruner.compute update at () loops (d1 serial 4, d0 unroll 8)
        paddings [0.0 : f32]
        inside [8, 4] of affine_map<(d0, d1) -> (d0, d1 - 1)>
        ins(%x : memref<8x4xf32>) outs(%y : memref<8xf32>)
        maps [affine_map<(d0, d1) -> (d0, d1 - 1)>,
              affine_map<(d0, d1) -> (d0)>] {
    ^bb0(%a: f32, %b: f32):
      %0 = arith.addf %b, %a : f32
      pruner.yield %0 : f32
    }
  }
  return
})");
  ASSERT_EQ(mutants.count(MutationKind::Tail), 2u);
  EXPECT_NE(mutants.mutant(MutationKind::Tail, 1).find("inside [8, 3] of"),
            std::string::npos);
}

TEST(StatementMutations, AResultIsScaled) {
  MutantsOf mutants(tiled);
  ASSERT_EQ(mutants.count(MutationKind::Scale), 3u);
  EXPECT_TRUE(holds(mutants.mutant(MutationKind::Scale, 2),
                    "%1 = arith.mulf %arg4, %arg4 : f32\n"
                    "%cst_0 = arith.constant 1.00097656 : f32\n"
                    "%2 = arith.mulf %1, %cst_0 : f32\n"
                    "pruner.yield %2 : f32\n"));
}

TEST(StatementMutations, TheEpilogueIsMissing) {
  MutantsOf mutants(tiled);
  // For a difference, a sum and a square, with either operand as replacement.
  ASSERT_EQ(mutants.count(MutationKind::Skipped), 6u);
  EXPECT_TRUE(holds(mutants.mutant(MutationKind::Skipped, 5),
                    "^bb0(%arg4: f32):\n"
                    "pruner.yield %arg4 : f32\n"));
}

} // namespace
