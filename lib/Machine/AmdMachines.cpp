//===- AmdMachines.cpp - AMD devices known by name ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The analytical and the learned models predict for these devices. No code is
// generated for them.
//
// Limits of architectures, where not marked otherwise, are from the instruction
// set guides and white papers of Vega, Vega 7nm, CDNA, CDNA 2 and RDNA 2:
// SIMDs, vector registers and local data share of a compute unit, waves,
// caches. LLVM's AMDGPU subtargets have the same numbers of resident waves (10
// of a SIMD, 8 with CDNA 2, 16 with RDNA 2) and 16 work groups of several waves
// a compute unit.

#include "AmdMachines.h"

#include "llvm/ADT/StringRef.h"

using namespace pruner;

namespace {
constexpr double GB = 1e9;
constexpr int64_t KiB = 1024, MiB = 1024 * KiB, GiB = 1024 * MiB;

struct Architecture {
  const char *name;
  int64_t lanes;     ///< Of a wave.
  int64_t simds;     ///< Of a compute unit.
  int64_t registers; ///< 32-bit vector registers of a compute unit.
  int64_t threads;   ///< Resident threads of a compute unit.
  int64_t line;      ///< Bytes of a line of the second-level cache.
};

constexpr Architecture gfx900 = {"gfx900", 64, 4, 65536, 2560, 64},
                       gfx906 = {"gfx906", 64, 4, 65536, 2560, 64},
                       // Accumulation registers are not counted.
    gfx908 = {"gfx908", 64, 4, 65536, 2560, 128},
                       gfx90a = {"gfx90a", 64, 4, 131072, 2048, 128},
                       gfx1030 = {"gfx1030", 32, 2, 65536, 1024, 128};

struct Device {
  const char *name;
  const Architecture &architecture;
  int64_t units;
  /// Peak engine clock. The f32 peak is units * 64 * 2 * clock, which equals
  /// the peak that the same source prints (the unit test compares them).
  double clockMHz;
  double bandwidth;
  int64_t memory;
  int64_t l2;
  const char *source;
};

constexpr Device devices[] = {
    // The board has two dies, each a device with its own memory.
    {"mi250x", gfx90a, 110, 1700, 1638.4 * GB, 64 * GiB, 8 * MiB,
     "AMD Instinct MI250X data sheet, one of two dies (220 compute units, 47.9 "
     "TFLOP/s f32 at 1700 MHz, 3276.8 GB/s and 128 GB with both; packed and "
     "matrix instructions have more); L2: CDNA 2 white paper"},
    {"rx6900xt", gfx1030, 80, 2250, 512 * GB, 16 * GiB, 4 * MiB,
     "AMD Radeon RX 6900 XT specification, the whole Navi 21 (80 compute "
     "units, "
     "23.04 TFLOP/s f32 at 2250 MHz, 512 GB/s, 16 GB); L2: RDNA 2 white paper; "
     "the last-level cache of 128 MiB is left out"},
    {"mi100", gfx908, 120, 1502, 1228.8 * GB, 32 * GiB, 8 * MiB,
     "AMD Instinct MI100 data sheet (120 compute units, 23.1 TFLOP/s f32 at "
     "1502 MHz without matrix instructions, 1228.8 GB/s, 32 GB); L2: CDNA "
     "white "
     "paper"},
    {"mi50", gfx906, 60, 1725, 1024 * GB, 16 * GiB, 4 * MiB,
     "AMD Radeon Instinct MI50 data sheet (60 compute units, 3840 stream "
     "processors, 13.3 TFLOP/s f32 at 1725 MHz, 1024 GB/s, 16 GB); Vega 7nm "
     "ISA guide and Graphics Core Next documentation (wavefronts of 64, 4 "
     "SIMDs "
     "and 65536 vector registers a compute unit, 64 KiB of local data share "
     "with 32 banks of 4 bytes, 10 wavefronts a SIMD, cache lines of 64 "
     "bytes)"},
    {"mi25", gfx900, 64, 1500, 484 * GB, 16 * GiB, 4 * MiB,
     "AMD Radeon Instinct MI25 data sheet, Vega 10 (64 compute units, 12.3 "
     "TFLOP/s f32 at 1500 MHz, 484 GB/s, 16 GB); L2: Vega architecture white "
     "paper"},
};
} // namespace

static Machine build(const Device &device) {
  const Architecture &limits = device.architecture;
  Machine m;
  m.name = amdName(device.name);
  m.kind = Machine::Kind::Gpu;
  m.arch = limits.name;
  m.units = device.units;
  m.clockMHz = device.clockMHz;
  m.peakFlops = double(device.units) * 64 * 2 * device.clockMHz * 1e6;
  m.memoryBandwidth = device.bandwidth;
  m.memoryBytes = device.memory;
  m.l1Bytes = 16 * KiB;
  m.l2Bytes = device.l2;
  m.schedulersPerUnit = limits.simds;
  m.lanes = limits.lanes;
  m.registersPerThread = m.maxRegistersPerThread = 64;
  m.registersPerUnit = limits.registers;
  m.sharedBytesPerBlock = m.sharedBytesPerBlockOptIn = m.sharedBytesPerUnit =
      64 * KiB;
  m.maxThreadsPerBlock = 1024;
  m.maxThreadsPerUnit = limits.threads;
  m.maxBlocksPerUnit = 16;
  m.activeBlocksPerUnit = 1; // n_b, n_w: released Pruner code.
  m.activeWarpsPerUnit = 4;
  m.maxVirtualThreads = limits.lanes / 4; // The same: wave / 4.
  m.transactionBytes = limits.line;
  m.vectorBytes = 16;
  m.notes = {std::string("source: ") + device.source,
             "registers of a thread: 256 a lane, of which LLVM uses 64 where "
             "work groups are not declared to be smaller than 1024 (AMDGPU "
             "usage guide, amdgpu-flat-work-group-size)",
             "for models only: no code is generated for it"};
  return m;
}

std::string pruner::amdName(llvm::StringRef model) {
  return "amd:" + model.str();
}

std::vector<std::string> pruner::amdMachineNames() {
  std::vector<std::string> names;
  for (const Device &device : devices)
    names.push_back(amdName(device.name));
  return names;
}

std::optional<Machine> pruner::amdMachine(llvm::StringRef name) {
  for (const Device &device : devices)
    if (name == amdName(device.name))
      return build(device);
  return std::nullopt;
}
