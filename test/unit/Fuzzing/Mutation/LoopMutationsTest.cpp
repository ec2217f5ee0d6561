//===- LoopMutationsTest.cpp - mutations of loops and launches ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MutantsOf.h"

using namespace pruner;

namespace {

/// Two loops around a guarded, clamped, masked copy.
constexpr const char *nest = R"(
func.func @kernel(%x: memref<64xf32>, %y: memref<64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %n step %c2 {
    scf.for %j = %c0 to %c4 step %c2 {
      %l = arith.minsi %j, %n : index
      %in = arith.cmpi sle, %l, %n : index
      scf.if %in {
        %m = vector.create_mask %l : vector<8xi1>
        %p = arith.constant dense<0.0> : vector<8xf32>
        %v = vector.maskedload %x[%i], %m, %p : memref<64xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
        vector.maskedstore %y[%i], %m, %v : memref<64xf32>, vector<8xi1>, vector<8xf32>
      }
    }
  }
  return
})";

TEST(LoopMutations, AnInnermostLoopLosesAnIteration) {
  MutantsOf mutants(nest);
  ASSERT_EQ(mutants.count(MutationKind::Iteration), 2u);
  EXPECT_TRUE(holds(mutants.mutant(MutationKind::Iteration, 0),
                    "%0 = arith.addi %c0, %c2 : index\n"
                    "scf.for %arg4 = %0 to %c4 step %c2 {\n"));
  EXPECT_TRUE(holds(mutants.mutant(MutationKind::Iteration, 1),
                    "%0 = arith.subi %c4, %c2 : index\n"
                    "scf.for %arg4 = %c0 to %0 step %c2 {\n"));
}

TEST(LoopMutations, AnOuterLoopLosesATile) {
  MutantsOf mutants(nest);
  ASSERT_EQ(mutants.count(MutationKind::Tile), 2u);
  EXPECT_TRUE(holds(mutants.mutant(MutationKind::Tile, 1),
                    "%0 = arith.subi %arg2, %c2 : index\n"
                    "scf.for %arg3 = %c0 to %0 step %c2 {\n"));
}

TEST(LoopMutations, BoundsAreOffByOneOrLost) {
  MutantsOf mutants(nest);
  // The clamp in either direction, the comparison, the branch, the mask.
  ASSERT_EQ(mutants.count(MutationKind::Tail), 7u);
  EXPECT_TRUE(holds(mutants.mutant(MutationKind::Tail, 0),
                    "%1 = arith.cmpi sle, %arg4, %arg2 : index\n"));
  EXPECT_TRUE(holds(mutants.mutant(MutationKind::Tail, 1),
                    "%1 = arith.cmpi sle, %arg2, %arg2 : index\n"));
  EXPECT_TRUE(holds(mutants.mutant(MutationKind::Tail, 2),
                    "%1 = arith.cmpi slt, %0, %arg2 : index\n"));
  EXPECT_TRUE(holds(mutants.mutant(MutationKind::Tail, 3),
                    "%false = arith.constant false\nscf.if %false {\n"));
  EXPECT_TRUE(holds(mutants.mutant(MutationKind::Tail, 4),
                    "%true = arith.constant true\nscf.if %true {\n"));
  EXPECT_TRUE(holds(mutants.mutant(MutationKind::Tail, 5),
                    "%c-1 = arith.constant -1 : index\n"
                    "%2 = arith.addi %0, %c-1 : index\n"
                    "%3 = vector.create_mask %2 : vector<8xi1>\n"));
}

/// Two blocks of four threads that exchange elements in shared memory.
constexpr const char *launch = R"(
gpu.module @kernels {
  gpu.func @k(%x: memref<8xf32>, %y: memref<8xf32>) kernel
      attributes {known_block_size = array<i32: 4, 1, 1>,
                  known_grid_size = array<i32: 2, 1, 1>,
                  pruner.block = array<i64: 4, 1, 1>,
                  pruner.grid = array<i64: 2, 1, 1>} {
    %t = gpu.thread_id x
    %v = memref.load %x[%t] : memref<8xf32>
    gpu.barrier
    memref.store %v, %y[%t] : memref<8xf32>
    %token = nvgpu.device_async_create_group
    nvgpu.device_async_wait %token
    gpu.return
  }
})";

TEST(LoopMutations, ALaunchLosesABlockOrAThread) {
  MutantsOf mutants(launch);
  ASSERT_EQ(mutants.count(MutationKind::Tile), 2u);
  std::string block = mutants.mutant(MutationKind::Tile, 0);
  EXPECT_NE(block.find("pruner.grid = array<i64: 1, 1, 1>"), std::string::npos);
  EXPECT_NE(block.find("known_grid_size = array<i32: 1, 1, 1>"),
            std::string::npos);
  EXPECT_NE(block.find("pruner.block = array<i64: 4, 1, 1>"),
            std::string::npos);
  std::string thread = mutants.mutant(MutationKind::Tile, 1);
  EXPECT_NE(thread.find("pruner.block = array<i64: 3, 1, 1>"),
            std::string::npos);
}

TEST(LoopMutations, ABarrierOrAWaitIsWeaker) {
  MutantsOf mutants(launch);
  ASSERT_EQ(mutants.count(MutationKind::Barrier), 1u);
  EXPECT_EQ(mutants.mutant(MutationKind::Barrier).find("gpu.barrier"),
            std::string::npos);
  ASSERT_EQ(mutants.count(MutationKind::Wait), 2u);
  std::string without = mutants.mutant(MutationKind::Wait, 0);
  EXPECT_EQ(without.find("device_async_wait"), std::string::npos);
  EXPECT_NE(without.find("gpu.barrier"), std::string::npos);
  std::string less = mutants.mutant(MutationKind::Wait, 1);
  EXPECT_NE(less.find("nvgpu.device_async_wait"), std::string::npos);
  EXPECT_NE(less.find("numGroups = 1 : i32"), std::string::npos) << less;
}

TEST(MutationList, NumbersDependOnTheTextAlone) {
  for (const char *text : {nest, launch}) {
    MutantsOf once(text), again(text);
    auto list = once.list();
    EXPECT_GT(list.size(), 5u);
    EXPECT_EQ(list, again.list());
    for (auto [kind, what] : list) {
      EXPECT_EQ(once.mutant(kind), again.mutant(kind));
      EXPECT_NE(once.mutant(kind), once.original());
    }
  }
}

} // namespace
