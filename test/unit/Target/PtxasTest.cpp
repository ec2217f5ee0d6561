//===- PtxasTest.cpp - reading ptxas reports ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Target/Ptxas.h"

#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace pruner;

TEST(Ptxas, ReadsTheReport) {
  auto kernels = parsePtxasReport(
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : Compiling entry function 'first' for 'sm_80'\n"
      "ptxas info    : Function properties for first\n"
      "    40 bytes stack frame, 36 bytes spill stores, 44 bytes spill loads\n"
      "ptxas info    : Used 128 registers, used 2 barriers, 40 bytes "
      "cumulative stack size, 16640 bytes smem, 376 bytes cmem[0], 8 bytes "
      "cmem[2]\n"
      "ptxas info    : Compile time = 48.100 ms\n"
      "ptxas info    : Compiling entry function 'second' for 'sm_80'\n"
      "ptxas info    : Function properties for second\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 8 registers, 356 bytes cmem[0]\n"
      "ptxas info    : Function properties for helper\n"
      "    24 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads\n");
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[0].name, "first");
  EXPECT_EQ(kernels[0].registers, 128u);
  EXPECT_EQ(kernels[0].stackFrameBytes, 40u);
  EXPECT_EQ(kernels[0].spillStoreBytes, 36u);
  EXPECT_EQ(kernels[0].spillLoadBytes, 44u);
  EXPECT_EQ(kernels[0].sharedBytes, 16640u);
  EXPECT_EQ(kernels[0].constantBytes, 384u);
  EXPECT_EQ(kernels[0].barriers, 2u);
  EXPECT_EQ(kernels[1].name, "second");
  EXPECT_EQ(kernels[1].registers, 8u);
  EXPECT_EQ(kernels[1].sharedBytes, 0u);
  EXPECT_EQ(kernels[1].constantBytes, 356u);
  EXPECT_EQ(kernels[1].stackFrameBytes, 0u);
  EXPECT_TRUE(parsePtxasReport("").empty());
}

TEST(Ptxas, AMissingProgramIsItsOwnError) {
  PtxasOptions options;
  options.path = "/nonexistent/ptxas";
  auto cubin = assemblePtx(".version 7.0\n", options);
  ASSERT_FALSE(bool(cubin));
  llvm::Error error = cubin.takeError();
  EXPECT_TRUE(error.isA<PtxasUnavailable>());
  llvm::consumeError(std::move(error));
}

TEST(Ptxas, AHangingProgramIsStopped) {
  PtxasOptions options;
  // Any program that waits, whatever its arguments are.
  options.path = PRUNER_TEST_SLEEPER;
  options.timeoutSeconds = 1;
  auto cubin = assemblePtx(".version 7.0\n", options);
  ASSERT_FALSE(bool(cubin));
  EXPECT_NE(llvm::toString(cubin.takeError()).find("ptxas was stopped"),
            std::string::npos);
}

TEST(Ptxas, UnsupportedChip) {
  PtxasOptions options;
  options.chip = "sm_70";
  auto path = findPtxas();
  if (!path)
    GTEST_SKIP() << "no ptxas here";
  auto cubin =
      assemblePtx(".version 6.0\n.target sm_70\n.address_size 64\n", options);
  if (cubin)
    GTEST_SKIP() << "this ptxas still knows sm_70";
  llvm::Error error = cubin.takeError();
  EXPECT_TRUE(error.isA<PtxasUnsupportedChip>());
  EXPECT_EQ(llvm::toString(std::move(error)),
            *path + " cannot assemble for sm_70");
}
