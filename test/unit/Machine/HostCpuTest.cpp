//===- HostCpuTest.cpp - the host query with artificial hosts -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Machine/HostCpu.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>
#include <sched.h>

using namespace pruner;

namespace {
/// A directory with an artificial /proc and /sys.
class HostCpuTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("pruner-host", root));
    sources.procRoot = (root + "/proc").str();
    sources.sysRoot = (root + "/sys").str();
    sources.cpuName = "sapphirerapids";
    sources.features = std::map<std::string, bool>{
        {"avx512f", true}, {"fma", true}, {"avx2", true}, {"amx-tile", false}};
    sources.allowedCpus = std::vector<int>{4, 5, 6, 7};
    sources.askLibc = false;
  }
  void TearDown() override { llvm::sys::fs::remove_directories(root); }

  void put(llvm::StringRef path, llvm::StringRef text) {
    llvm::SmallString<128> file(root);
    llvm::sys::path::append(file, path);
    ASSERT_FALSE(
        llvm::sys::fs::create_directories(llvm::sys::path::parent_path(file)));
    std::error_code error;
    llvm::raw_fd_ostream os(file, error);
    ASSERT_FALSE(error);
    os << text;
  }
  void putCache(int cpu, int index, const char *level, const char *type,
                const char *size) {
    std::string dir = "sys/devices/system/cpu/cpu" + std::to_string(cpu) +
                      "/cache/index" + std::to_string(index) + "/";
    put(dir + "level", level);
    put(dir + "type", type);
    put(dir + "size", size);
    put(dir + "coherency_line_size", "128\n");
  }
  static bool hasNote(const Machine &m, llvm::StringRef text) {
    for (const std::string &note : m.notes)
      if (llvm::StringRef(note).contains(text))
        return true;
    return false;
  }

  llvm::SmallString<128> root;
  HostCpuSources sources;
};
} // namespace

TEST_F(HostCpuTest, ReadsEverythingAFullHostTells) {
  // CPU 4 is the first allowed one; CPU 0 is of another kind.
  putCache(0, 0, "1\n", "Data\n", "1K\n");
  putCache(4, 0, "1\n", "Data\n", "48K\n");
  putCache(4, 1, "1\n", "Instruction\n", "999K\n");
  putCache(4, 2, "2\n", "Unified\n", "2048K\n");
  putCache(4, 3, "3\n", "Unified\n", "260M\n");
  put("sys/devices/system/cpu/cpu4/cpufreq/cpuinfo_max_freq", "3500000\n");
  put("proc/cpuinfo", "model name\t: X CPU @ 2.60GHz\ncpu MHz\t\t: 1000.0\n");
  put("proc/meminfo", "MemTotal:       1000000 kB\nMemFree: 5 kB\n");
  Machine m = queryHostCpu(sources);
  EXPECT_EQ(m.name, "cpu:sapphirerapids");
  EXPECT_EQ(m.features, "-amx-tile,+avx2,+avx512f,+fma");
  EXPECT_EQ(m.units, 4);
  EXPECT_EQ(m.lanes, 16);
  EXPECT_EQ(m.vectorRegisters, 32);
  EXPECT_EQ(m.registersPerThread, 512);
  EXPECT_EQ(m.l1Bytes, 48 * 1024);
  EXPECT_EQ(m.l2Bytes, 2048 * 1024);
  EXPECT_EQ(m.l3Bytes, int64_t(260) << 20);
  EXPECT_EQ(m.transactionBytes, 128);
  EXPECT_DOUBLE_EQ(m.clockMHz, 3500);
  EXPECT_DOUBLE_EQ(m.peakFlops, 2.0 * 16 * 2 * 3500e6);
  EXPECT_EQ(m.memoryBytes, 1000000 * int64_t(1024));
  EXPECT_EQ(m.invalid(), std::nullopt);
  EXPECT_FALSE(hasNote(m, "unknown"));
}

TEST_F(HostCpuTest, NamesEveryDefaultWhenNothingCanBeRead) {
  Machine m = queryHostCpu(sources);
  for (const char *field :
       {"l1Bytes: unknown; assumed 32768", "l2Bytes: unknown; assumed 524288",
        "transactionBytes: unknown; assumed 64",
        "l3Bytes: unknown; assumed none", "clockMHz: unknown; assumed 2000",
        "memoryBytes: unknown", "memoryBandwidth: assumed"})
    EXPECT_TRUE(hasNote(m, field)) << field;
  EXPECT_EQ(m.invalid(), std::nullopt);
}

/// Sizes beyond 64 bits and clocks that are not numbers are unknown.
TEST_F(HostCpuTest, IgnoresImpossibleNumbers) {
  putCache(4, 0, "1\n", "Data\n", "9223372036854775807K\n");
  putCache(4, 1, "2\n", "Unified\n", "9007199254740993G\n");
  put("proc/cpuinfo",
      "model name : X @ infGHz\ncpu MHz : inf\ncpu MHz : nan\n");
  put("proc/meminfo", "MemTotal: 9223372036854775807 kB\n");
  put("sys/fs/cgroup/cpu.max", "inf 100000\n");
  Machine m = queryHostCpu(sources);
  for (const char *field : {"l1Bytes: unknown", "l2Bytes: unknown",
                            "clockMHz: unknown", "memoryBytes: unknown"})
    EXPECT_TRUE(hasNote(m, field)) << field;
  EXPECT_EQ(m.units, 4);
  put("sys/fs/cgroup/cpu.max", "1e300 1\n");
  EXPECT_EQ(queryHostCpu(sources).units, 4);
  EXPECT_EQ(m.invalid(), std::nullopt);
}

TEST_F(HostCpuTest, TakesTheHigherOfNominalAndCurrentClock) {
  put("proc/cpuinfo", "processor : 0\nmodel name : X @ 2.60GHz\n"
                      "cpu MHz : 1200.5\n\nprocessor : 1\n"
                      "cpu MHz : 2933.25\n");
  EXPECT_DOUBLE_EQ(queryHostCpu(sources).clockMHz, 2933.25);
  put("proc/cpuinfo", "model name : X @ 2.60GHz\ncpu MHz : 1200.5\n");
  EXPECT_DOUBLE_EQ(queryHostCpu(sources).clockMHz, 2600);
}

TEST_F(HostCpuTest, VectorsFollowTheFeaturesNotTheName) {
  // The same name with AVX-512 hidden by the virtual machine.
  sources.features = std::map<std::string, bool>{
      {"avx512f", false}, {"avx2", true}, {"fma", true}};
  put("proc/cpuinfo", "cpu MHz : 2000\n");
  Machine m = queryHostCpu(sources);
  EXPECT_EQ(m.vectorBytes, 32);
  EXPECT_EQ(m.vectorRegisters, 16);
  EXPECT_DOUBLE_EQ(m.peakFlops, 2.0 * 8 * 2 * 2000e6);

  sources.features = std::map<std::string, bool>{{"sse2", true}};
  m = queryHostCpu(sources);
  EXPECT_EQ(m.vectorBytes, 16);
  EXPECT_DOUBLE_EQ(m.peakFlops, 4.0 * 2 * 2000e6);
  EXPECT_TRUE(hasNote(m, "no FMA"));

  // Zen cores add and multiply in separate pipes.
  sources.cpuName = "znver2";
  m = queryHostCpu(sources);
  EXPECT_DOUBLE_EQ(m.peakFlops, 4.0 * 4 * 2000e6);
  EXPECT_TRUE(hasNote(m, "2 pipes for additions"));

  sources.cpuName = "znver4";
  sources.features =
      std::map<std::string, bool>{{"avx512f", true}, {"fma", true}};
  m = queryHostCpu(sources);
  EXPECT_EQ(m.vectorBytes, 64);
  EXPECT_DOUBLE_EQ(m.peakFlops, 16.0 * 2 * 2000e6);
  EXPECT_EQ(m.core.loadsPerCycle, 1);
  EXPECT_EQ(m.core.storesPerCycle, 0.5);
  EXPECT_DOUBLE_EQ(m.core.l3Bandwidth, 32 * 2000e6);
}

TEST_F(HostCpuTest, DisablingAFeatureDisablesItsDependents) {
  sources.cpuName = "znver4";
  sources.features = std::map<std::string, bool>{
      {"avx", true}, {"avx2", true},      {"avx512f", true}, {"avx512bw", true},
      {"fma", true}, {"avx512cd", false}, {"sse4.2", true}};
  sources.without = {"avx512f"};
  Machine m = queryHostCpu(sources);
  EXPECT_EQ(m.name, "cpu:znver4-without-avx512f");
  EXPECT_EQ(m.arch, "znver4");
  EXPECT_EQ(m.features, "+avx,+avx2,-avx512bw,-avx512cd,-avx512f,+fma,+sse4.2");
  EXPECT_EQ(m.lanes, 8);
  EXPECT_EQ(m.core.loadsPerCycle, 2); // One pass of 256 bits.
  EXPECT_GT(m.core.l3Bandwidth, 0);

  sources.without = {"avx"};
  m = queryHostCpu(sources);
  EXPECT_EQ(m.features, "-avx,-avx2,-avx512bw,-avx512cd,-avx512f,-fma,+sse4.2");
  EXPECT_EQ(m.lanes, 4);
  EXPECT_EQ(m.invalid(), std::nullopt);
}

TEST_F(HostCpuTest, HonorsTheControlGroup) {
  put("proc/meminfo", "MemTotal: 8000000 kB\n");
  put("sys/fs/cgroup/cpu.max", "150000 100000\n");
  put("sys/fs/cgroup/memory.max", "1073741824\n");
  Machine m = queryHostCpu(sources);
  EXPECT_EQ(m.units, 2); // 1.5 CPUs
  EXPECT_TRUE(hasNote(m, "from 4 to 2"));
  EXPECT_EQ(m.memoryBytes, int64_t(1) << 30);
  put("sys/fs/cgroup/cpu.max", "max 100000\n");
  put("sys/fs/cgroup/memory.max", "max\n");
  m = queryHostCpu(sources);
  EXPECT_EQ(m.units, 4);
  EXPECT_EQ(m.memoryBytes, 8000000 * int64_t(1024));
}

TEST(HostCpu, HonorsTheAffinityMask) {
  cpu_set_t before, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof(before), &before), 0);
  CPU_ZERO(&one);
  for (int cpu = 0; cpu < CPU_SETSIZE && !CPU_COUNT(&one); ++cpu)
    if (CPU_ISSET(cpu, &before))
      CPU_SET(cpu, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
  Machine pinned = queryHostCpu();
  ASSERT_EQ(sched_setaffinity(0, sizeof(before), &before), 0);
  EXPECT_EQ(pinned.units, 1);
  EXPECT_LE(queryHostCpu().units, CPU_COUNT(&before));
}

TEST(HostCpu, TheRealHostIsValidAndItsKeyIsStable) {
  Machine a = queryHostCpu(), b = queryHostCpu();
  EXPECT_EQ(a.invalid(), std::nullopt);
  EXPECT_EQ(a.key(), b.key());
}
