//===- DivergenceTest.cpp - branches that lanes take differently ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PtxTest.h"

using namespace pruner::ptx;
using namespace pruner::ptx::test;

namespace {

TEST(PtxDivergenceTest, LoopsWithDifferentCounts) {
  // The sum of 0 to the number of the thread, then a shuffle of all lanes.
  Outcome outcome = run(R"(
    mov.b32 %r2, 0;
    mov.b32 %r3, 0;
  $loop:
    add.s32 %r2, %r2, %r3;
    add.s32 %r3, %r3, 1;
    setp.le.u32 %p1, %r3, %r1;
    @%p1 bra $loop;
    shfl.sync.bfly.b32 %r4, %r2, 1, 31, -1;
    st.global.b32 [%rd4], %r4;)");
  EXPECT_EQ(outcome.message, "");
  for (unsigned n = 0; n != 32; ++n)
    EXPECT_EQ(outcome.out[n], (n ^ 1) * ((n ^ 1) + 1) / 2);
}

TEST(PtxDivergenceTest, NestedBranchesJoin) {
  Outcome outcome = run(R"(
    and.b32 %r2, %r1, 1;
    and.b32 %r3, %r1, 2;
    setp.eq.b32 %p1, %r2, 0;
    setp.eq.b32 %p2, %r3, 0;
    mov.b32 %r4, 0;
    @%p1 bra $else;
    @%p2 bra $inner;
    mov.b32 %r4, 3;
    bra.uni $join;
  $inner:
    mov.b32 %r4, 1;
    bra.uni $join;
  $else:
    @!%p2 mov.b32 %r4, 2;
  $join:
    vote.sync.ballot.b32 %r5, %p1, -1;
    add.s32 %r4, %r4, %r5;
    st.global.b32 [%rd4], %r4;)");
  EXPECT_EQ(outcome.message, "");
  for (unsigned n = 0; n != 32; ++n)
    EXPECT_EQ(outcome.out[n], (n & 3) + 0x55555555u);
  // After the join, each instruction is executed once by the whole warp.
  EXPECT_EQ(outcome.counts.executedOpcodes["vote.sync.ballot.b32"].warps, 1u);
}

/// A join before its branches, and a loop that half of the lanes leave
/// through a block above it.
TEST(PtxDivergenceTest, UnusualOrderOfBlocks) {
  Outcome outcome = run(R"(
    setp.lt.u32 %p1, %r1, 16;
    bra.uni $branch;
  $join:
    shfl.sync.idx.b32 %r4, %r2, 20, 31, -1;
    add.s32 %r2, %r2, %r4;
    st.global.b32 [%rd4], %r2;
    ret;
  $branch:
    @%p1 bra $low;
    mov.b32 %r2, 100;
    bra.uni $join;
  $low:
    mov.b32 %r2, 7;
    bra.uni $join;)");
  EXPECT_EQ(outcome.message, "");
  for (unsigned n = 0; n != 32; ++n)
    EXPECT_EQ(outcome.out[n], n < 16 ? 107u : 200u);
}

/// The branch that waits is below the one that has to arrive.
TEST(PtxDivergenceTest, BarrierWaitsForTheOtherBranch) {
  Outcome outcome = run(R"(
    setp.lt.u32 %p1, %r1, 16;
    mov.b32 %r2, 1;
    @%p1 bra $side;
  $barrier:
    bar.sync 0;
    st.global.b32 [%rd4], %r2;
    ret;
  $side:
    mov.b32 %r2, 2;
    bra.uni $barrier;)",
                        64);
  EXPECT_EQ(outcome.message, "");
  EXPECT_EQ(outcome.out[0], 2u);
  EXPECT_EQ(outcome.out[63], 1u);
  EXPECT_EQ(outcome.counts.barriers, 1u);
}

TEST(PtxDivergenceTest, NamedBarriersWithCounts) {
  // Each half of the block meets twice at its own barrier.
  Outcome outcome = run(R"(
    shr.u32 %r5, %r1, 6;
    add.s32 %r5, %r5, 1;
    mul.wide.u32 %rd5, %r1, 4;
    mov.b64 %rd6, s;
    add.s64 %rd5, %rd5, %rd6;
    st.shared.b32 [%rd5], %r1;
    barrier.sync %r5, 64;
    xor.b64 %rd7, %rd5, 128;
    ld.shared.b32 %r2, [%rd7];
    barrier.sync %r5, 64;
    st.global.b32 [%rd4], %r2;)",
                        128, ".shared .align 16 .b8 s[512];");
  EXPECT_EQ(outcome.message, "");
  for (unsigned n = 0; n != 128; ++n)
    EXPECT_EQ(outcome.out[n], n ^ 32);
  EXPECT_EQ(outcome.counts.barriers, 4u);
}

TEST(PtxDivergenceTest, PartOfAWarp) {
  Outcome outcome = run(R"(
    shfl.sync.down.b32 %r2|%p1, %r1, 1, 31, -1;
    selp.b32 %r2, %r2, 99, %p1;
    st.global.b32 [%rd4], %r2;)",
                        32);
  EXPECT_EQ(outcome.message, "");
  EXPECT_EQ(outcome.out[30], 31u);
  EXPECT_EQ(outcome.out[31], 99u);
}

} // namespace
