//===- InstructionsTest.cpp -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Machine/Instructions.h"

#include "gtest/gtest.h"

using namespace pruner;

static Machine cpu(const char *arch, const char *features = "") {
  Machine machine;
  machine.kind = Machine::Kind::Cpu;
  machine.arch = arch;
  machine.features = features;
  machine.vectorBytes = 64;
  return machine;
}

static bool has(const Machine &machine, const char *name, int64_t bytes = 64) {
  return hasInstruction(machine, *findMatrixInstruction(name), bytes);
}

TEST(Instructions, FollowTheArchitecture) {
  Machine zen4 = cpu("znver4"), rapids = cpu("sapphirerapids"),
          haswell = cpu("haswell");
  EXPECT_TRUE(has(zen4, "vpdpbusd"));
  EXPECT_TRUE(has(zen4, "vdpbf16ps", 32));
  EXPECT_FALSE(has(zen4, "tdpbssd"));
  EXPECT_TRUE(has(rapids, "tdpbssd"));
  EXPECT_TRUE(has(rapids, "tdpbf16ps"));
  EXPECT_FALSE(has(haswell, "vpdpbusd", 32));
  EXPECT_TRUE(has(haswell, "vpmaddwd", 32));
  EXPECT_FALSE(has(haswell, "vpmaddwd"));
  EXPECT_TRUE(has(cpu("skylake-avx512"), "vpmaddwd_bytes"));
  EXPECT_TRUE(has(cpu("sierraforest"), "vpdpbssd", 32));
  EXPECT_FALSE(has(cpu("sierraforest"), "vpdpbssd"));
  EXPECT_TRUE(has(cpu("diamondrapids"), "vpdpbuud"));
  EXPECT_TRUE(has(cpu("graniterapids"), "tdpfp16ps"));
  EXPECT_FALSE(has(rapids, "tdpfp16ps"));
  EXPECT_FALSE(has(zen4, "vpdpbusd", 8));
  EXPECT_FALSE(has(cpu("unknown"), "vpdpbusd"));
}

TEST(Instructions, FollowTheFeaturesIfThereAreAny) {
  // A virtual machine may hide features.
  Machine hidden = cpu("sapphirerapids", "+avx512vnni,-avx512vl,-amx-int8");
  EXPECT_TRUE(has(hidden, "vpdpbusd"));
  EXPECT_FALSE(has(hidden, "vpdpbusd", 32));
  EXPECT_FALSE(has(hidden, "tdpbssd"));
  // AVX-VNNI has no registers of 64 bytes, and another feature with the same
  // beginning is not it.
  Machine narrow = cpu("alderlake", "+avxvnni");
  narrow.vectorBytes = 32;
  EXPECT_TRUE(has(narrow, "vpdpbusd", 32));
  EXPECT_FALSE(has(narrow, "vpdpbusd"));
  EXPECT_FALSE(has(cpu("alderlake", "+avxvnniint8"), "vpdpbusd", 32));
}

TEST(Instructions, GpusHaveThoseOfEarlierChips) {
  Machine gpu;
  gpu.kind = Machine::Kind::Gpu;
  auto chips = [&](const char *name) {
    std::string list;
    for (const char *chip :
         {"sm_70", "sm_75", "sm_80", "sm_86", "sm_90a", "sm_120", "gfx90a"}) {
      gpu.arch = chip;
      if (has(gpu, name, 32))
        list += (list.empty() ? "" : " ") + gpu.arch;
    }
    return list;
  };
  EXPECT_EQ(chips("mma_m16n8k8_f16"), "sm_75 sm_80 sm_86 sm_90a sm_120");
  EXPECT_EQ(chips("mma_m16n8k16_f16"), "sm_80 sm_86 sm_90a sm_120");
  EXPECT_EQ(chips("mma_m16n8k16_bf16"), "sm_80 sm_86 sm_90a sm_120");
  EXPECT_EQ(chips("mma_m16n8k32_s8u8"), "sm_80 sm_86 sm_90a sm_120");
  EXPECT_EQ(chips("mma_m8n8k16_s8u8"), "sm_75 sm_80 sm_86 sm_90a sm_120");
  EXPECT_FALSE(has(gpu, "mma_m16n8k16_f16", 64));
  EXPECT_FALSE(has(cpu("sapphirerapids"), "mma_m16n8k16_f16", 32));
}

TEST(Instructions, GpusHaveNoneOfCpus) {
  Machine gpu;
  gpu.kind = Machine::Kind::Gpu;
  gpu.features = "+avx512vnni";
  gpu.vectorBytes = 64;
  EXPECT_FALSE(has(gpu, "vpdpbusd"));
}
