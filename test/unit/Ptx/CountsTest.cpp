//===- CountsTest.cpp - wavefronts, sectors, pipes ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PtxTest.h"

#include "Execution.h"
#include "llvm/Support/FormatVariadic.h"

using namespace pruner::ptx;
using namespace pruner::ptx::test;

namespace {

unsigned wavefronts(unsigned stride, unsigned bytes, uint32_t lanes = ~0u) {
  uint64_t addresses[32];
  for (unsigned lane = 0; lane != 32; ++lane)
    addresses[lane] = 4096 + uint64_t(lane) * stride;
  return countWavefronts(addresses, lanes, bytes);
}

TEST(PtxCountsTest, Wavefronts) {
  EXPECT_EQ(wavefronts(4, 4), 1u);
  EXPECT_EQ(wavefronts(0, 4), 1u); // All lanes read one word.
  EXPECT_EQ(wavefronts(8, 4), 2u);
  EXPECT_EQ(wavefronts(16, 4), 4u);
  EXPECT_EQ(wavefronts(128, 4), 32u);
  EXPECT_EQ(wavefronts(132, 4), 1u); // A padded row.
  EXPECT_EQ(wavefronts(2, 2), 1u);
  EXPECT_EQ(wavefronts(1, 1), 1u);
  EXPECT_EQ(wavefronts(8, 8), 2u);
  EXPECT_EQ(wavefronts(16, 16), 4u);
  EXPECT_EQ(wavefronts(0, 16), 4u);
  EXPECT_EQ(wavefronts(128, 16), 32u);
  EXPECT_EQ(wavefronts(144, 16), 4u);
  EXPECT_EQ(wavefronts(16, 16, 0xff), 1u);
  EXPECT_EQ(wavefronts(128, 4, 0x7), 3u);
  EXPECT_EQ(countIdealWavefronts(~0u, 4), 1u);
  EXPECT_EQ(countIdealWavefronts(~0u, 16), 4u);
  EXPECT_EQ(countIdealWavefronts(0xff, 16), 1u);
  EXPECT_EQ(countIdealWavefronts(0x10001, 8), 2u);
}

TEST(PtxCountsTest, Sectors) {
  uint64_t addresses[32];
  auto sectors = [&](uint64_t base, unsigned stride, unsigned bytes) {
    for (unsigned lane = 0; lane != 32; ++lane)
      addresses[lane] = base + uint64_t(lane) * stride;
    return countSectors(addresses, ~0u, bytes);
  };
  EXPECT_EQ(sectors(4096, 4, 4), 4u);
  EXPECT_EQ(sectors(4096, 16, 16), 16u);
  EXPECT_EQ(sectors(4100, 4, 4), 5u);
  EXPECT_EQ(sectors(4096, 0, 4), 1u);
  EXPECT_EQ(sectors(4096, 1024, 4), 32u);
}

TEST(PtxCountsTest, CountsOfALaunch) {
  LaunchOptions options;
  options.grid = {3, 1, 1};
  options.checkGlobalRaces = false;
  Outcome outcome = run(R"(
    mul.wide.u32 %rd5, %r1, 8;
    mov.b64 %rd6, s;
    add.s64 %rd5, %rd5, %rd6;
    st.shared.b32 [%rd5], %r1;
    bar.sync 0;
    ld.shared.b32 %r2, [%rd5];
    setp.lt.u32 %p1, %r1, 8;
    @%p1 fma.rn.f32 %r2, %r2, %r2, %r2;
    st.global.b32 [%rd4], %r2;)",
                        64, ".shared .align 16 .b8 s[512];", options);
  ASSERT_EQ(outcome.message, "");
  const Counts &counts = outcome.counts;
  EXPECT_EQ(counts.blocks, 3u);
  EXPECT_EQ(counts.threads, 192u);
  EXPECT_EQ(counts.barriers, 3u);
  EXPECT_EQ(counts.sharedBytes, 512u);
  EXPECT_EQ(counts.instructions, 16u);
  EXPECT_EQ(counts.executed.warps, 6u * 16);
  EXPECT_EQ(counts.opcodes.at("fma.rn.f32"), 1u);
  EXPECT_EQ(counts.executedOpcodes.at("fma.rn.f32").warps, 6u);
  EXPECT_EQ(counts.executedOpcodes.at("fma.rn.f32").threads, 24u);
  EXPECT_EQ(counts.sharedStores.requests, 6u);
  EXPECT_EQ(counts.sharedStores.wavefronts, 12u);
  EXPECT_EQ(counts.sharedStores.idealWavefronts, 6u);
  EXPECT_EQ(counts.sharedLoads.bytes, 192u * 4);
  EXPECT_EQ(counts.globalStores.sectors, 24u);
  std::string json = llvm::formatv("{0}", llvm::json::Value(toJSON(counts)));
  EXPECT_NE(json.find(R"("shared_stores":{"bytes":768,"ideal_wavefronts":6,)"
                      R"("requests":6,"wavefronts":12})"),
            std::string::npos)
      << json;
  EXPECT_NE(json.find(R"("global_stores":{"bytes":768,"requests":6,)"
                      R"("sectors":24})"),
            std::string::npos)
      << json;
}

} // namespace
