//===- HostCpu.cpp - properties of the host CPU ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Machine/HostCpu.h"

#include "HostFiles.h"
#include "KnownCores.h"
#include "pruner/Runtime/TileRegisters.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/X86TargetParser.h"

#include <algorithm>
#include <cmath>

using namespace pruner;
using namespace pruner::detail;

static std::map<std::string, bool> hostFeatures() {
  std::map<std::string, bool> sorted;
  for (const auto &entry : llvm::sys::getHostCPUFeatures())
    sorted[entry.getKey().str()] = entry.getValue();
  return sorted;
}

/// Disables `feature` and the features that depend on it, if `features` has
/// them.
static void leaveOut(const std::string &feature,
                     std::map<std::string, bool> &features) {
  llvm::StringMap<bool> off;
  llvm::X86::updateImpliedFeatures(feature, /*Enabled=*/false, off);
  off[feature] = false;
  for (const auto &entry : off)
    if (auto it = features.find(entry.getKey().str()); it != features.end())
      it->second = false;
}

/// SIMD width and register count from the feature flags alone.
static void setVectors(Machine &m,
                       const std::map<std::string, bool> &features) {
  auto has = [&](const char *name) {
    auto it = features.find(name);
    return it != features.end() && it->second;
  };
  if (has("avx512f")) {
    m.vectorBytes = 64;
    m.vectorRegisters = 32;
  } else if (has("avx2") || has("avx")) {
    m.vectorBytes = 32;
    m.vectorRegisters = 16;
  } else if (has("neon") || has("fullfp16") || has("sve")) {
    m.vectorBytes = 16; // The width of SVE that every core has.
    m.vectorRegisters = 32;
  } else {
    m.vectorBytes = 16;
    m.vectorRegisters = 16;
    if (!has("sse2"))
      m.notes.push_back("no known SIMD feature; assumed 16 registers of 16 "
                        "bytes");
  }
}

/// Zen 4 executes operations, loads and stores of 512 bits in two passes
/// through pipes of 256 (AMD software optimization guide for family 19h, models
/// 70h and up).
static bool takesTwoPasses(const Machine &m) {
  return m.vectorBytes == 64 && m.arch == "znver4";
}

/// f32 FLOP per cycle and lane of one core. There are 2 FMA pipes on every x86
/// server core since Haswell and Zen 2 (Intel and AMD software optimization
/// guides) and on Arm Neoverse. AMD cores since Zen have two more pipes for
/// additions.
static double flopsPerLane(Machine &m,
                           const std::map<std::string, bool> &features) {
  auto fma = features.find("fma");
  bool hasFma =
      m.vectorRegisters == 32 || (fma != features.end() && fma->second);
  if (!hasFma && llvm::StringRef(m.arch).starts_with("znver")) {
    m.notes.push_back("peakFlops: no FMA; formula, 2 pipes for additions and 2 "
                      "for multiplications");
    return 4;
  }
  if (!hasFma) {
    m.notes.push_back("peakFlops: no FMA; assumed one addition and one "
                      "multiplication per cycle");
    return 2;
  }
  if (takesTwoPasses(m)) {
    m.notes.push_back("peakFlops: formula, 2 FMA pipes of 256 bits");
    return 2;
  }
  m.notes.push_back("peakFlops: formula, assumed 2 FMA pipes of full width");
  return 4;
}
Machine pruner::queryHostCpu(const HostCpuSources &sources) {
  HostFiles files{sources.procRoot, sources.sysRoot, sources.askLibc};
  Machine m;
  m.kind = Machine::Kind::Cpu;
  m.arch =
      sources.cpuName ? *sources.cpuName : llvm::sys::getHostCPUName().str();
  if (m.arch.empty())
    m.arch = "generic";
  m.name = "cpu:" + m.arch;
  std::map<std::string, bool> features =
      sources.features ? *sources.features : hostFeatures();
  // A sandbox may not grant the tile registers that the CPU has.
  auto tiles = features.find("amx-tile");
  if (!sources.features && tiles != features.end() && tiles->second &&
      !requestTileRegisters()) {
    leaveOut("amx-tile", features);
    m.notes.push_back("features: the operating system does not grant the tile "
                      "registers of AMX");
  }
  for (const std::string &feature : sources.without) {
    leaveOut(feature, features);
    m.name += "-without-" + feature;
  }
  std::vector<std::string> flags;
  for (const auto &[name, on] : features)
    flags.push_back((on ? "+" : "-") + name);
  m.features = llvm::join(flags, ",");

  std::vector<int> allowed =
      sources.allowedCpus ? *sources.allowedCpus : affinityMask(m.notes);
  if (allowed.empty()) {
    m.notes.push_back("units: no allowed CPU known; assumed 1");
    allowed.push_back(0);
  }
  m.units = static_cast<int64_t>(allowed.size());
  if (std::optional<double> quota = files.cpuQuota()) {
    // Compared as doubles, because a quota may exceed every integer.
    if (std::ceil(*quota) < double(m.units)) {
      int64_t whole = std::max<int64_t>(1, std::llround(std::ceil(*quota)));
      m.notes.push_back(llvm::formatv("units: lowered from {0} to {1} by the "
                                      "control group's CPU quota of {2:F2}",
                                      m.units, whole, *quota)
                            .str());
      m.units = whole;
    }
  }

  setVectors(m, features);
  m.lanes = m.vectorBytes / 4;
  m.schedulersPerUnit = 1;
  m.registersPerThread = m.vectorRegisters * m.lanes;
  m.maxRegistersPerThread = m.registersPerThread;
  m.registersPerUnit = m.registersPerThread;
  m.maxThreadsPerBlock = m.maxThreadsPerUnit = m.maxBlocksPerUnit = 1;
  m.activeBlocksPerUnit = m.activeWarpsPerUnit = m.maxVirtualThreads = 1;

  CacheSizes caches = files.caches(allowed.front(), m.notes);
  m.l1Bytes = caches.l1;
  m.l2Bytes = caches.l2;
  m.l3Bytes = caches.l3;
  m.transactionBytes = caches.line;

  m.clockMHz = files.clockMHz(allowed.front(), m.notes);
  m.peakFlops = flopsPerLane(m, features) * m.lanes * m.clockMHz * 1e6;
  m.memoryBandwidth = 16e9;
  m.notes.push_back("memoryBandwidth: assumed 16 GB/s for one core");
  m.memoryBytes = files.memoryBytes(m.notes);
  if (takesTwoPasses(m)) {
    m.core.loadsPerCycle /= 2;
    m.core.storesPerCycle /= 2;
  }
  if (m.arch == "znver4")
    m.core.l3Bandwidth = 32 * m.clockMHz * 1e6; // From the same guide.
  setKnownCosts(m.core, m.arch);
  m.notes.push_back("core: defaults");
  return m;
}
