//===- GpuArchitectures.cpp - limits by compute capability ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The source of every number not marked otherwise is NVIDIA, CUDA C++
// Programming Guide, appendix "Compute Capabilities", table "Technical
// Specifications per Compute Capability" and the architecture sections below it
// (K: Kepler tuning guide and GK110/210 white paper, P: Pascal, V: Volta, T:
// Turing, A: Ampere, L: Ada, H: Hopper, B: Blackwell tuning guides). Load/store
// units and the rate of shared memory are from the figure and text on the SM in
// the white papers of GK110, GP100, GP104, GV100, TU102, GA100, GA102, AD102
// and GH100. GA10B is taken to equal GA102, GB100 to equal GH100, and GB202 to
// equal AD102. Banks of Kepler are 8 bytes wide; shared memory of Turing has
// half the rate of Volta.
//
// Tensor cores: multiply-adds of f16 per tensor core and cycle, times those of
// an SM, from the same white papers (TU102 8 x 64, GA100 4 x 256, GA102 and
// AD102 4 x 128, GH100 4 x 512, GB202 4 x 128) and from the Jetson AGX Orin
// technical brief (4 x 256). Their tables of peak rates give tf32 half and
// bytes twice as many (Turing has no tf32). The rates of GH100 are those of
// wgmma. mma.sync has two thirds of them: an SM of an H200 has 2,729 operations
// per cycle in f16 and bf16, and 1,365 in tf32 (docs/results/Gpu.md; an
// operation is half a multiply-add). GB100 is taken to equal GH100.

#include "pruner/Machine/CodeTarget.h"
#include "pruner/Machine/KnownMachines.h"

using namespace pruner;

namespace {
struct Limits {
  int major, minor;
  int64_t cores;           ///< f32 FMA units of one SM.
  int64_t schedulers;      ///< Warp schedulers of one SM.
  int64_t registers;       ///< 32-bit registers of one SM.
  int64_t sharedPerUnitKB; ///< Shared memory of one SM, KiB.
  int64_t sharedOptInKB;   ///< Shared memory that a block may opt in to, KiB.
  int64_t threads;         ///< Resident threads of one SM.
  int64_t blocks;          ///< Resident blocks of one SM.
  int64_t l1KB;            ///< L1 of one SM, including unified shared memory.
  int64_t loadStoreUnits;  ///< Of one SM.
  int64_t sharedRate;      ///< Bytes per cycle of shared memory of one SM.
  double tensorRate;       ///< f16 multiply-adds per cycle of one SM, mma.sync.
};

/// The part of the rate of wgmma that mma.sync reaches.
constexpr double kMmaShare = 2.0 / 3;

constexpr Limits table[] = {
    {3, 7, 192, 4, 131072, 112, 48, 2048, 16, 128, 32, 256, 0},
    {6, 0, 64, 2, 65536, 64, 48, 2048, 32, 24, 16, 128, 0},
    {6, 1, 128, 4, 65536, 96, 48, 2048, 32, 48, 32, 128, 0},
    {7, 0, 64, 4, 65536, 96, 96, 2048, 32, 128, 32, 128, 0},
    {7, 5, 64, 4, 65536, 64, 64, 1024, 16, 96, 16, 64, 512},
    {8, 0, 64, 4, 65536, 164, 163, 2048, 32, 192, 32, 128, 1024},
    {8, 6, 128, 4, 65536, 100, 99, 1536, 16, 128, 16, 128, 512},
    {8, 7, 128, 4, 65536, 164, 163, 1536, 16, 192, 16, 128, 1024},
    {8, 9, 128, 4, 65536, 100, 99, 1536, 24, 128, 16, 128, 512},
    {9, 0, 128, 4, 65536, 228, 227, 2048, 32, 256, 32, 128, kMmaShare * 2048},
    {10, 0, 128, 4, 65536, 228, 227, 2048, 32, 256, 32, 128, kMmaShare * 2048},
    {12, 0, 128, 4, 65536, 100, 99, 1536, 24, 128, 16, 128, 512},
};

} // namespace

/// The newest entry of the same major number that is not newer than the
/// requested one.
static const Limits *find(int major, int minor) {
  const Limits *best = nullptr;
  for (const Limits &entry : table)
    if (entry.major == major && entry.minor <= minor)
      best = &entry;
  return best;
}

void pruner::halveTensorFloats(Machine &machine) {
  machine.sm.halfTensorRate /= 2;
  machine.sm.tf32TensorRate /= 2;
}

int64_t pruner::f32CoresPerUnit(int major, int minor) {
  const Limits *limits = find(major, minor);
  return limits ? limits->cores : 128;
}

llvm::Expected<Machine> pruner::gpuArchitecture(int major, int minor) {
  const Limits *limits = find(major, minor);
  std::string number = std::to_string(major) + "." + std::to_string(minor);
  if (!limits) {
    std::string known;
    for (const Limits &entry : table)
      known += (known.empty() ? "" : ", ") + std::to_string(entry.major) + "." +
               std::to_string(entry.minor);
    return llvm::createStringError(
        "no limits are known for compute capability " + number +
        "; known: " + known);
  }
  Machine m;
  m.kind = Machine::Kind::Gpu;
  m.arch = "sm_" + std::to_string(major * 10 + minor);
  // The "a" code of these runs exactly on the requested capability. It has the
  // matrix instructions that are worth tuning for.
  if (minor == 0 && major >= 9)
    m.arch += "a";
  m.name = nvidiaName(m.arch);
  m.schedulersPerUnit = limits->schedulers;
  m.lanes = 32;
  // The limit in the released Pruner code, the same for every GPU there.
  m.registersPerThread = 128;
  m.maxRegistersPerThread = 255;
  m.registersPerUnit = limits->registers;
  m.sharedBytesPerBlock = 48 * 1024;
  m.sharedBytesPerBlockOptIn = limits->sharedOptInKB * 1024;
  m.sharedBytesPerUnit = limits->sharedPerUnitKB * 1024;
  m.maxThreadsPerBlock = 1024;
  m.maxThreadsPerUnit = limits->threads;
  m.maxBlocksPerUnit = limits->blocks;
  m.activeBlocksPerUnit = 1; // n_b, n_w: released Pruner code.
  m.activeWarpsPerUnit = 4;
  m.maxVirtualThreads = 8; // Released Pruner code: warp size / 4.
  m.transactionBytes = 32; // See Machine::transactionBytes.
  m.l1Bytes = limits->l1KB * 1024;
  m.vectorBytes = 16; // ld.global.v4.b32
  m.sm.loadStoreLanes = double(limits->loadStoreUnits);
  m.sm.sharedBytesPerCycle = double(limits->sharedRate);
  m.sm.halfTensorRate = limits->tensorRate;
  m.sm.tf32TensorRate = major >= 8 ? limits->tensorRate / 2 : 0;
  m.sm.byteTensorRate = 2 * limits->tensorRate;
  m.sm.halfSumTensorRate = limits->tensorRate;
  if (limits->minor != minor)
    m.notes.push_back("limits are those of compute capability " +
                      std::to_string(limits->major) + "." +
                      std::to_string(limits->minor));
  return m;
}
