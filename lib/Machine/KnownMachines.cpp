//===- KnownMachines.cpp - devices known by name -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Machine/KnownMachines.h"
#include "AmdMachines.h"
#include "pruner/Machine/CodeTarget.h"
#include "pruner/Support/NearestName.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace pruner;

namespace {
constexpr double GB = 1e9;
constexpr int64_t MiB = int64_t(1) << 20;
constexpr int64_t GiB = int64_t(1) << 30;

/// The part of the rates of its tensor cores that a device has.
enum class TensorCores {
  Whole,
  HalfFloats, ///< Half of those of floats: GeForce.
  Half,
};

struct Device {
  const char *name;
  int major, minor;
  int64_t units;
  /// Boost clock. The f32 peak is units * cores * 2 * clock, which equals the
  /// peak that the same source prints (the unit test compares them).
  double clockMHz;
  double bandwidth;
  int64_t memory;
  int64_t l2;
  const char *source;
  TensorCores tensorCores = TensorCores::Whole;
};

// Rates of tensor cores: the white papers of GeForce devices print half the
// rate of f16 and bf16 with f32 accumulators and of tf32, and the whole rates
// of bytes and of f16 with f16 accumulators; the data sheet of the L40 prints
// half of all.
//
// Comments state where the device table of the released Pruner code differs,
// because results of its experiments are compared with these numbers.
constexpr Device devices[] = {
    // 1980 MHz is the boost clock behind the data sheet's 67 TFLOP/s.
    {"h200", 9, 0, 132, 1980, 4800 * GB, 141 * GiB, 50 * MiB,
     "NVIDIA H200 data sheet (67 TFLOP/s f32, 4.8 TB/s, 141 GB); L2: H100 "
     "architecture white paper (the driver may report 60 MiB)"},
    {"h100", 9, 0, 132, 1980, 3350 * GB, 80 * GiB, 50 * MiB,
     "NVIDIA H100 SXM5 data sheet (67 TFLOP/s f32, 3.35 TB/s, 80 GB); L2: H100 "
     "architecture white paper"},
    {"h100-pcie", 9, 0, 114, 1755, 2000 * GB, 80 * GiB, 50 * MiB,
     "NVIDIA H100 PCIe data sheet (51 TFLOP/s f32, 2 TB/s, 80 GB); L2: H100 "
     "architecture white paper"},
    {"gh200", 9, 0, 132, 1980, 4000 * GB, 96 * GiB, 50 * MiB,
     "NVIDIA GH200 data sheet (67 TFLOP/s f32, 4 TB/s, 96 GB); L2: H100 "
     "architecture white paper"},
    {"b200", 10, 0, 148, 1965, 8000 * GB, 180 * GiB, 126 * MiB,
     "NVIDIA HGX B200 data sheet (75 TFLOP/s f32, 8 TB/s, 180 GB a GPU); clock "
     "and L2: as the driver reports them"},
    {"rtxpro6000", 12, 0, 188, 2617, 1792 * GB, 96 * GiB, 128 * MiB,
     "NVIDIA RTX PRO 6000 Blackwell data sheet (126 TFLOP/s f32, 1792 GB/s, 96 "
     "GB); L2: RTX Blackwell architecture white paper, GB202"},
    {"rtx5090", 12, 0, 170, 2407, 1792 * GB, 32 * GiB, 96 * MiB,
     "NVIDIA RTX Blackwell GPU architecture white paper, table of GeForce RTX "
     "5090 (104.8 TFLOP/s f32, 1792 GB/s)",
     TensorCores::HalfFloats},
    {"rtx5080", 12, 0, 84, 2617, 960 * GB, 16 * GiB, 64 * MiB,
     "NVIDIA RTX Blackwell GPU architecture white paper, table of GeForce RTX "
     "5080 (56.3 TFLOP/s f32, 960 GB/s)",
     TensorCores::HalfFloats},
    {"rtx5070ti", 12, 0, 70, 2452, 896 * GB, 16 * GiB, 48 * MiB,
     "NVIDIA RTX Blackwell GPU architecture white paper, table of GeForce RTX "
     "5070 Ti (43.9 TFLOP/s f32, 896 GB/s)",
     TensorCores::HalfFloats},
    {"rtx5070", 12, 0, 48, 2512, 672 * GB, 12 * GiB, 48 * MiB,
     "NVIDIA RTX Blackwell GPU architecture white paper, table of GeForce RTX "
     "5070 (30.9 TFLOP/s f32, 672 GB/s)",
     TensorCores::HalfFloats},
    {"l40s", 8, 9, 142, 2520, 864 * GB, 48 * GiB, 96 * MiB,
     "NVIDIA L40S data sheet (91.6 TFLOP/s f32, 864 GB/s); L2: Ada "
     "architecture white paper"},
    {"l40", 8, 9, 142, 2490, 864 * GB, 48 * GiB, 96 * MiB,
     "NVIDIA L40 data sheet (90.5 TFLOP/s f32, 864 GB/s); L2: Ada architecture "
     "white paper",
     TensorCores::Half},
    {"l4", 8, 9, 58, 2040, 300 * GB, 24 * GiB, 48 * MiB,
     "NVIDIA L4 data sheet (30.3 TFLOP/s f32, 300 GB/s); L2: Ada architecture "
     "white paper, AD104"},
    {"rtx4090", 8, 9, 128, 2520, 1008 * GB, 24 * GiB, 72 * MiB,
     "NVIDIA Ada GPU architecture white paper, table of GeForce RTX 4090 (82.6 "
     "TFLOP/s f32, 1008 GB/s)",
     TensorCores::HalfFloats},
    {"rtx4080", 8, 9, 76, 2505, 716.8 * GB, 16 * GiB, 64 * MiB,
     "NVIDIA Ada GPU architecture white paper, table of GeForce RTX 4080 (48.7 "
     "TFLOP/s f32, 716.8 GB/s)",
     TensorCores::HalfFloats},
    {"rtx4070ti", 8, 9, 60, 2610, 504 * GB, 12 * GiB, 48 * MiB,
     "NVIDIA GeForce RTX 4070 Ti specification (7680 cores, 2.61 GHz, 40.1 "
     "TFLOP/s f32, 504 GB/s); L2: AD104",
     TensorCores::HalfFloats},
    {"rtx4070", 8, 9, 46, 2475, 504 * GB, 12 * GiB, 36 * MiB,
     "NVIDIA GeForce RTX 4070 specification (5888 cores, 2.48 GHz, 29.1 "
     "TFLOP/s f32, 504 GB/s, 36 MB of L2)",
     TensorCores::HalfFloats},
    {"rtx4060ti", 8, 9, 34, 2535, 288 * GB, 8 * GiB, 32 * MiB,
     "NVIDIA GeForce RTX 4060 Ti specification (4352 cores, 2.54 GHz, 22.1 "
     "TFLOP/s f32, 288 GB/s, 32 MB of L2)",
     TensorCores::HalfFloats},
    {"rtx4060", 8, 9, 24, 2460, 272 * GB, 8 * GiB, 24 * MiB,
     "NVIDIA GeForce RTX 4060 specification (3072 cores, 2.46 GHz, 15.1 "
     "TFLOP/s f32, 272 GB/s, 24 MB of L2)",
     TensorCores::HalfFloats},
    // The released table has 2660 GFLOP/s: half of this, as at 650 MHz.
    {"orin", 8, 7, 16, 1300, 204.8 * GB, 64 * GiB, 4 * MiB,
     "NVIDIA Jetson AGX Orin 64 GB data sheet and technical brief (2048 cores, "
     "1.3 GHz, 5.3 TFLOP/s f32, 204.8 GB/s)"},
    {"rtx3090", 8, 6, 82, 1695, 936 * GB, 24 * GiB, 6 * MiB,
     "NVIDIA Ampere GA102 GPU architecture white paper, table of GeForce RTX "
     "3090 (35.6 TFLOP/s f32, 936 GB/s)",
     TensorCores::HalfFloats},
    {"rtxa4000", 8, 6, 48, 1560, 448 * GB, 16 * GiB, 4 * MiB,
     "NVIDIA RTX A4000 data sheet (6144 cores, 19.2 TFLOP/s f32, 448 GB/s, 16 "
     "GB); L2: GA104 in the Ampere GA102 architecture white paper"},
    {"a40", 8, 6, 84, 1740, 696 * GB, 48 * GiB, 6 * MiB,
     "NVIDIA A40 data sheet (37.4 TFLOP/s f32, 696 GB/s); L2: Ampere GA102 "
     "architecture white paper"},
    {"a10", 8, 6, 72, 1695, 600 * GB, 24 * GiB, 6 * MiB,
     "NVIDIA A10 data sheet (31.2 TFLOP/s f32, 600 GB/s); L2: Ampere GA102 "
     "architecture white paper"},
    {"rtxa6000", 8, 6, 84, 1800, 768 * GB, 48 * GiB, 6 * MiB,
     "NVIDIA RTX A6000 data sheet (38.7 TFLOP/s f32, 768 GB/s); L2: Ampere "
     "GA102 architecture white paper"},
    {"rtx3090ti", 8, 6, 84, 1860, 1008 * GB, 24 * GiB, 6 * MiB,
     "NVIDIA GeForce RTX 3090 Ti specification (10752 cores, 1.86 GHz, 40 "
     "TFLOP/s f32, 1008 GB/s); L2: GA102",
     TensorCores::HalfFloats},
    {"rtx3080", 8, 6, 68, 1710, 760 * GB, 10 * GiB, 5 * MiB,
     "NVIDIA Ampere GA102 GPU architecture white paper, table of GeForce RTX "
     "3080 (29.8 TFLOP/s f32, 760 GB/s)",
     TensorCores::HalfFloats},
    {"rtx3070", 8, 6, 46, 1725, 448 * GB, 8 * GiB, 4 * MiB,
     "NVIDIA Ampere GA102 GPU architecture white paper, table of GeForce RTX "
     "3070 (20.3 TFLOP/s f32, 448 GB/s)",
     TensorCores::HalfFloats},
    {"rtx3060", 8, 6, 28, 1777, 360 * GB, 12 * GiB, 3 * MiB,
     "NVIDIA GeForce RTX 3060 specification (3584 cores, 1.78 GHz, 12.7 "
     "TFLOP/s f32, 360 GB/s); L2: GA106",
     TensorCores::HalfFloats},
    {"a30", 8, 0, 56, 1440, 933 * GB, 24 * GiB, 24 * MiB,
     "NVIDIA A30 data sheet (10.3 TFLOP/s f32, 933 GB/s, 24 GB); L2: as the "
     "driver reports it"},
    // Released Pruner table "a100_40", its default device: the same numbers.
    {"a100-40", 8, 0, 108, 1410, 1555 * GB, 40 * GiB, 40 * MiB,
     "NVIDIA A100 40 GB data sheet (19.5 TFLOP/s f32, 1555 GB/s); L2: A100 "
     "architecture white paper; same in the released Pruner device table"},
    // Released Pruner table "a100": the same numbers.
    {"a100-80", 8, 0, 108, 1410, 1935 * GB, 80 * GiB, 40 * MiB,
     "NVIDIA A100 80 GB PCIe data sheet (19.5 TFLOP/s f32, 1935 GB/s); same in "
     "the released Pruner device table"},
    {"a100-80-sxm", 8, 0, 108, 1410, 2039 * GB, 80 * GiB, 40 * MiB,
     "NVIDIA A100 80 GB SXM data sheet (19.5 TFLOP/s f32, 2039 GB/s)"},
    {"t4", 7, 5, 40, 1590, 320 * GB, 16 * GiB, 4 * MiB,
     "NVIDIA T4 data sheet (8.1 TFLOP/s f32, 320 GB/s) and Turing architecture "
     "white paper; same in the released Pruner device table"},
    {"titanrtx", 7, 5, 72, 1770, 672 * GB, 24 * GiB, 6 * MiB,
     "NVIDIA TITAN RTX data sheet (4608 cores, 1770 MHz, 16.3 TFLOP/s f32, 672 "
     "GB/s, 24 GB); L2: Turing architecture white paper, TU102"},
    {"rtx2080ti", 7, 5, 68, 1545, 616 * GB, 11 * GiB, 5632 * 1024,
     "NVIDIA Turing architecture white paper, table of GeForce RTX 2080 Ti, "
     "reference clock (13.4 TFLOP/s f32, 616 GB/s)",
     TensorCores::HalfFloats},
    {"rtx2080", 7, 5, 46, 1710, 448 * GB, 8 * GiB, 4 * MiB,
     "NVIDIA Turing architecture white paper, table of GeForce RTX 2080, "
     "reference clock (10.1 TFLOP/s f32, 448 GB/s)",
     TensorCores::HalfFloats},
    {"rtx2070", 7, 5, 36, 1620, 448 * GB, 8 * GiB, 4 * MiB,
     "NVIDIA Turing architecture white paper, table of GeForce RTX 2070, "
     "reference clock (7.5 TFLOP/s f32, 448 GB/s)",
     TensorCores::HalfFloats},
    {"rtx2060", 7, 5, 30, 1680, 336 * GB, 6 * GiB, 3 * MiB,
     "NVIDIA GeForce RTX 2060 specification (1920 cores, 1.68 GHz, 6.45 "
     "TFLOP/s "
     "f32, 336 GB/s); L2: TU106",
     TensorCores::HalfFloats},
    {"v100", 7, 0, 80, 1530, 900 * GB, 32 * GiB, 6 * MiB,
     "NVIDIA V100 SXM2 data sheet (15.7 TFLOP/s f32, 900 GB/s) and Volta "
     "architecture white paper"},
    // Released table: 14900 GFLOP/s, 651 GB/s.
    {"titanv", 7, 0, 80, 1455, 652.8 * GB, 12 * GiB, 4608 * 1024,
     "NVIDIA TITAN V user guide (5120 cores, 1455 MHz, 652.8 GB/s, 12 GB)"},
    // The board has two dies, each a CUDA device with its own memory; a kernel
    // runs on one. The released table describes the whole board at 824 MHz
    // (8226 GFLOP/s, 480 GB/s, 26 SMs).
    {"k80", 3, 7, 13, 875, 240 * GB, 12 * GiB, 1536 * 1024,
     "NVIDIA Tesla K80 board specification, one of two dies (8.74 TFLOP/s f32 "
     "and 480 GB/s with both)"},
};

struct Alias {
  const char *arch;
  const char *device;
};

constexpr Alias architectures[] = {
    {"sm_120a", "rtx5090"}, {"sm_120", "rtx5090"}, {"sm_100a", "b200"},
    {"sm_100", "b200"},     {"sm_90a", "h200"},    {"sm_90", "h200"},
    {"sm_89", "rtx4090"},   {"sm_87", "orin"},     {"sm_86", "rtx3090"},
    {"sm_80", "a100-40"},   {"sm_75", "t4"},       {"sm_70", "titanv"},
    {"sm_37", "k80"},
};

} // namespace

static llvm::Expected<Machine> build(const Device &device) {
  llvm::Expected<Machine> machine = gpuArchitecture(device.major, device.minor);
  if (!machine)
    return machine;
  machine->name = nvidiaName(device.name);
  machine->units = device.units;
  machine->clockMHz = device.clockMHz;
  machine->peakFlops = double(device.units) *
                       f32CoresPerUnit(device.major, device.minor) * 2 *
                       device.clockMHz * 1e6;
  machine->memoryBandwidth = device.bandwidth;
  machine->memoryBytes = device.memory;
  machine->l2Bytes = device.l2;
  if (device.tensorCores != TensorCores::Whole)
    halveTensorFloats(*machine);
  if (device.tensorCores == TensorCores::Half) {
    machine->sm.byteTensorRate /= 2;
    machine->sm.halfSumTensorRate /= 2;
  }
  machine->notes.push_back(std::string("source: ") + device.source);
  return machine;
}
std::vector<std::string> pruner::knownMachineNames() {
  std::vector<std::string> names;
  for (const Device &device : devices)
    names.push_back(nvidiaName(device.name));
  llvm::append_range(names, amdMachineNames());
  return names;
}

std::vector<KnownArchitecture> pruner::knownArchitectures() {
  std::vector<KnownArchitecture> all;
  for (const Alias &alias : architectures)
    all.push_back({alias.arch, nvidiaName(alias.device)});
  return all;
}

llvm::Expected<Machine> pruner::knownMachine(llvm::StringRef name) {
  std::string wanted = name.trim().lower();
  if (std::optional<Machine> amd = amdMachine(wanted))
    return *amd;
  llvm::StringRef model = wanted;
  consumeNvidia(model);
  std::string arch;
  for (const Alias &alias : architectures) {
    if (model == alias.arch) {
      arch = alias.arch;
      model = alias.device;
      break;
    }
  }
  for (const Device &device : devices) {
    if (model != device.name)
      continue;
    llvm::Expected<Machine> machine = build(device);
    if (machine && !arch.empty())
      machine->arch = arch;
    return machine;
  }
  std::vector<std::string> archs;
  for (const Alias &alias : architectures)
    archs.push_back(alias.arch);
  std::vector<std::string> known = knownMachineNames();
  std::string devicesText = llvm::join(known, ", ");
  for (const std::string &each : archs)
    known.push_back(nvidiaName(each));
  return llvm::createStringError(
      llvm::formatv(
          "unknown device '{0}'; known devices: {1}; known "
          "architectures: {2}; any other device can be described in "
          "a file, 'file:<path>'{3}",
          name, devicesText, llvm::join(archs, ", "),
          didYouMean(name, known, [](const auto &each) { return each; }))
          .str());
}
