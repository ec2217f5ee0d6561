//===- KnownMachinesTest.cpp - the device table and its sources -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Machine/KnownMachines.h"
#include "pruner/Machine/HostCpu.h"

#include <gtest/gtest.h>
#include <set>

using namespace pruner;

static Machine get(llvm::StringRef name) {
  llvm::Expected<Machine> machine = knownMachine(name);
  if (!machine) {
    ADD_FAILURE() << llvm::toString(machine.takeError());
    return {};
  }
  return *machine;
}

TEST(KnownMachines, PeakFollowsFromClockAndMatchesTheDataSheet) {
  // f32 TFLOP/s as printed in the data sheets. The table computes its own from
  // SMs, cores per SM and clock, so this detects a wrong count or clock.
  const std::pair<const char *, double> printed[] = {
      {"h200", 67},
      {"h100", 67},
      {"rtx4090", 82.6},
      {"orin", 5.3},
      {"rtx3090", 35.6},
      {"a100-40", 19.5},
      {"a100-80", 19.5},
      {"a100-80-sxm", 19.5},
      {"t4", 8.1},
      {"rtxa4000", 19.2},
      {"titanrtx", 16.3},
      {"v100", 15.7},
      {"titanv", 14.9},
      {"k80", 8.74 / 2},
      {"h100-pcie", 51.2},
      {"gh200", 67},
      {"b200", 75},
      {"rtxpro6000", 126},
      {"rtx5090", 104.8},
      {"rtx5080", 56.3},
      {"rtx5070ti", 43.9},
      {"rtx5070", 30.9},
      {"l40s", 91.6},
      {"l40", 90.5},
      {"l4", 30.3},
      {"rtx4080", 48.7},
      {"rtx4070ti", 40.1},
      {"rtx4070", 29.1},
      {"rtx4060ti", 22.1},
      {"rtx4060", 15.1},
      {"a40", 37.4},
      {"a10", 31.2},
      {"rtxa6000", 38.7},
      {"rtx3090ti", 40},
      {"rtx3080", 29.8},
      {"rtx3070", 20.3},
      {"rtx3060", 12.7},
      {"a30", 10.3},
      {"rtx2080ti", 13.4},
      {"rtx2080", 10.1},
      {"rtx2070", 7.5},
      {"rtx2060", 6.45},
      {"amd:mi250x", 47.9 / 2},
      {"amd:rx6900xt", 23.04},
      {"amd:mi100", 23.1},
      {"amd:mi50", 13.3},
      {"amd:mi25", 12.3},
  };
  EXPECT_EQ(std::size(printed), knownMachineNames().size());
  for (auto [name, tflops] : printed)
    EXPECT_NEAR(get(name).peakFlops / 1e12, tflops, tflops * 0.0075) << name;
}

// Load/store units of an SM, and bytes of shared memory per cycle, as in its
// white paper.
TEST(KnownMachines, SmsMatchTheWhitePapers) {
  struct {
    const char *name;
    double loadStoreLanes, sharedBytesPerCycle;
  } printed[] = {{"h200", 32, 128},    {"rtx4090", 16, 128},
                 {"rtx3090", 16, 128}, {"a100-40", 32, 128},
                 {"titanrtx", 16, 64}, {"v100", 32, 128},
                 {"k80", 32, 256}};
  for (auto &row : printed) {
    Machine m = get(row.name);
    EXPECT_EQ(m.sm.loadStoreLanes, row.loadStoreLanes) << row.name;
    EXPECT_EQ(m.sm.sharedBytesPerCycle, row.sharedBytesPerCycle) << row.name;
  }
}

// Dense TFLOP/s of f16 with f32 accumulators and TOP/s of bytes, as printed in
// the data sheets and white papers. mma.sync has 2/3 of the rates of Hopper,
// whose tensor cores run at 1830 MHz there, and 0 marks rates that are not
// printed or not those of the clock.
TEST(KnownMachines, TensorRatesMatchTheDataSheets) {
  struct {
    const char *name;
    double half, bytes, share = 1;
  } printed[] = {{"rtx5090", 209.5, 838},
                 {"rtx5080", 112.6, 450.2},
                 {"rtxpro6000", 503.8, 0},
                 {"rtx4090", 165.2, 660.6},
                 {"rtx4080", 97.5, 389.9},
                 {"l40s", 362, 733},
                 {"l40", 181, 362},
                 {"l4", 121, 242},
                 {"rtx3090", 71, 284},
                 {"rtx3080", 59.5, 238},
                 {"a40", 149.7, 299.3},
                 {"a10", 125, 250},
                 {"rtxa4000", 76.7, 0},
                 {"a30", 165, 330},
                 {"a100-40", 312, 624},
                 {"a100-80-sxm", 312, 624},
                 {"t4", 65, 130},
                 {"titanrtx", 130.5, 261},
                 {"rtx2080ti", 53.8, 215.2},
                 {"orin", 42.5, 85},
                 {"h200", 989.4 * 1980 / 1830, 1979 * 1980 / 1830., 2 / 3.},
                 {"v100", 0, 0}};
  for (auto &row : printed) {
    Machine m = get(row.name);
    double cycles = double(m.units) * m.clockMHz * 1e6;
    double half = 2 * m.sm.halfTensorRate * cycles / 1e12,
           bytes = 2 * m.sm.byteTensorRate * cycles / 1e12;
    // With f16 accumulators all have half of the rate of bytes.
    EXPECT_EQ(m.sm.halfSumTensorRate, m.sm.byteTensorRate / 2) << row.name;
    if (row.half > 0 || row.name == llvm::StringRef("v100"))
      EXPECT_NEAR(half, row.half * row.share, half * 0.0125) << row.name;
    if (row.bytes > 0)
      EXPECT_NEAR(bytes, row.bytes * row.share, bytes * 0.0125) << row.name;
    // Turing has neither bf16 nor tf32.
    EXPECT_EQ(m.sm.tf32TensorRate,
              m.arch == "sm_75" ? 0 : m.sm.halfTensorRate / 2)
        << row.name;
  }
}

TEST(KnownMachines, AgreesWithTheReleasedDeviceTable) {
  // Released Pruner code: GFLOP/s, GB/s, SMs.
  struct {
    const char *name;
    double gflops, bandwidth;
    int64_t units;
  } released[] = {{"t4", 8141, 320, 40},
                  {"titanv", 14900, 651, 80},
                  {"a100-80", 19490, 1935, 108},
                  {"a100-40", 19490, 1555, 108}};
  for (auto &row : released) {
    Machine m = get(row.name);
    EXPECT_NEAR(m.peakFlops / 1e9, row.gflops, row.gflops * 0.001) << row.name;
    EXPECT_NEAR(m.memoryBandwidth / 1e9, row.bandwidth, row.bandwidth * 0.003);
    EXPECT_EQ(m.units, row.units);
    EXPECT_EQ(m.registersPerThread, 128);
    EXPECT_EQ(m.activeBlocksPerUnit, 1);
    EXPECT_EQ(m.activeWarpsPerUnit, 4);
    EXPECT_EQ(m.maxVirtualThreads, 8);
  }
}

TEST(KnownMachines, EveryEntryIsValidAndHasItsOwnKey) {
  std::set<std::string> keys;
  for (const std::string &name : knownMachineNames()) {
    Machine m = get(name);
    EXPECT_EQ(m.name, name);
    EXPECT_EQ(m.invalid(), std::nullopt) << name << ": " << *m.invalid();
    EXPECT_TRUE(keys.insert(m.key()).second) << name;
    EXPECT_FALSE(m.notes.empty()) << name << " names no source";
    EXPECT_EQ(m.key().find(' '), std::string::npos);
  }
}

TEST(KnownMachines, AliasesAndArchitectures) {
  EXPECT_EQ(get("h200"), get("nvidia:h200"));
  EXPECT_EQ(get("NVIDIA:H200"), get("h200"));
  EXPECT_EQ(get("nvidia:sm_90a"), get("h200"));
  Machine portable = get("sm_90");
  EXPECT_EQ(portable.name, "nvidia:h200");
  EXPECT_EQ(portable.arch, "sm_90");
  EXPECT_NE(portable.key(), get("h200").key());
  for (const KnownArchitecture &known : knownArchitectures()) {
    EXPECT_EQ(get(known.arch).arch, known.arch);
    EXPECT_EQ(get(known.arch).name, known.machine);
  }
}

TEST(KnownMachines, UnknownNameListsTheKnown) {
  llvm::Expected<Machine> machine = knownMachine("nvidia:h2000");
  ASSERT_FALSE(bool(machine));
  std::string message = llvm::toString(machine.takeError());
  for (const char *part : {"unknown device 'nvidia:h2000'", "nvidia:h200",
                           "nvidia:k80", "sm_90a", "file:<path>"})
    EXPECT_NE(message.find(part), std::string::npos) << message;
}

TEST(GpuArchitecture, FallsBackWithinTheMajorNumberWithANote) {
  llvm::Expected<Machine> m = gpuArchitecture(9, 2);
  ASSERT_TRUE(bool(m));
  EXPECT_EQ(m->arch, "sm_92");
  ASSERT_EQ(m->notes.size(), 1u);
  EXPECT_EQ(m->notes[0], "limits are those of compute capability 9.0");
  llvm::Expected<Machine> none = gpuArchitecture(2, 0);
  ASSERT_FALSE(bool(none));
  EXPECT_NE(llvm::toString(none.takeError()).find("compute capability 2.0"),
            std::string::npos);
}

TEST(MachineRules, NameTheFieldAndBothNumbers) {
  Machine m = get("h200");
  m.sharedBytesPerBlock = m.sharedBytesPerBlockOptIn + 1;
  EXPECT_EQ(*m.invalid(), "'sharedBytesPerBlock' is 232449, more than "
                          "'sharedBytesPerBlockOptIn', which is 232448");
  m = get("h200");
  m.units = 0;
  EXPECT_EQ(*m.invalid(), "'units' must be at least 1, but is 0");
  m = get("h200");
  m.peakFlops = -1;
  EXPECT_EQ(*m.invalid(), "'peakFlops' must be positive and finite, but is -1");
  m = get("h200");
  m.transactionBytes = 48;
  EXPECT_EQ(*m.invalid(),
            "'transactionBytes' must be a power of two, but is 48");
}

TEST(MachineKey, DependsOnlyOnFieldsThatDecideKernels) {
  Machine m = get("h200"), other = m;
  other.memoryBandwidth /= 2;
  other.clockMHz = 1000;
  other.notes.push_back("x");
  other.l2Bytes = 60 << 20; // As the driver counts it.
  EXPECT_EQ(m.key(), other.key());
  other.features = "+ptx80";
  EXPECT_NE(m.key(), other.key());
  other = m;
  other.sharedBytesPerBlockOptIn -= 1024;
  EXPECT_NE(m.key(), other.key());
  m = queryHostCpu();
  other = m;
  other.l2Bytes += 1024;
  EXPECT_NE(m.key(), other.key());
}
