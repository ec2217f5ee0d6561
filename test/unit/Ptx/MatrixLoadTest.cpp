//===- MatrixLoadTest.cpp - ldmatrix --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PtxTest.h"

using namespace pruner::ptx;
using namespace pruner::ptx::test;

namespace {

/// 64 rows of 16 bytes that hold 0, 1, 2, ... are `stride` bytes apart; the
/// lanes load from their rows plus `offset`, and store `count` registers.
std::string loadKernel(const char *modifiers, unsigned count, unsigned stride,
                       unsigned offset = 0,
                       const char *barrier = "bar.warp.sync -1;") {
  std::string row = std::to_string(stride);
  std::string body = "mul.lo.s32 %r2, %r1, " + row +
                     "; mov.b32 %r3, s; add.s32 %r2, %r2, %r3;\n"
                     "mul.lo.s32 %r4, %r1, 4; add.s32 %r5, %r4, 1;\n"
                     "add.s32 %r6, %r4, 2; add.s32 %r7, %r4, 3;\n"
                     "st.shared.v4.b32 [%r2], {%r4, %r5, %r6, %r7};\n" +
                     std::string(barrier) + "\nldmatrix.sync.aligned.m8n8." +
                     modifiers + " " + registerList(10, count) + ", [%r2+" +
                     std::to_string(offset) + "];\nmul.wide.u32 %rd5, %r1, " +
                     std::to_string(4 * count) +
                     "; add.s64 %rd5, %rd5, %rd2;\n";
  for (unsigned n = 0; n != count; ++n)
    body += "st.global.b32 [%rd5+" + std::to_string(4 * n) + "], %r" +
            std::to_string(10 + n) + ";\n";
  return body;
}

Outcome runLoad(const std::string &body, unsigned threads = 32) {
  return run(body, threads, ".shared .align 128 .b8 s[8192];", {}, 128);
}

TEST(PtxMatrixTest, LoadsOfMatrices) {
  for (unsigned count : {1u, 2u, 4u}) {
    std::string name = "x" + std::to_string(count);
    Outcome outcome =
        runLoad(loadKernel((name + ".shared.b16").c_str(), count, 16));
    ASSERT_EQ(outcome.message, "");
    Outcome turned =
        runLoad(loadKernel((name + ".trans.shared.b16").c_str(), count, 16));
    ASSERT_EQ(turned.message, "");
    // Word n of the memory is n, so half 2 n is n and half 2 n + 1 is 0.
    auto half = [](unsigned matrix, unsigned row, unsigned column) {
      return column % 2 ? 0 : (matrix * 8 + row) * 4 + column / 2;
    };
    for (unsigned lane = 0; lane != 32; ++lane)
      for (unsigned n = 0; n != count; ++n) {
        EXPECT_EQ(outcome.out[lane * count + n],
                  half(n, lane / 4, lane % 4 * 2));
        EXPECT_EQ(turned.out[lane * count + n],
                  half(n, lane % 4 * 2, lane / 4) |
                      half(n, lane % 4 * 2 + 1, lane / 4) << 16);
      }
    EXPECT_EQ(outcome.counts.sharedLoads.requests, 1u);
    EXPECT_EQ(outcome.counts.sharedLoads.bytes, count * 128u);
    EXPECT_EQ(outcome.counts.sharedLoads.idealWavefronts, count);
    EXPECT_EQ(outcome.counts.sharedLoads.wavefronts, count);
  }
  // All rows of a matrix begin in the same bank, or in two.
  EXPECT_EQ(runLoad(loadKernel("x4.shared.b16", 4, 128))
                .counts.sharedLoads.wavefronts,
            32u);
  EXPECT_EQ(
      runLoad(loadKernel("x4.shared.b16", 4, 64)).counts.sharedLoads.wavefronts,
      16u);
  EXPECT_EQ(
      runLoad(loadKernel("x4.shared.b16", 4, 80)).counts.sharedLoads.wavefronts,
      4u);
}

TEST(PtxMatrixTest, ViolationsOfMatrixLoads) {
  EXPECT_EQ(runLoad(loadKernel("x1.shared.b16", 1, 16, 8)).violation,
            Violation::Misaligned);
  EXPECT_EQ(runLoad(loadKernel("x4.shared.b16", 4, 16, 8192)).violation,
            Violation::OutOfBounds);
  // Also the rows that a lane wrote itself, because others read them.
  EXPECT_EQ(runLoad(loadKernel("x4.shared.b16", 4, 16, 0, "")).violation,
            Violation::Race);
  EXPECT_EQ(runLoad(loadKernel("x4.shared.b16", 4, 16, 4096)).violation,
            Violation::Undefined);
  EXPECT_EQ(runLoad(loadKernel("x4.shared.b16", 4, 16), 24).violation,
            Violation::Lanes);
  EXPECT_NE(runLoad(loadKernel("x3.shared.b16", 3, 16)).message.find("'.x4'"),
            std::string::npos);
  EXPECT_NE(runLoad(loadKernel("x4.b16", 4, 16)).message.find("'.shared'"),
            std::string::npos);
}

} // namespace
